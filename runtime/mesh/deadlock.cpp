// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether cores at a standstill have ended, and if not, which core waits for what.
#include <algorithm>
#include <bit>

#include "runtime/mesh/cores.h"

namespace waferpair::mesh {

bool Cores::idle() const {
  return std::all_of(cores_.begin(), cores_.end(), [](const Core& core) {
    return core.task < 0 && core.running == 0 && core.active == 0;
  });
}

void Cores::explain(std::vector<std::string>& lines, std::size_t most) const {
  const Config& config = program_.config;
  for (int pe = 0; pe < config.peCount(); ++pe) {
    const Core& core = cores_[pe];
    const auto add = [&](std::string line) {
      if (lines.size() < most) lines.push_back(peName(config, pe) + ": " + std::move(line));
    };
    const auto* code = program_.codeOf[pe] < 0 ? nullptr : &program_.codes[program_.codeOf[pe]];
    for (unsigned left = core.running; left != 0; left &= left - 1) {
      const int which = std::countr_zero(left);
      const Thread& thread = this->thread(pe, which);
      const Prepared& op = *thread.op;
      const bool reads = op.inSlot >= 0 && !(fabric_.arrived(pe) >> op.inSlot & 1);
      const int slot = reads ? op.inSlot : op.outSlot;
      const std::string color = std::to_string(fabric_.colorOf(slot));
      add("task \"" + (*code)[op.task].name + "\", instruction " + std::to_string(op.index) + " (" +
          name(op.in.op) + (which > 0 ? ", microthread " + std::to_string(which - 1) : "") +
          ") waits " +
          (reads ? "for a wavelet on color " + color
                 : "for room in the queue to its router on color " + color) +
          ", after " + std::to_string(thread.at.done) + " of " + std::to_string(op.in.length) +
          " elements.");
    }
    for (std::uint64_t left = core.active & core.blocked; left != 0; left &= left - 1) {
      add("task \"" + (*code)[std::countr_zero(left)].name + "\" is activated but blocked.");
    }
    for (std::uint32_t left = fabric_.arrived(pe); left != 0; left &= left - 1) {
      const int slot = std::countr_zero(left);
      bool read = false;
      for (unsigned threads = core.running; threads != 0; threads &= threads - 1) {
        const int which = std::countr_zero(threads);
        read = read || thread(pe, which).op->inSlot == slot;
      }
      if (!read) {
        add("wavelets of color " + std::to_string(fabric_.colorOf(slot)) +
            " have come, and no running task reads them.");
      }
    }
  }
}

}  // namespace waferpair::mesh

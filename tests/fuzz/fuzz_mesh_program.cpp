// SPDX-License-Identifier: GPL-3.0-or-later
// A program of the mesh from outside: what is read can be run, for a while, on a small region; what
// is not is refused with a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "runtime/mesh/text_program.h"

using namespace waferpair;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int kMostPes = 64;
  constexpr std::uint32_t kMostCycles = 2000;
  const auto text = mesh::parseProgram({reinterpret_cast<const char*>(data), size});
  if (!text) {
    if (text.error().what.empty()) std::abort();
    return 0;
  }
  if (text->program.config.peCount() > kMostPes) return 0;
  auto mesh = mesh::load(*text);
  if (!mesh) std::abort();  // a program that is read is valid, and its data lies within SRAM
  mesh::Recorder recorder(1000);
  const auto report = mesh->run(kMostCycles, &recorder);
  if (!report && report.error().what.empty()) std::abort();
  if (report) (void)mesh::check(*text, *mesh);
  return 0;
}

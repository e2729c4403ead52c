// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/text_ready.h"

#include <algorithm>
#include <cmath>

#include "runtime/mesh/collectives.h"
#include "runtime/mesh/gemm.h"
#include "runtime/mesh/gemv.h"

namespace waferpair::mesh {
namespace {

class ReadyReader {
 public:
  ReadyReader(TextWords& words, Builder& builder, std::vector<Values>& data, std::size_t& values)
      : words_(words), builder_(builder), config_(builder.config()), data_(data), values_(values) {}

  void collective() {
    const std::string_view kind = words_.word("a collective");
    const bool grouped = kind == "two-phase-reduce" || kind == "ktree-allreduce";
    const int group = grouped ? words_.integer("the group", 1, kMostTextPes) : 0;
    const std::vector<Line> all = lines();
    const TextWords::SramPlace at = words_.place(words_.word("a place"));
    const int length = words_.integer("the length", 1, config_.sramBytes);
    words_.noMore();
    if (words_.problem()) return;
    if (at.stride != 1 || at.step != 0)
      return words_.fail("a collective's elements lie side by side", "Leave the stride away.");
    const Span span{at.address, static_cast<std::uint32_t>(length), at.type};
    for (const Line& line : all) {
      if (grouped && group > line.count)
        return words_.fail("a group is longer than its line",
                           "It has " + std::to_string(line.count) + ".");
      if (kind == "broadcast") {
        broadcast(builder_, line, span);
      } else if (kind == "star-reduce") {
        starReduce(builder_, line, span);
      } else if (kind == "chain-reduce") {
        chainReduce(builder_, line, span);
      } else if (kind == "tree-reduce") {
        treeReduce(builder_, line, span);
      } else if (kind == "two-phase-reduce") {
        twoPhaseReduce(builder_, line, span, group);
      } else if (kind == "ring-allreduce") {
        ringAllReduce(builder_, line, span);
      } else if (kind == "ktree-allreduce") {
        kTreeAllReduce(builder_, line, span, group);
      } else {
        return words_.fail("there is no collective \"" + std::string(kind) + "\"",
                           "Known are broadcast, star-reduce, chain-reduce, tree-reduce, "
                           "two-phase-reduce GROUP, ring-allreduce and ktree-allreduce GROUP.");
      }
    }
  }

  void kernel() {
    constexpr int kMostSize = 1 << 20;
    const std::string_view kind = words_.word("a kernel");
    SramLayout sram;
    if (kind == "gemv") {
      GemvShape shape;
      shape.rows = words_.integer("the rows", 1, kMostSize);
      shape.columns = words_.integer("the columns", 1, kMostSize);
      Along along;
      int group = 0;
      while (words_.more() && !words_.problem()) {
        if (words_.accept("along")) {
          const std::string_view axis = words_.word("an axis");
          if (axis != "x" && axis != "y")
            return words_.fail("there is no such axis", "Write x or y.");
          along.axis = axis == "x" ? wafer::Axis::kX : wafer::Axis::kY;
        } else if (words_.accept("group")) {
          group = words_.integer("the group", 1, kMostTextPes);
        } else if (words_.accept("issue")) {
          shape.issueCycles = words_.integer("issue", 0, 1 << 20);
        } else {
          break;
        }
      }
      words_.noMore();
      if (words_.problem()) return;
      const int pes = along.axis == wafer::Axis::kX ? config_.width : config_.height;
      along.group = group > 0 ? group : std::max(1, static_cast<int>(std::lround(std::sqrt(pes))));
      shape.reduce = along.axis;
      const auto tile = gemvTile(config_, shape, sram);
      if (!tile) return words_.fail(tile.error().what, tile.error().remedy);
      fill(tile->in, tile->rows, 1);
      for (int k = 0; k < tile->rows && !words_.problem(); ++k)
        fill(tile->tile.address + static_cast<std::uint32_t>(k) * tile->tile.pitch, tile->columns,
             k);
      if (auto ok = gemv(builder_, *tile, along); !ok)
        words_.fail(ok.error().what, ok.error().remedy);
    } else if (kind == "gemm") {
      const GemmShape shape{words_.integer("m", 1, kMostSize), words_.integer("k", 1, kMostSize),
                            words_.integer("n", 1, kMostSize)};
      words_.noMore();
      if (words_.problem()) return;
      const auto tile = gemmTile(config_, shape, sram);
      if (!tile) return words_.fail(tile.error().what, tile.error().remedy);
      for (int k = 0; k < tile->inner && !words_.problem(); ++k) {
        fill(tile->left[0].address + static_cast<std::uint32_t>(k) * tile->left[0].pitch,
             tile->rows, k);
        fill(tile->right[0] + static_cast<std::uint32_t>(2 * k * tile->columns), tile->columns,
             k + 1);
      }
      if (auto ok = gemm(builder_, *tile); !ok) words_.fail(ok.error().what, ok.error().remedy);
    } else {
      words_.fail("there is no kernel \"" + std::string(kind) + "\"", "Known are gemv and gemm.");
    }
  }

 private:
  // Small numbers that FP16 sums exactly, for operands that a kernel places itself.
  void fill(std::uint32_t address, int count, int salt) {
    for (int pe = 0; pe < config_.peCount(); ++pe) {
      Values one{pe % config_.width, pe / config_.width, Type::F16, address, {}, words_.line()};
      for (int i = 0; i < count; ++i)
        one.values.push_back(static_cast<float>((pe * 5 + i * 3 + salt) % 5 - 2));
      values_ += one.values.size();
      if (values_ > kMostTextValues)
        return words_.fail("there are too many values", "Take smaller matrices.");
      data_.push_back(std::move(one));
    }
  }

  std::vector<Line> lines() {
    std::vector<Line> all;
    if (words_.accept("rows")) {
      for (int y = 0; y < config_.height; ++y) all.push_back(row(config_, y));
    } else if (words_.accept("columns")) {
      for (int x = 0; x < config_.width; ++x) all.push_back(column(config_, x));
    } else if (words_.accept("row")) {
      all.push_back(row(config_, words_.integer("the row", 0, config_.height - 1)));
    } else if (words_.accept("column")) {
      all.push_back(column(config_, words_.integer("the column", 0, config_.width - 1)));
    } else {
      words_.fail("it is not said along what", "Write row Y, column X, rows or columns.");
    }
    return all;
  }

  TextWords& words_;
  Builder& builder_;
  const Config& config_;
  std::vector<Values>& data_;
  std::size_t& values_;
};

}  // namespace

void readReady(TextWords& words, Builder& builder, std::vector<Values>& data, std::size_t& values) {
  ReadyReader reader(words, builder, data, values);
  words.word("a statement") == "kernel" ? reader.kernel() : reader.collective();
}

}  // namespace waferpair::mesh

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/trace/reader.h"

#include <algorithm>

namespace waferpair::trace {

base::Result<Reader> Reader::open(const std::string& path) {
  Reader reader;
  reader.path_ = path;
  reader.file_.open(path, std::ios::binary);
  if (!reader.file_)
    return base::fail(path + ": cannot be opened.", "See that it exists and that you may read it.");
  std::string magic(kMagic.size(), '\0');
  reader.file_.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  reader.version_ = magic.back() - '0';
  if (!reader.file_ || magic.compare(0, magic.size() - 1, kMagic, 0, kMagic.size() - 1) != 0 ||
      reader.version_ < 1 || reader.version_ > kVersion)
    return base::fail(path + ": is not a trace of Waferpair, or comes from another version.",
                      "Open a file that \"Record Trace\" or waferctl --trace has written.");
  if (auto read = reader.readBlocks(); !read) return tl::unexpected(read.error());
  return reader;
}

base::Result<void> Reader::readBlocks() {
  std::uint64_t at = kMagic.size();
  bool ended = false, begun = false;
  // Reads the block at `at`; the error says what is wrong with it.
  const auto readBlock = [&]() -> base::Result<void> {
    std::string head(kBlockHead, '\0');
    file_.read(head.data(), static_cast<std::streamsize>(head.size()));
    if (!file_) return base::fail("it ends in the head of a block");
    ByteReader in(head);
    const auto kind = static_cast<BlockKind>(in.fixed(4));
    Block block{.offset = at + kBlockHead,
                .bytes = static_cast<std::uint32_t>(in.fixed(4)),
                .checksum = static_cast<std::uint32_t>(in.fixed(4)),
                .before = totals_};
    if (block.bytes > kMaxBlock) return base::fail("a block says that it has too many bytes");
    const auto bytes = content(block);
    if (!bytes) return base::fail(bytes.error().what);
    at = block.offset + block.bytes;
    if ((kind == BlockKind::kLayout) == begun) return base::fail("blocks are out of order");
    if (kind == BlockKind::kLayout) {
      auto header = decodeHeader(*bytes);
      if (!header) return tl::unexpected(header.error());
      header_ = std::move(*header);
      begun = true;
    } else if (kind == BlockKind::kSteps) {
      StepDecoder steps(*bytes, header_.layout.ops.size(), version_);
      Totals totals = totals_;
      for (Step step;;) {
        const auto more = steps.next(step);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        totals.add(step);
        lead_ = std::max(lead_, step.lead());
      }
      blocks_.push_back(block);
      totals_ = totals;
    } else if (kind == BlockKind::kEnd) {
      const auto totals = decodeTotals(*bytes);
      if (!totals) return tl::unexpected(totals.error());
      if (*totals != totals_) return base::fail("its totals are not the sums of its steps");
      ended = true;
    } else {
      return base::fail("a block is of an unknown kind");
    }
    return {};
  };

  while (!ended && file_.peek() != std::ifstream::traits_type::eof()) {
    const std::uint64_t block = at;
    const auto read = readBlock();
    if (read) continue;
    const std::string where = "At byte " + std::to_string(block) + ", " + read.error().what;
    if (!begun) return base::fail(path_ + ": is broken. " + where + ".", "Record it again.");
    damage_ = base::Error{
        path_ + ": is whole up to step " + std::to_string(totals_.steps) + " only. " + where + ".",
        "What is before can be replayed; record it again for the rest."};
    break;
  }
  if (!begun) return base::fail(path_ + ": ends before its layout.", "Record it again.");
  if (!ended && !damage_)
    damage_ =
        base::Error{path_ + ": was not closed; it has " + std::to_string(totals_.steps) + " steps.",
                    "The program that recorded it was ended, or still records."};
  if (ended && file_.peek() != std::ifstream::traits_type::eof())
    damage_ = base::Error{path_ + ": goes on behind its end.", "What is behind is not read."};
  file_.clear();
  return {};
}

base::Result<std::string> Reader::content(const Block& block) {
  // The size is checked before so much memory is asked for.
  file_.clear();
  file_.seekg(0, std::ios::end);
  const auto size = static_cast<std::uint64_t>(file_.tellg());
  if (block.offset > size || block.bytes > size - block.offset)
    return base::fail("it ends within a block");
  std::string bytes(block.bytes, '\0');
  file_.seekg(static_cast<std::streamoff>(block.offset));
  file_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file_) return base::fail("a block cannot be read");
  if (checksum(bytes) != block.checksum) return base::fail("a block has the wrong checksum");
  return bytes;
}

base::Result<void> Reader::visit(std::uint64_t from, std::uint64_t to, const Visit& visit) {
  // A block that begins before `from` may reach into the range.
  auto block =
      std::lower_bound(blocks_.begin(), blocks_.end(), from,
                       [](const Block& b, std::uint64_t cycle) { return b.before.cycles < cycle; });
  if (block != blocks_.begin()) --block;
  const std::uint64_t last = to + std::min(lead_, ~to);
  for (; block != blocks_.end() && block->before.cycles < last; ++block) {
    const auto index = static_cast<std::size_t>(block - blocks_.begin());
    if (cachedBlock_ != index) {
      auto bytes = content(*block);
      if (!bytes)
        return base::fail(path_ + ": was changed since it was opened: " + bytes.error().what + ".",
                          "Open it again.");
      cached_ = std::move(*bytes);
      cachedBlock_ = index;
    }
    StepDecoder steps(cached_, header_.layout.ops.size(), version_);
    Totals before = block->before;
    for (Step step;;) {
      const auto more = steps.next(step);
      if (!more) return tl::unexpected(more.error());
      if (!*more || before.cycles >= last) break;
      Totals after = before;
      after.add(step);
      const bool begun = before.cycles < to || before.cycles - step.lead() < to;
      const bool inside = begun && (after.cycles > from || before.cycles >= from);
      if (inside && !visit(step, before)) return {};
      before = after;
    }
  }
  return {};
}

}  // namespace waferpair::trace

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/trace/writer.h"

namespace waferpair::trace {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

}  // namespace

base::Result<Writer> Writer::create(const std::string& path, const Header& header) {
  auto file = base::OutputFile::create(path, base::OutputFile::Unfinished::kLeave);
  if (!file) return tl::unexpected(file.error());
  Writer writer(path, std::move(*file));
  writer.put(kMagic);
  writer.putBlock(BlockKind::kLayout, encodeHeader(header));
  if (writer.failure_) {
    writer.file_.discard();  // there is nothing to be read
    return tl::unexpected(*writer.failure_);
  }
  return writer;
}

void Writer::add(const Step& step) {
  if (failure_) return;
  steps_.add(step);
  written_.totals.add(step);
  if (steps_.bytes() >= kBlockBytes) flush();
}

base::Result<Written> Writer::close() {
  flush();
  putBlock(BlockKind::kEnd, encodeTotals(written_.totals));
  if (!failure_) check(file_.keep());
  if (!failure_) return written_;
  std::string remedy = failure_->remedy;
  // Unless only the folder could not be synced.
  if (const std::string& part = file_.unfinishedPath(); !part.empty())
    remedy += " What was recorded before can be opened: " + part;
  return base::fail("The recording ended early. " + failure_->what, remedy);
}

void Writer::flush() {
  if (pending()) putBlock(BlockKind::kSteps, steps_.take());
}

void Writer::putBlock(BlockKind kind, std::string_view content) {
  put(blockHead(kind, content));
  put(content);
  if (!failure_) check(file_.flush());
}

void Writer::put(std::string_view bytes) {
  if (!failure_) check(file_.write(bytes));
  written_.bytes += bytes.size();
}

void Writer::check(const base::Result<void>& done) {
  if (!done) failure_ = done.error();
}

}  // namespace waferpair::trace

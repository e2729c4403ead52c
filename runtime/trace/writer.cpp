// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/trace/writer.h"

#include <cassert>
#include <cerrno>
#include <cstring>

namespace waferpair::trace {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

}  // namespace

base::Result<Writer> Writer::create(const std::string& path, const Header& header) {
  std::FILE* file = std::fopen(path.c_str(), "wbe");
  if (!file)
    return base::fail(path + ": cannot be written: " + std::strerror(errno) + ".",
                      "Name a file in a folder that you may write to.");
  Writer writer(path, file);
  writer.put(kMagic);
  writer.putBlock(BlockKind::kLayout, encodeHeader(header));
  if (writer.failed_) return tl::unexpected(writer.problem());
  return writer;
}

void Writer::add(const Step& step) {
  if (failed_) return;
  steps_.add(step);
  written_.totals.add(step);
  if (steps_.bytes() >= kBlockBytes) flush();
}

base::Result<Written> Writer::close() {
  assert(file_);
  flush();
  putBlock(BlockKind::kEnd, encodeTotals(written_.totals));
  if (!failed_ && std::fclose(file_.release()) != 0) {
    errno_ = errno;
    failed_ = true;
  }
  file_.reset();
  if (failed_) return tl::unexpected(problem());
  return written_;
}

void Writer::flush() {
  if (pending()) putBlock(BlockKind::kSteps, steps_.take());
}

void Writer::putBlock(BlockKind kind, std::string_view content) {
  put(blockHead(kind, content));
  put(content);
  if (!failed_ && std::fflush(file_.get()) != 0) {
    errno_ = errno;
    failed_ = true;
  }
}

void Writer::put(std::string_view bytes) {
  if (failed_) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    errno_ = errno;
    failed_ = true;
  }
  written_.bytes += bytes.size();
}

base::Error Writer::problem() const {
  return {path_ + ": the recording ended early, a write failed: " + std::strerror(errno_) + ".",
          "Make room on that disk, or record to another; what was written before can be opened."};
}

}  // namespace waferpair::trace

// SPDX-License-Identifier: GPL-3.0-or-later
// A trace from outside: its layout, or the steps of a block, behind a checksum that fits, or a
// whole file, as it is and with the checksums that its blocks should have. The first byte says
// which.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "runtime/trace/format.h"
#include "runtime/trace/reader.h"

using namespace waferpair;

namespace {

void readFile(std::string_view bytes) {
  static const int fd = memfd_create("trace", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(fd);
  if (ftruncate(fd, 0) != 0 ||
      pwrite(fd, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    std::abort();
  }
  auto reader = trace::Reader::open(path);
  if (!reader) {
    if (reader.error().what.empty()) std::abort();
    return;
  }
  trace::Totals sum;
  const auto visited =
      reader->visit(0, ~std::uint64_t{0}, [&](const trace::Step& step, const trace::Totals&) {
        sum.add(step);
        return true;
      });
  if (!visited || !(sum == reader->totals())) std::abort();
}

void correctChecksums(std::string& bytes) {
  for (std::size_t at = trace::kMagic.size(); bytes.size() - at >= trace::kBlockHead;) {
    std::uint32_t length = 0;
    std::memcpy(&length, &bytes[at + 4], sizeof(length));
    const std::string_view content = std::string_view(bytes).substr(at + trace::kBlockHead, length);
    const std::uint32_t sum = trace::checksum(content);
    std::memcpy(&bytes[at + 8], &sum, sizeof(sum));
    at += trace::kBlockHead + content.size();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 3 == 0) {
    const auto header = trace::decodeHeader(bytes);
    if (header && !(trace::decodeHeader(trace::encodeHeader(*header)).value() == *header)) abort();
    return 0;
  }
  if (data[0] % 3 == 2) {
    readFile(bytes);
    std::string corrected(bytes);
    if (corrected.size() >= trace::kMagic.size()) correctChecksums(corrected);
    readFile(corrected);
    return 0;
  }
  trace::StepDecoder steps(bytes, 100);
  for (trace::Step step;;) {
    const auto more = steps.next(step);
    if (!more || !*more) return 0;
    if (step.ops.size() > 100) abort();
  }
}

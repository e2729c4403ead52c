// SPDX-License-Identifier: GPL-3.0-or-later
// A session file from outside, as it is and once more with the hash that its head should have:
// damage seldom gets that right, and what is behind it must hold all the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/base/hash64.h"
#include "runtime/inference/engine/session_file.h"
#include "tests/fuzz/session_key.h"

using namespace waferpair;

namespace {

void parse(std::span<const std::byte> bytes) {
  const auto sequences = inference::parseSession(bytes, test::kFuzzSessionKey, "fuzz");
  if (!sequences) {
    if (sequences.error().what.empty() || sequences.error().remedy.empty()) std::abort();
    return;
  }
  for (const auto& sequence : *sequences) {
    const std::size_t chunks = (sequence.tokens.size() + tensor::kChunk - 1) / tensor::kChunk;
    if (chunks == 0 || sequence.chunks.size() != chunks) std::abort();
    base::Hash64 hash;
    std::size_t size = 0;
    for (const auto chunk : sequence.chunks) {
      if (chunk.size() != 256 && chunk.size() != 3 * 256) std::abort();
      hash.add(chunk);  // reads them all
      size += chunk.size();
    }
    if (size != sequence.pages * 256) std::abort();
    volatile std::uint64_t value = hash.value();
    (void)value;
  }
}

// session_file.h says what lies where.
void correctHash(std::vector<std::byte>& bytes) {
  constexpr std::size_t kHeader = 40, kEntry = 16;
  if (bytes.size() < kHeader) return;
  std::uint32_t sequences = 0;
  std::memcpy(&sequences, bytes.data() + kHeader - sizeof(sequences), sizeof(sequences));
  std::uint64_t head = kHeader + std::uint64_t{sequences} * kEntry;
  if (head > bytes.size()) return;
  for (std::uint32_t i = 0; i < sequences; ++i) {
    std::uint32_t positions = 0;
    std::memcpy(&positions, bytes.data() + kHeader + i * kEntry, sizeof(positions));
    head += std::uint64_t{positions} * sizeof(std::int32_t);
    head += (std::uint64_t{positions} + tensor::kChunk - 1) / tensor::kChunk;
  }
  if (head + sizeof(std::uint64_t) > bytes.size()) return;
  base::Hash64 hash;
  hash.add(std::span(bytes).first(head));
  const std::uint64_t value = hash.value();
  std::memcpy(bytes.data() + head, &value, sizeof(value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* first = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> bytes(first, first + size);
  parse(bytes);
  correctHash(bytes);
  parse(bytes);
  return 0;
}

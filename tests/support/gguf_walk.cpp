// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gguf_walk.h"

namespace waferpair::test {

std::uint64_t walk(const gguf::File& file) {
  std::uint64_t sum = 0;
  for (const gguf::Entry& entry : file.metadata()) {
    sum += entry.key.size();
    if (const auto value = file.integer(entry.key)) sum += static_cast<std::uint64_t>(*value);
    if (const auto value = file.number(entry.key)) sum += *value > 0 ? 1 : 2;
    if (const auto value = file.boolean(entry.key)) sum += *value ? 1 : 2;
    if (const auto value = file.string(entry.key)) {
      for (const char c : *value) sum += static_cast<unsigned char>(c);
    }
    if (const auto values = file.strings(entry.key)) {
      for (const auto value : *values)
        sum += value.empty() ? 0 : static_cast<std::uint64_t>(value[0]);
    }
    if (const auto values = file.integers(entry.key)) sum += values->size();
    if (const auto values = file.numbers(entry.key)) sum += values->size();
  }
  for (const gguf::TensorInfo& tensor : file.tensors()) {
    for (const std::byte b : file.data(tensor)) sum += static_cast<std::uint64_t>(b);
    sum += tensor.elements() + (file.findTensor(tensor.name) == &tensor ? 0 : 1);
  }
  return sum;
}

}  // namespace waferpair::test

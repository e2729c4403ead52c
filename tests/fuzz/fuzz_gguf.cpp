// SPDX-License-Identifier: GPL-3.0-or-later
// A GGUF file from outside: opened, and if that worked all of it is read and offered as a model.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "runtime/gguf/file.h"
#include "runtime/transformer/model.h"
#include "tests/support/gguf_walk.h"

using namespace waferpair;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto file = gguf::File::parse({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  if (!file) {
    if (file.error().what.empty() || file.error().remedy.empty()) std::abort();
    return 0;
  }
  volatile std::uint64_t sum = test::walk(*file);
  (void)sum;
  const auto model = transformer::Model::load(std::make_shared<const gguf::File>(std::move(*file)));
  if (!model && model.error().what.empty()) std::abort();
  return 0;
}

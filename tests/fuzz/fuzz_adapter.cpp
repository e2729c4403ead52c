// SPDX-License-Identifier: GPL-3.0-or-later
// The file of an adapter from outside: opened, and if that worked, added to a model.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "runtime/gguf/file.h"
#include "runtime/transformer/model.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::byte> bytes = test::makeTinyModel({.layers = 1}).bytes();
  static const auto model =
      std::make_shared<const gguf::File>(*gguf::File::parse(bytes, "tiny.gguf"));
  auto file = gguf::File::parse({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  if (!file) return 0;
  transformer::Adapters adapters;
  const auto added = adapters.add(std::make_shared<const gguf::File>(std::move(*file)), 1, *model);
  if (!added && (added.error().what.empty() || added.error().remedy.empty())) std::abort();
  if (added && !transformer::Model::load(model, std::move(adapters))) std::abort();
  return 0;
}

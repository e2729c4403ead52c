// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tiny_adapter.h"

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "runtime/tensor/block_formats.h"

namespace waferpair::test {

gguf::Writer tinyAdapterHeader(const TinyAdapter& adapter) {
  gguf::Writer writer;
  writer.addString("general.type", "adapter");
  writer.addString("general.name", "style");
  writer.addString("general.architecture", adapter.architecture);
  writer.addString("adapter.type", "lora");
  if (adapter.alpha != 0) writer.addFloat32("adapter.lora.alpha", adapter.alpha);
  return writer;
}

gguf::Writer makeTinyAdapter(const gguf::File& model, const TinyAdapter& adapter) {
  gguf::Writer writer = tinyAdapterHeader(adapter);
  std::mt19937 random(adapter.seed);
  const auto add = [&](const std::string& name, gguf::TensorType type,
                       std::vector<std::uint64_t> ne, float spread) {
    std::normal_distribution<float> normal(0, spread);
    const tensor::Format format = *tensor::findFormat(static_cast<std::uint32_t>(type));
    std::uint64_t rows = 1;
    for (std::size_t i = 1; i < ne.size(); ++i) rows *= ne[i];
    std::vector<std::byte> data;
    for (std::uint64_t r = 0; r < rows; ++r) {
      std::vector<float> row(ne[0]);
      for (float& value : row) value = normal(random);
      const auto stored = tensor::quantizeRow(format, row);
      data.insert(data.end(), stored.begin(), stored.end());
    }
    writer.addTensor(name, type, std::move(ne), data);
  };
  for (const gguf::TensorInfo& info : model.tensors()) {
    const std::string name(info.name);
    if (!name.ends_with(".weight") || !adapter.changes(name)) continue;
    if (info.ne.size() == 1) {
      if (name.find("norm") != name.npos) add(name, gguf::TensorType::kF32, info.ne, 1);
      continue;
    }
    std::vector<std::uint64_t> a = info.ne, b = info.ne;
    a[1] = b[0] = kTinyRank;
    if (name == "token_embd.weight") {
      a = {kTinyRank, info.ne[1]};
      b = {kTinyRank, info.ne[0]};
    }
    add(name + ".lora_a", adapter.type, a, 1 / std::sqrt(static_cast<float>(info.ne[0])));
    add(name + ".lora_b", adapter.type, b, 0.5f);
  }
  return writer;
}

}  // namespace waferpair::test

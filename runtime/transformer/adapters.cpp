// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/adapters.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "runtime/tensor/elementwise.h"
#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/tensor_format.h"

namespace waferpair::transformer {
namespace {

using tensor::Format;

constexpr std::string_view kA = ".lora_a", kB = ".lora_b";
constexpr const char* kOwnModel = "Add it to the model that it was trained for.";

// The rows of both matrices of embeddings are what is looked up: B A is turned.
bool isTurned(const gguf::TensorInfo& changed) { return changed.name == kEmbedding; }

// A tensor as one or more matrices, which lie one behind another.
std::size_t rowsOf(const gguf::TensorInfo& info) { return info.ne.size() > 1 ? info.ne[1] : 1; }
std::size_t countOf(const gguf::TensorInfo& info) {
  return info.elements() / (info.ne[0] * rowsOf(info));
}

void readRow(const gguf::File& file, const gguf::TensorInfo& info, std::size_t row,
             std::span<float> out) {
  const Format format = *formatOf(info.type);
  const std::size_t bytes = tensor::rowBytes(format, static_cast<std::int64_t>(out.size()));
  tensor::dequantizeRow(format, file.data(info).data() + row * bytes, out);
}

// Fails unless the file says that it is a low-rank adapter of this architecture.
base::Result<void> checkKind(const gguf::File& file, const gguf::File& model) {
  const auto type = file.stringOr("general.type", "model");
  if (!type) return tl::unexpected(type.error());
  if (*type != "adapter")
    return base::fail(file.name() + ": is no adapter.",
                      "Name a GGUF file whose general.type is adapter.");
  const auto kind = file.string("adapter.type");
  if (!kind) return tl::unexpected(kind.error());
  if (*kind != "lora")
    return base::fail(file.name() + ": is an adapter of the kind \"" + std::string(*kind) + "\".",
                      "Only low-rank adapters (\"lora\") can be added.");
  if (file.has("adapter.alora.invocation_tokens"))
    return base::fail(file.name() + ": is meant for what follows certain tokens of a text only.",
                      "Use an adapter that is meant for the whole text.");
  const auto mine = file.string("general.architecture");
  if (!mine) return tl::unexpected(mine.error());
  const auto other = model.string("general.architecture");
  if (!other) return tl::unexpected(other.error());
  if (*mine != *other)
    return base::fail(file.name() + ": is an adapter of a " + std::string(*mine) + " model, but " +
                          model.name() + " is a " + std::string(*other) + ".",
                      kOwnModel);
  return {};
}

base::Error noFit(const gguf::File& file, const gguf::TensorInfo& info, const std::string& why) {
  return {file.name() + ": tensor " + std::string(info.name) + " " + why, kOwnModel};
}

}  // namespace

// Makes the sums of a tensor, row by row.
class Adapters::Sum {
 public:
  Sum(const gguf::TensorInfo& changed, const Addition& change) : change_(change) {
    if (change.whole) return;
    turned_ = isTurned(changed);
    rank_ = change.b->ne[0];
    const std::size_t cols = changed.ne[0], count = countOf(changed);
    basis_.resize(count * rank_ * cols);
    const gguf::TensorInfo& from = turned_ ? *change.b : *change.a;
    const std::size_t rows = basis_.size() / from.ne[0];
    std::vector<float> line(from.ne[0]);
    for (std::size_t r = 0; r < rows; ++r) {
      readRow(*change.file, from, r, line);
      for (std::size_t i = 0; i < line.size(); ++i)
        basis_[turned_ ? i * cols + r : r * cols + i] = line[i];
    }
  }

  // Adds to row `r` of the matrix `index`, row `all` of the tensor. `own` is the row as it was.
  void add(std::size_t index, std::size_t all, std::span<const float> own,
           std::span<float> row) const {
    const int cols = static_cast<int>(row.size());
    if (change_.whole) {
      std::vector<float> became(row.size());
      readRow(*change_.file, *change_.whole, all, became);
      for (std::size_t i = 0; i < row.size(); ++i) row[i] += change_.scale * (became[i] - own[i]);
      return;
    }
    std::vector<float> shares(rank_);
    readRow(*change_.file, turned_ ? *change_.a : *change_.b, all, shares);
    for (std::size_t k = 0; k < rank_; ++k)
      tensor::addScaled(row.data(), &basis_[(index * rank_ + k) * row.size()],
                        change_.scale * shares[k], cols);
  }

 private:
  const Addition& change_;
  bool turned_ = false;
  std::size_t rank_ = 0;
  std::vector<float> basis_;  // [matrices][rank][cols]: what rows are sums of
};

base::Result<AdapterFile> parseAdapterFile(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::error_code ignored;
  if (colon == text.npos || std::filesystem::exists(text, ignored)) return AdapterFile{text};
  AdapterFile file{text.substr(0, colon)};
  const char *begin = text.data() + colon + 1, *end = text.data() + text.size();
  const auto [at, error] = std::from_chars(begin, end, file.factor);
  if (error != std::errc() || at != end || !std::isfinite(file.factor) || file.path.empty())
    return base::fail(text + ": \"" + std::string(begin, end) + "\" is no factor of an adapter.",
                      "Write FILE or FILE:FACTOR, as in style.gguf:0.5.");
  return file;
}

base::Result<Adapters> Adapters::open(std::span<const AdapterFile> files, const gguf::File& model) {
  Adapters adapters;
  for (const AdapterFile& adapter : files) {
    auto file = gguf::File::open(adapter.path);
    if (!file) return tl::unexpected(file.error());
    const auto added =
        adapters.add(std::make_shared<const gguf::File>(std::move(*file)), adapter.factor, model);
    if (!added) return tl::unexpected(added.error());
  }
  return adapters;
}

base::Result<void> Adapters::add(std::shared_ptr<const gguf::File> file, float factor,
                                 const gguf::File& model) {
  if (!std::isfinite(factor))
    return base::fail(file->name() + ": an adapter's factor has to be a finite number.",
                      "1 is what it was trained with.");
  if (auto kind = checkKind(*file, model); !kind) return kind;
  const auto alpha = file->numberOr("adapter.lora.alpha", 0);
  if (!alpha) return tl::unexpected(alpha.error());
  if (!std::isfinite(*alpha))
    return base::fail(file->name() + ": adapter.lora.alpha is " + std::to_string(*alpha) + ".",
                      "Convert the adapter again.");

  for (const gguf::TensorInfo& info : file->tensors()) {
    const bool isA = info.name.ends_with(kA), isB = info.name.ends_with(kB);
    const std::string_view name =
        isA || isB ? info.name.substr(0, info.name.size() - kA.size()) : info.name;
    const gguf::TensorInfo* changed = model.findTensor(name);
    if (!changed) return tl::unexpected(noFit(*file, info, "changes one that the model lacks."));
    if (!transformer::formatOf(info.type))
      return base::fail(file->name() + ": tensor " + std::string(info.name) + " is of type " +
                            tensorTypeName(info.type) + ".",
                        "Convert the adapter to F32, F16 or BF16.");
    Addition change{.file = file.get(), .scale = factor};
    if (!isA && !isB) {
      if (info.ne.size() != 1 || info.ne != changed->ne)
        return tl::unexpected(noFit(*file, info, "is neither a part of an adapter nor a norm."));
      change.whole = &info;
    } else {
      const gguf::TensorInfo* other =
          file->findTensor(std::string(name) + std::string(isA ? kB : kA));
      if (!other) return tl::unexpected(noFit(*file, info, "is without its other half."));
      if (isB) continue;  // both are taken with the first
      change.a = &info;
      change.b = other;
      if (auto fits = checkPair(change, *changed); !fits) return fits;
      if (*alpha != 0)
        change.scale *= static_cast<float>(*alpha / static_cast<double>(other->ne[0]));
    }
    changes_[std::string(name)].push_back(change);
  }
  added_.push_back({std::move(file), factor});
  return {};
}

base::Result<void> Adapters::checkPair(const Addition& change, const gguf::TensorInfo& changed) {
  const gguf::TensorInfo &a = *change.a, &b = *change.b;
  if (!transformer::formatOf(b.type) || !transformer::formatOf(changed.type)) {
    return tl::unexpected(noFit(*change.file, a, "cannot be added to what is stored there."));
  }
  const std::uint64_t rank = b.ne.empty() ? 0 : b.ne[0];
  const bool isMatrix = rank > 0 && (changed.ne.size() == 2 || changed.ne.size() == 3);
  std::vector<std::uint64_t> wantedA = changed.ne, wantedB = changed.ne;
  if (isMatrix && isTurned(changed)) {
    wantedA[0] = rank;
    wantedB = {rank, changed.ne[0]};
  } else if (isMatrix) {
    wantedA[1] = rank;
    wantedB[0] = rank;
  }
  if (!isMatrix || a.ne != wantedA || b.ne != wantedB)
    return tl::unexpected(
        noFit(*change.file, a, "and its other half are of other sizes than the model's."));
  return {};
}

std::optional<Format> Adapters::formatOf(const gguf::TensorInfo& tensor) const {
  const auto format = transformer::formatOf(tensor.type);
  if (!format || !change(tensor) || tensor::infoOf(*format).quants == tensor::Quants::kNone)
    return format;
  const bool isWhole = tensor::rowBytes(Format::kQ8_0, static_cast<std::int64_t>(tensor.ne[0])) > 0;
  return isWhole ? Format::kQ8_0 : Format::kF16;
}

std::vector<std::byte> Adapters::applied(const gguf::TensorInfo& tensor,
                                         std::span<const std::byte> data,
                                         std::span<const float> factors, int threads) const {
  const std::size_t cols = tensor.ne[0], each = rowsOf(tensor);
  const std::size_t rows = each * countOf(tensor);
  assert(factors.size() == countOf(tensor));
  const Format from = *transformer::formatOf(tensor.type), to = *formatOf(tensor);
  const std::size_t inBytes = tensor::rowBytes(from, static_cast<std::int64_t>(cols));
  const std::size_t outBytes = tensor::rowBytes(to, static_cast<std::int64_t>(cols));
  std::vector<Sum> sums;
  for (const Addition& change : changes_.find(tensor.name)->second)
    sums.emplace_back(tensor, change);

  std::vector<std::byte> out(rows * outBytes);
  tensor::ThreadTeam(threads).run([&](int thread, int count) {
    std::vector<float> own(cols), row(cols);
    for (auto r = static_cast<std::size_t>(thread); r < rows;
         r += static_cast<std::size_t>(count)) {
      tensor::dequantizeRow(from, &data[r * inBytes], own);
      tensor::scale(own.data(), factors[r / each], static_cast<int>(cols));
      row = own;
      for (const Sum& sum : sums) sum.add(r / each, r, own, row);
      const std::vector<std::byte> blocks = tensor::quantizeRow(to, row);
      std::copy(blocks.begin(), blocks.end(), &out[r * outBytes]);
    }
  });
  return out;
}

}  // namespace waferpair::transformer

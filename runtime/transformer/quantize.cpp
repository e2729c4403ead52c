// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/quantize.h"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/gguf/copier.h"
#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/tensor_format.h"

namespace waferpair::transformer {
namespace {

using tensor::Format;

constexpr std::uint64_t kMostRow = 1 << 24;       // values: far above any model
constexpr std::uint64_t kValuesAtOnce = 1 << 20;  // of a tensor, in memory as floats

gguf::TensorType typeOf(Format format) {
  return static_cast<gguf::TensorType>(tensor::infoOf(format).ggmlType);
}

// Returns the general.file_type of a file that is mostly of this format (llama_ftype of llama.cpp).
std::uint32_t fileTypeOf(Format format) {
  switch (format) {
    case Format::kF32:
      return 0;
    case Format::kF16:
      return 1;
    case Format::kQ4_0:
      return 2;
    case Format::kQ4_1:
      return 3;
    case Format::kQ8_0:
      return 7;
    case Format::kQ5_0:
      return 8;
    case Format::kQ5_1:
      return 9;
    case Format::kQ2_K:
      return 10;
    case Format::kQ3_K:
      return 11;  // its "S", as the next two: one format throughout
    case Format::kQ4_K:
      return 14;
    case Format::kQ5_K:
      return 16;
    case Format::kQ6_K:
      return 18;
    case Format::kIQ4_NL:
      return 25;
    case Format::kIQ4_XS:
      return 30;
    case Format::kBF16:
      return 32;
    case Format::kMXFP4:
      return 38;
    case Format::kIQ2_XXS:
    case Format::kIQ2_XS:
    case Format::kIQ2_S:
    case Format::kIQ3_XXS:
    case Format::kIQ3_S:
    case Format::kNVFP4:
      break;  // never written
  }
  return 0;
}

// Routers of experts, and the convolutions and norms of recurrent layers, have rows as matrices do,
// but are kept: they are small, and rounding them would do more harm than good.
bool isConverted(const gguf::TensorInfo& info) {
  constexpr std::string_view kKept[] = {".ffn_gate_inp.weight", ".ffn_gate_inp_shexp.weight",
                                        ".ssm_conv1d.weight", ".ssm_norm.weight"};
  return info.ne.size() > 1 && info.name.ends_with(".weight") &&
         std::ranges::none_of(kKept,
                              [&](std::string_view kept) { return info.name.ends_with(kept); });
}

// Returns the format of shorter blocks that llama-quantize takes where a row is no whole number of
// the format's; none: there is none that is as fine.
std::optional<Format> shorterBlocksOf(Format format) {
  switch (format) {
    case Format::kIQ4_XS:
      return Format::kIQ4_NL;
    case Format::kQ2_K:
    case Format::kQ3_K:
      return Format::kQ4_0;
    case Format::kQ4_K:
      return Format::kQ5_0;
    case Format::kQ5_K:
      return Format::kQ5_1;
    case Format::kQ6_K:
      return Format::kQ8_0;
    default:
      return std::nullopt;
  }
}

// Returns the format for rows of so many values; none: they are no whole blocks of any.
std::optional<Format> formatFor(Format wanted, std::int64_t cols) {
  if (tensor::rowBytes(wanted, cols) > 0) return wanted;
  const std::optional<Format> shorter = shorterBlocksOf(wanted);
  if (!shorter) return std::nullopt;
  return tensor::rowBytes(*shorter, cols) > 0 ? *shorter : Format::kF16;
}

bool matches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

struct Types {
  std::vector<gguf::TensorType> of;         // each tensor is quantized to
  std::map<std::string, int> instead = {};  // as in QuantizeReport
};

base::Result<Types> typesOf(const gguf::File& file, const QuantizeOptions& options) {
  for (const std::string& pattern : options.keep) {
    const auto tensors = file.tensors();
    if (std::any_of(tensors.begin(), tensors.end(), [&](const gguf::TensorInfo& info) {
          return matches(pattern, std::string(info.name));
        })) {
      continue;
    }
    return base::fail(file.name() + ": no tensor is called \"" + pattern + "\".",
                      "Names are like blk.0.attn_q.weight or output.weight.");
  }
  const std::string_view head =
      file.findTensor("output.weight") != nullptr ? "output.weight" : "token_embd.weight";
  for (const Format to : {options.format, options.head.value_or(options.format)}) {
    if (tensor::infoOf(to).written()) continue;
    const char* why = tensor::infoOf(to).grid
                          ? "which points of its grid do least harm is told by texts."
                          : "a factor for each matrix belongs to it.";
    return base::fail(std::string(tensor::formatName(to)) + " is read, but not written: " + why,
                      "Name " + tensor::writtenFormatNames() + ".");
  }
  Types types;
  for (const gguf::TensorInfo& info : file.tensors()) {
    const std::string name(info.name);
    types.of.push_back(info.type);
    if (!isConverted(info) || std::any_of(options.keep.begin(), options.keep.end(),
                                          [&](const std::string& p) { return matches(p, name); })) {
      continue;
    }
    const Format wanted = name == head && options.head ? *options.head : options.format;
    const std::string tensor = file.name() + ": tensor " + name;
    if (!formatOf(info.type)) {
      return base::fail(
          tensor + " is of type " + tensorTypeName(info.type) + ", which cannot be read.",
          "Start from a file in " + tensor::formatNames() + ".");
    }
    if (info.ne[0] > kMostRow) {
      return base::fail(tensor + " has rows of " + std::to_string(info.ne[0]) + " values.",
                        "At most " + std::to_string(kMostRow) + " can be converted.");
    }
    const auto to = formatFor(wanted, static_cast<std::int64_t>(info.ne[0]));
    if (!to) {
      return base::fail(tensor + " has rows of " + std::to_string(info.ne[0]) +
                            " values, which is not a multiple of " +
                            std::to_string(tensor::infoOf(wanted).block) + ", the block size of " +
                            tensor::formatName(wanted) + ".",
                        "Name a format of smaller blocks, or keep it (--keep \"" + name + "\").");
    }
    types.of.back() = typeOf(*to);
    if (*to != wanted) ++types.instead[tensor::formatName(*to)];
  }
  return types;
}

class Converter {
 public:
  Converter(const gguf::File& file, const QuantizeOptions& options, gguf::Copier& out)
      : file_(file), options_(options), out_(out), team_(std::max(1, options.threads)) {
    for (const gguf::TensorInfo& info : file.tensors()) total_ += info.elements();
  }

  base::Result<void> copy(const gguf::TensorInfo& info) {
    if (auto going = progress(info.elements()); !going) return going;
    return out_.write(file_.data(info));
  }

  base::Result<void> convert(const gguf::TensorInfo& info, Format to) {
    const Format from = *formatOf(info.type);
    const std::uint64_t cols = info.ne[0], rows = info.elements() / cols;
    const std::size_t inBytes = tensor::rowBytes(from, static_cast<std::int64_t>(cols));
    const std::size_t outBytes = tensor::rowBytes(to, static_cast<std::int64_t>(cols));
    const std::span<const std::byte> in = file_.data(info);
    const std::uint64_t most = std::max<std::uint64_t>(1, kValuesAtOnce / cols);
    for (std::uint64_t first = 0; first < rows; first += most) {
      const std::uint64_t count = std::min(most, rows - first);
      std::vector<std::byte> out(static_cast<std::size_t>(count) * outBytes);
      std::vector<double> changed(static_cast<std::size_t>(team_.size()));
      std::vector<double> squares(changed.size());
      team_.run([&](int thread, int threads) {
        std::vector<float> row(static_cast<std::size_t>(cols)), back(row.size());
        double change = 0, square = 0;
        for (std::uint64_t r = static_cast<std::uint64_t>(thread); r < count;
             r += static_cast<std::uint64_t>(threads)) {
          tensor::dequantizeRow(from, &in[static_cast<std::size_t>(first + r) * inBytes], row);
          const std::vector<std::byte> blocks = tensor::quantizeRow(to, row);
          std::byte* at = &out[static_cast<std::size_t>(r) * outBytes];
          std::copy(blocks.begin(), blocks.end(), at);
          tensor::dequantizeRow(to, at, back);
          for (std::size_t i = 0; i < row.size(); ++i) {
            const double off = static_cast<double>(back[i]) - static_cast<double>(row[i]);
            change += off * off;
            square += static_cast<double>(row[i]) * static_cast<double>(row[i]);
          }
        }
        changed[static_cast<std::size_t>(thread)] = change;
        squares[static_cast<std::size_t>(thread)] = square;
      });
      for (const double part : changed) changed_ += part;
      for (const double part : squares) squares_ += part;
      if (auto written = out_.write(out); !written) return written;
      if (auto going = progress(count * cols); !going) return going;
    }
    return {};
  }

  double error() const { return squares_ > 0 ? std::sqrt(changed_ / squares_) : 0; }

 private:
  base::Result<void> progress(std::uint64_t elements) {
    done_ += elements;
    if (!options_.progress ||
        options_.progress(static_cast<double>(done_) / static_cast<double>(total_))) {
      return {};
    }
    return base::fail("Interrupted: nothing was written.");
  }

  const gguf::File& file_;
  const QuantizeOptions& options_;
  gguf::Copier& out_;
  tensor::ThreadTeam team_;
  std::uint64_t done_ = 0, total_ = 0;  // elements
  double changed_ = 0, squares_ = 0;
};

}  // namespace

base::Result<QuantizeReport> quantizeFile(const gguf::File& file, const std::string& path,
                                          const QuantizeOptions& options) {
  const auto types = typesOf(file, options);
  if (!types) return tl::unexpected(types.error());
  auto out = gguf::Copier::create(file, types->of, fileTypeOf(options.format), path);
  if (!out) return tl::unexpected(out.error());
  Converter converter(file, options, *out);
  QuantizeReport report;
  for (std::size_t i = 0; i < types->of.size(); ++i) {
    const gguf::TensorInfo& info = file.tensors()[i];
    const bool same = info.type == types->of[i];
    const auto done =
        same ? converter.copy(info) : converter.convert(info, *formatOf(types->of[i]));
    if (!done) return tl::unexpected(done.error());
    ++(same ? report.kept : report.converted);
    report.before += info.size;
    if (same) {
      report.after += info.size;
      continue;
    }
    const Format to = *formatOf(types->of[i]);
    report.again += tensor::infoOf(*formatOf(info.type)).quants != tensor::Quants::kNone;
    report.after +=
        info.elements() / info.ne[0] * tensor::rowBytes(to, static_cast<std::int64_t>(info.ne[0]));
  }
  if (auto finished = out->finish(); !finished) return tl::unexpected(finished.error());
  report.error = converter.error();
  report.instead = types->instead;
  return report;
}

}  // namespace waferpair::transformer

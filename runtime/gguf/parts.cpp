// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/gguf/parts.h"

#include <algorithm>
#include <utility>

#include "runtime/gguf/file.h"
#include "runtime/gguf/parser.h"

namespace waferpair::gguf {
namespace {

constexpr std::int64_t kMostParts = 1000;
constexpr const char* kGetAgain = "Get the parts again, all of one model.";
constexpr std::string_view kShape = "-00000-of-00000.gguf";

std::string fiveDigits(std::int64_t number) {
  const std::string digits = std::to_string(number);
  return std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits;
}

bool isShaped(std::string_view end) {
  if (end.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < end.size(); ++i) {
    const bool isDigit = end[i] >= '0' && end[i] <= '9';
    if (kShape[i] == '0' ? !isDigit : end[i] != kShape[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> partPath(std::string_view path, std::int64_t number,
                                    std::int64_t count) {
  if (path.size() < kShape.size()) return std::nullopt;
  const std::string_view name = path.substr(0, path.size() - kShape.size());
  if (!isShaped(path.substr(name.size()))) return std::nullopt;
  return std::string(name) + "-" + fiveDigits(number) + "-of-" + fiveDigits(count) + ".gguf";
}

base::Result<void> File::join(std::int64_t count) {
  const auto number = integerOr("split.no", 0);
  if (!number) return tl::unexpected(number.error());
  const auto whole = integerOr("split.tensors.count", 0);
  if (!whole) return tl::unexpected(whole.error());
  const std::string ofAll = " of " + std::to_string(count);
  if (count < 0 || count > kMostParts) {
    return base::fail(name_ + ": split.count is " + std::to_string(count) + ".", kConvert);
  }
  const auto first = partPath(name_, 1, count);
  if (*number != 0) {
    return base::fail(name_ + ": is part " + std::to_string(*number + 1) + ofAll + " of a model.",
                      first ? "Choose the first part, " + *first + "." : "Choose the first part.");
  }
  if (!first) {
    return base::fail(name_ + ": is the first part" + ofAll +
                          " of a model, but its name does not "
                          "end in -00001-of-" +
                          fiveDigits(count) + ".gguf.",
                      "Give all parts the names that they were published with.");
  }
  for (std::int64_t i = 2; i <= count; ++i) {
    const std::string path = *partPath(name_, i, count);
    auto part = openAlone(path);
    if (!part) {
      return base::fail(
          part.error().what,
          "All " + std::to_string(count) + " parts of the model have to be in one folder, whole.");
    }
    if (part->integerOr("split.count", 0).value_or(0) != count ||
        part->integerOr("split.no", 0).value_or(0) != i - 1) {
      return base::fail(path + ": is not part " + std::to_string(i) + ofAll + " of this model.",
                        kGetAgain);
    }
    for (TensorInfo info : part->tensors_) {
      info.part = others_.size() + 1;
      if (!tensorIndex_.emplace(info.name, tensors_.size()).second) {
        return base::fail(path + ": has the tensor " + std::string(info.name) +
                              ", which an earlier part has, too.",
                          kGetAgain);
      }
      tensors_.push_back(std::move(info));
    }
    others_.push_back(std::move(*part));
  }
  if (*whole > 0 && static_cast<std::size_t>(*whole) != tensors_.size()) {
    return base::fail(name_ + ": the parts have " + std::to_string(tensors_.size()) +
                          " tensors, but the model " + std::to_string(*whole) + ".",
                      kGetAgain);
  }
  return {};
}

}  // namespace waferpair::gguf

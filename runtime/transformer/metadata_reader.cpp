// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/metadata_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace waferpair::transformer {
namespace {

constexpr const char* kOtherModel = "Use another file of this model, or another model.";

}  // namespace

MetadataReader::MetadataReader(const gguf::File& file, std::string_view architecture)
    : file_(file), prefix_(std::string(architecture) + ".") {}

std::string MetadataReader::ask(std::string_view key) {
  std::string name = full(key);
  known_.insert(name);
  return name;
}

void MetadataReader::note(base::Error error) {
  if (ok()) error_ = std::move(error);
}

void MetadataReader::reject(std::string_view key, std::string why) {
  note({file_.name() + ": " + full(key) + " " + std::move(why) + ".", kOtherModel});
}

int MetadataReader::check(std::string_view key, const base::Result<std::int64_t>& value,
                          std::int64_t least, std::int64_t most) {
  if (!value) return note(value.error()), 1;
  if (*value >= least && *value <= most) return static_cast<int>(*value);
  reject(key, "is " + std::to_string(*value) + ", outside " + std::to_string(least) + " to " +
                  std::to_string(most));
  return 1;
}

base::Result<std::int64_t> MetadataReader::integer(const std::string& fullKey) const {
  const gguf::Value* value = file_.find(fullKey);
  if (value == nullptr || value->type != gguf::ValueType::kArray || value->count == 0)
    return file_.integer(fullKey);
  const auto all = file_.integers(fullKey);
  if (!all) return tl::unexpected(all.error());
  if (std::any_of(all->begin(), all->end(), [&](auto each) { return each != all->front(); })) {
    return base::fail(
        file_.name() + ": " + fullKey + " differs from layer to layer, which is not supported.",
        kOtherModel);
  }
  return all->front();
}

int MetadataReader::size(std::string_view key, std::int64_t least, std::int64_t most) {
  return check(key, integer(ask(key)), least, most);
}

int MetadataReader::sizeOr(std::string_view key, std::int64_t fallback, std::int64_t least,
                           std::int64_t most) {
  const std::string name = ask(key);
  return check(key, file_.has(name) ? integer(name) : base::Result<std::int64_t>(fallback), least,
               most);
}

std::optional<std::vector<bool>> MetadataReader::flagsOf(std::string_view key) {
  const gguf::Value* value = file_.find(full(key));
  if (value == nullptr || value->type != gguf::ValueType::kArray ||
      value->elementType != gguf::ValueType::kBool)
    return std::nullopt;
  return file_.booleans(ask(key)).value_or(std::vector<bool>());
}

std::optional<std::vector<std::int64_t>> MetadataReader::sizesOf(std::string_view key) {
  const gguf::Value* value = file_.find(full(key));
  if (value == nullptr || value->type != gguf::ValueType::kArray) return std::nullopt;
  const auto all = file_.integers(ask(key));
  if (all) return *all;
  note(all.error());
  return std::nullopt;
}

int MetadataReader::oneBesidesZero(std::string_view key, const std::vector<std::int64_t>& entries,
                                   int most) {
  std::int64_t one = 0;
  for (const std::int64_t each : entries) {
    if (each != 0 && one != 0 && each != one) {
      reject(key, "differs from layer to layer, which is not supported");
    }
    if (each != 0) one = each;
  }
  return check(key, one, 1, most);
}

float MetadataReader::narrowed(std::string_view key, const base::Result<double>& value,
                               bool zeroToo) {
  if (!value) return note(value.error()), 1.0f;
  const auto number = static_cast<float>(*value);
  if (std::isfinite(number) && (number > 0 || (zeroToo && number == 0))) return number;
  reject(key, zeroToo ? "must not be negative" : "must be positive");
  return 1;
}

float MetadataReader::positive(std::string_view key) {
  return narrowed(key, file_.number(ask(key)), false);
}

float MetadataReader::positiveOr(std::string_view key, double fallback) {
  return narrowed(key, file_.numberOr(ask(key), fallback), false);
}

float MetadataReader::notNegativeOr(std::string_view key, double fallback) {
  return narrowed(key, file_.numberOr(ask(key), fallback), true);
}

bool MetadataReader::flagOr(std::string_view key, bool fallback) {
  const auto value = file_.booleanOr(ask(key), fallback);
  if (!value) note(value.error());
  return value.value_or(fallback);
}

std::string MetadataReader::textOr(std::string_view key, std::string_view fallback) {
  const auto value = file_.stringOr(ask(key), fallback);
  if (!value) note(value.error());
  return std::string(value.value_or(fallback));
}

void MetadataReader::neutral(std::string_view key, double neutral) {
  const auto value = file_.numberOr(ask(key), neutral);
  if (!value) return note(value.error());
  if (*value != neutral) reject(key, "is " + std::to_string(*value) + ", which is not supported");
}

// Converters write what a family of models has, also for those of it that have no such part.
bool MetadataReader::isIdle(std::string_view key) const {
  const auto hasTensor = [&](std::string_view part) {
    const auto tensors = file_.tensors();
    return std::any_of(tensors.begin(), tensors.end(), [&](const gguf::TensorInfo& tensor) {
      return tensor.name.find(part) != std::string_view::npos;
    });
  };
  if (key.starts_with("ssm.")) return !hasTensor(".ssm_");
  if (key.starts_with("expert_shared_")) return !hasTensor("_shexp.");
  if (key.starts_with("expert_")) return !hasTensor("_exps.");
  // Of pictures and sound, whose tensors are left.
  for (const char* part :
       {"vision.", "audio.", "mm.", "image_token", "vision_", "spatial_merge_size"}) {
    if (key.starts_with(part)) return true;
  }
  if (key == "nextn_predict_layers") return integer(full(key)).value_or(1) == 0;
  return false;
}

void MetadataReader::refuseOthers() {
  for (const gguf::Entry& entry : file_.metadata()) {
    if (!entry.key.starts_with(prefix_) || known_.contains(std::string(entry.key))) continue;
    if (isIdle(entry.key.substr(prefix_.size()))) continue;
    reject(entry.key.substr(prefix_.size()),
           "is not known here, and leaving out what it asks for would change the results");
  }
}

}  // namespace waferpair::transformer

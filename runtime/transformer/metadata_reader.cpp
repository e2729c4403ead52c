// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/metadata_reader.h"

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

int MetadataReader::size(std::string_view key, std::int64_t least, std::int64_t most) {
  return check(key, file_.integer(ask(key)), least, most);
}

int MetadataReader::sizeOr(std::string_view key, std::int64_t fallback, std::int64_t least,
                           std::int64_t most) {
  return check(key, file_.integerOr(ask(key), fallback), least, most);
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

void MetadataReader::refuseOthers() {
  for (const gguf::Entry& entry : file_.metadata()) {
    if (!entry.key.starts_with(prefix_) || known_.contains(std::string(entry.key))) continue;
    reject(entry.key.substr(prefix_.size()),
           "is not known here, and leaving out what it asks for would change the results");
  }
}

}  // namespace waferpair::transformer

// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the settings of a question, each once. The first that is wrong is remembered, and reading
// goes on with what stands where nothing is named. Private to this room.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>

#include "runtime/base/result.h"

namespace waferpair::experiment {

class Settings {
 public:
  explicit Settings(const std::map<std::string, std::string>& named) : named_(named) {}

  std::string text(const std::string& name, std::string fallback = {});
  std::optional<int> integer(const std::string& name, int low, int high);
  std::optional<double> number(const std::string& name, double low, double high);

  // The first problem: a value that is out of range, or a setting that nobody asked for.
  base::Result<void> check() const;

 private:
  const std::string* find(const std::string& name);
  void fail(const std::string& name, const std::string& value, const std::string& wanted);

  const std::map<std::string, std::string>& named_;
  std::map<std::string, bool> asked_;
  std::optional<base::Error> problem_;
};

}  // namespace waferpair::experiment

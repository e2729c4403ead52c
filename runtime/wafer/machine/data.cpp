// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/machine/data.h"

#include <algorithm>

namespace waferpair::wafer {

std::optional<std::string_view> findData(std::string_view folder, std::string_view name) {
  for (const DataFile& file : dataFiles()) {
    if (file.folder == folder && file.name == name) return file.text;
  }
  return std::nullopt;
}

std::vector<std::string> dataNames(std::string_view folder) {
  std::vector<std::string> names;
  for (const DataFile& file : dataFiles()) {
    if (file.folder == folder) names.emplace_back(file.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string joinNames(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) {
    if (!all.empty()) all += ", ";
    all += name;
  }
  return all;
}

}  // namespace waferpair::wafer

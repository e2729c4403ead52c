// SPDX-License-Identifier: GPL-3.0-or-later
// The files of resources/wafer, compiled in: the daemon needs no data folder at run time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::wafer {

struct DataFile {
  std::string_view folder;  // "machines", "profiles", "calibration", "shapes"
  std::string_view name;    // without its ending
  std::string_view text;
};

std::span<const DataFile> dataFiles();

std::optional<std::string_view> findData(std::string_view folder, std::string_view name);
std::vector<std::string> dataNames(std::string_view folder);
// "wse2, wse3", for messages.
std::string joinNames(const std::vector<std::string>& names);

}  // namespace waferpair::wafer

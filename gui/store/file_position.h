// SPDX-License-Identifier: GPL-3.0-or-later
// Places in files as people and compilers write them: "12", "12:4", "src/main.cpp:12:4".
#pragma once

#include <QString>
#include <optional>

namespace waferpair::gui {

// Both count from 1 here, as they are shown.
struct LineColumn {
  int line = 1;
  int column = 1;
  bool operator==(const LineColumn&) const = default;
};

struct FilePosition {
  QString path;
  std::optional<LineColumn> position;
  bool operator==(const FilePosition&) const = default;
};

// "12" or "12:4", spaces around allowed; nothing for anything else or a line below 1.
std::optional<LineColumn> parseLineColumn(const QString& text);

// A path that exists as it stands is taken whole, colons and all.
FilePosition parseFilePosition(const QString& text);

}  // namespace waferpair::gui

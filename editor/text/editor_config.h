// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what a project's .editorconfig files say of a file (editorconfig.org), by libeditorconfig.
#pragma once

#include <QString>
#include <optional>

#include "editor/text/encoding.h"
#include "editor/text/indentation.h"
#include "editor/text/text_codec.h"

namespace waferpair::editor {

// What is not said, or makes no sense, is empty.
struct EditorConfig {
  std::optional<bool> tabs;
  std::optional<int> width;  // columns of one level: 1 to 16
  std::optional<LineEnds> lineEnds;
  std::optional<Encoding> encoding;
  std::optional<bool> trimsLineEnds;
  std::optional<bool> endsWithLineEnd;

  bool saysIndentation() const { return tabs || width; }
  // `indentation`, with what is said of it.
  Indentation over(Indentation indentation) const {
    return {tabs.value_or(indentation.tabs), width.value_or(indentation.width)};
  }
};

// `path` is absolute; the file need not be there. Without any .editorconfig, or with one that
// cannot be read, nothing is said.
EditorConfig editorConfigFor(const QString& path);

}  // namespace waferpair::editor

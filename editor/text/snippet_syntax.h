// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a snippet as they are written: see snippet.h.
#pragma once

#include "editor/text/snippet.h"

namespace waferpair::editor {

struct SnippetNode {
  enum class Kind { kText, kStop, kVariable };
  Kind kind = Kind::kText;
  QString text = {};                   // of a text; the name of a variable
  int number = 0;                      // of a stop
  QVector<SnippetNode> children = {};  // what a stop proposes, or a variable is without a value
  QStringList choices = {};
  std::shared_ptr<const SnippetTransform> transform = {};
};

// What is no snippet syntax, or longer than kLongestSnippet, is text.
QVector<SnippetNode> readSnippet(const QString& snippet);

}  // namespace waferpair::editor

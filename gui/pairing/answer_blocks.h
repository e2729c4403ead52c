// SPDX-License-Identifier: GPL-3.0-or-later
// An answer in Markdown, taken apart into pieces of prose and blocks of code, each laid out in a
// few milliseconds. As more of it streams in, only the last ones change, and more follow them.
// Values.
#pragma once

#include <QString>
#include <QVector>

namespace waferpair::gui {

struct AnswerBlock {
  bool isCode = false;
  QString text;          // of code: without its fences
  QString language;      // that the fence names; may be none that is known
  bool isPlain = false;  // prose that is shown as it was written (editor/widget/prose.h)
  // Of code: the file that its fence or the line before it names, as it is written there; and the
  // last line of prose before it.
  QString path = {};
  QString lead = {};
  bool isWhole = false;  // of code: its closing fence has come

  bool operator==(const AnswerBlock&) const = default;
};

// A block whose closing fence has not come yet is code, too.
QVector<AnswerBlock> answerBlocks(const QString& markdown);

}  // namespace waferpair::gui

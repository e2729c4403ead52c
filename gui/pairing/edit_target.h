// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a document that an instruction is about, which follow its edits. UI thread only.
#pragma once

#include <QString>
#include <QVector>

#include "editor/text/anchor.h"
#include "pairing/edits/target_lines.h"

namespace waferpair::gui {

class Document;

class EditTarget {
 public:
  // The document outlives this. Before set() it is the first line.
  explicit EditTarget(const Document* document) : document_(document) {}

  // Makes it what is selected, else the function around the caret, else the file.
  void set();
  // To be told of every edit of the document.
  void follow(const QVector<editor::TextEdit>& edits);

  pairing::LineRange lines() const;
  // The same in bytes, without the last line's end.
  const editor::AnchoredRange& range() const { return range_; }
  // "Selection, lines 3–5", for the user.
  QString name() const;

 private:
  const Document* document_;
  pairing::Target::Kind kind_ = pairing::Target::Kind::kText;
  editor::AnchoredRange range_;
};

}  // namespace waferpair::gui

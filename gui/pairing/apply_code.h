// SPDX-License-Identifier: GPL-3.0-or-later
// What a block of code in an answer changes, as hunks over the texts that it is for. Nothing is
// changed until the user accepts one. UI thread only.
#pragma once

#include <QStringList>
#include <functional>

#include "gui/pairing/answer_blocks.h"
#include "pairing/answers/answer.h"

namespace waferpair::gui {

class Document;
class EditorTabs;

// The parts of the window that this needs.
struct ApplyParts {
  EditorTabs* tabs = nullptr;
  QString root;                                      // the open folder, absolute; empty: none
  QStringList files;                                 // of it, relative
  std::function<void(Document*)> prepare = nullptr;  // to have changes decided about in it
  // Puts changes of files that are not there yet up for review; returns why that can't be, or
  // nothing.
  std::function<QString(const QString& title, const QVector<pairing::ProposedChange>& changes)>
      review = nullptr;
  // What a path means that begins with the name of another open folder, absolute; empty: it does
  // not. No file is made there.
  std::function<QString(const QString& path)> inOther = nullptr;
};

// Returns whether it is a unified diff or search/replace blocks, rather than code without a place.
bool proposesChanges(const QString& code);
// Returns whether it may be code of a file: no command, output or drawing.
bool mayBeApplied(const AnswerBlock& block);

// Offers what the block changes, in the text of the file that the answer names, which is opened
// where it lies below the root; where it names none, in the text in front, or else in the one open
// text that has what the code defines. Returns why there is no place for something, for the user.
QStringList offerChanges(const AnswerBlock& block, const ApplyParts& parts);

}  // namespace waferpair::gui

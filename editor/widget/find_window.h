// SPDX-License-Identifier: GPL-3.0-or-later
// The part of an editor's text that a regular expression is looking at: as UTF-16, with LF for all
// line ends. It reaches a bit further on either side than what is searched, for what looks around
// and for matches over many lines; so no copy of a large text is needed.
#pragma once

#include <QString>
#include <QVector>

#include "editor/text/decoded_line.h"

namespace waferpair::editor {

class CodeEditor;

class FindWindow {
 public:
  FindWindow() = default;
  // Matches that begin in [from, searchedTo()] are found; they may reach `ahead` bytes further.
  FindWindow(const CodeEditor& editor, qint64 from, qint64 ahead = kAhead);

  // It serves for matches from this place on, of that version of the text.
  bool serves(qint64 from, qint64 version) const {
    return version == version_ && from_ <= from && from <= searchedTo_;
  }
  qint64 searchedTo() const { return searchedTo_; }
  // The text goes on behind it.
  bool isCut() const { return isCut_; }

  const QString& text() const { return decoded_.text(); }
  // Between bytes of the editor's text and units of this one.
  qsizetype unitAt(qint64 byte);
  qint64 byteAt(qsizetype unit);

  static constexpr qint64 kSearched = 256 * 1024;
  static constexpr qint64 kAhead = 512 * 1024;

 private:
  qint64 version_ = -1;
  qint64 start_ = 0;  // of the window
  qint64 from_ = 0;
  qint64 searchedTo_ = 0;
  bool isCut_ = false;
  // Where a CR was left out before an LF: offsets in the window's bytes, without these CRs.
  QVector<qint64> leftOut_;
  DecodedLine decoded_;
};

}  // namespace waferpair::editor

// SPDX-License-Identifier: GPL-3.0-or-later
// Find and replace in one editor. Matches in view are marked at once, counting the whole text goes
// in slices, so a large file never blocks. Regular expressions are searched for over the text, with
// LF for all line ends: ^ and $ are those of its lines, and a match may be empty, or span lines
// (find_window.h says how many).
#pragma once

#include <QObject>
#include <QRegularExpression>
#include <QString>
#include <QTimer>
#include <QVector>

#include "editor/text/find_query.h"
#include "editor/text/result.h"
#include "editor/widget/find_window.h"

namespace waferpair::editor {

class CodeEditor;

// Bytes [start, end); start is -1 for no match.
struct FindMatch {
  qint64 start = -1;
  qint64 end = -1;
  bool found() const { return start >= 0; }
  bool isEmpty() const { return start == end; }
  bool operator==(const FindMatch&) const = default;
};

class FindReplace : public QObject {
  Q_OBJECT
 public:
  // `editor` must outlive this.
  explicit FindReplace(CodeEditor* editor, QObject* parent = nullptr);
  ~FindReplace() override;

  // Marks what matches and starts counting; an empty text clears. Fails on a bad expression.
  Result<void> setQuery(const FindQuery& query);
  const FindQuery& query() const { return query_; }
  void clear() { (void)setQuery({}); }

  // Selects the next (or previous) match from the selection on, wrapping around (wrapped() says
  // so).
  bool findNext();
  bool findPrevious();
  // Selects the first match at or after `offset`, wrapping around: for search while typing.
  bool findFrom(qint64 offset);

  // Replaces the selected match, if the selection is one, and selects the next. For expressions the
  // replacement is in the language of expandedReplacement().
  bool replaceNext(const QString& replacement);
  // Replacements get the case of what they replace: inCaseOf().
  void setKeepsCase(bool on) { keepsCase_ = on; }
  // Replaces all of them as one undo step; returns how many.
  int replaceAll(const QString& replacement);

  // The matches counted so far; isCounting() says whether more may follow.
  int matchCount() const { return count_; }
  bool isCounting() const { return counting_.isActive(); }
  // Where the first of them begin, from the top: no more than can be told apart.
  const QVector<qint64>& matchStarts() const { return starts_; }

 Q_SIGNALS:
  // `current` is the 1-based number of the selected match, 0 when none is or while counting.
  void countChanged(int matches, bool complete, int current);
  void wrapped();

 private:
  bool isActive() const { return !query_.text.isEmpty(); }
  // The first match that begins in [from, to].
  FindMatch searchForward(qint64 from, qint64 to, QRegularExpressionMatch* captures = nullptr);
  // The last one that lies in [from, to].
  FindMatch searchBackward(qint64 from, qint64 to);
  FindMatch searchPlain(qint64 from, qint64 to) const;
  FindMatch searchRegex(qint64 from, qint64 to, QRegularExpressionMatch* captures);
  FindMatch searchWindow(qint64 from, qint64 to, QRegularExpressionMatch* captures);
  qint64 behind(qint64 place) const;
  qint64 behind(const FindMatch& match) const {
    return match.isEmpty() ? behind(match.end) : match.end;
  }
  FindMatch selected() const;
  QByteArray replacementAt(const FindMatch& match, const QRegularExpressionMatch& captures,
                           const QString& replacement) const;
  bool selectMatch(const FindMatch& match);
  void applyColors();
  void restart();
  void markVisible();
  void markSlice();
  void countSlice();
  void reportCount();

  CodeEditor* editor_;
  FindQuery query_;
  bool keepsCase_ = false;
  bool byRegex_ = false;  // else Scintilla searches for needle_
  QRegularExpression regex_;
  QByteArray needle_;
  QTimer counting_{this};
  QTimer marking_{this};
  QTimer markingOn_{this};  // while markVisible()'s work is unfinished
  qint64 countedTo_ = 0;
  int count_ = 0;
  QVector<qint64> starts_;  // of the first matches, to number the selected one
  qint64 markedFrom_ = 0;   // bytes that carry marks now
  qint64 markedTo_ = 0;
  qint64 markAt_ = 0;
  int marks_ = 0;
  FindWindow window_;   // where an expression was searched for last
  FindMatch selected_;  // the match that was selected last: of an empty one no selection tells
};

}  // namespace waferpair::editor

// SPDX-License-Identifier: GPL-3.0-or-later
// Find and replace in one editor. Matches in view are marked at once, counting the whole text goes
// in slices, so a large file never blocks. A match never spans lines in regular expressions.
#pragma once

#include <QObject>
#include <QRegularExpression>
#include <QString>
#include <QTimer>
#include <QVector>

#include "editor/text/decoded_line.h"
#include "editor/text/find_query.h"
#include "editor/text/result.h"

namespace waferpair::editor {

class CodeEditor;

// Bytes [start, end); start is -1 for no match.
struct FindMatch {
  qint64 start = -1;
  qint64 end = -1;
  bool found() const { return start >= 0; }
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

  // Replaces the selected match, if the selection is one, and selects the next. In regular
  // expressions \1 or $1 stand for groups, \n and \t for their characters.
  bool replaceNext(const QString& replacement);
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
  FindMatch searchForward(qint64 from, qint64 to, QRegularExpressionMatch* captures = nullptr);
  FindMatch searchBackward(qint64 from, qint64 to);
  FindMatch searchPlain(qint64 from, qint64 to) const;
  FindMatch searchRegex(qint64 from, qint64 to, QRegularExpressionMatch* captures = nullptr);
  DecodedLine& decodedLine(int line);
  QByteArray replacementFor(const QRegularExpressionMatch& captures,
                            const QString& replacement) const;
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
  // The line that was searched last, as of that version.
  DecodedLine decoded_;
  int decodedNumber_ = -1;
  qint64 decodedVersion_ = 0;
};

}  // namespace waferpair::editor

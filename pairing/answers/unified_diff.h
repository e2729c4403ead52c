// SPDX-License-Identifier: GPL-3.0-or-later
// Answers made of unified diffs, as git and diff write them and as models do: with the headers of
// git or without, with line numbers and counts that are right, wrong or missing, blanks lost in
// front of lines that stay, fenced or not; in a fence of a diff without any header, too. Each hunk
// is a change of its own; its lines that stay are part of both texts.
//
// Counts are believed where they tell a removed line "-- x" from the header of the next file.
#pragma once

#include "pairing/answers/answer_reader.h"
#include "pairing/answers/preamble.h"

namespace waferpair::pairing {

class UnifiedDiffReader : public AnswerReader {
 public:
  // Returns whether a file's header or a hunk begins with this line.
  static bool beginsChange(const QByteArray& line);

  std::optional<ProposedChange> underWay() const override;

 protected:
  void takeLine(const QByteArray& line) override;
  void takeEnd() override;

 private:
  // A line of a hunk: ' ', '-' or '+', and what follows.
  struct HunkLine {
    char sign = ' ';
    QByteArray text;
    bool hasEnd = true;    // it ends with LF in the file
    bool isEmpty = false;  // there was nothing, not even the blank
    bool isUnmarked = false;
  };
  struct Hunk {
    qint64 beganAt = 0;
    // The numbers that the head gives; -1: it gives none.
    qint64 oldStart = -1;
    qint64 oldCount = -1;
    qint64 newCount = -1;
    QByteArray under;    // "@@ def f():"
    QByteArray heading;  // "@@ -1,2 +1,3 @@ def f():"
    QVector<HunkLine> lines;
    qint64 oldLines = 0;  // in `lines`
    qint64 newLines = 0;
    // So many of the removed lines stay, by the counts: they have lost the blank before their '-'.
    qint64 staying = 0;

    bool hasCounts() const { return oldCount >= 0 && newCount >= 0; }
    bool isFull() const { return hasCounts() && oldLines == oldCount && newLines == newCount; }
    void append(HunkLine line);
    void removeLast();
  };
  // The file that the hunks are for.
  struct File {
    QString path;
    QString renamedTo;
    bool isNew = false;
    bool isDeleted = false;
    bool hasHeader = false;
    qint64 headerAt = 0;
    bool isTold = false;  // a change of it has been added, or a problem said
  };

  static std::optional<Hunk> hunkHead(const QByteArray& line);
  // The head of a hunk where one may begin, which names no line numbers but a line.
  std::optional<Hunk> headHere(const QByteArray& line) const;
  bool takeHunkLine(const QByteArray& line);
  bool takeHeaderLine(const QByteArray& line);
  void takeFileNames(const QByteArray& before, const QByteArray& after);
  void beginHunk(Hunk hunk);
  void beginFile();
  void endHunk();
  void endFile();
  void tellRename();
  void flushHeld();
  ProposedChange changeOf(const Hunk& hunk) const;

  Preamble preamble_;
  std::optional<CodeFence> fence_;  // around the diff
  QByteArray oldName_;              // a line "--- x" which waits for "+++ y"
  File file_;
  std::optional<Hunk> hunk_;
  qint64 mayBeCutAt_ = -1;  // where a hunk began that a fence of its file may have ended
};

}  // namespace waferpair::pairing

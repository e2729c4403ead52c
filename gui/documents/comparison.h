// SPDX-License-Identifier: GPL-3.0-or-later
// A document's text beside what it is compared with: the other text at the left, changed lines and
// words marked in both, scrolled together; or both in one column, to be read. It stands beside the
// document's own editor (Document::setBeside()), so the right side is edited, saved and undone as
// any text, and what is typed is compared a moment later. Line ends are no difference, and what is
// moved across gets those of the text that it comes into. UI thread only.
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "editor/text/line_diff.h"
#include "gui/documents/document.h"

class QLabel;
class QToolButton;

namespace waferpair::editor {
class ChangeMarks;
}

namespace waferpair::gui {

class ComparisonGap;
class ComparisonHeader;

// What a text is compared with.
struct ComparedText {
  QString title;  // "a.txt", "Clipboard"
  editor::Snapshot text;
  // The other text, where it is open: it is followed, and changes can be moved there, too.
  QPointer<Document> document = {};
};

class Comparison : public QWidget {
  Q_OBJECT
 public:
  // Two texts that are longer than this together are not compared: each key would take too long.
  static constexpr qint64 kMostBytes = 16 << 20;

  // Puts itself beside the document's text.
  Comparison(Document* document, ComparedText with);
  ~Comparison() override;

  // The comparison that this document shows; null: none.
  static Comparison* of(const Document* document);
  // Ends it; the document stays open.
  static void end(Document* document);

  const ComparedText& with() const { return with_; }
  const QVector<editor::ChangedLines>& changes() const { return changes_; }
  // "CRLF | LF" where the two have other line ends; empty where they have the same.
  const QString& lineEnds() const { return lineEnds_; }
  // The change at the caret, or the one gone to last; -1: none.
  qsizetype current() const { return current_; }
  // Goes to the next change (1) or the one before (-1), around the ends.
  void step(int direction);
  // Makes the lines of a change in the document as they are in the other text, as one undo step.
  bool take(qsizetype change);
  // Makes the whole document as the other text is, as one undo step.
  bool takeAll();
  // The other way round, of one change; false: the other text is not open.
  bool give(qsizetype change);
  bool canGive() const { return with_.document != nullptr; }

  bool isInline() const { return inline_ != nullptr; }
  void setInline(bool on);

  // -- For the gap between the two

  Document* document() const { return document_; }
  editor::CodeEditor* left() const { return left_; }

 Q_SIGNALS:
  // The changes, or the current one, are others.
  void changed();

 protected:
  bool event(QEvent* event) override;

 private:
  void compare();
  void settle();
  void compareNow();  // if what is shown is not up to date
  void showTexts();
  void showInline();
  void follow();
  void scroll(const editor::CodeEditor* from, editor::CodeEditor* to, bool toRight);
  double across(double line, bool toRight) const;
  void setCurrent(qsizetype change);
  void reveal(qsizetype change);

  Document* document_;
  ComparedText with_;
  QVector<editor::ChangedLines> changes_;
  QString lineEnds_;
  qsizetype current_ = -1;
  long leftMovedTo_ = -1;  // the first row that the other view's scrolling gave it; -1: none
  long rightMovedTo_ = -1;
  bool tooLong_ = false;
  QTimer later_{this};
  editor::CodeEditor* left_;
  editor::ChangeMarks* leftMarks_;
  editor::ChangeMarks* rightMarks_;
  ComparisonGap* gap_;
  QPointer<QWidget> header_;
  editor::CodeEditor* inline_ = nullptr;  // null: side by side
  editor::ChangeMarks* inlineMarks_ = nullptr;
  QVector<int> inlineRows_;  // where each change begins there
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// A block of code in an answer, highlighted, with what can be done with it. Characters that one
// does not see are shown by their codes; what is copied, put in or applied has them as they are.
#pragma once

#include <QFrame>
#include <QTimer>

#include "gui/pairing/answer_blocks.h"

class QHBoxLayout;
class QTextEdit;
class QToolButton;

namespace KSyntaxHighlighting {
class SyntaxHighlighter;
}

namespace waferpair::gui {

class ElidedLabel;

class CodeBlock : public QFrame {
  Q_OBJECT
 public:
  CodeBlock(const QFont& font, QWidget* parent);
  ~CodeBlock() override;

  // `language`: as a fence names it, or a file's name; empty or unknown: plain text.
  void showCode(const QString& code, const QString& language);
  // The same of a block of an answer, which can be applied where it may be code of a file.
  void showBlock(const AnswerBlock& block);
  // In place of the language's name: a button that leads to where the code is from, and why it is
  // shown (may be empty). Such code can only be copied.
  QToolButton* setPlace(const QString& place, const QString& why);
  // For what the user is asked to agree to: lines are wrapped, and blanks are counted where there
  // are many, so that nothing is out of sight at its right.
  void setApproved();
  const QString& code() const { return code_; }
  // As it can be read.
  QString shownText() const;

 Q_SIGNALS:
  void insertWanted(const QString& code);
  // What the block changes is to be offered as hunks.
  void applyWanted(const waferpair::gui::AnswerBlock& block);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void applyTheme();
  void fit();

  QHBoxLayout* head_;
  ElidedLabel* title_;
  QToolButton* copy_;
  QToolButton* insert_;
  QToolButton* apply_;
  QTextEdit* text_;
  // Its document's: one that goes before that lays out all of the text once more.
  KSyntaxHighlighting::SyntaxHighlighter* highlighter_;
  void showMore();

  AnswerBlock block_;  // of showBlock()
  QString language_;
  QString code_;    // as it was passed but for a last line end
  QString wanted_;  // the same with very long lines cut
  QString shown_;   // of that, what is in the text by now
  bool isColored_ = true;
  QTimer showSoon_{this};  // for the rest
  bool isPlaced_ = false;
  bool isApproved_ = false;
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// Find and replace in the current document: a bar between the tabs and the text.
#pragma once

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QToolButton;

namespace waferpair::gui {

class Document;

class FindBar : public QFrame {
  Q_OBJECT
 public:
  explicit FindBar(QWidget* parent = nullptr);

  // The document to search in from now on; null for none. What is typed stays.
  void attach(Document* document);

  // Shows the bar, with the selected text (if it is on one line) as what to find.
  void openFind();
  void openReplace();
  // Hides it, takes the marks away and gives the keyboard back to the text.
  void close();

  void findNext();
  void findPrevious();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QToolButton* addToggle(const QString& name, const QString& symbol, const QString& text);
  QToolButton* addButton(const QString& name, const QString& symbol, const QString& text);
  void open(bool withReplace);
  void applyQuery();
  void search();
  void showCount(int matches, bool complete, int current);
  void showReplace(bool shown);
  void replaceOne();
  void replaceAll();

  QPointer<Document> document_;
  QLineEdit* find_;
  QLineEdit* replace_;
  QLabel* count_;
  QToolButton* caseSensitive_;
  QToolButton* wholeWord_;
  QToolButton* regex_;
  QToolButton* preserveCase_;  // of what is replaced
  QToolButton* next_;
  QToolButton* previous_;
  QToolButton* close_;
  QToolButton* replaceOne_;
  QToolButton* replaceAll_;
  QToolButton* expand_;
  qint64 origin_ = 0;  // where the caret was when searching while typing began
};

}  // namespace waferpair::gui

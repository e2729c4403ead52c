// SPDX-License-Identifier: GPL-3.0-or-later
// The open documents and their tabs: opening, closing, order and history. Documents are owned here.
// UI thread only.
#pragma once

#include <QList>
#include <QPointer>
#include <QStringList>
#include <QWidget>

#include "gui/documents/document.h"

class QStackedWidget;

namespace waferpair::gui {

class FileBookmarks;
class FindBar;
class Places;
class TabBar;

class EditorTabs : public QWidget {
  Q_OBJECT
 public:
  explicit EditorTabs(const DocumentServices& services, QWidget* parent = nullptr);
  ~EditorTabs() override;

  // Null when nothing is open.
  Document* current() const;
  // The documents in the order of the tabs.
  QList<Document*> documents() const;
  QList<Document*> modifiedDocuments() const;
  // The one used last comes first.
  const QList<Document*>& recentDocuments() const { return history_; }
  // Finds the document by any path that leads to the same file; null if it is not open.
  Document* documentAt(const QString& path) const;
  FindBar* findBar() const { return findBar_; }
  FileBookmarks* bookmarks() const { return bookmarks_; }
  Places* places() const { return places_; }

  // Shows the file, opening it when needed, and gives its text the keyboard unless `takeFocus` says
  // not to. Null when it cannot be opened: see problem().
  Document* openFile(const QString& path, bool takeFocus = true);
  // Opens a document called `title`, or "title (2)" where another has that name; "Untitled 2" when
  // it is empty.
  Document* newDocument(const QString& title = {});
  void setCurrent(Document* document);
  // Closes without asking.
  void close(Document* document);
  // Opens the last closed file again, where it was; null if there is none left.
  Document* reopenClosed();

  // Goes along the tabs, +1 or -1, around the ends. These two give the text the keyboard.
  void step(int direction);
  // Goes to the document used before this one; while Ctrl is held down, on to earlier ones.
  void stepBack(int direction);

  // Follows a rename: files below `from` are below `to` now.
  void pathRenamed(const QString& from, const QString& to);

 Q_SIGNALS:
  void currentChanged(waferpair::gui::Document* document);  // null: nothing is open
  void opened(waferpair::gui::Document* document);
  // Sent before it is gone. `id` is what the document was known by.
  void closed(waferpair::gui::Document* document);
  // Sent when tabs are in another order.
  void moved();
  void closeRequested(waferpair::gui::Document* document);
  void tabMenuRequested(waferpair::gui::Document* document, const QPoint& global);
  void problem(const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Closed {
    QString path;
    editor::ViewState view;
  };

  Document* addDocument(Document* document);
  Document* at(int index) const;
  int indexOf(const Document* document) const;
  void showTab(int index);
  void describeAll();
  void endStepBack();

  DocumentServices services_;
  TabBar* bar_;
  FindBar* findBar_;
  QStackedWidget* stack_;
  FileBookmarks* bookmarks_;
  Places* places_;
  QList<Document*> history_;  // most recently used first
  int stepping_ = 0;          // how far back Ctrl+Tab has gone; 0: not at all
  QList<Closed> closed_;
  int untitled_ = 0;
};

}  // namespace waferpair::gui

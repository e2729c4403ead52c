// SPDX-License-Identifier: GPL-3.0-or-later
// The open documents and their tabs in one or more panes: opening, closing, order and history.
// Documents are owned here. UI thread only.
//
// One pane is active: commands mean it and the document in front there. A document may have tabs in
// several panes. It lies in one of them, in the active one when it is in front there; the others
// show second views of its text.
#pragma once

#include <QList>
#include <QPointer>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <optional>

#include "editor/text/busy.h"
#include "gui/documents/document.h"

namespace waferpair::gui {

class DropMark;
class FileBookmarks;
class FileOpenings;
class FindBar;
class Pane;
class PaneTree;
class Places;
class RecentPopup;

// How a file is opened, and who is told of the document: null where it cannot be opened, or where
// the user has gone on to look at another one.
struct OpenWish {
  bool takesFocus = true;
  bool isPreview = false;  // EditorTabs::previewFile()
  std::function<void(Document* document)> then = {};
};

class EditorTabs : public QWidget, public editor::Busy {
  Q_OBJECT
 public:
  explicit EditorTabs(const DocumentServices& services, QWidget* parent = nullptr);
  ~EditorTabs() override;

  // Null when nothing is open.
  Document* current() const;
  // Each document once, in the order of the panes and their tabs.
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
  // The same, where a large file is read while the window goes on. Others, and those that are open,
  // are shown at once. Where the user has gone to another text meanwhile that one stays in front.
  void open(const QString& path, const OpenWish& wish = {});
  // Reads the large ones among files that are to be opened while the window goes on; calls `then`,
  // within which openFile() need not read them. At once where none is large.
  void readBeforehand(const QStringList& paths, const std::function<void()>& then);
  // A file that was wanted is not shown yet.
  bool isOpening() const;
  QString busyWith() const override;
  // Opens a text that was made ready: in its file's tab, which is not open yet, or, where it has
  // none, as newDocument() does. The keyboard stays where it is.
  Document* openPrepared(const editor::PreparedText& prepared, const QString& title);
  // Shows the file to be looked at: in the preview tab of the active pane, which the next one
  // replaces until it is kept. Where the settings have no previews it is opened as ever. The text
  // does not get the keyboard.
  Document* previewFile(const QString& path);
  // The document in the preview tab, if any.
  Document* preview() const { return preview_; }
  // Keeps it. What is edited, opened again, moved or double-clicked is kept by itself.
  void keepPreview();
  // Opens a document called `title`, or "title (2)" where another has that name; "Untitled 2" when
  // it is empty.
  Document* newDocument(const QString& title = {});
  // Brings the document to the front: in the active pane if it has a tab there, else where it is.
  void setCurrent(Document* document);
  // Closes all its tabs, without asking.
  void close(Document* document);
  // Closes the tab in front; asks for closeRequested() when it is the document's last.
  void closeTab();
  // Opens the last closed file again, where it was, if there is one left.
  void reopenClosed();

  // Goes along the tabs, +1 or -1, around the ends. These two give the text the keyboard.
  void step(int direction);
  // Goes to the document used before this one; while Ctrl is held down, on to earlier ones.
  void stepBack(int direction);

  // -- Panes

  PaneTree* tree() const { return tree_; }
  Pane* activePane() const { return active_; }
  // Shows the document in front in a new pane as well, at that edge of the active one.
  void split(Qt::Edge edge);
  // The document's tab goes from `from` to the pane `to`, or to a new one at that edge of it.
  void moveTab(Document* document, Pane* from, Pane* to, std::optional<Qt::Edge> edge = {});
  // To the pane after the active one, or, where there is one only, to a new one at its right.
  void moveTabOn();
  // Shows the file in the pane after the active one, a new one at its right where there is one
  // only. Null when it cannot be opened: see problem().
  Document* openBeside(const QString& path);
  // A further tab for a document: a view of its own.
  void addView(Document* document, Pane* pane);
  // The tabs that no other pane has go to the pane before.
  void closePane(Pane* pane);
  // Brings a document of that pane to the front there.
  void showIn(Document* document, Pane* pane);
  // Commands mean this pane from now on.
  void activate(Pane* pane);
  // Gives the keyboard to the pane that lies there; false: there is none.
  bool focusPane(Qt::Edge edge);
  // The document's place in the text in that pane.
  editor::ViewState viewState(const Document* document, const Pane* pane) const;
  void setViewState(Document* document, Pane* pane, const editor::ViewState& state);

  // -- Other windows

  // Tells whose tabs lie at a place of the screen; null: none do. Without it only these are known.
  using TabsAt = std::function<EditorTabs*(const QPoint& global)>;
  void setTabsAt(TabsAt tabsAt) { tabsAt_ = std::move(tabsAt); }
  // Takes a document over from another window, with its unsaved text, its undo history and its
  // place, into the active pane. Where that file is open here already, it comes to the front, and
  // the other one is closed; if that has changes, nothing happens and null is returned: see
  // problem().
  Document* takeOver(Document* document, EditorTabs* from);

  // Follows a rename: files below `from` are below `to` now.
  void pathRenamed(const QString& from, const QString& to);

 Q_SIGNALS:
  void currentChanged(waferpair::gui::Document* document);  // null: nothing is open
  void opened(waferpair::gui::Document* document);
  // Sent before it is gone. `id` is what the document was known by.
  void closed(waferpair::gui::Document* document);
  // Sent when tabs are in another order, or in other panes.
  void moved();
  void closeRequested(waferpair::gui::Document* document);
  void tabMenuRequested(waferpair::gui::Document* document, const QPoint& global);
  void problem(const QString& text);
  // A tab was let go where there is no window.
  void windowWanted(waferpair::gui::Document* document, const QPoint& global);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Closed {
    QString path;
    editor::ViewState view;
  };

  Document* show(const QString& path, bool takesFocus, const editor::PreparedText* prepared);
  Document* showPreview(const QString& path, const editor::PreparedText* prepared);
  Document* addDocument(Document* document);
  // A name like this one that no other text without a file has.
  QString freeName(const QString& title);
  // Takes its tabs away, and has it deleted once nothing of it is in use.
  void letGo(Document* document);
  void watch(Pane* pane);
  Pane* homeOf(const Document* document) const;
  Document* lastUsedIn(const Pane* pane, const Document* besides = nullptr) const;
  // The one behind the active pane, round the end: itself where there is no other.
  Pane* nextPane() const;
  // Makes a pane at that edge of this one.
  Pane* splitAt(Pane* pane, Qt::Edge edge);
  void bring(Document* document, Pane* pane);
  editor::CodeEditor* makeView(Document* document);
  void dropTab(Document* document, Pane* pane);
  void closePaneIfEmpty(Pane* pane);
  bool pressView(editor::CodeEditor* view, QMouseEvent* event);
  // A document's text lies higher or lower in it, and so do its second views.
  void textMoved(const editor::CodeEditor* editor);
  void tabClosed(Pane* pane, Document* document);
  void followFocus(QWidget* now);
  EditorTabs* tabsAt(const QPoint& global);
  void markDrop(const QPoint& global);
  void showDropMark(const QPoint& global);
  void hideDropMark();
  void dropTabAt(Document* document, Pane* from, const QPoint& global);
  void showCurrent();
  void describeAll();
  void endStepBack();

  DocumentServices services_;
  FindBar* findBar_;
  Pane* active_ = nullptr;
  PaneTree* tree_;
  DropMark* dropMark_;
  FileBookmarks* bookmarks_;
  Places* places_;
  FileOpenings* openings_;
  int previewsWanted_ = 0;  // so far
  QPointer<Document> preview_;
  bool arranging_ = false;                // the keyboard's ways mean nothing
  QPointer<editor::CodeEditor> pressed_;  // a second view that the mouse holds
  QList<Document*> history_;              // most recently used first
  RecentPopup* recent_;
  int stepping_ = 0;  // how far back Ctrl+Tab has gone; 0: not at all
  QList<Closed> closed_;
  int untitled_ = 0;
  TabsAt tabsAt_;
  QPointer<EditorTabs> marked_;  // shows where the tab that is drawn from here would lie
};

}  // namespace waferpair::gui

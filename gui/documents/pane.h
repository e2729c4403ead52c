// SPDX-License-Identifier: GPL-3.0-or-later
// A part of the room for texts, with tabs of its own. Under a tab lies the document itself, or,
// where the document is shown in another pane, a second view of its text. Which it is EditorTabs
// says. UI thread only.
#pragma once

#include <QHash>
#include <QList>
#include <QWidget>

#include "gui/documents/document.h"

class QStackedWidget;
class QVBoxLayout;

namespace waferpair::gui {

class FindBar;
class TabBar;

class Pane : public QWidget {
  Q_OBJECT
 public:
  explicit Pane(QWidget* parent = nullptr);
  ~Pane() override;

  // Null when it has no tabs.
  Document* current() const;
  // In the order of the tabs.
  QList<Document*> documents() const;
  bool has(const Document* document) const { return indexOf(document) >= 0; }
  int currentIndex() const;
  TabBar* bar() const { return bar_; }

  // Makes a tab at `index`; -1: behind the current one. It is current when it is the only one.
  void add(Document* document, QWidget* page, int index = -1);
  // Takes the tab away; the page is the caller's. `next`, if given, is in front if this was.
  QWidget* take(Document* document, Document* next = nullptr);
  // Puts another page under the document's tab; the one before is the caller's.
  QWidget* exchange(Document* document, QWidget* page);
  // The document, its second view, or null.
  QWidget* page(const Document* document) const { return pages_.value(document); }
  // Says nothing of it to anybody.
  void setCurrent(const Document* document);
  // Goes along the tabs, +1 or -1, around the ends.
  void step(int direction);

  // Puts the bar between tabs and text.
  void setFindBar(FindBar* bar);
  // Tells by its looks whether commands mean it; alone it need not.
  void showActive(bool active);
  // Writes the document's tab in italics; null: none.
  void setItalic(const Document* document);
  void describe(const Document* document, const QString& text, const QString& tip);

 Q_SIGNALS:
  // The user chose another tab, or the one in front again.
  void chosen();
  void moved();
  void doubleClicked(waferpair::gui::Document* document);
  void closeWanted(waferpair::gui::Document* document);
  void menuWanted(waferpair::gui::Document* document, const QPoint& global);
  // A tab is drawn out of the row, and let go there.
  void draggedOut(waferpair::gui::Document* document, const QPoint& global);
  void droppedOut(waferpair::gui::Document* document, const QPoint& global);
  void dragCanceled();

 private:
  Document* at(int index) const;
  int indexOf(const Document* document) const;
  void showPage();

  TabBar* bar_;
  QStackedWidget* stack_;
  QVBoxLayout* column_;
  QHash<const Document*, QWidget*> pages_;
};

}  // namespace waferpair::gui

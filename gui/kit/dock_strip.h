// SPDX-License-Identifier: GPL-3.0-or-later
// A dock that yields to the text: in a small window it is a narrow strip at its edge, with a button
// that opens it and one figure; it comes back with the room. Opened by hand in a small window it
// stays, and another dock may have to make room for it meanwhile. What the user hides stays hidden,
// and a dock that floats has room of its own. UI thread only.
#pragma once

#include <QDockWidget>
#include <QPointer>

class QBoxLayout;
class QMainWindow;
class QToolButton;

namespace waferpair::gui {

class StripText;

class DockStrip : public QObject {
  Q_OBJECT
 public:
  // A window of at least `roomy` shows the dock whole. `symbol` (icons.h) stands on the strip. The
  // dock has its widget and will keep it; everything belongs to the window.
  DockStrip(QMainWindow* window, QDockWidget* dock, QSize roomy, const QString& symbol);

  // Hides `other` where both do not fit beside the text, and shows it again when there is room.
  void setMakesRoom(QDockWidget* other);
  // The two share an edge of the window: where one is opened by hand in a small window the other is
  // folded, and lies flat above or below it rather than narrow it.
  friend void stackStrips(DockStrip* one, DockStrip* other);
  // Sets the figure on the strip; may be empty.
  void setFigure(const QString& text);

  // Returns whether the window is too small for the whole dock, whatever is shown now.
  bool isCramped() const;
  bool isStrip() const { return isStrip_; }
  // Shows the dock, whole.
  void open();
  // Makes it a strip again, in a small window; in a roomy one nothing happens.
  void fold();
  // Takes back what open() did in a small window, so that the window's state can be saved.
  void settle();

 Q_SIGNALS:
  void changed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void update();
  void setStrip(bool strip);
  void setSizes();
  void widen();
  void rememberWidth(const QWidget* dock);
  bool bothFit() const;
  bool liesFlat() const;
  void giveRoomBack();
  void noticeVisibility();

  QMainWindow* window_;
  QDockWidget* dock_;
  QPointer<QDockWidget> other_;
  QPointer<DockStrip> mate_;  // at the same edge
  QSize roomy_;
  QWidget* both_;  // holds the next two, of which one is shown
  QWidget* whole_;
  QWidget* strip_;
  QBoxLayout* stripLayout_;
  QToolButton* openButton_;
  StripText* figure_;
  QWidget* noTitle_;         // in place of the dock's own while it is a strip
  QPointer<QWidget> title_;  // the dock's own meanwhile
  int wholeWidth_ = 460;     // to come back to in a roomy window
  int otherWidth_ = 240;
  bool widening_ = false;  // the widths are on their way back
  bool isStrip_ = false;
  bool byHand_ = false;       // opened although the window is small
  bool otherHidden_ = false;  // by this
};

void stackStrips(DockStrip* one, DockStrip* other);

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// News above the text instead of a box in the way: what happened, and buttons for what can be done
// about it. Nothing waits for an answer.
#pragma once

#include <QFrame>
#include <QHash>
#include <functional>

class QBoxLayout;
class QLabel;
class QPushButton;

namespace waferpair::gui {

class WrapLayout;

class Banner : public QFrame {
  Q_OBJECT
 public:
  enum class Kind { kInfo, kWarning, kError };

  Banner(Kind kind, const QString& text, QWidget* parent);

  QString text() const;
  // `name` becomes the object name. The banner closes after `run` unless that has replaced it.
  Banner& addButton(const QString& name, const QString& text, std::function<void()> run);

  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void dismissed();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  // The rows that the text takes at this width.
  int rowsOfText(int width) const;
  // Pixels of width that neither the text nor the buttons have.
  int around() const;

  QLabel* text_;
  QBoxLayout* content_;  // the text, and beside it or below the buttons
  WrapLayout* buttons_;
};

// The banners of one place, each under an id: a newer one replaces the older of the same id.
class BannerStack : public QWidget {
  Q_OBJECT
 public:
  explicit BannerStack(QWidget* parent);

  // Owned by the stack until it is dismissed, removed or replaced. Its object name is `id`.
  Banner& show(const QString& id, Banner::Kind kind, const QString& text);
  void remove(const QString& id);
  // Null if there is none.
  Banner* find(const QString& id) const { return banners_.value(id); }

 private:
  QHash<QString, Banner*> banners_;
};

}  // namespace waferpair::gui

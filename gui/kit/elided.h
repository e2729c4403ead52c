// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that give way: drawn with dots where the room is short. text() stays the whole of it, and
// the tool tip of whoever uses them is to tell it.
#pragma once

#include <QLabel>
#include <QToolButton>

namespace waferpair::gui {

// One line of plain text, cut at its end unless told otherwise.
class ElidedLabel : public QLabel {
  Q_OBJECT
  Q_PROPERTY(bool elides READ elides CONSTANT)
 public:
  using QLabel::QLabel;

  bool elides() const { return true; }
  void setElideMode(Qt::TextElideMode mode) { mode_ = mode; }
  // Room for a few letters.
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Qt::TextElideMode mode_ = Qt::ElideRight;
};

// A button with text only, cut in its middle: names of models differ at both ends.
class ElidedButton : public QToolButton {
  Q_OBJECT
  Q_PROPERTY(bool elides READ elides CONSTANT)
 public:
  explicit ElidedButton(QWidget* parent = nullptr);

  bool elides() const { return true; }
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace waferpair::gui

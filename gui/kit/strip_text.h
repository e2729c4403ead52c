// SPDX-License-Identifier: GPL-3.0-or-later
// A line of muted text that can run from the top down.
#pragma once

#include <QWidget>

namespace waferpair::gui {

class StripText : public QWidget {
  Q_OBJECT
  Q_PROPERTY(QString text READ text)
 public:
  using QWidget::QWidget;

  const QString& text() const { return text_; }
  void setText(const QString& text);
  void setUpright(bool upright);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString text_;
  bool upright_ = true;
};

}  // namespace waferpair::gui

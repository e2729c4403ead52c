// SPDX-License-Identifier: GPL-3.0-or-later
// Shows how full a model's context is and with what: a bar in parts, and a figure beside it. What
// the parts are is told where the mouse rests and to assistive technology.
#pragma once

#include <QWidget>

#include "pairing/ask/ask_request.h"

namespace waferpair::gui {

class ContextMeter : public QWidget {
  Q_OBJECT
  Q_PROPERTY(QString text READ text)
 public:
  explicit ContextMeter(QWidget* parent);

  void setUse(const pairing::ContextUse& use);
  const pairing::ContextUse& use() const { return use_; }
  // Why early messages could not be summarized; an empty one: they could, or it was not tried.
  void setProblem(const waferpair::editor::Error& problem);
  // "3.1k of 8k"
  QString text() const;
  // Each part with its size.
  QString details() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void describe();

  pairing::ContextUse use_;
  editor::Error problem_;
};

}  // namespace waferpair::gui

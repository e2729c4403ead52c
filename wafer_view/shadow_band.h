// SPDX-License-Identifier: GPL-3.0-or-later
// The label of a shadow, which nobody should take for a model that runs here: whose placement and
// cycles are shown, and whose text it is. The one place that says it at length, and that says it
// aloud.
#pragma once

#include <QWidget>

#include "runtime/protocol/telemetry.h"

class QToolButton;

namespace waferpair::view {

inline bool isShadow(const protocol::WaferLayout& layout) { return !layout.shadowOf.empty(); }

// Returns "Shadow of llama-3.1-70b"; empty when it is none, as the next two.
QString shadowTitle(const protocol::WaferLayout& layout);
// "Its placement and cycles, waferpair-mini's text."
QString shadowNote(const protocol::WaferLayout& layout);
// Returns both as one text.
QString shadowText(const protocol::WaferLayout& layout);

// Shown only with a shadow, or while one is being placed. UI thread only.
class ShadowBand : public QWidget {
  Q_OBJECT
 public:
  explicit ShadowBand(QWidget* parent);

  void setLayoutShown(const protocol::WaferLayout& layout);
  // Shows "Placing llama-3.1-70b on wafers…" in place of the label until the next layout; empty
  // restores the label.
  void setProgress(const QString& text);
  // Sets whether the shadow can be ended here. The shadow of a recording cannot.
  void setEndable(bool endable);
  // Shows one line in place of two.
  void setCompact(bool compact);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void endWanted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  void color();
  int heightWanted() const;

  QString title_, note_;  // of the layout
  QString progress_;
  QString said_;  // what was announced last
  bool endable_ = true;
  bool compact_ = false;
  QToolButton* end_;
};

}  // namespace waferpair::view

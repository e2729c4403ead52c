// SPDX-License-Identifier: GPL-3.0-or-later
// Alt and a click add a caret, or take one away; Alt and a drag select a column, as ever. UI thread
// only.
#pragma once

#include <QObject>
#include <QPoint>
#include <optional>

class QMouseEvent;

namespace waferpair::editor {

class TextView;

class CaretClick : public QObject {
 public:
  // Owned by the editor.
  explicit CaretClick(TextView* editor);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool press(const QMouseEvent& event);
  void begin(const QMouseEvent& drag);
  void toggleCaret(QPoint at);

  TextView* editor_;
  std::optional<QPoint> held_;  // where Alt and the button went down; a drag may follow
};

}  // namespace waferpair::editor

// SPDX-License-Identifier: GPL-3.0-or-later
// A few words behind the end of a line ("Tab: line 84") that are no part of the text. They stay
// with their line in the view, give way to ghost text, and can be clicked. Owned by its editor;
// UI thread only.
#pragma once

#include <QTimer>
#include <QWidget>

#include "editor/view/view_part.h"

namespace waferpair::editor {

class GhostText;
class TextView;

class LineHint : public QWidget, public ViewPart {
  Q_OBJECT
 public:
  // Both outlive this, which the editor owns.
  LineHint(TextView* editor, const GhostText* ghost);

  // Shows `text` behind `line`, which is not followed when lines come or go above it. Screen
  // readers are told `spoken`.
  void offer(int line, const QString& text, const QString& spoken);
  void withdraw();
  void textGoes() override { withdraw(); }
  // True from offer() to withdraw(), though ghost text may cover it meanwhile.
  bool isOffered() const { return !text_.isEmpty(); }
  int line() const { return line_; }
  const QString& text() const { return text_; }

  QSize sizeHint() const override;

 Q_SIGNALS:
  void changed();
  void clicked();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QFont hintFont() const;
  void place();

  TextView* editor_;
  const GhostText* ghost_;
  int line_ = 0;
  QString text_;
  QString spoken_;
  QTimer placeSoon_{this};
};

}  // namespace waferpair::editor

// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost depth of a token's way: a cut-out of an op's block, run on the mesh simulator now,
// core by core and cycle by cycle. UI thread only.
#pragma once

#include <QTimer>
#include <QWidget>

#include "editor/assist/completion_provider.h"
#include "runtime/protocol/token_way.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace waferpair::view {
class MeshPicture;
}

namespace waferpair::gui {

class TokenExplainer;

class CutoutPage : public QWidget {
  Q_OBJECT
 public:
  // `explainer` outlives this.
  explicit CutoutPage(TokenExplainer* explainer, QWidget* parent = nullptr);

  // The op that is shown from now on, where it is another one; `name` as the layout has it.
  void setOp(editor::RequestId completion, int token, int op, const QString& name);
  // Runs it, unless it has been run.
  void run();
  // Why there is nothing to see.
  void showProblem(const QString& problem);

  qint64 cycle() const;
  qint64 cycles() const;  // that it took; 0 until it has run
  void setCycle(qint64 cycle);
  void setPlaying(bool playing) { playing_ = playing; }

 Q_SIGNALS:
  void ran();
  // A button goes there.
  void cycleWanted(qint64 cycle);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void showRun(const protocol::CutoutRun& run);
  void showSight(const protocol::CutoutSight& sight);
  void showBreaks();
  void go(int by);
  void tellCore();

  TokenExplainer* explainer_;
  editor::RequestId completion_ = 0;
  int token_ = 0, op_ = -1;
  QString name_;
  bool asked_ = false;    // for this op and size
  bool playing_ = false;  // what a core holds is asked for when it stands still

  QLabel* title_;
  QComboBox* size_;
  QComboBox* metric_;
  QComboBox* break_;
  QToolButton* back_;
  QToolButton* on_;
  view::MeshPicture* picture_;
  QLabel* core_;
  QLabel* held_;
  QTimer lookSoon_{this};
};

}  // namespace waferpair::gui

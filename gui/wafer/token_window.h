// SPDX-License-Identifier: GPL-3.0-or-later
// One token's way: how it was chosen, and what the wafer did for it, at three depths under one
// slider of cycles: the wafers, the block that an op runs on, and a cut-out of that block, core by
// core. UI thread only.
#pragma once

#include <QDialog>
#include <QTimer>
#include <optional>

#include "editor/assist/completion_provider.h"
#include "editor/text/result.h"
#include "runtime/protocol/token_way.h"

class QComboBox;
class QLabel;
class QListWidget;
class QSlider;
class QTabWidget;
class QTableWidget;
class QToolButton;

namespace waferpair::view {
class WayMap;
}

namespace waferpair::gui {

class CutoutPage;
class OpPage;
class TokenExplainer;

class TokenWindow : public QDialog {
  Q_OBJECT
 public:
  enum class Depth { kWafer, kBlock, kPe };

  // `explainer` outlives this.
  explicit TokenWindow(TokenExplainer* explainer, QWidget* parent = nullptr);

  // Shows the token at a byte of a completion's text.
  void explain(editor::RequestId completion, qint64 byte);

  Depth depth() const;
  int op() const { return op_; }
  const std::optional<protocol::TokenWay>& way() const { return way_; }

 private:
  void build();
  QWidget* makeFacts();
  QLayout* makeTimeRow();
  void showWay(const protocol::TokenWay& way);
  void showTokens();
  void showFacts();
  void showAlternatives();
  void showProblem(const editor::Error& problem, bool cutout);
  void depthChanged();
  void slid(int value);
  void setCycle(qint64 cycle);
  void showOffset();
  void setOp(int op);
  void askForOp();
  void setPlaying(bool playing);
  void tick();
  void tellTime();
  qint64 cycles() const;  // that the slider is over

  TokenExplainer* explainer_;
  std::optional<protocol::TokenWay> way_;
  int op_ = 0;
  qint64 cycle_ = 0;  // of the step

  QListWidget* tokens_ = nullptr;
  QLabel* facts_ = nullptr;
  QTableWidget* alternatives_ = nullptr;
  QLabel* problem_ = nullptr;
  QTabWidget* depths_ = nullptr;
  view::WayMap* map_ = nullptr;
  OpPage* block_ = nullptr;
  CutoutPage* cutout_ = nullptr;
  QToolButton* play_ = nullptr;
  QSlider* time_ = nullptr;
  QComboBox* ops_ = nullptr;
  QLabel* place_ = nullptr;
  QTimer opSoon_{this};
  QTimer clock_{this};
};

}  // namespace waferpair::gui

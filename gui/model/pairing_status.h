// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar's part about pairing: which models do it. A click offers the choices.
#pragma once

#include "gui/kit/status_row.h"

class QToolButton;

namespace waferpair::gui {

class PairingModels;

class PairingStatus : public StatusRow {
  Q_OBJECT
 public:
  // `models` outlives this.
  explicit PairingStatus(const PairingModels* models, QWidget* parent = nullptr);

 Q_SIGNALS:
  void choiceWanted();

 private:
  void show();

  const PairingModels* models_;
  QToolButton* button_;
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar's part about a model that is being fetched; nowhere while none is. A click offers
// to stop it.
#pragma once

#include "gui/kit/status_row.h"

class QToolButton;

namespace waferpair::gui {

class ModelGetter;

class DownloadStatus : public StatusRow {
  Q_OBJECT
 public:
  // `getter` outlives this.
  explicit DownloadStatus(ModelGetter* getter, QWidget* parent = nullptr);

 private:
  void show();

  const ModelGetter* getter_;
  QToolButton* button_;
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/download_status.h"

#include <QToolButton>

#include "gui/kit/elided.h"
#include "gui/model/model_getter.h"

namespace waferpair::gui {

DownloadStatus::DownloadStatus(ModelGetter* getter, QWidget* parent)
    : StatusRow(parent), getter_(getter), button_(new ElidedButton) {
  setObjectName(QStringLiteral("downloadStatusRow"));
  button_->setObjectName(QStringLiteral("downloadStatus"));
  button_->setFocusPolicy(Qt::TabFocus);
  addField(button_, StatusRank::kDownload, {});
  connect(button_, &QToolButton::clicked, getter, &ModelGetter::openStatus);
  connect(getter, &ModelGetter::changed, this, &DownloadStatus::show);
  show();
}

void DownloadStatus::show() {
  const QString text = getter_->statusText();
  setWanted(button_, !text.isEmpty());
  if (button_->text() != text) {
    button_->setText(text);
    button_->setAccessibleName(text);
  }
  button_->setToolTip(getter_->progressText());
  button_->setAccessibleDescription(button_->toolTip());
}

}  // namespace waferpair::gui

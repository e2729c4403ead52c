// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time of one token goes: parts of a bar, with what they are beside it. UI thread only.
#pragma once

#include <QVector>
#include <QWidget>

#include "gui/client/experiments.h"

namespace waferpair::gui {

class SharesBar : public QWidget {
  Q_OBJECT
 public:
  explicit SharesBar(QWidget* parent);

  void setShares(const QVector<ExperimentShare>& shares);
  // "multiply in blocks 43 %, fabric in blocks 40 %, …"; empty without shares.
  QString text() const;

  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  // A caption of the legend, and where it stands.
  struct Caption {
    QRect place;
    QString text;
    int share = 0;
  };
  QVector<Caption> captions(int width) const;
  double total() const;

  QVector<ExperimentShare> shares_;
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// What all lanes of the race are asked: model, bits, prompt, requests, drafts. UI thread only.
#pragma once

#include <QWidget>

#include "gui/race/race.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QSlider;

namespace waferpair::gui {

class RaceControls : public QWidget {
  Q_OBJECT
 public:
  explicit RaceControls(QWidget* parent);

  // The answer to "contenders" has the models.
  void setModels(const ExperimentAnswer& contenders);
  RaceSettings settings() const;

 Q_SIGNALS:
  void changed();

 private:
  // A slider over values that are no even steps, with its value beside it.
  struct Dial {
    QSlider* slider = nullptr;
    QLabel* value = nullptr;
    QVector<int> values;
    int at() const;
  };
  Dial dial(const char* name, const QString& caption, const QString& tip, QVector<int> values,
            int first, int row, QGridLayout* grid);
  void showValues();

  QComboBox* model_;
  QComboBox* bits_;
  Dial prompt_, output_, requests_, draft_, acceptance_;
};

}  // namespace waferpair::gui

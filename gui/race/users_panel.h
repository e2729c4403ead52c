// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes that have a model, by the number of users: a chart, and where one overtakes another. It
// asks for its figures by itself. UI thread only.
#pragma once

#include <QFrame>

#include "gui/race/race.h"
#include "gui/race/user_counts.h"

class QLabel;

namespace waferpair::gui {

class Experiments;
class UsersChart;

class UsersPanel : public QFrame {
  Q_OBJECT
 public:
  // `experiments` outlives the panel.
  UsersPanel(Experiments* experiments, QWidget* parent);

  // The contenders of lanes 1 and up. Figures come later, as they are answered; those asked for
  // before are dropped.
  void ask(const QStringList& contenders, const RaceSettings& settings);
  const QVector<UsersLine>& lines() const { return lines_; }

 private:
  void show(int line, std::size_t count, const ExperimentResult& answer);

  Experiments* experiments_;
  UsersChart* chart_;
  QLabel* text_;
  QVector<UsersLine> lines_;
  int asked_ = 0;    // how often
  int waiting_ = 0;  // for so many answers
  QString problem_;  // of the answers that were none; the last one's
};

}  // namespace waferpair::gui

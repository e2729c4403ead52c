// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/users_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include "gui/race/users_chart.h"

namespace waferpair::gui {

UsersPanel::UsersPanel(Experiments* experiments, QWidget* parent)
    : QFrame(parent),
      experiments_(experiments),
      chart_(new UsersChart(this)),
      text_(new QLabel(this)) {
  setObjectName(QStringLiteral("usersPanel"));
  setProperty("role", QStringLiteral("card"));
  setAccessibleName(tr("By users"));
  text_->setObjectName(QStringLiteral("usersText"));
  text_->setAccessibleName(tr("Which lane gives all users more"));
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->addWidget(chart_);
  column->addWidget(text_);
}

void UsersPanel::ask(const QStringList& contenders, const RaceSettings& settings) {
  lines_.clear();
  problem_.clear();
  ++asked_;
  for (int i = 0; i < contenders.size(); ++i) {
    const bool modeled = contenders[i].startsWith(QLatin1String("wafer ")) ||
                         contenders[i].startsWith(QLatin1String("gpu "));
    if (modeled) lines_.append(UsersLine{.lane = i + 1, .tokensPerSecond = {}});
  }
  chart_->setLines(lines_);
  text_->setText(lines_.isEmpty() ? tr("Choose a wafer or a GPU in a lane.") : tr("…"));
  waiting_ = static_cast<int>(lines_.size() * kUserCounts.size());
  for (int line = 0; line < lines_.size(); ++line) {
    for (std::size_t count = 0; count < kUserCounts.size(); ++count) {
      RaceSettings of = settings;
      of.requests = kUserCounts[count];
      experiments_->ask(raceQuestion(contenders[lines_[line].lane - 1], of), this,
                        [this, line, count, asked = asked_](const ExperimentResult& answer) {
                          if (asked == asked_) show(line, count, answer);
                        });
    }
  }
}

void UsersPanel::show(int line, std::size_t count, const ExperimentResult& answer) {
  if (answer) {
    const ExperimentFigure* all = answer->find(QStringLiteral("batch_tokens_per_second"));
    lines_[line].tokensPerSecond[count] = all ? all->value : 0;
  } else {
    problem_ = tr("Lane %1 with %2 users: %3")
                   .arg(lines_[line].lane)
                   .arg(kUserCounts[count])
                   .arg(answer.error().message());
  }
  chart_->setLines(lines_);
  if (--waiting_ > 0) return;
  QStringList said{crossoverText(lines_), problem_};
  said.removeAll(QString());
  text_->setText(said.join(u'\n'));
  text_->setVisible(!said.isEmpty());
}

}  // namespace waferpair::gui

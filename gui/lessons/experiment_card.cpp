// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/experiment_card.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/kit/theme.h"
#include "gui/lessons/lesson_run.h"

namespace waferpair::gui {
namespace {

// A bar as long as a figure, with a mark where the first one was.
class GhostBar : public QWidget {
 public:
  GhostBar(double value, double first, QWidget* parent)
      : QWidget(parent), value_(std::abs(value)), first_(std::abs(first)) {
    setMinimumWidth(60);
    setFixedHeight(10);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const double most = std::max({value_, first_, 1e-300});
    const WindowColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.border);
    painter.fillRect(QRectF(0, 0, width() * value_ / most, height()), colors.accent);
    const double at = std::min(width() * first_ / most, width() - 2.0);
    painter.fillRect(QRectF(at, 0, 2, height()), colors.text);
  }

 private:
  double value_, first_;
};

QString withUnit(const ExperimentFigure& figure) {
  const QString value = figureText(figure.value);
  return figure.unit.isEmpty() ? value : value + u' ' + figure.unit;
}

QLabel* plainLabel(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

}  // namespace

ExperimentCard::ExperimentCard(LessonRun* run, const LessonExperiment& experiment, QWidget* parent)
    : QFrame(parent),
      run_(run),
      experiment_(experiment),
      button_(new QPushButton(tr("Run the experiment"), this)),
      note_(plainLabel({}, this)) {
  setObjectName(QStringLiteral("experiment.") + experiment.id);
  setProperty("role", QStringLiteral("card"));
  setAccessibleName(tr("Experiment %1").arg(experiment.id));
  auto* column = new QVBoxLayout(this);
  auto* asked = plainLabel(experiment.question, this);
  asked->setObjectName(QStringLiteral("experimentQuestion"));
  asked->setAccessibleName(tr("What is asked"));
  asked->setProperty("role", QStringLiteral("muted"));
  column->addWidget(asked);

  auto* row = new QHBoxLayout;
  for (const LessonChoice& choice : experiment.choices) {
    auto* caption = new QLabel(choice.key, this);
    auto* box = new QComboBox(this);
    box->setObjectName(QStringLiteral("choose.%1.%2").arg(experiment.id, choice.key));
    box->setAccessibleName(choice.key);
    box->addItems(choice.values);
    box->setCurrentText(run->experiment(experiment.id).chosen.value(choice.key));
    caption->setBuddy(box);
    connect(box, &QComboBox::currentTextChanged, run,
            [run, id = experiment.id, key = choice.key](const QString& value) {
              run->choose(id, key, value);
            });
    row->addWidget(caption);
    row->addWidget(box);
  }
  button_->setObjectName(QStringLiteral("run.") + experiment.id);
  button_->setAccessibleName(tr("Run the experiment %1").arg(experiment.id));
  button_->setAutoDefault(true);
  connect(button_, &QPushButton::clicked, run, [run, id = experiment.id] { run->run(id); });
  row->addWidget(button_);
  row->addStretch();
  column->addLayout(row);
  note_->setObjectName(QStringLiteral("experimentNote"));
  note_->setAccessibleName(tr("What the figures are"));
  column->addWidget(note_);
  connect(run, &LessonRun::experimentChanged, this, [this](const QString& id) {
    if (id == experiment_.id) showAnswer();
  });
  showAnswer();
}

void ExperimentCard::showAnswer() {
  const LessonRun::Experiment& at = run_->experiment(experiment_.id);
  delete table_;
  table_ = nullptr;
  button_->setText(at.first ? tr("Run it again") : tr("Run the experiment"));
  if (at.running) return note_->setText(tr("Running…"));
  if (!at.problem.message().isEmpty()) return note_->setText(at.problem.message());
  note_->setVisible(at.now.has_value());
  if (!at.now) return;
  QString note = tr("%1 (%2)").arg(at.now->title, at.now->nature);
  if (!at.now->band.isEmpty()) note += QStringLiteral("; ") + at.now->band;
  note_->setText(note);

  table_ = new QWidget(this);
  auto* grid = new QGridLayout(table_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setColumnStretch(0, 3);
  grid->setColumnStretch(2, 2);
  const bool compared = !experiment_.choices.isEmpty();
  int row = 0;
  for (const QString& name : experiment_.shown) {
    const ExperimentFigure* figure = at.now->find(name);
    if (!figure) continue;
    const ExperimentFigure* first = at.first ? at.first->find(name) : nullptr;
    auto* label = plainLabel(figure->label, table_);
    auto* value = plainLabel(withUnit(*figure), table_);
    value->setWordWrap(false);
    value->setObjectName(QStringLiteral("figure.%1.%2").arg(experiment_.id, name));
    value->setAccessibleName(figure->label);
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    QString told = withUnit(*figure);
    grid->addWidget(label, row, 0);
    grid->addWidget(value, row, 1);
    if (compared && first) {
      auto* bar = new GhostBar(figure->value, first->value, table_);
      const QString before = tr("at first %1").arg(withUnit(*first));
      bar->setToolTip(before);
      grid->addWidget(bar, row, 2);
      told += QStringLiteral("; ") + before;
    }
    value->setAccessibleDescription(told);
    ++row;
  }
  layout()->addWidget(table_);
}

}  // namespace waferpair::gui

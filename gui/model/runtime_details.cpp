// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/runtime_details.h"

#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/client/runtime_service.h"
#include "gui/kit/elided.h"
#include "gui/model/runtime_texts.h"
#include "gui/project/project_feed.h"

namespace waferpair::gui {
namespace {

constexpr int kTextWidth = 360;

}  // namespace

RuntimeDetails::RuntimeDetails(RuntimeService* runtime, const ProjectFeed* feed, QWidget* parent)
    : QFrame(parent, Qt::Popup), runtime_(runtime), feed_(feed) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("runtimeDetails"));
  setAccessibleName(tr("Model details"));
  setProperty("role", QStringLiteral("overlay"));

  problem_ = new QLabel(this);
  problem_->setObjectName(QStringLiteral("runtimeProblem"));
  problem_->setWordWrap(true);
  problem_->setMinimumWidth(kTextWidth);
  problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);

  auto* form = new QFormLayout;
  state_ = addRow(form, QStringLiteral("runtimeState"), tr("State"));
  model_ = addRow(form, QStringLiteral("runtimeModel"), tr("Model"));
  auto* file = new ElidedLabel(this);  // the tool tip tells all of it
  file->setElideMode(Qt::ElideMiddle);
  file->setMaximumWidth(kTextWidth);
  file_ = addRow(form, QStringLiteral("runtimeFile"), tr("File"), file);
  hostRate_ = addRow(form, QStringLiteral("runtimeHostRate"), tr("Decode, host"));
  hostFirstToken_ = addRow(form, QStringLiteral("runtimeHostFirstToken"), tr("First token, host"));
  waferRate_ = addRow(form, QStringLiteral("runtimeWaferRate"), tr("Decode, wafer (emulated)"));
  waferFirstToken_ =
      addRow(form, QStringLiteral("runtimeWaferFirstToken"), tr("First token, wafer (emulated)"));
  wafer_ = addRow(form, QStringLiteral("runtimeWafer"), tr("Wafer"));
  shadow_ = addRow(form, QStringLiteral("runtimeShadow"), tr("Shadow"));
  memory_ = addRow(form, QStringLiteral("runtimeMemory"), tr("Memory"));
  computing_ = addRow(form, QStringLiteral("runtimeComputing"), tr("Computed by"));
  context_ = addRow(form, QStringLiteral("runtimeContext"), tr("Context"));
  if (feed_) {
    projectFiles_ =
        addRow(form, QStringLiteral("runtimeProjectFiles"), tr("Project's other files"));
    connect(feed_, &ProjectFeed::changed, this, &RuntimeDetails::refresh);
  }

  auto* restart = new QPushButton(tr("&Restart model"), this);
  restart->setObjectName(QStringLiteral("restartModel"));
  connect(restart, &QPushButton::clicked, runtime_, &RuntimeService::restart);
  choose_ = new QPushButton(tr("&Choose model…"), this);
  choose_->setObjectName(QStringLiteral("chooseModel"));
  connect(choose_, &QPushButton::clicked, this, [this] {
    Q_EMIT chooseModelWanted();
    close();
  });
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(restart);
  buttons->addWidget(choose_);
  buttons->addStretch();

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 12, 14, 12);
  column->setSpacing(12);
  column->addWidget(problem_);
  column->addLayout(form);
  column->addLayout(buttons);

  connect(runtime_, &RuntimeService::stateChanged, this, &RuntimeDetails::refresh);
  connect(runtime_, &RuntimeService::figuresChanged, this, &RuntimeDetails::refresh);
  connect(runtime_->hosted(), &HostedModels::changed, this, &RuntimeDetails::refresh);
  refresh();
}

QLabel* RuntimeDetails::addRow(QFormLayout* form, const QString& name, const QString& title,
                               QLabel* value) {
  auto* caption = new QLabel(title, this);
  caption->setProperty("role", QStringLiteral("muted"));
  if (!value) {
    value = new QLabel(this);
    value->setWordWrap(true);
    value->setMinimumWidth(kTextWidth - 100);
  }
  value->setObjectName(name);
  value->setAccessibleDescription(title);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  form->addRow(caption, value);
  return value;
}

void RuntimeDetails::refresh() {
  const RuntimeFigures& figures = runtime_->figures();
  problem_->setText(runtime_->problem().message());
  problem_->setVisible(!problem_->text().isEmpty());
  state_->setText(runtime_->isTryingModel()
                      ? tr("%1; trying another model").arg(runtime_->stateText())
                      : runtime_->stateText());
  choose_->setEnabled(!runtime_->isTryingModel());
  const auto show = [](QLabel* label, const QString& text) {
    label->setText(text.isEmpty() ? tr("not measured yet") : text);
  };
  model_->setText(figures.model.isEmpty() ? tr("none") : figures.model);
  file_->setText(QDir::toNativeSeparators(runtime_->modelPath()));
  file_->setToolTip(file_->text());
  show(hostRate_, texts::hostRate(figures));
  show(hostFirstToken_, texts::hostFirstToken(figures));
  show(waferRate_, texts::waferRate(figures));
  show(waferFirstToken_, texts::waferFirstToken(figures));
  wafer_->setText(texts::wafer(figures));
  const auto shadow = figures.shadow.isEmpty() ? std::nullopt : runtime_->shadow()->shown();
  QStringList memory, computing;
  for (const HostedModel& hosted : runtime_->hosted()->all()) {
    const QString name = hosted.name.isEmpty() ? QFileInfo(hosted.file).fileName() : hosted.name;
    memory.append(tr("%1: %2").arg(name, texts::memory(hosted)));
    if (const QString text = texts::computing(hosted); !text.isEmpty())
      computing.append(tr("%1: %2").arg(name, text));
  }
  memory_->setText(memory.isEmpty() ? tr("none") : memory.join(u'\n'));
  computing_->setText(computing.isEmpty() ? tr("nothing in memory") : computing.join(u'\n'));
  shadow_->setText(shadow ? tr("%1; the wafer figures are its own").arg(texts::shadow(*shadow))
                          : tr("none"));
  show(context_, texts::context(figures));
  if (projectFiles_) projectFiles_->setText(feed_->summary());
}

void RuntimeDetails::popUpAbove(const QWidget* anchor) {
  adjustSize();
  const QRect screen = anchor->screen()->availableGeometry();
  const QPoint corner = anchor->mapToGlobal(QPoint(anchor->width() - width(), -height() - 4));
  move(std::clamp(corner.x(), screen.left(), std::max(screen.left(), screen.right() - width())),
       std::max(screen.top(), corner.y()));
  show();
}

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/tour.h"

#include <QDir>
#include <QMainWindow>
#include <cstdio>
#include <iterator>

#include "gui/automation/tour_context.h"
#include "gui/automation/tour_report.h"
#include "gui/automation/tour_step.h"
#include "gui/client/runtime_service.h"
#include "gui/store/resource_paths.h"

namespace waferpair::gui {
namespace {

constexpr int kLookAgainMs = 20;

void print(std::FILE* file, const QString& text) {
  std::fputs(text.toUtf8().constData(), file);
  std::fflush(file);
}

}  // namespace

Tour::Tour(QMainWindow* window, RuntimeService* runtime, TourOptions options, QObject* parent)
    : QObject(parent),
      context_(std::make_unique<TourContext>(window, runtime, std::move(options))) {
  for (TourSteps part : {editorSteps(*context_), waferSteps(*context_)})
    std::move(part.begin(), part.end(), std::back_inserter(steps_));
  next_.setSingleShot(true);
  connect(&next_, &QTimer::timeout, this, &Tour::poll);
}

Tour::~Tour() = default;

QString Tour::sampleProject() { return resourcePath(QStringLiteral("sample_project")); }

void Tour::start() {
  const QString directory = context_->options().directory;
  tourAge_.start();
  if (!context_->runtime()) {
    finish(tr("a tour needs the model server"));
    return;
  }
  if (!QDir().mkpath(directory)) {
    finish(tr("the folder %1 cannot be made").arg(directory));
    return;
  }
  context_->window()->activateWindow();
  begin();
}

void Tour::begin() {
  stepAge_.start();
  // The event loop calls it, as a step may work through events itself.
  next_.start(kLookAgainMs);
  const TourStep& step = steps_[current_];
  if (step.act) QMetaObject::invokeMethod(this, step.act, Qt::QueuedConnection);
}

void Tour::poll() {
  const TourStep& step = steps_[current_];
  if (!context_->window()) {
    finish(tr("the window went away"));
    return;
  }
  if (!step.done()) {
    if (stepAge_.elapsed() > step.timeoutMs ||
        tourAge_.elapsed() > context_->options().seconds * 1000LL)
      finish(tr("nothing of it within %1 s").arg(stepAge_.elapsed() / 1000.0, 0, 'f', 1));
    else
      next_.start(kLookAgainMs);
    return;
  }
  context_->figures.steps.append(step.name);
  print(stdout, QStringLiteral("%1 %2 (%3 ms)\n")
                    .arg(current_ + 1, 2)
                    .arg(step.name)
                    .arg(stepAge_.elapsed()));
  if (step.screenshot && !context_->screenshot(step.name)) {
    finish(tr("its screenshot cannot be saved in %1").arg(context_->options().directory));
    return;
  }
  ++current_;
  if (current_ < steps_.size())
    begin();
  else
    finish({});
}

void Tour::finish(const QString& failure) {
  TourFigures& figures = context_->figures;
  const RuntimeService* runtime = context_->runtime();
  if (runtime) figures.runtime = runtime->figures();
  if (!failure.isEmpty()) {
    const TourStep& step = steps_[current_];
    const QString server =
        runtime ? runtime->stateText() + QLatin1Char(' ') + runtime->problem().message()
                : QStringLiteral("none");
    print(stderr, QStringLiteral("Step %1, \"%2\", failed: %3. Model server: %4.\n")
                      .arg(current_ + 1)
                      .arg(step.name, failure, server));
    if (context_->window()) context_->screenshot("failed " + step.name);
    Q_EMIT finished(1);
    return;
  }
  if (!writeTourReport(context_->options().directory, figures)) {
    print(stderr, QStringLiteral("The figures cannot be written to %1.\n")
                      .arg(context_->options().directory));
    Q_EMIT finished(1);
    return;
  }
  print(stdout, '\n' + tourTable(figures));
  Q_EMIT finished(0);
}

}  // namespace waferpair::gui

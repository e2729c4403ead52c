// SPDX-License-Identifier: GPL-3.0-or-later
// The tour drives the real program with real key and mouse events: it opens the sample project,
// types, accepts a suggestion and undoes it, walks the wafer, saves numbered screenshots and a
// table of what was measured. It succeeds only if each step really happened.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

class QMainWindow;

namespace waferpair::gui {

class RuntimeService;
class TourContext;
struct TourStep;

struct TourOptions {
  QString directory;  // screenshots, figures.md and figures.json go here; made when missing
  QString project;    // folder that the window has open
  int seconds = 120;  // for the whole tour; a step that is still waiting then has failed
};

// Usage: show the window with options.project open, then start(). The widgets are found by object
// name (see tour_context.h), as a person finds them by sight.
class Tour : public QObject {
  Q_OBJECT
 public:
  Tour(QMainWindow* window, RuntimeService* runtime, TourOptions options,
       QObject* parent = nullptr);
  ~Tour() override;

  // The folder with the sample project, beside the executable or in the source tree; empty when
  // it is not there.
  static QString sampleProject();

  void start();

 Q_SIGNALS:
  // 0 when every step happened; the table or the failed step has been printed by then.
  void finished(int exitCode);

 private:
  void runStep();
  void finish(const QString& failure);

  std::unique_ptr<TourContext> context_;
  std::vector<TourStep> steps_;
  size_t current_ = 0;
};

}  // namespace waferpair::gui

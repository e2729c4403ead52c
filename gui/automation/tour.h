// SPDX-License-Identifier: GPL-3.0-or-later
// The tour drives the real program with real key and mouse events: it opens the sample project,
// types, accepts a suggestion and undoes it, walks the wafer, saves numbered screenshots and a
// table of what was measured. It succeeds only if each step really happened.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <vector>

class QMainWindow;

namespace waferpair::gui {

class RuntimeService;
class TourContext;
struct TourStep;

struct TourOptions {
  QString directory;  // screenshots, figures.md and figures.json go here; made when missing
  QString project;    // the folder that the window has open, or opens before start()
  int seconds = 120;  // for the whole tour; a step that is still waiting then has failed
};

// Usage: show the window with sampleProject() open, make the tour before the event loop starts,
// then start(). The parts of the window are found as a person finds them, see tour_context.h.
class Tour : public QObject {
  Q_OBJECT
 public:
  // Without a `runtime` the tour fails at its start. Neither is owned; both outlive it.
  Tour(QMainWindow* window, RuntimeService* runtime, TourOptions options,
       QObject* parent = nullptr);
  ~Tour() override;

  // The folder with the sample project that comes with the program; empty when it is not there.
  static QString sampleProject();

  void start();

 Q_SIGNALS:
  // Sent with 0 when every step happened; the table or the failed step has been printed by then.
  void finished(int exitCode);

 private:
  void begin();
  void poll();
  void finish(const QString& failure);

  std::unique_ptr<TourContext> context_;
  std::vector<TourStep> steps_;
  size_t current_ = 0;
  QTimer next_{this};  // the next look at the current step
  QElapsedTimer stepAge_;
  QElapsedTimer tourAge_;
};

}  // namespace waferpair::gui

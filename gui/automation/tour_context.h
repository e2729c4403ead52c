// SPDX-License-Identifier: GPL-3.0-or-later
// The context that the tour's steps share: the program's parts, found in the window as a person
// would find them, what has been noted down so far, and what was measured.
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

#include "gui/automation/tour.h"
#include "gui/automation/tour_report.h"

class QAbstractItemView;

namespace waferpair::editor {
class CodeEditor;
class SuggestionController;
}  // namespace waferpair::editor

namespace waferpair::view {
class WaferView;
}

namespace waferpair::gui {

class TourContext : public QObject {
  Q_OBJECT
 public:
  TourContext(QMainWindow* window, RuntimeService* runtime, TourOptions options);

  QWidget* window() const { return window_; }
  RuntimeService* runtime() const { return runtime_; }
  const TourOptions& options() const { return options_; }

  // Null when there is none in sight.
  editor::CodeEditor* editor() const;
  // The suggestions of editor().
  editor::SuggestionController* suggestions() const;
  QAbstractItemView* fileTree() const;
  view::WaferView* wafer() const;

  bool hasPainted() const { return figures.windowUpMs.has_value(); }
  // Saves the window's picture as NN-name.png. False when it cannot be written.
  bool screenshot(const QString& name);

  TourFigures figures;
  // Noted by one step for a later one.
  QString file;         // that was opened
  QByteArray original;  // its text when it was opened
  QByteArray before;    // the text before a suggestion was accepted
  QByteArray ghost;     // that suggestion
  qint64 caret = 0;     // where it stood, in bytes
  QStringList regions;  // of the wafer's layout
  quint64 decoded = 0;  // tokens that telemetry told of
  QPoint spot;          // in wafer(), on a core that belongs to a region

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QPointer<QWidget> window_;
  RuntimeService* runtime_;
  TourOptions options_;
  int pictures_ = 0;
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar's part about the model: its name, tokens/s and first-token time (host), tokens/s
// (wafer, emulated), context used, and whether suggestions come or why not. A click opens details
// with "Restart model" and "Choose model".
#pragma once

#include <QWidget>

#include "editor/completion_provider.h"

class QLabel;
class QToolButton;

namespace waferpair::gui {

class RuntimeService;
struct RuntimeProblem;

class RuntimeStatus : public QWidget {
  Q_OBJECT
 public:
  // `runtime` is not owned and outlives the widget.
  explicit RuntimeStatus(RuntimeService* runtime, QWidget* parent = nullptr);

  // The document whose suggestions are spoken of; empty when no editor is open.
  void setDocument(const editor::DocumentId& document);

 public Q_SLOTS:
  void showDetails();
  // Opens a file dialog for a GGUF file.
  void chooseModel();

 private:
  void refresh();
  void showRejected(const QString& path, const RuntimeProblem& problem);

  RuntimeService* runtime_;
  editor::DocumentId document_;
  QToolButton* model_;
  QLabel* hostRate_;
  QLabel* firstToken_;
  QLabel* waferRate_;
  QLabel* context_;
  QLabel* suggestions_;
};

}  // namespace waferpair::gui

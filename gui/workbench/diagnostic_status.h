// SPDX-License-Identifier: GPL-3.0-or-later
// In the status bar: how many errors and warnings there are, and what is wrong at the caret. UI
// thread only.
#pragma once

#include <QPointer>
#include <QTimer>

#include "gui/kit/status_row.h"

class QToolButton;

namespace waferpair::gui {

class DiagnosticMarks;
class Document;
class ElidedLabel;
class LanguageTools;

class DiagnosticStatus : public StatusRow {
  Q_OBJECT
 public:
  // Both outlive this.
  DiagnosticStatus(LanguageTools* tools, DiagnosticMarks* marks, QWidget* parent = nullptr);

  // Null: nothing is open.
  void setDocument(Document* document);
  // Says what is wrong at the caret; belongs to the middle of the status bar.
  ElidedLabel* message() const { return message_; }
  // The message says this instead, while it is not empty.
  void setTip(const QString& tip);

 Q_SIGNALS:
  void listWanted();

 private:
  void showCounts();
  void showMessage();

  LanguageTools* tools_;
  DiagnosticMarks* marks_;
  QPointer<Document> document_;
  QToolButton* counts_;
  ElidedLabel* message_;
  QString tip_;
  QTimer soon_{this};  // neither need be part of the frame a key is painted in
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the change that a model is writing over its text while its lines come, once a frame. Behind
// a stop or a failure what there is of it stays in sight, as something that cannot be accepted,
// until it is dropped or its lines are edited. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "gui/documents/document.h"
#include "pairing/edits/edit_run.h"

namespace waferpair::gui {

class GrowingChange : public QObject {
  Q_OBJECT
 public:
  // The document, which this draws in, outlives it.
  explicit GrowingChange(Document* document, QObject* parent);

  // Shows what this run brings from now on; null: nothing.
  void watch(pairing::EditRun* run);
  // To be told of every edit of the text, after the run has been.
  void follow(const QVector<editor::TextEdit>& edits);
  // Takes it away.
  void drop();

  // Something of it is drawn.
  bool isShown() const { return !partial_.hunks.isEmpty(); }
  // Lines that came of it, drawn or not.
  qint64 lines() const { return partial_.lines; }
  const QByteArray& text() const { return partial_.text; }
  // Those that are drawn.
  const QVector<editor::Hunk>& hunks() const { return partial_.hunks; }

 Q_SIGNALS:
  // A frame has passed in which something came.
  void grew();

 private:
  void come();
  void show();

  Document* document_;
  QPointer<pairing::EditRun> run_;
  pairing::EditRun::Partial partial_;
  qsizetype placed_ = 0;  // changes of the run, when it was last looked at
  qsizetype seen_ = 0;    // of the run's answer
  QTimer frame_{this};    // since then
  bool isDue_ = false;    // something came since
};

}  // namespace waferpair::gui

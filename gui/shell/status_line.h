// SPDX-License-Identifier: GPL-3.0-or-later
// The right end of the status bar: where the caret is and how the current text is stored. A click
// (or Return) on a part offers the choices for it; each is a command, too (view_commands.h).
#pragma once

#include <QPointer>
#include <QTimer>

#include "gui/kit/status_row.h"

class QToolButton;

namespace waferpair::gui {

class Document;
class Picker;

class StatusLine : public StatusRow {
  Q_OBJECT
 public:
  // `picker` shows the choices; it outlives this.
  explicit StatusLine(Picker* picker, QWidget* parent = nullptr);

  // Shows the document's state. Null: nothing is open, nothing is shown.
  void setDocument(Document* document);

  void chooseIndentation();
  // To save in, or to read in anew.
  void chooseEncoding();
  void reopenWithEncoding();
  void chooseLineEnds();
  void chooseLanguage();

 Q_SIGNALS:
  void goToLineWanted();

 private:
  QToolButton* addPart(const QString& name, StatusRank rank, const QString& caption,
                       const QString& what);
  void showPosition();
  void showFormat();
  void showModalKeys();

  Picker* picker_;
  QPointer<Document> document_;
  QTimer positionSoon_{this};  // the figures need not be part of the frame a key is painted in
  QToolButton* modalKeys_;
  QToolButton* position_;
  QToolButton* indentation_;
  QToolButton* encoding_;
  QToolButton* lineEnds_;
  QToolButton* language_;
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// The changes that an instruction would bring, shown over the text while it is still being typed:
// asked for when typing rests, and asked for anew when the instruction is another. The text, its
// undo history and the caret are not touched. UI thread only.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

#include "editor/assist/hunks.h"
#include "pairing/edits/edit_run.h"

namespace waferpair::gui {

class EditPreview : public QObject {
  Q_OBJECT
 public:
  // Sends the instruction; its changes go into `hunks`, which outlive the run. Null: it is not to
  // be asked for now.
  using Send = std::function<std::unique_ptr<pairing::EditRun>(const QString& instruction,
                                                               editor::Hunks* hunks)>;
  // Returns whether an instruction refines the changes on offer, so that they may be replaced for
  // as long as the preview is shown.
  using Refines = std::function<bool(const QString& instruction)>;
  // `shown`, the document's hunks, outlive this.
  EditPreview(editor::Hunks* shown, Send send, Refines refines, QObject* parent);

  // The instruction is this by now; an empty one takes the preview away.
  void type(const QString& instruction);
  // To be told of every edit of the text.
  void follow(const QVector<editor::TextEdit>& edits);
  // Takes it away, with its changes.
  void drop();
  // Makes what was asked for with this instruction the caller's, with its changes in the document's
  // hunks; the answer may still come in. Null: that is not what is shown, and nothing happens.
  std::unique_ptr<pairing::EditRun> keep(const QString& instruction);
  // The same whatever the instruction is, for changes that the user has begun to decide about: no
  // more of them come.
  std::unique_ptr<pairing::EditRun> settle();

  // The document's hunks are this preview's.
  bool isShown() const { return isShown_; }
  // It is shown in place of these, which drop() brings back; none: of nothing.
  const editor::Suggestion& refined() const { return refined_.suggestion(); }
  // The run of the latest instruction; null: nothing was asked for.
  const pairing::EditRun* run() const { return run_.get(); }

 Q_SIGNALS:
  // The run came further.
  void changed();

 private:
  void ask();
  void take();
  void show();
  void bringBack();

  editor::Hunks* shown_;
  Send send_;
  Refines refines_;
  QTimer rest_{this};
  QString wanted_;          // as it is typed
  QString asked_;           // of the run
  editor::Hunks arriving_;  // changes of the run
  editor::Hunks refined_;   // what was on offer before it was shown
  std::unique_ptr<pairing::EditRun> run_;
  bool isShown_ = false;
};

}  // namespace waferpair::gui

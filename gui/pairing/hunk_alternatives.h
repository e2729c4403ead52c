// SPDX-License-Identifier: GPL-3.0-or-later
// Answers to one instruction, of which one at a time is on offer: the others are kept until the
// text or a decision of the user's makes them worthless. UI thread only.
#pragma once

#include <QObject>
#include <QVector>
#include <functional>
#include <memory>

#include "editor/assist/hunks.h"
#include "pairing/edits/edit_run.h"

namespace waferpair::gui {

class HunkAlternatives : public QObject {
  Q_OBJECT
 public:
  static constexpr qsizetype kMost = 3;

  // The document's hunks outlive this.
  explicit HunkAlternatives(editor::Hunks* shown, QObject* parent);

  // Asks for one more; its changes go into `hunks`. Null: it cannot be asked.
  using Send = std::function<std::unique_ptr<pairing::EditRun>(editor::Hunks* hunks)>;
  // Offers the next one (+1) or the one before (-1). A next one that is not there yet is asked for,
  // and offered when it is whole; what is on offer stays until then. `answer`: what the model wrote
  // for what is on offer. False: there is none in that direction, or it cannot be asked for.
  bool step(int direction, const QString& answer, const Send& send);
  // To be told of every edit of the text: the others are not of the text as it is by then.
  void textEdited();
  // Forgets all but what is on offer.
  void clear();
  // Ends what is on its way. False: nothing is.
  bool stop();

  // The one on its way; null: none is.
  const pairing::EditRun* run() const { return run_.get(); }
  // What the model wrote for the one that is on offer; null: there is one only.
  QString answer() const { return all_.value(at_).answer; }
  // "answer 2 of 3", with dots while more may come; empty: there is one only.
  QString text() const;

 Q_SIGNALS:
  // Another one is on offer, or is on its way, or none comes any more: then `news` says why.
  void changed(const QString& news);

 private:
  struct One {
    editor::Suggestion changes;
    QString answer;
  };

  void arrived();
  void endRun();
  void show(qsizetype which);
  void hunksChanged();

  editor::Hunks* shown_;
  editor::Hunks arriving_;
  std::unique_ptr<pairing::EditRun> run_;
  QVector<One> all_;  // empty: there is only what is on offer
  qsizetype at_ = 0;  // the one on offer
  bool isShowing_ = false;
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// A second answer to the instruction whose changes are on offer, beside the first, until the user
// takes one of them. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>
#include <utility>

#include "editor/assist/hunks.h"
#include "pairing/edits/edit_run.h"

namespace waferpair::gui {

class Document;
class TwoAnswers;

class SecondAnswer : public QObject {
  Q_OBJECT
 public:
  // Asks; the changes go into `hunks`. Null: it could not be asked.
  using Send = std::function<std::unique_ptr<pairing::EditRun>(editor::Hunks* hunks)>;

  // The document's own hunks are the first answer. `first` and `second` name who gave them.
  SecondAnswer(Document* document, const QString& first, const QString& second, QObject* parent);
  ~SecondAnswer() override;

  // False: it could not be asked, and nothing is shown.
  bool begin(const Send& send);
  // Makes the run of an answer that was taken the caller's.
  std::unique_ptr<pairing::EditRun> takeRun() { return std::move(run_); }

 Q_SIGNALS:
  // The user has taken the second answer: its changes are the document's by now.
  void secondTaken();
  // The first answer stays. `news`: what the user should know of the second, or empty.
  void firstTaken(const QString& news);

 private:
  void follow();
  void end();
  bool isSame() const;

  Document* document_;
  QString first_, second_;
  editor::Hunks hunks_;
  std::unique_ptr<pairing::EditRun> run_;
  QPointer<TwoAnswers> view_;  // owned by Qt as a part of the document
  bool isOver_ = false;
};

}  // namespace waferpair::gui

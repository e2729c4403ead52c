// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a model that was taught next edits for the next one: one question at a time, ended as soon
// as its answer has a change, or another one is asked. What is not likely enough, by what the
// model's server tells, is nobody's business. UI thread only; nothing blocks.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <functional>
#include <memory>

#include "pairing/models/model_roster.h"
#include "pairing/taught/taught_change.h"

namespace waferpair::gui {

class Settings;

class TaughtEdits : public QObject {
  Q_OBJECT
 public:
  // Null: it has none that is likely enough, or there is no answer.
  using Answer = std::function<void(const pairing::TaughtChange* change, double probability)>;

  // Both outlive this. `roster` may be null: no model is ever asked.
  TaughtEdits(pairing::ModelRoster* roster, const Settings* settings, QObject* parent = nullptr);
  ~TaughtEdits() override;

  // A model may be asked now: one is chosen, something may come unasked, and it has not just
  // failed.
  bool isWanted() const;
  // `answer` is called once, never within this call, unless cancel() or another question ends it.
  void ask(const pairing::EditQuestion& question, const Answer& answer);
  void cancel();

  // "sweep-next-edit-1.5B, on this computer, port 8080"; empty: nobody was chosen.
  QString modelText() const;
  // Why nothing comes from it, and what to do; empty while it answers.
  const QString& problem() const { return problem_; }

 Q_SIGNALS:
  // The model or the problem is another one.
  void changed();

 private:
  void read(bool isOver);
  void finished(pairing::ReplyDone done);
  void failed(const pairing::ReplyFailure& failure);
  void settle(const pairing::TaughtChange* change);
  void setProblem(const QString& text);
  double least() const;

  pairing::ModelRoster* roster_;
  const Settings* settings_;
  const pairing::TaughtFormat* format_ = nullptr;  // of the question under way
  pairing::EditPrompt prompt_;
  Answer answer_;
  std::unique_ptr<pairing::ModelReply> reply_;  // null: none is under way
  QString problem_;
  QElapsedTimer failedAt_;  // invalid: it did not
  std::chrono::milliseconds pause_{0};
};

}  // namespace waferpair::gui

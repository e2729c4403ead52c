// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/taught_edits.h"

#include <utility>

#include "gui/store/settings.h"

namespace waferpair::gui {
namespace {

// After a failure nothing is asked for so long, where the server does not say how long.
constexpr std::chrono::seconds kUsualPause(30);
// Where no certainty is asked for.
constexpr double kAny = 0;

}  // namespace

TaughtEdits::TaughtEdits(pairing::ModelRoster* roster, const Settings* settings, QObject* parent)
    : QObject(parent), roster_(roster), settings_(settings) {
  if (!roster_) return;
  // Another model, or the same with another address: what failed may work now.
  connect(roster_, &pairing::ModelRoster::changed, this, [this] {
    cancel();
    failedAt_.invalidate();
    setProblem({});
    Q_EMIT changed();
  });
}

TaughtEdits::~TaughtEdits() { cancel(); }

bool TaughtEdits::isWanted() const {
  const Preferences& wanted = settings_->get();
  if (!roster_ || wanted.suggestionLevel == SuggestionLevel::kQuiet) return false;
  if (wanted.snoozedUntil.isValid() && wanted.snoozedUntil > QDateTime::currentDateTimeUtc())
    return false;
  if (failedAt_.isValid() && !failedAt_.hasExpired(pause_.count())) return false;
  return roster_->chooseForNextEdits().endpoint != nullptr;
}

QString TaughtEdits::modelText() const {
  if (!roster_) return {};
  const auto choice = roster_->chooseForNextEdits();
  if (!choice.model) return {};
  return tr("%1, on %2").arg(choice.model->name, choice.model->place());
}

// How likely a change must be: what comes unasked is as sure as suggestions are.
double TaughtEdits::least() const {
  const Preferences& wanted = settings_->get();
  const double level = wanted.certainty / 100.0;
  return wanted.suggestionLevel == SuggestionLevel::kEager ? level / 2 : level;
}

void TaughtEdits::ask(const pairing::EditQuestion& question, const Answer& answer) {
  cancel();
  const auto choice = roster_->chooseForNextEdits();
  if (!choice.endpoint) return;
  auto prompt = choice.format->prompt(question);
  if (!prompt) return;
  const auto shown =
      pairing::Shown<pairing::TextRequest>::of({prompt->text, prompt->stop, prompt->mostTokens});
  if (!shown) return;
  format_ = choice.format;
  prompt_ = std::move(*prompt);
  answer_ = answer;
  reply_ = choice.endpoint->send(*shown);
  connect(reply_.get(), &pairing::ModelReply::textArrived, this, [this](const QString& added) {
    if (added.contains(u'\n')) read(false);
  });
  connect(reply_.get(), &pairing::ModelReply::finished, this, &TaughtEdits::finished);
  connect(reply_.get(), &pairing::ModelReply::failed, this, &TaughtEdits::failed);
}

void TaughtEdits::cancel() {
  answer_ = {};
  if (!reply_) return;
  // It may be within one of its own signals.
  reply_->disconnect(this);
  reply_->cancel();
  reply_.release()->deleteLater();
}

void TaughtEdits::read(bool isOver) {
  const auto rewrite = format_->read(prompt_, reply_->text().toUtf8(), isOver);
  const auto change = rewrite ? firstChange(prompt_, *rewrite) : std::nullopt;
  if (change)
    settle(&*change);
  else if (isOver)
    settle(nullptr);
}

void TaughtEdits::settle(const pairing::TaughtChange* change) {
  double probability = 0;
  if (change) {
    const QByteArray answer = reply_->text().toUtf8();
    const auto size = QString::fromUtf8(answer.first(std::min(change->end, answer.size()))).size();
    const auto told = reply_->probability(std::max<qsizetype>(1, size));
    // Of a server that tells nothing, what it says is shown to whoever wants to see much.
    const bool isEager = settings_->get().suggestionLevel == SuggestionLevel::kEager;
    probability = told.value_or(kAny);
    if (told ? probability < least() : !isEager) change = nullptr;
    if (!told && !isEager)
      setProblem(
          tr("The server does not tell how likely its answers are (logprobs), so they are "
             "shown at the level “eager” only."));
    else
      setProblem({});
  } else {
    setProblem({});
  }
  const Answer answer = std::exchange(answer_, {});
  cancel();
  if (answer) answer(change, probability);
}

void TaughtEdits::finished(pairing::ReplyDone done) {
  // What was cut off says nothing of the lines that are missing.
  if (done.reason == pairing::ReplyDone::Reason::kComplete) return read(true);
  settle(nullptr);
}

void TaughtEdits::failed(const pairing::ReplyFailure& failure) {
  failedAt_.start();
  pause_ = std::max<std::chrono::milliseconds>(failure.retryAfter.value_or(kUsualPause),
                                               std::chrono::seconds(1));
  const Answer answer = std::exchange(answer_, {});
  cancel();
  setProblem(failure.message());
  if (answer) answer(nullptr, 0);
}

void TaughtEdits::setProblem(const QString& text) {
  if (text == problem_) return;
  problem_ = text;
  Q_EMIT changed();
}

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/suggestions/suggestion_rules.h"

#include <algorithm>

#include "gui/store/clock.h"

namespace waferpair::gui {
namespace {

// At the level "eager", of how sure the settings ask the model to be.
constexpr double kEagerShare = 0.5;

}  // namespace

SuggestionRules::SuggestionRules(Settings* settings, QObject* parent)
    : QObject(parent), settings_(settings) {
  snoozeEnds_.setSingleShot(true);
  connect(&snoozeEnds_, &QTimer::timeout, this, &SuggestionRules::watchSnooze);
  connect(settings_, &Settings::changed, this, &SuggestionRules::watchSnooze);
  watchSnooze();
}

QString SuggestionRules::nameOf(const QString& language) {
  return language.isEmpty() ? tr("plain text") : language;
}

QString SuggestionRules::explained(SuggestionLevel level) {
  switch (level) {
    case SuggestionLevel::kQuiet:
      return tr("Quiet: only when you ask for one by key");
    case SuggestionLevel::kNormal:
      return tr("Normal: by themselves, when the model is sure enough");
    case SuggestionLevel::kEager:
      return tr("Eager: more often, and more often wrong");
  }
  return {};
}

QString SuggestionRules::off(const QString& language) const {
  if (!settings_->get().ai) return tr("AI features are off");
  if (!settings_->get().suggestions) return tr("suggestions are off");
  return isOn(language) ? QString() : tr("suggestions are off for %1").arg(nameOf(language));
}

QString SuggestionRules::heldBack() const {
  if (isSnoozed()) return tr("Snoozed until %1").arg(snoozedUntil());
  return level() == SuggestionLevel::kQuiet ? tr("Suggestions by key") : QString();
}

double SuggestionRules::leastProbability() const {
  const double certainty = settings_->get().certainty / 100.0;
  return level() == SuggestionLevel::kEager ? certainty * kEagerShare : certainty;
}

void SuggestionRules::setLevel(SuggestionLevel level) {
  Preferences changed = settings_->get();
  changed.suggestionLevel = level;
  settings_->set(changed);
}

bool SuggestionRules::isOn(const QString& language) const {
  return !settings_->get().languagesWithoutSuggestions.contains(language);
}

void SuggestionRules::setOn(const QString& language, bool on) {
  Preferences changed = settings_->get();
  changed.languagesWithoutSuggestions.removeAll(language);
  if (!on) changed.languagesWithoutSuggestions.append(language);
  changed.languagesWithoutSuggestions.sort();
  settings_->set(changed);
}

// -- Snooze

bool SuggestionRules::isSnoozed() const {
  const QDateTime until = settings_->get().snoozedUntil;
  return until.isValid() && currentTime() < until;
}

QString SuggestionRules::snoozedUntil() const {
  return settings_->get().snoozedUntil.toLocalTime().toString(QStringLiteral("HH:mm"));
}

void SuggestionRules::snooze(std::chrono::milliseconds time) {
  Preferences changed = settings_->get();
  changed.snoozedUntil = currentTime().toUTC().addMSecs(time.count());
  settings_->set(changed);
}

void SuggestionRules::endSnooze() {
  Preferences changed = settings_->get();
  changed.snoozedUntil = {};
  settings_->set(changed);
}

// The clock may have been set meanwhile, or the computer have slept: it is asked once more.
void SuggestionRules::watchSnooze() {
  const QDateTime until = settings_->get().snoozedUntil;
  if (!until.isValid()) return snoozeEnds_.stop();
  if (!isSnoozed()) return endSnooze();
  constexpr qint64 kLongestWaitMs = 60 * 60 * 1000;
  const qint64 left = std::clamp<qint64>(currentTime().msecsTo(until), 1, kLongestWaitMs);
  snoozeEnds_.start(std::chrono::milliseconds(left));
}

}  // namespace waferpair::gui

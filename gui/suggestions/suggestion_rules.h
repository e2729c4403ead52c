// SPDX-License-Identifier: GPL-3.0-or-later
// When suggestions come, as the user wishes: the level, the languages, and a snooze that ends by
// itself. All of it is kept in the settings, whose change tells of it. UI thread only.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <chrono>

#include "gui/store/settings.h"

namespace waferpair::gui {

class SuggestionRules : public QObject {
  Q_OBJECT
 public:
  // `settings` outlives this.
  explicit SuggestionRules(Settings* settings, QObject* parent = nullptr);

  // Returns why nothing at all is asked for in a text of this language, in words for the status
  // bar; empty: something may be.
  QString off(const QString& language) const;
  // Returns why nothing comes by itself, though the key asks; empty: it does.
  QString heldBack() const;
  // The certainty that is asked of suggestions that come by themselves, 0 to 1: see
  // editor/assist/suggestion_gate.h.
  double leastProbability() const;

  SuggestionLevel level() const { return settings_->get().suggestionLevel; }
  void setLevel(SuggestionLevel level);
  bool isOn(const QString& language) const;
  void setOn(const QString& language, bool on);
  void snooze(std::chrono::milliseconds time);
  void endSnooze();
  bool isSnoozed() const;
  // "14:35"
  QString snoozedUntil() const;

  // In words for people: "C++", "plain text".
  static QString nameOf(const QString& language);
  // One line: what comes at this level.
  static QString explained(SuggestionLevel level);

 private:
  void watchSnooze();

  Settings* settings_;
  QTimer snoozeEnds_{this};
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/suggestions/suggestion_commands.h"

#include <QAction>
#include <array>
#include <chrono>

#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "gui/suggestions/suggestion_counts_dialog.h"
#include "gui/suggestions/suggestion_rules.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

struct LevelRow {
  SuggestionLevel level;
  const char* id;
  const char* text;
};
constexpr std::array kLevelRows = {
    LevelRow{SuggestionLevel::kQuiet, "suggest.quiet", QT_TRANSLATE_NOOP("Window", "&Quiet")},
    LevelRow{SuggestionLevel::kNormal, "suggest.normal", QT_TRANSLATE_NOOP("Window", "&Normal")},
    LevelRow{SuggestionLevel::kEager, "suggest.eager", QT_TRANSLATE_NOOP("Window", "&Eager")}};
constexpr std::array kSnoozeMinutes = {5, 15, 60};
constexpr char kSuggestMenu[] = "model/suggest";

QString snoozeText(int minutes) { return tr("Snooze for %1 Minutes").arg(minutes); }

void addLevelCommands(CommandRegistry& commands, const SuggestionCommandParts& parts) {
  SuggestionRules* rules = parts.rules;
  for (const LevelRow& row : kLevelRows) {
    QAction* action = commands.add({.id = QLatin1String(row.id),
                                    .category = tr("Suggestions"),
                                    .text = tr(row.text),
                                    .help = SuggestionRules::explained(row.level) + u'.',
                                    .checkable = true,
                                    .places = {{kSuggestMenu, 1}},
                                    .run = [rules, level = row.level] { rules->setLevel(level); }});
    const auto show = [action, rules, level = row.level] {
      action->setChecked(rules->level() == level);
    };
    QObject::connect(parts.settings, &Settings::changed, action, show);
    // A level that was chosen again stays chosen.
    QObject::connect(action, &QAction::triggered, action, show);
    show();
  }
}

void addSnoozeCommands(CommandRegistry& commands, const SuggestionCommandParts& parts) {
  SuggestionRules* rules = parts.rules;
  for (const int minutes : kSnoozeMinutes) {
    commands.add({.id = QStringLiteral("suggest.snooze%1").arg(minutes),
                  .category = tr("Suggestions"),
                  .text = snoozeText(minutes),
                  .help = tr("Suggest nothing by itself for %1 minutes.").arg(minutes),
                  .places = {{kSuggestMenu, 2}},
                  .run = [rules, minutes] { rules->snooze(std::chrono::minutes(minutes)); }});
  }
  QAction* wake = commands.add({.id = "suggest.wake",
                                .category = tr("Suggestions"),
                                .text = tr("End the &Snooze"),
                                .help = tr("Suggest again before the snooze is over."),
                                .places = {{kSuggestMenu, 2}},
                                .run = [rules] { rules->endSnooze(); }});
  const auto show = [wake, rules] {
    wake->setToolTip(rules->isSnoozed() ? tr("Until %1").arg(rules->snoozedUntil()) : QString());
  };
  QObject::connect(parts.settings, &Settings::changed, wake, show);
  show();
}

}  // namespace

void addSuggestionCommands(CommandRegistry& commands, const SuggestionCommandParts& parts) {
  const QString suggestions = tr("Suggestions");
  commands.add({.id = "suggest.choose",
                .category = suggestions,
                .text = tr("&When Suggestions Come…"),
                .help = tr("Choose a level, snooze, or turn them off for a language."),
                .keys = {chord(Qt::Key_S)},
                .places = {{kSuggestMenu, 0}},
                .run = [parts] { chooseSuggestions(parts); }});
  addLevelCommands(commands, parts);
  addSnoozeCommands(commands, parts);
  commands.add({.id = "suggest.language",
                .category = suggestions,
                .text = tr("On or Off for This &Language"),
                .help = tr("Suggest in files of this file's language, or do not."),
                .when = Context::kDocumentOpen,
                .places = {{kSuggestMenu, 3}},
                .run = [parts] {
                  if (const auto language = parts.language())
                    parts.rules->setOn(*language, !parts.rules->isOn(*language));
                }});
  commands.add({.id = "suggest.counts",
                .category = suggestions,
                .text = tr("&What Became of Them…"),
                .help = tr("How many suggestions were shown, accepted, kept and dismissed here."),
                .places = {{kSuggestMenu, 4}},
                .run = [parts] {
                  auto* dialog = new SuggestionCountsDialog(parts.counts, parts.window);
                  dialog->setAttribute(Qt::WA_DeleteOnClose);
                  dialog->open();
                }});
}

void chooseSuggestions(const SuggestionCommandParts& parts) {
  SuggestionRules* rules = parts.rules;
  QList<PickerItem> items;
  QList<std::function<void()>> runs;
  const auto add = [&](const QString& text, const QString& hint, std::function<void()> run) {
    items.append({text, 0, hint, {}, static_cast<int>(runs.size())});
    runs.append(std::move(run));
  };
  if (rules->isSnoozed()) {
    add(tr("End the snooze"), tr("until %1").arg(rules->snoozedUntil()),
        [rules] { rules->endSnooze(); });
  }
  for (const LevelRow& row : kLevelRows) {
    add(SuggestionRules::explained(row.level),
        rules->level() == row.level ? tr("current") : QString(),
        [rules, level = row.level] { rules->setLevel(level); });
  }
  for (const int minutes : kSnoozeMinutes) {
    add(tr("Snooze for %1 minutes").arg(minutes), {},
        [rules, minutes] { rules->snooze(std::chrono::minutes(minutes)); });
  }
  if (const auto language = parts.language()) {
    const QString name = SuggestionRules::nameOf(*language);
    const bool on = rules->isOn(*language);
    add(on ? tr("Off for %1").arg(name) : tr("On for %1").arg(name), {},
        [rules, language = *language, on] { rules->setOn(language, !on); });
  }
  Settings* settings = parts.settings;
  const bool on = settings->get().suggestions;
  add(on ? tr("Off everywhere") : tr("On"), {}, [settings, on] {
    Preferences changed = settings->get();
    changed.suggestions = !on;
    settings->set(changed);
  });
  parts.picker->open(tr("Suggestions"), tr("When suggestions come"), items,
                     [runs](const QVariant& data) { runs[data.toInt()](); });
}

}  // namespace waferpair::gui

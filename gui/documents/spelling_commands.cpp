// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/spelling_commands.h"

#include <QMenu>

#include "gui/documents/editor_tabs.h"
#include "gui/documents/spelling.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "gui/kit/preference_toggle.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr char kMenu[] = "edit/spelling";
constexpr char kSpellingNotice[] = "spelling";

// Why nothing is marked, with what can be done about it.
void tellNothing(const SpellingCommandParts& p) {
  const Document* document = p.tabs->current();
  const QString language = document->editor()->language();
  QString text = tr("No word in this text is marked.");
  if (!p.settings->get().spelling) {
    text = tr("Spelling is not checked: Edit > Spelling > Check Spelling.");
  } else if (p.spelling->used().isEmpty()) {
    text =
        tr("There is no dictionary. Install one: those of Hunspell are used, such as the "
           "package hunspell-en-us.");
  } else if (!p.spelling->isOnFor(language)) {
    text = language.isEmpty()
               ? tr("Spelling is not checked in plain text: Edit > Spelling > Check in This "
                    "Language.")
               : tr("Spelling is not checked in %1: Edit > Spelling > Check in This Language.")
                     .arg(language);
  }
  p.notices->show(QLatin1String(kSpellingNotice), Banner::Kind::kInfo, text);
}

void step(const SpellingCommandParts& p, int direction) {
  if (!p.spelling->step(p.tabs->current(), direction)) tellNothing(p);
}

// The word at the caret, or else the next one, to which the caret goes.
Spelling::Word wordToTreat(const SpellingCommandParts& p) {
  Document* document = p.tabs->current();
  Spelling::Word word = p.spelling->wordAt(document, document->editor()->caret());
  if (!word.document && p.spelling->step(document, 1))
    word = p.spelling->wordAt(document, document->editor()->caret());
  if (!word.document) tellNothing(p);
  return word;
}

void correct(const SpellingCommandParts& p) {
  const Spelling::Word word = wordToTreat(p);
  if (!word.document) return;
  p.spelling->choicesFor(word, p.picker, [p, word](const QList<Spelling::Choice>& choices) {
    if (!word.document || word.document != p.tabs->current()) return;
    QList<PickerItem> items;
    for (qsizetype i = 0; i < choices.size(); ++i)
      items.append({choices[i].text, 0, choices[i].hint, {}, QVariant::fromValue(i)});
    p.picker->open(tr("Spelling of “%1”").arg(word.spelled), tr("Choose a Correction"), items,
                   [choices](const QVariant& index) { choices[index.toLongLong()].run(); });
  });
}

void chooseDictionaries(const SpellingCommandParts& p) {
  QList<PickerItem> items;
  const QStringList used = p.spelling->used();
  for (const QString& name : Spelling::installed())
    items.append(
        {name, 0, used.contains(name) ? tr("used: take it away") : tr("use it"), {}, name});
  p.picker->open(tr("Dictionaries"), tr("A word is right if one of those used has it"), items,
                 [p, used](const QVariant& data) {
                   QStringList names = used;
                   const QString name = data.toString();
                   if (!names.removeOne(name)) names.append(name);
                   p.spelling->use(names);
                 });
  if (items.isEmpty())
    p.picker->setNote(tr("None is installed. Those of Hunspell are used: hunspell-en-us, …"));
}

}  // namespace

void addSpellingCommands(CommandRegistry& commands, const SpellingCommandParts& p) {
  const QString category = tr("Spelling");
  const auto add = [&](const char* id, const QString& text, const QString& help,
                       const QList<QKeySequence>& keys, int group, std::function<void()> run,
                       When when = Context::kDocumentOpen) {
    commands.add({.id = QLatin1String(id),
                  .category = category,
                  .text = text,
                  .help = help,
                  .keys = keys,
                  .when = when,
                  .places = {{kMenu, group}},
                  .run = std::move(run)});
  };
  addPreferenceToggle(commands, p.settings,
                      {.id = "spell.check",
                       .category = category,
                       .text = tr("&Check Spelling"),
                       .help = tr("Mark words in comments, strings and paragraphs that no "
                                  "dictionary has."),
                       .places = {{kMenu}}},
                      &Preferences::spelling);
  add("spell.language", tr("Check in This &Language"),
      tr("Check spelling in files of this file's language, or do not."), {}, 1, [p] {
        const QString language = p.tabs->current()->editor()->language();
        p.spelling->setOnFor(language, !p.spelling->isOnFor(language));
      });
  add("spell.dictionaries", tr("&Dictionaries…"), tr("Choose which dictionaries are used."), {}, 1,
      [p] { chooseDictionaries(p); }, {});
  add("spell.correct", tr("Correct &Word…"),
      tr("List what could be meant by the marked word at the caret, or by the next one."),
      {chord(Qt::CTRL | Qt::Key_J)}, 2, [p] { correct(p); });
  add("spell.next", tr("&Next Marked Word"), tr("Go to the next word that no dictionary has."),
      {chord(Qt::Key_J)}, 2, [p] { step(p, 1); });
  add("spell.previous", tr("&Previous Marked Word"),
      tr("Go to the word before that no dictionary has."), {chord(Qt::SHIFT | Qt::Key_J)}, 2,
      [p] { step(p, -1); });
  add("spell.addToUser", tr("&Add to Your Dictionary"),
      tr("The marked word at the caret, or the next one, is right in every project."), {}, 3, [p] {
        if (const auto word = wordToTreat(p); word.document) p.spelling->addToUserWords(word);
      });
  add(
      "spell.addToProject", tr("Add to the Pro&ject's Dictionary"),
      tr("The marked word at the caret, or the next one, is right in this project."), {}, 3,
      [p] {
        if (const auto word = wordToTreat(p); word.document) p.spelling->addToProjectWords(word);
      },
      Context::kDocumentOpen && Context::kFolderOpen);
}

void offerSpelling(QMenu* menu, Spelling* spelling, Document* document) {
  const Spelling::Word word = spelling->wordAt(document, document->editor()->caret());
  if (!word.document) return;
  spelling->choicesFor(word, menu, [menu](const QList<Spelling::Choice>& choices) {
    QList<QAction*> actions;
    for (const Spelling::Choice& one : choices) {
      QString text = one.text;
      auto* action = new QAction(text.replace(u'&', QStringLiteral("&&")), menu);
      action->setObjectName(QStringLiteral("spelling.%1").arg(actions.size()));
      QObject::connect(action, &QAction::triggered, menu, one.run);
      actions.append(action);
    }
    actions.append(new QAction(menu));
    actions.last()->setSeparator(true);
    menu->insertActions(menu->actions().value(0), actions);
  });
}

}  // namespace waferpair::gui

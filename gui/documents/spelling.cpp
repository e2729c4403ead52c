// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/spelling.h"

#include <QLocale>
#include <algorithm>

#include "editor/layers/spelling_marks.h"
#include "editor/spell/dictionary.h"
#include "editor/spell/prose_words.h"
#include "editor/view/announce.h"
#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {

using editor::ByteRange;
using editor::SpellingMarks;

Spelling::Spelling(EditorTabs* tabs, Settings* settings, const QString& userWords, QObject* parent)
    : QObject(parent), tabs_(tabs), settings_(settings) {
  connect(&checker_, &editor::SpellChecker::problem, this, &Spelling::problem);
  checker_.setUserWords(userWords);
  connect(settings, &Settings::changed, this, &Spelling::apply);
  connect(tabs, &EditorTabs::opened, this, [this](Document* document) {
    const auto again = [this, document] { applyTo(document); };
    connect(document->editor(), &editor::CodeEditor::languageChanged, this, again);
    connect(document->editor(), &editor::CodeEditor::documentReset, this, again);
    applyTo(document);
  });
  apply();
}

void Spelling::setFolder(const QString& folder) {
  checker_.setProjectWords(folder.isEmpty() ? QString()
                                            : folder + QStringLiteral("/.waferpair/words.txt"));
}

QStringList Spelling::installed() { return editor::dictionariesIn(editor::dictionaryFolders()); }

void Spelling::apply() {
  const Preferences& p = settings_->get();
  QStringList names;
  if (p.spelling) {
    names = p.spellingDictionaries;
    if (names.isEmpty())
      names = editor::usualDictionaries(installed(), QLocale::system().uiLanguages());
  }
  checker_.setDictionaries(names);
  for (Document* document : tabs_->documents()) applyTo(document);
}

void Spelling::applyTo(Document* document) {
  const editor::CodeEditor* text = document->editor();
  const bool on = !checker_.dictionaries().isEmpty() && isOnFor(text->language()) &&
                  text->safeMode() == editor::SafeMode::kOff;
  SpellingMarks* marks = marksOf(document);
  if (!marks && !on) return;
  if (!marks) marks = new SpellingMarks(document->editor(), &checker_);
  marks->setOn(on);
}

SpellingMarks* Spelling::marksOf(const Document* document) {
  return document ? document->editor()->findChild<SpellingMarks*>() : nullptr;
}

void Spelling::use(const QStringList& names) {
  Preferences changed = settings_->get();
  changed.spellingDictionaries = names;
  changed.spelling = true;
  settings_->set(changed);
}

bool Spelling::isOnFor(const QString& language) const {
  return !settings_->get().languagesWithoutSpelling.contains(language);
}

void Spelling::setOnFor(const QString& language, bool on) {
  Preferences changed = settings_->get();
  changed.languagesWithoutSpelling.removeAll(language);
  if (!on) changed.languagesWithoutSpelling.append(language);
  changed.languagesWithoutSpelling.sort();
  settings_->set(changed);
}

Spelling::Word Spelling::wordAt(Document* document, qint64 offset) const {
  const SpellingMarks* marks = marksOf(document);
  const auto range = marks && marks->isOn() ? marks->wrongAt(offset) : std::nullopt;
  if (!range) return {};
  return {document, *range,
          QString::fromUtf8(document->editor()->textRange(range->start, range->end))};
}

bool Spelling::step(Document* document, int direction) {
  const SpellingMarks* marks = marksOf(document);
  if (!marks || !marks->isOn()) return false;
  editor::CodeEditor* text = document->editor();
  const qint64 from = std::min<qint64>(text->caret(), text->sci(QsciScintillaBase::SCI_GETANCHOR));
  auto found = marks->next(from, direction);
  if (!found) found = marks->next(direction > 0 ? -1 : text->length() + 1, direction);
  if (!found) return false;
  text->setSelection(found->start, found->end);
  document->setFocus();
  editor::announce(text, tr("“%1” is in no dictionary")
                             .arg(QString::fromUtf8(text->textRange(found->start, found->end))));
  return true;
}

// Only where the word still stands.
void Spelling::replace(const Word& word, const QString& by) {
  if (!word.document) return;
  editor::CodeEditor* text = word.document->editor();
  const ByteRange at = word.range;
  if (at.end > text->length() ||
      QString::fromUtf8(text->textRange(at.start, at.end)) != word.spelled)
    return;
  const QByteArray utf8 = by.toUtf8();
  text->replaceRange(at.start, at.end, utf8);
  text->setSelection(at.start + utf8.size(), at.start + utf8.size());
  word.document->setFocus();
}

void Spelling::addToUserWords(const Word& word) {
  checker_.addToUserWords(editor::dictionaryForm(word.spelled));
}

void Spelling::addToProjectWords(const Word& word) {
  checker_.addToProjectWords(editor::dictionaryForm(word.spelled));
}

void Spelling::choicesFor(const Word& word, QObject* receiver,
                          std::function<void(const QList<Choice>&)> take) {
  const auto show = [this, word, take = std::move(take)](const QStringList& meant) {
    QList<Choice> choices;
    for (const QString& one : meant) choices.append({one, {}, [word, one] { replace(word, one); }});
    choices.append({tr("Add “%1” to your dictionary").arg(word.spelled), tr("in every project"),
                    [this, word] { addToUserWords(word); }});
    if (hasProject()) {
      choices.append({tr("Add “%1” to the project's dictionary").arg(word.spelled),
                      QStringLiteral(".waferpair/words.txt"),
                      [this, word] { addToProjectWords(word); }});
    }
    if (word.document) {
      const QString language = word.document->editor()->language();
      choices.append({language.isEmpty() ? tr("Do not check spelling in plain text")
                                         : tr("Do not check spelling in %1").arg(language),
                      {},
                      [this, language] { setOnFor(language, false); }});
    }
    take(choices);
  };
  checker_.suggest(editor::dictionaryForm(word.spelled), receiver, show);
}

}  // namespace waferpair::gui

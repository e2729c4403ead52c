// SPDX-License-Identifier: GPL-3.0-or-later
// Spelling in the open texts, as the settings have it: which dictionaries, in which languages, the
// user's own words and the project's, and what can be done about a word. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>

#include "editor/spell/spell_checker.h"
#include "editor/text/byte_range.h"

namespace waferpair::editor {
class SpellingMarks;
}

namespace waferpair::gui {

class Document;
class EditorTabs;
class Settings;

class Spelling : public QObject {
  Q_OBJECT
 public:
  // Both outlive this. The user's words are in `userWords`.
  Spelling(EditorTabs* tabs, Settings* settings, const QString& userWords,
           QObject* parent = nullptr);

  // The project's own words are there in .waferpair/words.txt; empty: there is no project.
  void setFolder(const QString& folder);

  // Names of the dictionaries that are installed, and of those that are used.
  static QStringList installed();
  QStringList used() const { return checker_.dictionaries(); }
  // From then on exactly these are used.
  void use(const QStringList& names);
  bool isOnFor(const QString& language) const;
  void setOnFor(const QString& language, bool on);

  // A marked word, and what there is to choose about it.
  struct Word {
    QPointer<Document> document;
    editor::ByteRange range;
    QString spelled;  // as the text has it
  };
  struct Choice {
    QString text;
    QString hint;
    std::function<void()> run;
  };
  // The one that the byte of the text touches; without a document: there is none.
  Word wordAt(Document* document, qint64 offset) const;
  // Goes to the nearest one from the caret on (+1) or back (-1), round the text's ends; false:
  // there is none.
  bool step(Document* document, int direction);
  // Calls `take` a moment later with what could stand there instead, and what else can be done.
  // `receiver`: see SpellChecker::suggest().
  void choicesFor(const Word& word, QObject* receiver,
                  std::function<void(const QList<Choice>&)> take);
  void addToUserWords(const Word& word);
  void addToProjectWords(const Word& word);
  bool hasProject() const { return !checker_.projectWords().isEmpty(); }

 Q_SIGNALS:
  void problem(const QString& text);

 private:
  void apply();
  void applyTo(Document* document);
  static editor::SpellingMarks* marksOf(const Document* document);
  static void replace(const Word& word, const QString& by);

  EditorTabs* tabs_;
  Settings* settings_;
  editor::SpellChecker checker_;
};

}  // namespace waferpair::gui

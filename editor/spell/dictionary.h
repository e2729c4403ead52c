// SPDX-License-Identifier: GPL-3.0-or-later
// Dictionaries in Hunspell's format, as desktops install them: NAME.aff and NAME.dic.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>

#include "editor/text/result.h"

class Hunspell;

namespace waferpair::editor {

// Where they lie, the user's own first: folders of $DICPATH, of the XDG data directories, and those
// that distributions use.
QStringList dictionaryFolders();

// Names ("en_US") of those there, sorted.
QStringList dictionariesIn(const QStringList& folders);

// The ones to use where the user names none: the desktop's languages and English, for that is what
// most code is commented in. `languages` as QLocale::uiLanguages() has them ("de-DE").
QStringList usualDictionaries(const QStringList& there, const QStringList& languages);

// Used by one thread at a time; loading takes about 0.1 s, suggesting up to a second.
class Dictionary {
 public:
  static Result<std::unique_ptr<Dictionary>> open(const QString& name, const QStringList& folders);
  ~Dictionary();

  bool knows(const QString& word) const;
  // The likeliest first.
  QStringList suggest(const QString& word) const;

 private:
  Dictionary(const QByteArray& aff, const QByteArray& dic);
  // Empty: its encoding lacks a letter of the word.
  std::string encoded(const QString& word) const;
  QString decoded(const std::string& word) const;

  std::unique_ptr<Hunspell> hunspell_;
  QByteArray encoding_;
};

}  // namespace waferpair::editor

// SPDX-License-Identifier: GPL-3.0-or-later
// Judges words by the dictionaries that are chosen, the user's own words and the project's. The
// dictionaries are loaded and asked on a thread of their own; what they said of a word is known
// from then on. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QThread>
#include <QTimer>
#include <functional>
#include <memory>

#include "editor/spell/word_file.h"

class QFileSystemWatcher;

namespace waferpair::editor {

class DictionaryWorker;

enum class Verdict {
  kRight,
  kWrong,
  kAsked,  // judged() comes once it is known
};

class SpellChecker : public QObject {
  Q_OBJECT
 public:
  explicit SpellChecker(QObject* parent = nullptr);
  // Waits for the word that is being looked at.
  ~SpellChecker() override;

  // A word is right if one of these has it. None: all words are. Nothing is loaded before the
  // first word is asked for.
  void setDictionaries(const QStringList& names);
  const QStringList& dictionaries() const { return names_; }
  // Files of words that are right, too; empty: none.
  void setUserWords(const QString& path);
  void setProjectWords(const QString& path);
  const QString& projectWords() const { return project_.path(); }

  // `word` as dictionaryForm() has it.
  Verdict judge(const QString& word);
  // Calls `take` later with what may have been meant, the likeliest first, unless `receiver` is
  // gone by then.
  void suggest(const QString& word, QObject* receiver, std::function<void(QStringList)> take);

  void addToUserWords(const QString& word) { add(&user_, word); }
  void addToProjectWords(const QString& word) { add(&project_, word); }

 Q_SIGNALS:
  // More words were judged.
  void judged();
  // What was said of words holds no longer.
  void changed();
  // A dictionary or a file of words can't be used, in words that say what to do.
  void problem(const QString& text);

 private:
  void add(WordFile* file, const QString& word);
  void readWords(WordFile* file);
  void watchFiles();
  void ask();
  void forget();
  DictionaryWorker* worker();

  QStringList names_;
  WordFile user_;
  WordFile project_;
  QHash<QString, bool> known_;  // what the dictionaries said, by word
  QSet<QString> asked_;         // not answered yet
  QStringList toAsk_;
  QTimer askSoon_{this};
  QTimer readSoon_{this};
  QFileSystemWatcher* watcher_;
  QThread thread_;
  DictionaryWorker* worker_ = nullptr;  // lives in thread_
  int tickets_ = 0;                     // of suggestions, given out so far
  int generation_ = 0;                  // answers of an earlier one are about other dictionaries
};

}  // namespace waferpair::editor

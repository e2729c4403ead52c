// SPDX-License-Identifier: GPL-3.0-or-later
// The names that a text's language server knows for a place, for suggestions: what it would
// complete there. Asked once for each name that is typed; where the list at the caret asks about
// the same place, its answer serves both. UI thread only.
#pragma once

#include <QElapsedTimer>
#include <QPointer>

#include "editor/assist/name_source.h"
#include "workbench/language/language_completions.h"

namespace waferpair::workbench {

// The longest name that is of use, in bytes, and the most: what has more says nothing.
inline constexpr qsizetype kLongestKnownName = 128;
inline constexpr qsizetype kMostKnownNames = 1000;

// Of these items; `isMember`: behind a sign that asks for a member, where a whole list is all.
// Words that the server only found in the text, and snippets, are no names that it knows.
editor::KnownNames namesOf(const CompletionItems& items, bool isMember);

class LanguageNames : public editor::NameSource {
  Q_OBJECT
 public:
  // An answer that takes longer is not waited for.
  static constexpr std::chrono::milliseconds kNear{80};

  // Both outlive this.
  LanguageNames(LanguageService* service, LanguageCompletions* list, QObject* parent = nullptr);

  editor::KnownNames namesAt(const editor::NamePlace& place) override;
  std::chrono::milliseconds worthWaiting() const override;

 private:
  void ask();
  void take(const CompletionItems& items);

  LanguageService* service_;
  LanguageCompletions* list_;
  editor::NamePlace place_;  // that was asked about last
  editor::KnownNames known_;
  QPointer<LanguageClient> asked_;
  qint64 question_ = 0;  // to the server; 0: none of its own is open
  bool awaitsList_ = false;
  QElapsedTimer since_;  // the question
  bool isQuick_ = true;  // as the last answer was
};

}  // namespace waferpair::workbench

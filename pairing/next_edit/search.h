// SPDX-License-Identifier: GPL-3.0-or-later
// The finders share this: the texts, the edits so far taken apart, and the candidates that they
// leave here. A finder is a function that reads this and adds candidates; it judges nothing.
#pragma once

#include <QHash>
#include <QVector>
#include <atomic>
#include <vector>

#include "pairing/next_edit/change.h"
#include "pairing/next_edit/features.h"
#include "pairing/next_edit/next_edit.h"

namespace waferpair::pairing {

// An edit of a line in the history, the latest with age 0.
struct SourceLine {
  LineEdit edit;
  int age = 0;
  int text = -1;  // index among the situation's texts; -1: it was closed
  ChangedLine change;
};

struct Candidate {
  int text = 0;
  int line = 0;   // of the first line that it takes out, or before which it puts lines
  int count = 1;  // of lines that it takes out
  QByteArrayList lines;
  Finder finder = Finder::kName;
  QByteArray change;         // names what is done, so that it is known again elsewhere: "old\1new"
  QByteArray imported = {};  // by an import: the line that brings in the name alone
  int source = 0;            // index of the source line; of a moved block: -1
  int places = 1;  // where the same could be done, this one included; addAll() counts them
  Features features = {};
  double probability = 0;
};

class Search {
 public:
  Search(const Situation& situation, const std::atomic_bool* cancelled);

  const Situation& situation() const { return situation_; }
  const CodeText& code(int text) const { return *situation_.texts[text].code; }
  int textOf(const editor::DocumentId& id) const;
  // Latest first.
  const std::vector<SourceLine>& sources() const { return sources_; }
  bool isCancelled() const { return cancelled_ != nullptr && cancelled_->load(); }

  // Count the source lines that were changed so, and how often that was dismissed.
  int timesMade(const QByteArray& change) const { return made_.value(change); }
  int timesDismissed(const QByteArray& change) const;

  // Takes all places where one change could be made. Drops those where it changes nothing, where it
  // was dismissed, and where it takes back an edit.
  void addAll(std::vector<Candidate> found);
  std::vector<Candidate>& candidates() { return candidates_; }

 private:
  void countChanges();
  void add(Candidate candidate);

  const Situation& situation_;
  const std::atomic_bool* cancelled_;
  std::vector<SourceLine> sources_;
  QHash<QByteArray, int> made_;
  std::vector<Candidate> candidates_;
};

// The finders, each in a file of its own.
void findNames(Search& search);
void findSpans(Search& search);
void findLikeLines(Search& search);
void findCalls(Search& search);
void findBlocks(Search& search);
void findImports(Search& search);
void findUnused(Search& search);
void findPlainRename(Search& search);

// Names what replaces what, for Candidate::change.
QByteArray changeName(QByteArrayView oldBytes, QByteArrayView newBytes);
QByteArray changeName(const ChangedLine& change, const ChangedSpan& span);

}  // namespace waferpair::pairing

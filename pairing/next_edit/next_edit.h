// SPDX-License-Identifier: GPL-3.0-or-later
// The likely next edit, told from those before it without a model: the same replacement at the
// other places of a name, the same change of lines that are alike, calls of what has another
// signature, the same lines come or gone elsewhere, a name that other files import. What is offered
// is one line's edit (or lines that come or go together) at a time: the finders propose, a gate
// fitted on real commits says how likely each is right, and only one that is likely enough is
// returned.
//
// Values in, a value out; runs on any thread and takes time in proportion to the texts.
#pragma once

#include <QVector>
#include <atomic>
#include <memory>
#include <optional>

#include "editor/assist/hunk.h"
#include "pairing/next_edit/code_text.h"
#include "pairing/next_edit/gate.h"
#include "pairing/next_edit/line_edit.h"
#include "pairing/next_edit/project_facts.h"

namespace waferpair::pairing {

struct SearchedText {
  editor::DocumentId document;
  std::shared_ptr<const CodeText> code;
  bool isOpen = true;  // else it is the file as it was read
};

// An edit that the user did not want, wherever in the document such lines stand.
struct DismissedEdit {
  editor::DocumentId document;
  QByteArrayList before;
  QByteArrayList after;
  QByteArray change;

  bool operator==(const DismissedEdit&) const = default;
};

struct Situation {
  QVector<SearchedText> texts;
  QVector<LineEdit> edits;  // oldest first, lines as they are at present
  QVector<DismissedEdit> dismissed;
  std::shared_ptr<const ProjectFacts> facts = {};  // null: they are not known
  QString root = {};                               // of the project, for the paths there

  // As the facts about the project know it.
  QString pathOf(const editor::DocumentId& id) const;
};

// The smallest hunk that makes the edit, whose lines are among those of `code`; lines that come
// stand in front of one that is there.
editor::Hunk hunkOf(const CodeText& code, const LineEdit& edit);

struct NextEdit {
  LineEdit edit;      // what becomes what, and where
  editor::Hunk hunk;  // the same, smaller than the lines where that is so
  Finder finder = Finder::kName;
  QByteArray change;         // for DismissedEdit
  QByteArray imported = {};  // of an import: the line that brings in the name
  int places = 1;            // where the same is still to be done, this one included
  std::shared_ptr<const CodeText> closed = {};  // the file as it was read; null: it is open
  double probability = 0;
  bool isTaught = false;  // by a model that was taught next edits (pairing/taught), no finder
};

// Null: nothing that is likely enough, or cancelled.
std::optional<NextEdit> findNextEdit(const Situation& situation, const Gate& gate,
                                     const std::atomic_bool* cancelled = nullptr);

struct Candidate;
// All that the finders propose, with features, for fitting the gate.
std::vector<Candidate> nextEditCandidates(const Situation& situation,
                                          const std::atomic_bool* cancelled = nullptr);

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the changes that agents made in the project and those that models propose, answer by
// answer, to be kept or taken back: on disk before anybody can decide, and read again when it is
// asked for. UI thread only.
#pragma once

#include <map>
#include <memory>

#include "pairing/agents/project_state.h"
#include "pairing/changes/change_review.h"

namespace waferpair::gui {

class AgentReviews {
 public:
  // `texts` outlives this. The sets are kept below `directory`.
  AgentReviews(pairing::ProjectTexts* texts, const QString& directory)
      : texts_(texts), store_(directory) {}

  void setProject(const QString& folder);
  // Keeps the changes that can be taken back as a set, and returns its id; empty where there are
  // none, or they cannot be kept, which `problem` says.
  QString keep(const QString& title, const QVector<pairing::DiskChange>& changes, QString* problem);
  // A new one, of what a model is going to propose.
  pairing::ChangeReview* begin(const QString& title);
  // Null where there is none of this id, or it cannot be read.
  pairing::ChangeReview* review(const QString& id);

 private:
  pairing::ProjectTexts* texts_;
  pairing::ChangeStore store_;
  QString folder_;
  std::map<QString, std::unique_ptr<pairing::ChangeReview>> reviews_;  // null: cannot be read
};

}  // namespace waferpair::gui

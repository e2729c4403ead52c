// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/agent_reviews.h"

namespace waferpair::gui {

using pairing::ChangedFile;
using pairing::ChangeReview;
using pairing::ChangeSet;

void AgentReviews::setProject(const QString& folder) {
  reviews_.clear();
  folder_ = folder;
  store_.setProject(folder);
}

QString AgentReviews::keep(const QString& title, const QVector<pairing::DiskChange>& changes,
                           QString* problem) {
  auto review = std::make_unique<ChangeReview>(ChangeReview::Parts{texts_, &store_, folder_},
                                               ChangeSet::make(title));
  for (const pairing::DiskChange& change : changes) {
    if (!change.unknown.isEmpty()) continue;
    const auto put =
        review->put(change.path, change.before, change.after, ChangedFile::Origin::kMade);
    if (!put) *problem = put.error().message();
  }
  const QString id = review->set().id;
  if (review->set().files.isEmpty()) return {};
  reviews_[id] = std::move(review);
  return id;
}

ChangeReview* AgentReviews::begin(const QString& title) {
  auto review = std::make_unique<ChangeReview>(ChangeReview::Parts{texts_, &store_, folder_},
                                               ChangeSet::make(title));
  ChangeReview* begun = review.get();
  reviews_[begun->set().id] = std::move(review);
  return begun;
}

ChangeReview* AgentReviews::review(const QString& id) {
  if (id.isEmpty()) return nullptr;
  const auto known = reviews_.find(id);
  if (known != reviews_.end()) return known->second.get();
  const auto set = store_.load(id);
  auto& review = reviews_[id];
  if (set)
    review = std::make_unique<ChangeReview>(ChangeReview::Parts{texts_, &store_, folder_}, *set);
  return review.get();
}

}  // namespace waferpair::gui

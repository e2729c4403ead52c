// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/merge_table.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace waferpair::tokenizer {
namespace {

std::uint64_t keyOf(std::int32_t left, std::int32_t right) {
  return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32) |
         static_cast<std::uint32_t>(right);
}

constexpr std::int32_t kGone = -1;  // id of a node joined to the one before it

}  // namespace

MergeTable::MergeTable(std::size_t count) : slots_(std::bit_ceil(2 * count + 2)) {}

std::size_t MergeTable::slotOf(std::uint64_t key) const {
  // Fibonacci hashing: the high bits of the product are well mixed.
  const int bits = std::bit_width(slots_.size()) - 1;
  std::size_t slot = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> (64 - bits));
  while (slots_[slot].key != key && slots_[slot].key != kEmpty) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void MergeTable::add(std::int32_t left, std::int32_t right, Merge merge) {
  const std::uint64_t key = keyOf(left, right);
  Slot& slot = slots_[slotOf(key)];
  if (slot.key == kEmpty) slot = {key, merge};
}

MergeTable::Merge MergeTable::find(std::int32_t left, std::int32_t right) const {
  return slots_[slotOf(keyOf(left, right))].merge;
}

bool Merger::isWorse(const Candidate& a, const Candidate& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.position > b.position;
}

void Merger::consider(std::int32_t position) {
  const Node& node = nodes_[static_cast<std::size_t>(position)];
  if (node.next < 0) return;
  const std::int32_t right = nodes_[static_cast<std::size_t>(node.next)].id;
  const MergeTable::Merge merge = merges_.find(node.id, right);
  if (merge.rank < 0) return;
  heap_.push_back({merge.rank, position, node.id, right, merge.id});
  std::push_heap(heap_.begin(), heap_.end(), isWorse);
}

void Merger::merge(std::vector<std::int32_t>& word) {
  if (word.size() < 2) return;
  const auto count = static_cast<std::int32_t>(word.size());
  nodes_.clear();
  heap_.clear();
  for (std::int32_t i = 0; i < count; ++i) {
    nodes_.push_back({word[static_cast<std::size_t>(i)], i - 1, i + 1 < count ? i + 1 : -1});
  }
  for (std::int32_t i = 0; i + 1 < count; ++i) consider(i);
  // Each join removes a node and adds at most two candidates, so there are fewer than 3 n in all.

  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), isWorse);
    const Candidate best = heap_.back();
    heap_.pop_back();
    Node& left = nodes_[static_cast<std::size_t>(best.position)];
    // A candidate is stale once either of its tokens has been joined to another.
    if (left.id != best.left || left.next < 0) continue;
    Node& right = nodes_[static_cast<std::size_t>(left.next)];
    if (right.id != best.right) continue;
    left.id = best.joined;
    left.next = right.next;
    right.id = kGone;
    if (left.next >= 0) nodes_[static_cast<std::size_t>(left.next)].previous = best.position;
    if (left.previous >= 0) consider(left.previous);
    consider(best.position);
  }

  word.clear();
  for (std::int32_t i = 0; i >= 0; i = nodes_[static_cast<std::size_t>(i)].next) {
    word.push_back(nodes_[static_cast<std::size_t>(i)].id);
  }
}

}  // namespace waferpair::tokenizer

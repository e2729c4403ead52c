// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/known_documents.h"

#include <algorithm>
#include <cassert>

#include "runtime/inference/prompt/prompt_window.h"

namespace waferpair::inference {
namespace {

constexpr std::size_t kPiece = 4096;     // bytes tokenized at once
constexpr std::size_t kAround = 256;     // on either side of an edit, and to the end of that line
constexpr std::size_t kLongLine = 1024;  // is cut anywhere
// The index starts anew when it holds so many tokens for each byte of text, and some. There is at
// most one a byte in use, in code a third of that.
constexpr std::size_t kStale = 2, kSome = 1 << 16;
// With more edits at once the text is compared as a whole, as each of them would move the rest of
// it.
constexpr std::size_t kMostEdits = 64;

std::size_t beginAround(std::string_view text, std::size_t at) {
  if (at <= kAround) return 0;
  std::size_t from = at - kAround;
  const std::size_t lineEnd = text.rfind('\n', from - 1);
  const std::size_t start = lineEnd == std::string_view::npos ? 0 : lineEnd + 1;
  if (from - start <= kLongLine) return start;
  while (!isCharacterBoundary(text, from)) ++from;
  return from;
}

std::size_t endAround(std::string_view text, std::size_t at) {
  std::size_t from = std::min(at + kAround, text.size());
  const std::size_t lineEnd = text.find('\n', from);
  const std::size_t end = lineEnd == std::string_view::npos ? text.size() : lineEnd + 1;
  if (end - from <= kLongLine) return end;
  while (!isCharacterBoundary(text, from)) ++from;
  return from;
}

}  // namespace

KnownDocuments::News& KnownDocuments::newsOf(const Key& key) {
  News& news = news_[key];
  if (news.turn == kNoTurn) news.turn = ++lastTurn_;
  return news;
}

void KnownDocuments::changed(ClientId client, const std::string& document, std::string_view text) {
  const Key key{client, document};
  const base::MutexLock lock(mutex_);
  News& news = newsOf(key);
  news = {.turn = news.turn, .closed = news.closed};
  if (text.size() > kMostBytes) {
    news.closed = true;
    leftOut_.insert(key);
  } else {
    news.whole = text;
    leftOut_.erase(key);
  }
}

void KnownDocuments::edited(ClientId client, const std::string& document,
                            std::span<const DocumentEdit> edits, std::string_view text) {
  const Key key{client, document};
  {
    const base::MutexLock lock(mutex_);
    News& news = newsOf(key);
    for (const DocumentEdit& edit : edits) news.editBytes += sizeof edit + edit.text.size();
    if (edits.size() <= kMostEdits && text.size() <= kMostBytes && !leftOut_.contains(key) &&
        news.editBytes <= text.size() + kSome) {
      news.edits.insert(news.edits.end(), edits.begin(), edits.end());
      return;
    }
  }
  changed(client, document, text);
}

void KnownDocuments::closed(ClientId client, const std::string& document) {
  const base::MutexLock lock(mutex_);
  News& news = newsOf({client, document});
  news = {.turn = news.turn, .closed = true};
  leftOut_.erase({client, document});
}

void KnownDocuments::left(ClientId client) {
  const base::MutexLock lock(mutex_);
  std::erase_if(news_, [client](const auto& item) { return item.first.first == client; });
  std::erase_if(leftOut_, [client](const Key& key) { return key.first == client; });
  gone_.push_back(client);
}

bool KnownDocuments::upToDate() {
  const base::MutexLock lock(mutex_);
  return news_.empty() && gone_.empty() && work_.empty();
}

void KnownDocuments::hear() {
  std::map<Key, News> news;
  std::vector<ClientId> gone;
  {
    const base::MutexLock lock(mutex_);
    news.swap(news_);
    gone.swap(gone_);
  }
  for (const ClientId client : gone) {
    clients_.erase(client);
    std::erase_if(work_, [client](const auto& item) { return item.second.first == client; });
  }
  std::map<Turn, Key> told;
  for (const auto& [key, item] : news) told.emplace(item.turn, key);
  assert(told.size() == news.size());
  for (const auto& [turn, key] : told) takeIn(key, std::move(news.at(key)));
}

void KnownDocuments::refresh() {
  hear();
  if (!work_.empty()) tokenize(work_.begin()->second);
}

const DraftIndex& KnownDocuments::of(ClientId client) const {
  static const DraftIndex kEmpty;
  const auto found = clients_.find(client);
  return found == clients_.end() ? kEmpty : found->second.index;
}

const NameTable& KnownDocuments::namesOf(ClientId client) const {
  static const NameTable kEmpty;
  const auto found = clients_.find(client);
  return found == clients_.end() ? kEmpty : found->second.names;
}

int KnownDocuments::ownerOf(ClientId client, const std::string& document) const {
  const auto known = clients_.find(client);
  if (known == clients_.end()) return DraftIndex::kNobody;
  const auto owner = known->second.owners.find(document);
  return owner == known->second.owners.end() ? DraftIndex::kNobody : owner->second;
}

std::vector<std::string> KnownDocuments::goneFrom(ClientId client,
                                                  const std::string& document) const {
  const auto known = clients_.find(client);
  if (known == clients_.end()) return {};
  const auto found = known->second.documents.find(document);
  if (found == known->second.documents.end()) return {};
  return found->second.replaced.gone(found->second.text);
}

void KnownDocuments::takeIn(const Key& key, News news) {
  if (news.closed) forget(key);
  if (news.whole) replaceText(key, std::move(*news.whole), news.turn);
  for (const DocumentEdit& one : news.edits) edit(key, one, news.turn);
}

// Replaces the text by another, and finds out what is different.
void KnownDocuments::replaceText(const Key& key, std::string text, Turn turn) {
  Client& client = clients_[key.first];
  std::string& old = client.documents[key.second].text;
  const auto same = static_cast<std::size_t>(
      std::mismatch(old.begin(), old.end(), text.begin(), text.end()).first - old.begin());
  if (same == old.size() && same == text.size()) return;
  const auto rest = static_cast<std::ptrdiff_t>(std::min(old.size(), text.size()) - same);
  const auto sameEnd = static_cast<std::size_t>(
      std::mismatch(old.rbegin(), old.rbegin() + rest, text.rbegin()).first - old.rbegin());
  edit(key, {same, old.size() - sameEnd, text.substr(same, text.size() - sameEnd - same)}, turn);
}

void KnownDocuments::edit(const Key& key, const DocumentEdit& edit, Turn turn) {
  const auto client = clients_.find(key.first);
  if (client == clients_.end()) return;
  const auto found = client->second.documents.find(key.second);
  // Left out since it was told: the next edit brings the whole text.
  if (found == client->second.documents.end()) return;
  std::string& text = found->second.text;
  assert(edit.start <= edit.end && edit.end <= text.size());
  const std::size_t removed = edit.end - edit.start;
  const std::size_t grown = client->second.bytes + edit.text.size() - removed;
  if (grown > kMostBytesOfAll) {
    forget(key);
    const base::MutexLock lock(mutex_);
    leftOut_.insert(key);
    return;
  }
  client->second.bytes = grown;
  if (!text.empty()) found->second.replaced.edited(text, edit);
  text.replace(edit.start, removed, edit.text);
  if (Document& document = found->second; document.turn != kNoTurn) {
    // A range that was dirty before is where the edit moved it.
    const auto moved = [&](std::size_t at, std::size_t inside) {
      return at <= edit.start ? at : at >= edit.end ? at - removed + edit.text.size() : inside;
    };
    document.dirtyBegin = moved(document.dirtyBegin, edit.start);
    document.dirtyEnd = moved(document.dirtyEnd, edit.start + edit.text.size());
  }
  markDirty(key, edit.start, edit.start + edit.text.size(), turn);
}

// A document that waits already keeps its turn.
void KnownDocuments::markDirty(const Key& key, std::size_t begin, std::size_t end, Turn turn) {
  Document& document = clients_.at(key.first).documents.at(key.second);
  const bool already = document.turn != kNoTurn;
  document.dirtyBegin = already ? std::min(document.dirtyBegin, begin) : begin;
  document.dirtyEnd = already ? std::max(document.dirtyEnd, end) : end;
  if (already) return;
  assert(turn != kNoTurn && !work_.contains(turn));
  document.turn = turn;
  work_.emplace(turn, key);
}

void KnownDocuments::finish(Document& document) {
  work_.erase(document.turn);
  document.turn = kNoTurn;
}

void KnownDocuments::forget(const Key& key) {
  const auto client = clients_.find(key.first);
  if (client == clients_.end()) return;
  const auto found = client->second.documents.find(key.second);
  if (found == client->second.documents.end()) return;
  finish(found->second);
  client->second.bytes -= found->second.text.size();
  client->second.documents.erase(found);
  if (client->second.documents.empty()) clients_.erase(client);
}

// Puts a piece of what is dirty into index and names.
void KnownDocuments::tokenize(const Key& key) {
  const auto [id, name] = key;  // a copy: the item may go
  Client& client = clients_.at(id);
  Document& document = client.documents.at(name);
  const std::string_view text = document.text;
  const std::size_t begin = beginAround(text, document.dirtyBegin);
  std::size_t end = endAround(text, document.dirtyEnd);
  if (end - begin > kPiece) end = endAround(text, begin + kPiece);
  const std::string_view piece = text.substr(begin, end - begin);
  const int owner =
      client.owners.try_emplace(name, static_cast<int>(client.owners.size())).first->second;
  client.index.append(
      tokenizer_.encode(piece, tokenizer::SpecialText::kPlain, tokenizer::TextStart::kContinues));
  client.index.endText(owner);
  client.names.add(piece, owner);
  if (end >= document.dirtyEnd) {
    finish(document);
  } else {
    document.dirtyBegin = end;
  }
  if (client.index.tokens().size() > kStale * client.bytes + kSome) startAnew(id, client);
}

void KnownDocuments::startAnew(ClientId id, Client& client) {
  client.index.clear();
  client.names.clear();
  // In the order in which they first came into it.
  std::map<int, std::string> inOrder;
  for (const auto& [name, owner] : client.owners)
    if (client.documents.contains(name)) inOrder.emplace(owner, name);
  const base::MutexLock lock(mutex_);
  for (const auto& [owner, name] : inOrder)
    markDirty({id, name}, 0, client.documents.at(name).text.size(), ++lastTurn_);
}

}  // namespace waferpair::inference

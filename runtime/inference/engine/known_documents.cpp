// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/known_documents.h"

#include <algorithm>

#include "runtime/inference/prompt/prompt_window.h"

namespace waferpair::inference {
namespace {

constexpr std::size_t kPiece = 4096;     // bytes tokenized at once
constexpr std::size_t kAround = 256;     // on either side of an edit, and to the end of that line
constexpr std::size_t kLongLine = 1024;  // is cut anywhere
// The index starts anew when it holds so many tokens for each byte of text, and some. There is at
// most one a byte in use, in code a third of that.
constexpr std::size_t kStale = 2, kSome = 1 << 16;

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

void KnownDocuments::changed(ClientId client, const std::string& document, std::string_view text) {
  const std::lock_guard lock(mutex_);
  std::optional<std::string>& news = news_[{client, document}];
  news.reset();
  if (text.size() <= kMostBytes) news = text;
}

void KnownDocuments::closed(ClientId client, const std::string& document) {
  const std::lock_guard lock(mutex_);
  news_[{client, document}].reset();
}

void KnownDocuments::left(ClientId client) {
  const std::lock_guard lock(mutex_);
  std::erase_if(news_, [client](const auto& item) { return item.first.first == client; });
  gone_.push_back(client);
}

bool KnownDocuments::upToDate() {
  const std::lock_guard lock(mutex_);
  return news_.empty() && gone_.empty() && work_.empty();
}

void KnownDocuments::refresh() {
  {
    const std::lock_guard lock(mutex_);
    for (const ClientId client : gone_) {
      clients_.erase(client);
      std::erase_if(work_, [client](const auto& item) { return item.first.first == client; });
    }
    gone_.clear();
    for (auto& [key, text] : news_) work_.insert_or_assign(key, std::move(text));
    news_.clear();
  }
  if (!work_.empty()) take(work_.begin());
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

// Takes in a piece of it, and forgets the item when that was the last.
void KnownDocuments::take(News::iterator item) {
  const auto [id, document] = item->first;  // a copy: the item may go
  Client& client = clients_[id];
  std::string& indexed = client.indexed[document];
  client.bytes -= indexed.size();
  if (item->second && client.bytes + item->second->size() <= kMostBytesOfAll) {
    const int owner =
        client.owners.try_emplace(document, static_cast<int>(client.owners.size())).first->second;
    const bool whole = takePiece(client, owner, indexed, *item->second);
    client.bytes += indexed.size();
    if (whole) work_.erase(item);
    if (client.index.tokens().size() > kStale * client.bytes + kSome) startAnew(id, client);
    return;
  }
  client.indexed.erase(document);
  if (client.indexed.empty()) clients_.erase(id);
  work_.erase(item);
}

// Makes `indexed` more like `text`, by what is tokenized and put into index and names; true when
// they are the same.
bool KnownDocuments::takePiece(Client& client, int owner, std::string& indexed,
                               const std::string& text) {
  const auto same = static_cast<std::size_t>(
      std::mismatch(indexed.begin(), indexed.end(), text.begin(), text.end()).first -
      indexed.begin());
  if (same == indexed.size() && same == text.size()) return true;
  const auto rest = static_cast<std::ptrdiff_t>(std::min(indexed.size(), text.size()) - same);
  const auto sameEnd = static_cast<std::size_t>(
      std::mismatch(indexed.rbegin(), indexed.rbegin() + rest, text.rbegin()).first -
      indexed.rbegin());
  const std::size_t begin = beginAround(text, same);
  std::size_t end = endAround(text, text.size() - sameEnd);
  if (end - begin > kPiece) end = endAround(text, begin + kPiece);
  const std::string_view piece = std::string_view(text).substr(begin, end - begin);
  client.index.append(
      tokenizer_.encode(piece, tokenizer::SpecialText::kPlain, tokenizer::TextStart::kContinues));
  client.index.endText(owner);
  client.names.add(piece, owner);
  const bool whole = end + sameEnd >= text.size();
  indexed = whole ? text : text.substr(0, end) + indexed.substr(indexed.size() - sameEnd);
  return whole;
}

void KnownDocuments::startAnew(ClientId id, Client& client) {
  for (auto& [document, text] : client.indexed) {
    work_.try_emplace({id, document}, std::move(text));
    text.clear();
  }
  client.bytes = 0;
  client.index.clear();
  client.names.clear();
}

}  // namespace waferpair::inference

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/stored_responses.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "runtime/server/core/events.h"

namespace waferpair::server {
namespace {

std::size_t bytesOf(const ResponsePrompt& prompt) {
  std::size_t bytes = sizeof(prompt) + prompt.text.size();
  for (const inference::ChatMessage& message : prompt.messages) {
    bytes += sizeof(message) + message.text.size() + message.callId.size();
    for (const inference::ToolCall& call : message.calls)
      bytes += sizeof(call) + call.id.size() + call.name.size() + call.arguments.size();
  }
  return bytes;
}

}  // namespace

std::vector<inference::ChatMessage> ResponsePrompt::conversation() const {
  if (messages.empty() || instructions.empty()) return messages;
  std::vector<inference::ChatMessage> all = {{inference::ChatRole::kSystem, instructions}};
  all.insert(all.end(), messages.begin(), messages.end());
  return all;
}

std::string ResponsePrompt::wholeText() const {
  if (!messages.empty() || instructions.empty()) return text;
  return text.empty() ? instructions : instructions + '\n' + text;
}

void StoredResponses::begin(const std::string& id, LiveResponse& live, const std::string& model,
                            std::shared_ptr<void> owner) {
  const auto share = shares_.try_emplace(model).first;
  const bool isNew = all_.try_emplace(id, Entry{&live, share, std::move(owner)}).second;
  assert(isNew);
  (void)isNew;
}

void StoredResponses::end(const std::string& id, const Json& object, const ResponsePrompt* prompt) {
  const auto found = all_.find(id);
  if (found == all_.end()) return;  // deleted while it was under way
  Entry& entry = found->second;
  // The owner may be who calls.
  const Entry before = std::exchange(entry, {.share = entry.share, .object = dump(object)});
  if (prompt) entry.prompt = *prompt;
  entry.bytes = sizeof(entry) + entry.object.size() + (prompt ? bytesOf(*prompt) : 0);
  const auto share = entry.share;
  share->second.bytes += entry.bytes;
  share->second.ended.push_back({id, Clock::now() + kLifetime});
  expire(share->second, share->second.mostBytes);
  tell(*share);
  watch();
  for (const auto& hear : before.listeners) hear(object);
}

bool StoredResponses::forget(const std::string& id) {
  const auto found = all_.find(id);
  if (found == all_.end()) return false;
  const Entry last = std::move(found->second);
  all_.erase(found);
  last.share->second.bytes -= last.bytes;
  if (last.bytes > 0) tell(*last.share);
  for (const auto& hear : last.listeners) hear(nullptr);
  return true;
}

Json StoredResponses::find(const std::string& id) const {
  const auto found = all_.find(id);
  if (found == all_.end()) return nullptr;
  const Entry& entry = found->second;
  return entry.live ? entry.live->object() : Json::parse(entry.object);
}

const ResponsePrompt* StoredResponses::promptOf(const std::string& id) const {
  const auto found = all_.find(id);
  return found != all_.end() && found->second.prompt ? &*found->second.prompt : nullptr;
}

std::size_t StoredResponses::owned() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(all_, [](const auto& each) { return each.second.owner != nullptr; }));
}

LiveResponse* StoredResponses::underWay(const std::string& id) const {
  const auto found = all_.find(id);
  return found == all_.end() ? nullptr : found->second.live;
}

void StoredResponses::whenEnded(const std::string& id,
                                std::function<void(const Json& object)> hear) {
  Entry& entry = all_.at(id);
  assert(entry.live);
  entry.listeners.push_back(std::move(hear));
}

std::size_t StoredResponses::bytes(const std::string& model) const {
  const auto found = shares_.find(model);
  return found == shares_.end() ? 0 : found->second.bytes;
}

void StoredResponses::limit(const std::string& model, std::size_t bytes) {
  Share& share = shares_[model];
  share.mostBytes = bytes;
  expire(share, bytes);
}

void StoredResponses::shrink(const std::string& model, std::size_t bytes) {
  expire(shares_[model], bytes);
}

// An id is never given twice, so an entry of `ended` whose response is gone stands for nothing.
void StoredResponses::expire(Share& share, std::size_t mostBytes) {
  const Clock::time_point now = Clock::now();
  auto& ended = share.ended;
  while (!ended.empty() && (stopped_ || ended.front().until <= now || share.bytes > mostBytes)) {
    forget(ended.front().id);
    ended.pop_front();
  }
}

void StoredResponses::watch() {
  if (watching_ || stopped_) return;
  Clock::time_point next = Clock::time_point::max();
  for (const auto& [model, share] : shares_)
    if (!share.ended.empty()) next = std::min(next, share.ended.front().until);
  if (next == Clock::time_point::max()) return;
  watching_ = true;
  expiry_.expires_at(next);
  expiry_.async_wait([this](boost::system::error_code error) {
    if (error) return;  // this may be gone
    watching_ = false;
    for (auto& [model, share] : shares_) expire(share, share.mostBytes);
    watch();
  });
}

void StoredResponses::tell(const Shares::value_type& share) const {
  if (hear_) hear_(share.first, share.second.bytes);
}

void StoredResponses::stop() {
  stopped_ = true;
  hear_ = {};  // there may be no model any longer
  expiry_.cancel();
  for (auto& [model, share] : shares_) expire(share, 0);
}

}  // namespace waferpair::server

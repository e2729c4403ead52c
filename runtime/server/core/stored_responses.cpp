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

void StoredResponses::begin(const std::string& id, LiveResponse& live,
                            std::shared_ptr<void> owner) {
  const bool isNew = all_.try_emplace(id, Entry{&live, std::move(owner)}).second;
  assert(isNew);
  (void)isNew;
}

void StoredResponses::end(const std::string& id, const Json& object, const ResponsePrompt* prompt) {
  const auto found = all_.find(id);
  if (found == all_.end()) return;  // deleted while it was under way
  Entry& entry = found->second;
  // The owner may be who calls.
  const Entry before = std::exchange(entry, {.object = dump(object)});
  if (prompt) entry.prompt = *prompt;
  entry.bytes = entry.object.size() + (prompt ? bytesOf(*prompt) : 0);
  bytes_ += entry.bytes;
  ended_.push_back({id, Clock::now() + kLifetime});
  expire();
  watch();
  for (const auto& hear : before.listeners) hear(object);
}

bool StoredResponses::forget(const std::string& id) {
  const auto found = all_.find(id);
  if (found == all_.end()) return false;
  bytes_ -= found->second.bytes;
  const Entry last = std::move(found->second);
  all_.erase(found);
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

// An id is never given twice, so an entry of ended_ whose response is gone stands for nothing.
void StoredResponses::expire() {
  const Clock::time_point now = Clock::now();
  while (!ended_.empty() && (stopped_ || ended_.front().until <= now || bytes_ > mostBytes_)) {
    forget(ended_.front().id);
    ended_.pop_front();
  }
}

void StoredResponses::limitTo(std::size_t bytes) {
  mostBytes_ = bytes;
  expire();
}

void StoredResponses::watch() {
  if (watching_ || ended_.empty()) return;
  watching_ = true;
  expiry_.expires_at(ended_.front().until);
  expiry_.async_wait([this](boost::system::error_code error) {
    if (error) return;  // this may be gone
    watching_ = false;
    expire();
    watch();
  });
}

void StoredResponses::stop() {
  stopped_ = true;
  expiry_.cancel();
  expire();
}

}  // namespace waferpair::server

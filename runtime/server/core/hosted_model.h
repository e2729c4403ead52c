// SPDX-License-Identifier: GPL-3.0-or-later
// A model that the server offers, whether it is in memory or not: its file, what is known of it,
// and its engine while it is loaded. Models (models.h) decides when that is.
//
// With the server's baton only, but for what is said of threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/model/outlook.h"
#include "runtime/server/core/problem.h"

namespace waferpair::server {

// A model as it was asked for.
struct ModelSource {
  std::string file;
  std::string name = {};  // that requests give; empty: the one in the file
  std::vector<transformer::AdapterFile> adapters = {};
};

// Owned by a shared_ptr.
class HostedModel {
 public:
  enum class State { kLoading, kReady, kIdle, kFailed };  // as protocol::state

  explicit HostedModel(ModelSource source) : source_(std::move(source)) {}

  const ModelSource& source() const { return source_; }
  // The name that requests give, as far as it is known: the one it was given, that in the file, or
  // the path until the file has been read.
  const std::string& name() const;
  // Besides that, it is known by the name in its file and by its path.
  bool answersTo(std::string_view name) const;

  State state() const { return state_; }
  std::string_view stateName() const;  // protocol::state
  // Null until the file has been read; then it stays as it is.
  const inference::ModelCard* card() const { return preview_ ? &preview_->card : nullptr; }
  // The memory of its weights, and of KV caches at most, once it is loaded. 0: not known.
  std::uint64_t memoryBytes() const { return preview_ ? preview_->memoryBytes : 0; }
  // The share of it that has been loaded, with kLoading.
  double progress() const { return progress_.share; }
  // Why it cannot be used, with kFailed; with kIdle, why it was not loaded when it was wanted last.
  // Null where there is no reason.
  const base::Error* failure() const { return failure_ ? &*failure_ : nullptr; }
  // Null unless it is ready. Whoever keeps it lets go of it when Hub::Member::modelLeaves() says
  // so.
  inference::Engine* engine() const { return engine_.get(); }
  // The trie of its tokens; made when first asked for, as few clients constrain their text. The
  // model is ready.
  const std::shared_ptr<const inference::TokenTrie>& tokenTrie();
  // Null for none. It has the same when it is loaded again. The model is ready.
  void setShadow(std::shared_ptr<wafer::Program> shadow);

  // Keeps it in memory until what is returned is gone, on any thread.
  std::shared_ptr<void> use();
  bool isUsed() const { return uses_->count > 0; }
  // When it was asked for last, or when that ended.
  inference::Clock::time_point lastUse() const;

  // The number of those that wait until it is loaded.
  std::size_t waiting() const { return waiting_.size(); }

 private:
  friend class Models;
  using Waiter = std::function<void(const base::Error* failure)>;

  struct Uses {
    std::atomic<int> count = 0;
    std::atomic<inference::Clock::duration> last{inference::Clock::now().time_since_epoch()};
  };
  // The thread that loads uses it, too, and keeps the model meanwhile.
  struct Progress {
    std::atomic<double> share = 0;
    std::atomic<bool> stop = false;
  };

  const ModelSource source_;
  State state_ = State::kLoading;  // at first until the file has been read
  bool isWanted_ = false;          // it is to be loaded once the file has been read
  bool isBeingLoaded_ = false;
  bool isFromStart_ = false;  // offered by who started the server
  std::optional<inference::ModelPreview> preview_;
  std::optional<base::Error> failure_;
  std::unique_ptr<inference::Engine> engine_;
  std::shared_ptr<const inference::TokenTrie> tokenTrie_;
  std::optional<std::shared_ptr<wafer::Program>> shadow_;  // since it was set, if it was
  std::vector<Waiter> waiting_;
  std::shared_ptr<Uses> uses_ = std::make_shared<Uses>();
  Progress progress_;
};

}  // namespace waferpair::server

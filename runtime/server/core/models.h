// SPDX-License-Identifier: GPL-3.0-or-later
// The models that a server offers, and when each is in memory: the first from the start on, the
// others from their first request. One gives its memory back when nobody has asked for it for a
// while, when another one needs the room, or when a client says so; whoever asks for it then waits
// until it is loaded again. A model at work keeps its memory.
//
// Files are read and engines ended on a thread of their own, one after another. Used with the
// server's baton only.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/server/core/baton.h"
#include "runtime/server/core/hosted_model.h"
#include "runtime/server/core/log.h"

namespace waferpair::server {

// How files become engines. Both are called on the thread that loads.
struct ModelLoading {
  std::function<base::Result<inference::ModelPreview>(const ModelSource& source)> preview;
  std::function<base::Result<std::unique_ptr<inference::Engine>>(
      const ModelSource& source, const inference::LoadProgress& progress)>
      load;
};

struct MemoryRules {
  // The memory of all models together. 0: what this computer has free when one is loaded, but for
  // the first, which is loaded whatever there is.
  std::uint64_t limitBytes = 0;
  // The time after which a model that nobody asks for gives its memory back; 0: never.
  std::chrono::seconds firstIdle{0};
  std::chrono::seconds othersIdle{0};
};

// Owned by a shared_ptr.
class Models : public std::enable_shared_from_this<Models> {
 public:
  static constexpr std::size_t kMost = 8;
  static constexpr std::size_t kMostWithFolder = 64;

  enum class News {
    kChanged,  // its state, how far it is loaded, or that it is offered no longer
    kLoaded,   // it has an engine
    kLeaving,  // its engine is about to go: nobody may keep it
  };
  // `tell` hears of every change.
  Models(Baton baton, Log& log, std::function<void(HostedModel&, News)> tell);

  // Offers these from now on, at least one, and begins to load the first. `isBad` hears of each
  // that turns out to be no model that can be used.
  void begin(ModelLoading loading, MemoryRules rules, const std::vector<ModelSource>& sources,
             std::function<void(const base::Error& why)> isBad);
  // Offers a model that is loaded already.
  void add(std::unique_ptr<inference::Engine> engine);

  // The one that requests without a name are for; null before begin().
  const std::shared_ptr<HostedModel>& first() const;
  const std::vector<std::shared_ptr<HostedModel>>& all() const { return all_; }
  // Empty: the first. The problem lists the names that there are.
  Checked<std::shared_ptr<HostedModel>> find(std::string_view name) const;
  // The same for a request, which many programs send with a name of their own: where there is one
  // model only, it is the one.
  Checked<std::shared_ptr<HostedModel>> choose(std::string_view name) const;
  // The time after which it gives its memory back if nobody asks for it; 0: never.
  std::chrono::seconds idleOf(const HostedModel& model) const;
  // Why nothing can be asked of the model; none where it can, though it may have to be loaded.
  static std::optional<Problem> refusal(const HostedModel& model);
  // Why nothing can be told of an engine that is not there; null: of none that is known yet.
  static Problem notInMemory(const HostedModel* model);

  // Offers a file with its adapters too, unless that is done already, under whatever name. It is
  // not loaded. The problem: there are that many.
  Checked<std::shared_ptr<HostedModel>> offer(ModelSource source, std::size_t most = kMost);
  // The folder whose files are offered as well (models_folder.h); empty: none.
  void setFolder(std::string folder) { folder_ = std::move(folder); }
  const std::string& folder() const { return folder_; }
  // Calls `then` once the files that are offered by now have been read, behind what is being
  // loaded.
  void whenRead(std::function<void()> then);
  // Begins to load it, unless that is done already.
  void load(const std::shared_ptr<HostedModel>& model);
  // Gives its memory back. The problem: it is at work, or being loaded.
  std::optional<Problem> unload(const std::shared_ptr<HostedModel>& model);
  // The same, and offers it no longer. The first stays.
  std::optional<Problem> forget(const std::shared_ptr<HostedModel>& model);

  // Calls `ready` once the model is loaded, at once if it is, or with the reason why it is not.
  void whenLoaded(const std::shared_ptr<HostedModel>& model,
                  std::function<void(const base::Error* failure)> ready);

  // Ends all jobs, and all loading as soon as it can be left.
  void stop();

 private:
  using Clock = inference::Clock;

  void preview(const std::shared_ptr<HostedModel>& model);
  void onPreview(const std::shared_ptr<HostedModel>& model,
                 base::Result<inference::ModelPreview> preview);
  void onLoaded(const std::shared_ptr<HostedModel>& model,
                base::Result<std::unique_ptr<inference::Engine>> loaded);
  void fail(HostedModel& model, base::Error why, HostedModel::State state);
  void release(const std::shared_ptr<HostedModel>& model);
  std::optional<base::Error> makeRoom(const HostedModel& wanted);
  void watchIdleness();
  void beginLoading(const std::shared_ptr<HostedModel>& model);
  void answer(HostedModel& model, const base::Error* failure);

  Baton baton_;
  Log& log_;
  std::function<void(HostedModel&, News)> tell_;
  ModelLoading loading_;
  MemoryRules rules_;
  std::function<void(const base::Error& why)> isBad_;
  std::vector<std::shared_ptr<HostedModel>> all_;
  std::string folder_;
  boost::asio::steady_timer idle_;
  boost::asio::thread_pool thread_{1};
  bool stopped_ = false;
};

}  // namespace waferpair::server

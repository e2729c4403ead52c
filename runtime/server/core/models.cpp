// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/models.h"

#include <malloc.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cassert>
#include <utility>

#include "runtime/base/available_memory.h"
#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace code = protocol::error_code;
using State = HostedModel::State;

// How often clients are told how far a model is loaded.
constexpr std::chrono::milliseconds kProgressPace{250};

// Rounded up.
std::string mebibytes(std::uint64_t bytes) {
  return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

Problem stillLoading() {
  return {code::kNotReady,
          {"The model is still being loaded.", "Wait for the status event with state ready."}};
}

std::string listed(const std::vector<std::shared_ptr<HostedModel>>& models) {
  std::string names;
  for (const auto& model : models) names += (names.empty() ? "" : ", ") + model->name();
  return names;
}

}  // namespace

Models::Models(Baton baton, Log& log, std::function<void(HostedModel&, News)> tell)
    : baton_(std::move(baton)), log_(log), tell_(std::move(tell)), idle_(baton_.executor()) {}

void Models::begin(ModelLoading loading, MemoryRules rules, const std::vector<ModelSource>& sources,
                   std::function<void(const base::Error& why)> isBad) {
  assert(all_.empty() && !sources.empty());
  loading_ = std::move(loading);
  rules_ = rules;
  isBad_ = std::move(isBad);
  for (const ModelSource& source : sources) {
    all_.push_back(std::make_shared<HostedModel>(source));
    all_.back()->isFromStart_ = true;
  }
  // The first is not read twice: nobody can ask anything of it before it is loaded.
  beginLoading(all_.front());
  for (std::size_t i = 1; i < all_.size(); ++i) preview(all_[i]);
}

void Models::add(std::unique_ptr<inference::Engine> engine) {
  auto& model =
      all_.emplace_back(std::make_shared<HostedModel>(ModelSource{engine->model().card().file}));
  onLoaded(model, std::move(engine));
}

const std::shared_ptr<HostedModel>& Models::first() const {
  static const std::shared_ptr<HostedModel> kNone;
  return all_.empty() ? kNone : all_.front();
}

Checked<std::shared_ptr<HostedModel>> Models::find(std::string_view name) const {
  if (all_.empty()) return reject(stillLoading());
  if (name.empty()) return all_.front();
  // One that was given this name comes before those in whose files it stands.
  auto found = std::ranges::find_if(all_, [name](const auto& m) { return m->name() == name; });
  if (found == all_.end())
    found = std::ranges::find_if(all_, [name](const auto& m) { return m->answersTo(name); });
  if (found != all_.end()) return *found;
  // Ollama's clients add the usual tag to a name without one.
  constexpr std::string_view kTag = ":latest";
  if (name.size() > kTag.size() && name.ends_with(kTag))
    return find(name.substr(0, name.size() - kTag.size()));
  // Their own names are not known before they have been read.
  const bool areRead = std::ranges::all_of(
      all_, [](const auto& model) { return model->card() || model->failure(); });
  if (!areRead) return reject(stillLoading());
  return reject({code::kModelNotFound,
                 protocol::field::model_load::kModel,
                 {"There is no model " + std::string(name) + " here.",
                  "Give one of these, or none for the first: " + listed(all_) + "."}});
}

Checked<std::shared_ptr<HostedModel>> Models::choose(std::string_view name) const {
  return find(all_.size() == 1 ? std::string_view() : name);
}

std::optional<Problem> Models::refusal(const HostedModel& model) {
  if (model.state() == State::kFailed) return Problem(code::kNotReady, *model.failure());
  if (model.card()) return std::nullopt;
  return stillLoading();
}

Problem Models::notInMemory(const HostedModel* model) {
  if (!model) return stillLoading();
  if (auto refused = refusal(*model)) return *refused;
  return {code::kNotReady,
          {model->name() + " is not in memory.", "Ask something of it, or send model.load."}};
}

Checked<std::shared_ptr<HostedModel>> Models::offer(ModelSource source, std::size_t most) {
  const auto known = std::ranges::find_if(all_, [&](const auto& model) {
    return model->source().file == source.file && model->source().adapters == source.adapters;
  });
  if (known != all_.end()) return *known;
  if (all_.size() >= most)
    return reject({code::kLimitExceeded,
                   {std::to_string(most) + " models are offered.", "Forget one of them."}});
  all_.push_back(std::make_shared<HostedModel>(std::move(source)));
  preview(all_.back());
  tell_(*all_.back(), News::kChanged);
  return all_.back();
}

void Models::whenRead(std::function<void()> then) {
  boost::asio::post(thread_, [executor = baton_.executor(), then = std::move(then)]() mutable {
    boost::asio::post(executor, std::move(then));
  });
}

void Models::preview(const std::shared_ptr<HostedModel>& model) {
  boost::asio::post(thread_, [weak = weak_from_this(), executor = baton_.executor(),
                              read = loading_.preview, model] {
    auto preview = read(model->source());
    boost::asio::post(executor, [weak, model, preview = std::move(preview)] {
      if (const auto models = weak.lock()) models->onPreview(model, preview);
    });
  });
}

void Models::onPreview(const std::shared_ptr<HostedModel>& model,
                       base::Result<inference::ModelPreview> preview) {
  if (stopped_) return;
  if (!preview) return fail(*model, std::move(preview.error()), State::kFailed);
  model->preview_ = std::move(*preview);
  model->failure_.reset();
  model->state_ = State::kIdle;
  if (std::exchange(model->isWanted_, false)) return load(model);
  tell_(*model, News::kChanged);
}

void Models::load(const std::shared_ptr<HostedModel>& model) {
  if (model->engine_ || model->isBeingLoaded_ || stopped_) return;
  if (!model->preview_) {
    // It is being read, unless that has failed.
    model->isWanted_ = true;
    if (model->state_ == State::kFailed) preview(model);
    model->state_ = State::kLoading;
    return;
  }
  if (auto full = makeRoom(*model)) return fail(*model, std::move(*full), State::kIdle);
  beginLoading(model);
  tell_(*model, News::kChanged);
}

void Models::beginLoading(const std::shared_ptr<HostedModel>& model) {
  model->isBeingLoaded_ = true;
  model->state_ = State::kLoading;
  model->failure_.reset();
  model->progress_.share = 0;
  log_.line("loading " + model->source().file);
  boost::asio::post(thread_, [weak = weak_from_this(), executor = baton_.executor(),
                              load = loading_.load, model] {
    auto told = inference::Clock::now();
    auto loaded = load(model->source(), [&](double share) {
      model->progress_.share = share;
      if (inference::Clock::now() - told > kProgressPace) {
        told = inference::Clock::now();
        boost::asio::post(executor, [weak, model] {
          const auto models = weak.lock();
          if (models && !models->stopped_) models->tell_(*model, News::kChanged);
        });
      }
      return !model->progress_.stop;
    });
    using Loaded = base::Result<std::unique_ptr<inference::Engine>>;
    boost::asio::post(executor, [weak, model, held = std::make_shared<Loaded>(std::move(loaded))] {
      if (const auto models = weak.lock()) models->onLoaded(model, std::move(*held));
    });
  });
}

void Models::onLoaded(const std::shared_ptr<HostedModel>& model,
                      base::Result<std::unique_ptr<inference::Engine>> loaded) {
  model->isBeingLoaded_ = false;
  if (stopped_) return;
  if (!loaded) return fail(*model, std::move(loaded.error()), State::kFailed);
  model->engine_ = std::move(*loaded);
  const inference::CompiledModel& compiled = model->engine_->model();
  if (!model->preview_) model->preview_ = {compiled.card(), compiled.memoryBytes()};
  if (model->shadow_) compiled.setShadow(*model->shadow_);
  model->state_ = State::kReady;
  model->uses_->last = Clock::now().time_since_epoch();
  log_.line("model ready: " + model->name() + ", " + std::to_string(compiled.threads()) +
            (compiled.threads() == 1 ? " thread, " : " threads, ") + compiled.kernels());
  if (const auto& problem = compiled.card().chatProgramProblem; problem && compiled.card().chat)
    log_.line("chat template of " + model->name() +
              " is not run, its style is followed: " + problem->what);
  tell_(*model, News::kLoaded);
  answer(*model, nullptr);
  watchIdleness();
}

void Models::fail(HostedModel& model, base::Error why, State state) {
  log_.line("model failed: " + why.message());
  model.failure_ = std::move(why);
  model.state_ = state;
  model.isWanted_ = false;
  tell_(model, News::kChanged);
  const base::Error told = *model.failure_;
  answer(model, &told);
  if (state == State::kFailed && model.isFromStart_ && !model.preview_) isBad_(told);
}

void Models::answer(HostedModel& model, const base::Error* failure) {
  for (const HostedModel::Waiter& waiter : std::exchange(model.waiting_, {})) waiter(failure);
}

void Models::whenLoaded(const std::shared_ptr<HostedModel>& model,
                        std::function<void(const base::Error* failure)> ready) {
  if (model->engine_) return ready(nullptr);
  if (model->state_ == State::kFailed) return ready(model->failure());
  model->waiting_.push_back(std::move(ready));
  load(model);
}

std::optional<Problem> Models::unload(const std::shared_ptr<HostedModel>& model) {
  if (model->isBeingLoaded_ || model->isUsed())
    return Problem(code::kNotReady,
                   {model->name() + (model->isUsed() ? " is at work." : " is being loaded."),
                    "Wait until that has ended, or cancel it."});
  if (model->engine_) release(model);
  return std::nullopt;
}

std::optional<Problem> Models::forget(const std::shared_ptr<HostedModel>& model) {
  if (model == first())
    return Problem(code::kInvalidField, protocol::field::model_unload::kModel,
                   {model->name() + " is the first model, which is always offered.",
                    "Unload it only, or start waferd with another one."});
  if (auto problem = unload(model)) return problem;
  std::erase(all_, model);
  tell_(*model, News::kChanged);
  return std::nullopt;
}

// Ends the engine on the thread that loads: it waits for its worker, which may write a file.
void Models::release(const std::shared_ptr<HostedModel>& model) {
  assert(model->engine_ && !model->isUsed());
  tell_(*model, News::kLeaving);
  log_.line("model gives its memory back: " + model->name());
  model->state_ = State::kIdle;
  model->tokenTrie_.reset();
  boost::asio::post(
      thread_, [engine = std::shared_ptr<inference::Engine>(std::move(model->engine_))]() mutable {
        engine.reset();
        malloc_trim(0);  // what was freed in small pieces goes back, too
      });
  tell_(*model, News::kChanged);
}

// Unloads models that are not at work, those unused longest first and the first model last, until
// there is room for this one, or says why there cannot be.
std::optional<base::Error> Models::makeRoom(const HostedModel& wanted) {
  std::uint64_t taken = 0;
  std::vector<std::shared_ptr<HostedModel>> idle;
  std::uint64_t idleBytes = 0;
  for (const auto& model : all_) {
    if (!model->engine_ && !model->isBeingLoaded_) continue;
    const bool isIdle = model->engine_ && !model->isUsed();
    taken += model->memoryBytes();
    if (!isIdle) continue;
    idle.push_back(model);
    idleBytes += model->memoryBytes();
  }
  const std::uint64_t available = base::availableMemory();
  if (rules_.limitBytes == 0 && available == 0) return std::nullopt;  // not known
  // What is free of the limit, or of the computer, where what is loaded is not free any longer.
  std::uint64_t room = available;
  if (rules_.limitBytes > 0) room = rules_.limitBytes - std::min(taken, rules_.limitBytes);
  const std::uint64_t needed = wanted.memoryBytes();
  if (room + idleBytes < needed) {
    const std::string where = rules_.limitBytes > 0
                                  ? " of the " + mebibytes(rules_.limitBytes) + " of --memory"
                                  : std::string(" of this computer's memory");
    return base::Error{wanted.name() + " needs " + mebibytes(needed) + ", and " +
                           mebibytes(room + idleBytes) + where + " can be had.",
                       rules_.limitBytes > 0
                           ? "Raise --memory, or choose a smaller model, --context or --kv-memory."
                           : "End other programs, or choose a smaller model, --context or "
                             "--kv-memory."};
  }
  std::ranges::sort(idle, {}, [this](const auto& model) {
    return std::pair(model == all_.front(), model->lastUse());
  });
  for (const auto& model : idle) {
    if (room >= needed) break;
    room += model->memoryBytes();
    release(model);
  }
  return std::nullopt;
}

std::chrono::seconds Models::idleOf(const HostedModel& model) const {
  return &model == all_.front().get() ? rules_.firstIdle : rules_.othersIdle;
}

void Models::watchIdleness() {
  const Clock::time_point now = Clock::now();
  Clock::time_point next = Clock::time_point::max();
  for (const auto& model : std::vector(all_)) {
    const std::chrono::seconds idle = idleOf(*model);
    if (!model->engine_ || idle.count() == 0) continue;
    const Clock::time_point due = (model->isUsed() ? now : model->lastUse()) + idle;
    if (due <= now)
      release(model);
    else
      next = std::min(next, due);
  }
  if (next == Clock::time_point::max()) return;
  idle_.expires_at(next);
  idle_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto models = weak.lock();
    if (models && !error && !models->stopped_) models->watchIdleness();
  });
}

void Models::stop() {
  stopped_ = true;
  idle_.cancel();
  for (const auto& model : all_) {
    model->progress_.stop = true;
    if (model->engine_) model->engine_->stop();
    model->waiting_.clear();
  }
  thread_.stop();
  thread_.join();
}

}  // namespace waferpair::server

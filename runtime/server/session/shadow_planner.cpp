// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/shadow_planner.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"

namespace waferpair::server {
namespace {

constexpr int kMostWanted = 4;

}  // namespace

void ShadowPlanner::want(std::optional<ShadowSet> wanted,
                         std::function<void(const Problem&)> refused) {
  if (!hub_->engine()) return refused(hub_->notReady());
  if (wanted_ == kMostWanted)
    return refused({protocol::error_code::kLimitExceeded,
                    {std::to_string(kMostWanted) + " shadows are wanted already.",
                     "Wait for their answers."}});
  ++wanted_;
  boost::asio::post(
      thread(), [weak = weak_from_this(), executor = hub_->executor(), wanted = std::move(wanted),
                 card = hub_->engine()->model().card(), refused = std::move(refused)] {
        using Planned = Checked<std::shared_ptr<wafer::Program>>;
        Planned planned = wanted ? planShadow(*wanted, card) : Planned();
        boost::asio::post(executor, [weak, planned = std::move(planned), refused] {
          const auto planner = weak.lock();
          if (!planner) return;
          --planner->wanted_;
          if (!planned) return refused(planned.error());
          if (const auto problem = planner->set(*planned)) refused(*problem);
        });
      });
}

void ShadowPlanner::listShapes(std::function<void(const Json&)> answer) {
  const inference::ModelCard& card = hub_->engine()->model().card();
  const std::string key = dump({card.machine, card.profile, card.clockHz, card.context});
  Catalog& catalog = catalogs_[key];
  if (!catalog.shapes.is_null()) return answer(catalog.shapes);
  catalog.listeners.push_back(std::move(answer));
  if (catalog.listeners.size() > 1) return;  // it is being planned
  boost::asio::post(thread(), [weak = weak_from_this(), executor = hub_->executor(), card, key] {
    boost::asio::post(executor, [weak, key, shapes = shapesJson(card)] {
      const auto planner = weak.lock();
      if (!planner) return;
      Catalog& planned = planner->catalogs_[key];
      planned.shapes = shapes;
      for (const auto& hear : std::exchange(planned.listeners, {})) hear(planned.shapes);
    });
  });
}

std::optional<Problem> ShadowPlanner::set(std::shared_ptr<wafer::Program> shadow) {
  if (!hub_->engine()) return hub_->notReady();  // it was unloaded meanwhile
  if (isRecording_())
    return Problem(protocol::error_code::kShadowFailed,
                   {"A trace is being recorded, and it is of one placement.", "Stop it first."});
  hub_->setShadow(std::move(shadow));
  return std::nullopt;
}

boost::asio::thread_pool& ShadowPlanner::thread() {
  return thread_ ? *thread_ : thread_.emplace(1);
}

void ShadowPlanner::stop() {
  if (!thread_) return;
  thread_->stop();
  thread_->join();
}

}  // namespace waferpair::server

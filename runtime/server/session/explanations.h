// SPDX-License-Identifier: GPL-3.0-or-later
// How tokens of this session's completions came about, for whoever asks later: token.explain,
// op.explain, and cut-outs of the mesh. The steps are not kept: a step is charged to the program
// again, which gives what it gave.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/mesh/cutout.h"
#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/feature.h"

namespace waferpair::server {

class Explanations : public Feature {
 public:
  static constexpr std::size_t kMost = 64;  // completions that are remembered

  Explanations(Client& client, Dispatch& dispatch);

  // Remembers how a completion's tokens came about.
  void keep(const Json& id, const std::shared_ptr<HostedModel>& model,
            const inference::JobReport& report);

  void modelLeaves(HostedModel& model) override;

 private:
  struct Kept {
    Json id;
    std::shared_ptr<HostedModel> model;
    std::vector<inference::TokenRecord> records;
    std::int64_t typedBytes = 0;
    std::shared_ptr<const wafer::Program> shadow;  // null without one
  };
  struct TokenWish {
    Json completion;
    std::size_t token = 0;
    std::optional<std::int64_t> at = {};  // bytes; in place of the token
  };
  struct OpWish {
    TokenWish token;
    std::size_t op = 0;
    int size = 0;  // of a cut-out
  };
  struct Look {
    std::uint32_t cycle = 0;
    int x = 0, y = 0;
  };
  // The wafer's step that gave a token.
  struct WaferStep {
    const wafer::Program* program = nullptr;
    wafer::ChargedStep step;
    int index = 0, count = 1;
    int row = 0;  // of the step
    std::int64_t positions() const { return std::int64_t{step.context.context} + row + 1; }
  };
  static TokenWish readToken(JsonFields& fields);
  static OpWish readOp(JsonFields& fields);
  static OpWish readCutout(JsonFields& fields);
  static Look readLook(JsonFields& fields);

  void explainToken(TokenWish wish);
  void explainOp(const OpWish& wish);
  void runCutout(const OpWish& wish);
  void look(const Look& wish);

  Checked<const Kept*> find(const TokenWish& wish) const;
  static WaferStep waferStepOf(const Kept& kept, const inference::TokenRecord& record);
  // Refuses, and returns nothing, where there is no such op in the step.
  std::optional<WaferStep> stepWith(const OpWish& wish);

  Client& client_;
  std::deque<Kept> kept_;                       // the oldest first
  std::shared_ptr<const mesh::Cutout> cutout_;  // that ran last
  int runs_ = 0;                                // under way
};

}  // namespace waferpair::server

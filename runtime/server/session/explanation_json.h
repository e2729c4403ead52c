// SPDX-License-Identifier: GPL-3.0-or-later
// What Explanations tells, in the words of docs/protocol.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "runtime/inference/engine/token_record.h"
#include "runtime/mesh/cutout.h"
#include "runtime/server/core/events.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::server {

// The token that has a byte of those of all tokens; the last that has any where there are not so
// many.
std::size_t tokenAt(const tokenizer::Tokenizer& tokenizer,
                    std::span<const inference::TokenRecord> records, std::int64_t byte);
// token.explained, still without what the wafer did.
Json recordJson(const tokenizer::Tokenizer& tokenizer,
                std::span<const inference::TokenRecord> records, std::size_t token,
                std::int64_t typedBytes);
// The flat list of wafer_step.
Json chargesJson(std::span<const wafer::Charge> ops);
// op.explained, still without the token and the op; `row` is the token's of the step.
Json opJson(const wafer::Plan& plan, std::size_t op, const wafer::ChargedStep& step, int row);

struct CutoutOrder {
  wafer::Machine machine;
  wafer::Profile profile;
  mesh::CutoutWish wish;
};
struct CutoutRun {
  std::shared_ptr<const mesh::Cutout> cutout;
  Json told;  // cutout.ran, still without the token and the op
};
// Takes up to a second. Fails as cutoutOf() and Mesh::run().
base::Result<CutoutRun> runOf(const CutoutOrder& order);
// cutout.seen: runs it again, up to that cycle.
base::Result<Json> sightOf(const mesh::Cutout& cutout, std::uint32_t cycle, int x, int y);

}  // namespace waferpair::server

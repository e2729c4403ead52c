// SPDX-License-Identifier: GPL-3.0-or-later
// A made-up trace for tests: two regions, four ops, the last of them the tail.
#pragma once

#include <QString>
#include <vector>

#include "runtime/trace/reader.h"
#include "runtime/trace/writer.h"

namespace waferpair::test {

inline trace::Header sampleHeader() {
  trace::Header header;
  header.unixSeconds = 1'750'000'000;
  header.contextLimit = 1024;
  protocol::WaferLayout& layout = header.layout;
  layout.machine = "wse3";
  layout.profile = "waferllm-2025";
  layout.model = "möbius \"7\"";
  layout.shadowOf = "tiny";
  layout.clockHz = 1e9;
  layout.wafers = 2;
  layout.fabricWidth = 762;
  layout.fabricHeight = 1172;
  layout.dieColumns = 12;
  layout.dieRows = 7;
  layout.sramPerPe = 49152;
  layout.regions = {{"layer 0", {0, 0, 8, 4}, {8192, 100, 200, 300, 40360}},
                    {"output", {8, 0, 4, 4}, {8192, 0, 0, 0, 40960}, 1}};
  layout.ops = {
      {"token_embd", 1, -1}, {"blk.0.attn_q", 0, 0}, {"blk.0.attn_score", 0, 0}, {"output", 1, -1}};
  return header;
}

// A prompt of 32 tokens in two chunks, whose rows follow one another, then decode steps; the score
// grows with the context, every fourth step has a draft of two of which one is right.
inline std::vector<trace::Step> sampleSteps(int decodeSteps) {
  std::vector<trace::Step> steps;
  trace::Step prompt;
  prompt.hostStartNs = 1000;
  prompt.hostNs = 500'000;
  prompt.rows = 16;
  // Ops of one region take turns; the tail does not run.
  prompt.cycles = 1000;
  prompt.ops = {{5, 20, 640, 0, 25}, {500, 100, 4000, 25, 900}, {100, 50, 1600, 60, 1000}};
  steps.push_back(prompt);
  prompt.hostStartNs += 500'000;
  prompt.context = 16;
  prompt.cycles = 800;
  prompt.ops = {{5, 20, 640, -300, -275}, {510, 100, 4000, 0, 700}, {120, 50, 1600, 30, 800}};
  steps.push_back(prompt);
  std::uint64_t hostNs = 1'100'000;
  std::uint32_t context = 32;
  trace::Outcome outcome{.request = 1};
  for (trace::Step& step : steps) step.outcome = outcome;
  for (int i = 0; i < decodeSteps; ++i) {
    trace::Step step;
    step.hostStartNs = hostNs;
    step.hostNs = 70'000;
    step.context = context;
    step.logits = step.rows = i % 4 == 3 ? 3 : 1;
    step.drafted = step.rows - 1;
    step.accepted = step.drafted / 2;
    step.ops = {{1, 9, 20}, {60, 40, 320}, {10 + context / 16, 30, 64}, {100, 50, 160}};
    step.setEndToEnd();
    outcome.output = step.accepted + 1;
    outcome.decodes = true;
    outcome.rateTokens += outcome.output;
    outcome.rateCycles += step.cycles;
    outcome.rateHostNs += step.hostNs;
    step.outcome = outcome;
    steps.push_back(step);
    hostNs += 90'000;
    context += step.tokens();
  }
  return steps;
}

// A whole file of them.
inline base::Result<trace::Written> writeTrace(const std::string& path,
                                               const std::vector<trace::Step>& steps) {
  auto writer = trace::Writer::create(path, sampleHeader());
  if (!writer) return tl::unexpected(writer.error());
  for (const trace::Step& step : steps) writer->add(step);
  return writer->close();
}

}  // namespace waferpair::test

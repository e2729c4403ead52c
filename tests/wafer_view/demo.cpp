// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/wafer_view/demo.h"

#include <cmath>
#include <string>

namespace waferpair::view::demo {
namespace {

constexpr std::uint32_t kSram = 49152;

std::array<std::uint32_t, protocol::kSramKinds> sram(std::uint32_t code, std::uint32_t weights,
                                                     std::uint32_t kv, std::uint32_t activations) {
  return {code, weights, kv, activations, kSram - code - weights - kv - activations};
}

protocol::WaferLayout machine() {
  protocol::WaferLayout layout;
  layout.machine = "wse3";
  layout.profile = "waferllm-2025-wse3";
  layout.model = "demo";
  layout.clockHz = 1.1e9;
  layout.fabricWidth = 762;
  layout.fabricHeight = 1172;
  layout.dieColumns = 12;
  layout.dieRows = 7;
  layout.sramPerPe = kSram;
  return layout;
}

}  // namespace

protocol::WaferLayout layout() {
  protocol::WaferLayout layout = machine();
  layout.regions.push_back({"embedding", {0, 0, 300, 190}, sram(3072, 21504, 0, 640)});
  layout.ops.push_back({"token_embd", 0, -1});
  for (int block = 0; block < 16; ++block) {
    const int x = block % 4 * 184, y = 190 + block / 4 * 196;
    const int region = static_cast<int>(layout.regions.size());
    layout.regions.push_back(
        {"layers " + std::to_string(2 * block) + "-" + std::to_string(2 * block + 1),
         {x, y, 184, 196},
         sram(6144, 26112 - 256u * static_cast<unsigned>(block % 3), 8192, 1536)});
    for (int layer = 2 * block; layer < 2 * block + 2; ++layer)
      for (const char* op : {"attn_norm", "attn_q", "attn_k", "attn_v", "attn_scores",
                             "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down"})
        layout.ops.push_back({"blk." + std::to_string(layer) + "." + op, region, layer});
  }
  const int head = static_cast<int>(layout.regions.size());
  layout.regions.push_back({"head", {300, 0, 340, 190}, sram(3584, 30208, 0, 2048)});
  layout.ops.push_back({"output_norm", head, -1});
  layout.ops.push_back({"output", head, -1});
  return layout;
}

protocol::WaferLayout smallLayout() {
  protocol::WaferLayout layout = machine();
  layout.regions.push_back({"embedding", {0, 0, 3, 64}, sram(3072, 27306, 0, 640)});
  layout.ops.push_back({"token_embd", 0, -1});
  for (int block = 0; block < 8; ++block) {
    const int region = static_cast<int>(layout.regions.size());
    layout.regions.push_back({"block " + std::to_string(block),
                              {3 + 64 * block, 0, 64, 64},
                              sram(6144, 512, 1024, 256)});
    for (const char* op : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_up", "ffn_down"})
      layout.ops.push_back({"blk." + std::to_string(block) + "." + op, region, block});
  }
  layout.regions.push_back({"head", {515, 0, 74, 64}, sram(3584, 1108, 0, 512)});
  layout.ops.push_back({"output", static_cast<int>(layout.regions.size()) - 1, -1});
  return layout;
}

protocol::WaferLayout shadowLayout() {
  protocol::WaferLayout layout = machine();
  layout.model = "llama-3.1-70b";
  layout.shadowOf = "waferpair-mini";
  layout.wafers = 4;
  const auto add = [&layout](const std::string& name, int wafer, protocol::Rect rect) {
    layout.regions.push_back({name, rect, sram(6144, 33'000, 4096, 1536), wafer});
    return static_cast<int>(layout.regions.size()) - 1;
  };
  layout.ops.push_back({"token_embd", add("embedding", 0, {0, 1070, 762, 102}), -1});
  for (int block = 0; block < 40; ++block) {
    const int onWafer = block % 10;
    const int region = add("block " + std::to_string(block), block / 10,
                           {onWafer % 2 * 381, onWafer / 2 * 214, 381, 214});
    for (const char* op : {"attn_q", "attn_mix", "attn_output", "ffn_up", "ffn_down"})
      layout.ops.push_back({"blk." + std::to_string(2 * block) + "." + op, region, 2 * block});
  }
  layout.ops.push_back({"output", add("head", 3, {0, 1070, 600, 102}), -1});
  return layout;
}

protocol::WaferLayout layoutOf(const std::vector<protocol::Rect>& rects) {
  protocol::WaferLayout layout = machine();
  for (std::size_t i = 0; i < rects.size(); ++i) {
    layout.regions.push_back({"region " + std::to_string(i), rects[i], sram(1024, 8192, 512, 256)});
    layout.ops.push_back({"op " + std::to_string(i), static_cast<int>(i), -1});
  }
  return layout;
}

std::vector<protocol::OpSpan> decodeStep(const protocol::WaferLayout& layout,
                                         std::uint32_t cyclesPerOp) {
  std::vector<protocol::OpSpan> spans;
  std::uint32_t at = 0;
  for (std::size_t op = 0; op < layout.ops.size(); ++op) {
    spans.push_back({static_cast<std::uint16_t>(op), at, at + cyclesPerOp});
    at += cyclesPerOp;
  }
  return spans;
}

protocol::TelemetryFrame frame(const protocol::WaferLayout& layout, int n) {
  constexpr std::uint32_t kTokens = 18, kCyclesPerToken = 74'000;
  protocol::TelemetryFrame frame;
  frame.sequence = n + 1;
  frame.hostIntervalNs = 16'666'667;
  frame.hostNanoseconds = frame.hostIntervalNs * (n + 1);
  frame.intervalCycles = std::uint64_t{kTokens} * kCyclesPerToken;
  frame.waferCycles = frame.intervalCycles * (n + 1);
  frame.intervalDecoded = kTokens;
  frame.tokensDecoded = std::uint64_t{kTokens} * (n + 1);
  frame.hostTokensPerSecond = static_cast<float>(1040 + 90 * std::sin(n * 0.13) + 35 * std::sin(n));
  frame.waferTokensPerSecond = static_cast<float>(14'865 + 700 * std::sin(n * 0.021));
  frame.firstTokenHostMs = 38.0f + 5 * static_cast<float>(n / 120);
  frame.firstTokenWaferMs = 0.31f + 0.02f * static_cast<float>(n / 120);
  frame.contextUsed = 812 + kTokens * (n % 180);
  frame.contextLimit = 4096;
  const double cycles = static_cast<double>(frame.intervalCycles);
  for (std::size_t i = 0; i < layout.regions.size(); ++i) {
    const double busy = (i == 0                           ? 0.004
                         : i + 1 == layout.regions.size() ? 0.16
                                                          : 0.05) *
                        (1 + 0.35 * std::sin(n * 0.11 + 0.9 * static_cast<double>(i)));
    const double share = 0.12 + 0.5 * std::abs(std::sin(0.7 * static_cast<double>(i)));
    frame.regions.push_back({static_cast<std::uint32_t>(busy * cycles),
                             static_cast<std::uint32_t>(busy * share * cycles),
                             static_cast<std::uint32_t>(busy * 0.6 * cycles)});
  }
  if (!layout.ops.empty())
    frame.lastStep =
        decodeStep(layout, kCyclesPerToken / static_cast<std::uint32_t>(layout.ops.size()));
  return frame;
}

protocol::TelemetryFrame evenFrame(const protocol::WaferLayout& layout, std::uint32_t thousandths) {
  protocol::TelemetryFrame frame;
  frame.intervalCycles = 1000;
  frame.intervalDecoded = 1;
  for (std::size_t i = 0; i < layout.regions.size(); ++i)
    frame.regions.push_back({thousandths, thousandths, thousandths});
  return frame;
}

}  // namespace waferpair::view::demo

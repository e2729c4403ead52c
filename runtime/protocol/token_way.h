// SPDX-License-Identifier: GPL-3.0-or-later
// How a token came about, as waferd tells it (docs/protocol.md): values for whoever draws it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/protocol/telemetry.h"

namespace waferpair::protocol {

// A token of a completion. Bytes count from where its text begins; what is below 0 was typed.
struct TokenPiece {
  std::string text;  // UTF-8
  std::int64_t start = 0, end = 0;
};

struct TokenAlternative {
  std::string text;  // empty: the end of the text
  double probability = 0;
  bool chosen = false;
};

// What an op was charged in a step, of all its rows. Cycles from where the step begins; an op of a
// chunk that follows another may begin before that.
struct OpCharge {
  std::int64_t start = 0, end = 0;
  std::int64_t compute = 0, fabric = 0, wavelets = 0;
  std::int64_t cycles() const { return compute + fabric; }
};

struct TokenWay {
  std::uint64_t completion = 0;
  int token = 0;  // index into tokens
  std::vector<TokenPiece> tokens;
  bool drafted = false, contested = false;
  double probability = 0, network = 0;
  std::vector<TokenAlternative> alternatives;  // the likeliest first

  // The step on this computer.
  int rows = 1, row = 0, context = 0, draftedRows = 0, acceptedRows = 0, lines = 1;
  double hostMs = 0;

  // The wafer's step that gave the token, one of `waferSteps`.
  WaferLayout layout;
  int waferStep = 0, waferSteps = 1, waferRows = 1, waferRow = 0, waferContext = 0;
  std::int64_t cycles = 0;
  bool gemm = false;
  std::vector<OpCharge> ops;  // those that ran: the first of layout.ops
};

struct OpTerm {
  std::string what, form, numbers;
  double cycles = 0;
  bool fabric = false;
};

// A vector times a matrix, whose rows lie along x (else y) and its columns along the other axis.
struct OpProduct {
  std::int64_t k = 0, n = 0, tileRows = 0, tileColumns = 0;
  bool alongX = false;
  int times = 1;
};

// A sum over each row (x) or column of cores, in groups.
struct OpReduce {
  bool alongX = false;
  int cores = 1, groups = 1, stages = 0, times = 1;
  std::int64_t elements = 0;
};

// Positions of a cache: `fuller` rows hold one more than `least`. A new one comes to row `entry`,
// and rows pass their oldest on, up to `top`.
struct KvRowsState {
  int rows = 1, top = 0, entry = 0;
  std::int64_t least = 0, fuller = 0;
};

struct OpWay {
  std::uint64_t completion = 0;
  int token = 0, op = 0;
  std::string kind;
  bool gemm = false, cutout = false;
  int rows = 1;
  std::int64_t positions = 1;
  std::vector<OpTerm> terms;
  std::vector<OpProduct> products;
  std::vector<OpReduce> reduces;
  std::optional<KvRowsState> kv;
};

struct MeshStalls {
  std::int64_t busy = 0, wavelet = 0, output = 0, bank = 0;
};

enum class CoreState : std::uint8_t { kIdle, kBusy, kWaitsForWavelet, kOutputFull };
inline constexpr int kMeshPorts = 5;  // north, east, south, west, ramp

// What a core does from a cycle on, or a wavelet that left its router.
struct MeshEvent {
  std::uint32_t cycle = 0;
  std::uint16_t core = 0;  // y x width + x
  bool isHop = false;
  CoreState state = CoreState::kIdle;
  std::uint16_t instruction = 0;
  std::uint8_t port = 0, color = 0;
};

struct CutoutRun {
  std::uint64_t completion = 0;
  int token = 0, op = 0;
  int width = 1, height = 1, ofWidth = 1, ofHeight = 1;
  std::int64_t cycles = 0, hops = 0, dropped = 0;
  MeshStalls stalls;
  double closedForm = 0;
  std::vector<std::string> instructions;
  std::vector<MeshEvent> events;  // in the order of their cycles
};

struct MeshQueue {
  int port = 0, color = 0, count = 0, room = 0;  // port 5: for the core
};
struct MeshSwitch {
  int color = 0, position = 0, positions = 1, from = 0, to = 0;  // ports, a bit each
};

struct CutoutSight {
  std::int64_t cycle = 0;
  int x = 0, y = 0;
  MeshStalls stalls;
  std::vector<MeshQueue> queues;
  std::vector<MeshSwitch> switches;
  std::vector<double> words;
};

}  // namespace waferpair::protocol

// SPDX-License-Identifier: GPL-3.0-or-later
// Other engines on the same file in the same run: llama-bench of llama.cpp where it is on the PATH,
// and that of ik_llama.cpp where the environment variable LLAMA_BENCH_IK names it.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::bench {

struct Peer {
  std::string name;     // "llama.cpp", "ik_llama.cpp"
  std::string program;  // its llama-bench
  // It takes "-d D -n N" for N tokens that D others precede; without this only "-gp D,N", whose
  // rate is that of all D + N tokens.
  bool hasDepth = true;
};
std::vector<Peer> findPeers();

struct PeerTest {
  std::string file;
  int threads = 1;
  int prompt = 0, tokens = 0;  // one of them: a prompt's tokens, or tokens decoded one by one
  int depth = 0;               // positions before them
  std::vector<std::string> options = {};  // more of the program's own
};

// Tokens/s of one repetition, for which it has two minutes. The error says what the program did
// instead of answering.
base::Result<double> measure(const Peer& peer, const PeerTest& test);

}  // namespace waferpair::bench

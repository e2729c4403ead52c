// SPDX-License-Identifier: GPL-3.0-or-later
// The sequences of a server in a file: their tokens and what the KV cache holds of them, so that a
// server that is started again need not compute them again. It holds the user's text.
//
// All numbers are little-endian.
//
//   header   "WAFERKV\n", u32 version, u32 KV format (tensor::KvFormat), u64 model, u64 bytes of a
//            page, u32 positions of a page, u32 sequences
//   index    for each sequence, that used last first: u32 positions, u32 zero, u64 hash of its
//            pages; then for each the ids of its tokens, u32; then for each a byte for each chunk
//            of its positions, 1, or 0 where windowed layers gave their pages back; then u64 hash
//            of all before it
//   pages    for each sequence those of each of its chunks, as kv_pool.h and kv_chunk.h say, and
//            behind them, of a model with recurrent layers, the arrays of the state behind its
//            tokens, as recurrent_state.h says: of each layer its matrices, then its rows, floats;
//            to the end
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/engine/sequence.h"

namespace waferpair::transformer {
class Model;
}

namespace waferpair::inference {

// The version of the file format, to be raised also when other numbers are computed for the same
// model and tokens.
inline constexpr std::uint32_t kSessionVersion = 2;

// The properties that a file must have been written with to be of use.
struct SessionKey {
  std::uint64_t model = 0;  // a hash: of metadata, tensors' shapes, samples of their bytes,
                            // kernels, activations
  tensor::KvFormat format = tensor::KvFormat::kF16;
  transformer::KvPages pages;
  transformer::StateShape states;
  int vocabulary = 0;
};
SessionKey sessionKey(const transformer::Model& model, tensor::KvFormat format,
                      tensor::Activations activations);

// A sequence of a file, in whose bytes the pages lie.
struct SavedSequence {
  std::vector<std::int32_t> tokens;
  std::vector<std::span<const std::byte>> chunks;  // as Sequence::restore takes them
  std::span<const std::byte> state = {};           // as it takes it
  std::size_t pages = 0;                           // of all of them, those for the state included
  std::uint64_t pagesHash = 0;
};

// Everything but the pages' hashes is checked. The error says what is wrong with `name`, and its
// remedy what to do.
base::Result<std::vector<SavedSequence>> parseSession(std::span<const std::byte> file,
                                                      const SessionKey& key,
                                                      const std::string& name);

// Replaces the file, that only its owner may read, as a whole or not at all. Saves the exact part
// of the sequences, the one used last first, as far as `mostBytes` of pages go; does nothing if
// that is none.
base::Result<void> saveSession(const std::string& path, const SessionKey& key,
                               std::span<const Sequence* const> sequences, std::size_t mostBytes);

// Puts what the file holds into a pool that is empty, as many of those used last as it has memory
// for; there need not be a file. What was read before an error is found stays.
base::Result<void> restoreSession(const std::string& path, const SessionKey& key,
                                  SequencePool& pool);

}  // namespace waferpair::inference

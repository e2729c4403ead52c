// SPDX-License-Identifier: GPL-3.0-or-later
// Writes small llama-architecture GGUF files with random weights and a byte-level tokenizer: for
// the tests of every room that needs a model but not what it says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/gguf/types.h"
#include "runtime/gguf/writer.h"

namespace waferpair::test {

struct TinyModel {
  int layers = 2;
  int width = 64;        // d
  int feedForward = 96;  // f
  int heads = 4;
  int kvHeads = 2;
  int vocabSize = 320;  // at least kTinyVocabulary; the rest are filler tokens that no text gives
  int contextLength = 256;
  int distinctRows = 0;  // of a matrix, those after them repeat them; 0: all. For large files
  gguf::TensorType type = gguf::TensorType::kQ8_0;  // of the matrices; norms are F32
  // The type of the embedding, where that is tied to the head; else it is as the others.
  std::optional<gguf::TensorType> headType = {};
  bool tiedEmbeddings = true;
  std::uint32_t seed = 1;
  std::string name = "tiny";
  std::string preTokenizer = "gpt-2";
  bool addBos = false, addEos = false;
  int pooling = 0;  // not 0: llama.pooling_type; with 4, which ranks, there is a head of two rows
  // In place of the first fillers, in this order: control tokens; tokens that are found in any
  // text; and tokens with these bytes that no text gives.
  std::vector<std::string> markers = {}, userDefined = {}, unreachable = {};
};

// Ids: 0..255 the bytes in the order of their values, then these, then a few merged words.
inline constexpr int kTinyEos = 256, kTinyFimPrefix = 257, kTinyFimSuffix = 258,
                     kTinyFimMiddle = 259, kTinyEot = 260, kTinyBos = 261;
inline constexpr int kTinyVocabulary = 280;

// The tokenizer of that vocabulary, for writers of models of other kinds.
void addTinyTokenizer(gguf::Writer& writer, const TinyModel& model);
// The keys of that model, its tokenizer with them, and no tensors.
void addTinyHeader(gguf::Writer& writer, const TinyModel& model);
// Everything but write(): a test may add keys or tensors of its own.
gguf::Writer makeTinyModel(const TinyModel& model);
base::Result<void> writeTinyModel(const std::string& path, const TinyModel& model = {});

}  // namespace waferpair::test

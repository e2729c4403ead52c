// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripted_model.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "runtime/gguf/writer.h"
#include "tests/support/tiny_model.h"

namespace waferpair::test {
namespace {

constexpr int kHeads = 4;
constexpr int kWidthStep = 64;
constexpr int kFeedForward = 32;
// The logit of the successor is this times the root of the width; all others are 0.
constexpr float kCertainty = 4;

// A matrix of zeros but for one column in some rows.
class Columns {
 public:
  Columns(std::size_t rows, std::size_t width) : width_(width), values_(rows * width) {}
  void set(std::size_t row, std::size_t column, float value) {
    values_[row * width_ + column] = value;
  }
  void addTo(gguf::Writer& writer, const std::string& name) const {
    writer.addTensor(name, gguf::TensorType::kF32, {width_, values_.size() / width_},
                     std::as_bytes(std::span(values_)));
  }

 private:
  std::size_t width_;
  std::vector<float> values_;
};

void addZeros(gguf::Writer& writer, const std::string& name, int rows, int columns) {
  Columns(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)).addTo(writer, name);
}

void addGains(gguf::Writer& writer, const std::string& name, int size, float gain) {
  const std::vector<float> gains(static_cast<std::size_t>(size), gain);
  writer.addTensor(name, gguf::TensorType::kF32, {gains.size()}, std::as_bytes(std::span(gains)));
}

}  // namespace

base::Result<void> writeScriptedModel(const std::string& path, const ScriptedModel& m) {
  TinyModel tiny{.contextLength = m.contextLength, .name = m.name};
  tiny.markers = m.controls;
  tiny.userDefined = m.userDefined;
  std::map<std::string, int> markers;
  int next = kTinyVocabulary;
  for (const auto* names : {&m.controls, &m.userDefined})
    for (const std::string& name : *names) markers.emplace(name, next++);
  std::vector<std::size_t> script;
  for (const std::string& piece : m.says) {
    const auto marker = markers.find(piece);
    if (marker != markers.end()) {
      script.push_back(static_cast<std::size_t>(marker->second));
      markers.erase(marker);
    } else {
      tiny.unreachable.push_back(piece);
      script.push_back(static_cast<std::size_t>(next++));
    }
  }
  script.push_back(kTinyEos);
  std::map<std::size_t, std::size_t> firstPlaces;  // by the token that a script is behind
  for (const auto& [control, pieces] : m.saysBehind) {
    const auto marker = markers.find(control);
    if (marker == markers.end())
      return tl::unexpected(base::Error("There is no control token " + control + "."));
    firstPlaces[static_cast<std::size_t>(marker->second)] = script.size();
    for (const std::string& piece : pieces) {
      tiny.unreachable.push_back(piece);
      script.push_back(static_cast<std::size_t>(next++));
    }
    script.push_back(kTinyEos);
  }
  tiny.vocabSize = next;
  // A column for each place in the script.
  const int places = static_cast<int>(script.size());
  tiny.width = (places + kWidthStep - 1) / kWidthStep * kWidthStep;
  tiny.layers = 1;
  tiny.heads = tiny.kvHeads = kHeads;
  tiny.feedForward = kFeedForward;
  gguf::Writer writer;
  addTinyHeader(writer, tiny);
  const auto width = static_cast<std::size_t>(tiny.width);
  const auto tokens = static_cast<std::size_t>(next);
  // Behind a token of the script comes the next one, and behind any other the first, or its own.
  std::vector<std::size_t> placeBehind(tokens, 0);
  for (std::size_t i = 0; i + 1 < script.size(); ++i)
    if (script[i] != kTinyEos) placeBehind[script[i]] = i + 1;
  for (const auto& [token, place] : firstPlaces) placeBehind[token] = place;
  Columns embedding(tokens, width), head(tokens, width);
  for (std::size_t token = 0; token < tokens; ++token) embedding.set(token, placeBehind[token], 1);
  for (std::size_t i = 0; i < script.size(); ++i) head.set(script[i], i, 1);
  embedding.addTo(writer, "token_embd.weight");
  addGains(writer, "blk.0.attn_norm.weight", tiny.width, 1);
  for (const char* name : {"q", "k", "v", "output"})
    addZeros(writer, std::string("blk.0.attn_") + name + ".weight", tiny.width, tiny.width);
  addGains(writer, "blk.0.ffn_norm.weight", tiny.width, 1);
  addZeros(writer, "blk.0.ffn_gate.weight", kFeedForward, tiny.width);
  addZeros(writer, "blk.0.ffn_up.weight", kFeedForward, tiny.width);
  addZeros(writer, "blk.0.ffn_down.weight", tiny.width, kFeedForward);
  addGains(writer, "output_norm.weight", tiny.width, kCertainty);
  head.addTo(writer, "output.weight");
  if (!m.chatTemplate.empty()) writer.addString("tokenizer.chat_template", m.chatTemplate);
  return writer.write(path);
}

}  // namespace waferpair::test

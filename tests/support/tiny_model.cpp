// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tiny_model.h"
#include "tests/support/stored_row.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <span>

#include "runtime/tensor/block_formats.h"

namespace waferpair::test {
namespace {

using tensor::Format;

// The byte-level alphabet, stated here a second time: printable bytes stand for themselves, the
// rest take U+0100 and up in order.
std::string spell(int byte) {
  const auto printable = [](int b) {
    return (b > 0x20 && b < 0x7f) || (b > 0xa0 && b < 0x100 && b != 0xad);
  };
  int character = byte;
  if (!printable(byte)) {
    character = 0x100;
    for (int b = 0; b < byte; ++b) character += printable(b) ? 0 : 1;
  }
  if (character < 0x80) return {static_cast<char>(character)};
  return {static_cast<char>(0xc0 | (character >> 6)), static_cast<char>(0x80 | (character & 63))};
}

constexpr std::pair<const char*, const char*> kMerges[] = {
    {" ", " "}, {"  ", "  "}, {"t", "h"},   {"th", "e"}, {"i", "n"},     {"r", "e"},
    {"o", "r"}, {"f", "or"},  {" ", "for"}, {"n", "t"},  {"in", "t"},    {"e", "t"},
    {"u", "r"}, {"ur", "n"},  {"r", "et"},  {"a", "n"},  {"ret", "urn"}, {" ", "the"},
};
static_assert(kTinyBos + 1 + static_cast<int>(std::size(kMerges)) == kTinyVocabulary);

std::string spellText(std::string_view text) {
  std::string out;
  for (const char c : text) out += spell(static_cast<unsigned char>(c));
  return out;
}

}  // namespace

void addTinyTokenizer(gguf::Writer& writer, const TinyModel& model) {
  constexpr std::int32_t kNormal = 1, kControl = 3, kUserDefined = 4, kUnused = 5;
  std::vector<std::string> tokens, merges;
  std::vector<std::int32_t> types;
  for (int byte = 0; byte < 256; ++byte) tokens.push_back(spell(byte));
  types.assign(tokens.size(), kNormal);
  for (const char* name :
       {"<eos>", "<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<eot>", "<bos>"}) {
    tokens.emplace_back(name);
    types.push_back(kControl);
  }
  for (const auto& [left, right] : kMerges) {
    merges.push_back(spellText(left) + " " + spellText(right));
    tokens.push_back(spellText(left) + spellText(right));
    types.push_back(kNormal);
  }
  for (const std::string& marker : model.markers) {
    tokens.push_back(marker);
    types.push_back(kControl);
  }
  for (const std::string& marker : model.userDefined) {
    tokens.push_back(marker);
    types.push_back(kUserDefined);
  }
  for (const std::string& text : model.unreachable) {
    tokens.push_back(spellText(text));
    types.push_back(kNormal);
  }
  while (static_cast<int>(tokens.size()) < model.vocabSize) {
    tokens.push_back("<filler_" + std::to_string(tokens.size()) + ">");
    types.push_back(kUnused);
  }
  writer.addString("tokenizer.ggml.model", "gpt2");
  writer.addString("tokenizer.ggml.pre", model.preTokenizer);
  writer.addStrings("tokenizer.ggml.tokens", tokens);
  writer.addInt32s("tokenizer.ggml.token_type", types);
  writer.addStrings("tokenizer.ggml.merges", merges);
  writer.addUint32("tokenizer.ggml.bos_token_id", kTinyBos);
  writer.addUint32("tokenizer.ggml.eos_token_id", kTinyEos);
  writer.addUint32("tokenizer.ggml.eot_token_id", kTinyEot);
  writer.addUint32("tokenizer.ggml.fim_pre_token_id", kTinyFimPrefix);
  writer.addUint32("tokenizer.ggml.fim_suf_token_id", kTinyFimSuffix);
  writer.addUint32("tokenizer.ggml.fim_mid_token_id", kTinyFimMiddle);
  writer.addBool("tokenizer.ggml.add_bos_token", model.addBos);
  if (model.addEos) writer.addBool("tokenizer.ggml.add_eos_token", true);
}

namespace {

Format formatOf(gguf::TensorType type) {
  return *tensor::findFormat(static_cast<std::uint32_t>(type));
}

class RandomTensors {
 public:
  RandomTensors(gguf::Writer& writer, const TinyModel& model)
      : writer_(writer), model_(model), random_(model.seed) {}

  // Scaled so that a product has about the variance of its input, as in a trained network.
  void matrix(const std::string& name, int rows, int cols) {
    matrix(name, rows, cols, model_.type);
  }
  void matrix(const std::string& name, int rows, int cols, gguf::TensorType type) {
    std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(cols)));
    std::vector<std::byte> data;
    std::vector<float> row(static_cast<std::size_t>(cols));
    const int distinct = model_.distinctRows > 0 ? std::min(rows, model_.distinctRows) : rows;
    for (int r = 0; r < distinct; ++r) {
      for (float& value : row) value = normal(random_);
      const auto bytes = storedRow(formatOf(type), row);
      data.insert(data.end(), bytes.begin(), bytes.end());
    }
    const std::size_t period = data.size();
    data.resize(period / static_cast<std::size_t>(distinct) * static_cast<std::size_t>(rows));
    // Whole stretches: a sanitizer looks at each access, and large models have many bytes.
    for (std::size_t done = period; done < data.size(); done *= 2)
      std::copy_n(data.begin(), std::min(done, data.size() - done),
                  data.begin() + static_cast<std::ptrdiff_t>(done));
    writer_.addTensor(name, type,
                      {static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows)}, data);
  }

  void gain(const std::string& name, int size) {
    std::uniform_real_distribution<float> near(0.5f, 1.5f);
    std::vector<float> values(static_cast<std::size_t>(size));
    for (float& value : values) value = near(random_);
    writer_.addTensor(name, gguf::TensorType::kF32, {values.size()},
                      std::as_bytes(std::span(values)));
  }

 private:
  gguf::Writer& writer_;
  const TinyModel& model_;
  std::mt19937 random_;
};

}  // namespace

void addTinyHeader(gguf::Writer& writer, const TinyModel& m) {
  writer.addString("general.architecture", "llama");
  writer.addString("general.name", m.name);
  writer.addFloat32("general.sampling.temp", 0);  // tests compare texts
  writer.addUint32("llama.block_count", static_cast<std::uint32_t>(m.layers));
  writer.addUint32("llama.embedding_length", static_cast<std::uint32_t>(m.width));
  writer.addUint32("llama.feed_forward_length", static_cast<std::uint32_t>(m.feedForward));
  writer.addUint32("llama.attention.head_count", static_cast<std::uint32_t>(m.heads));
  writer.addUint32("llama.attention.head_count_kv", static_cast<std::uint32_t>(m.kvHeads));
  writer.addUint32("llama.context_length", static_cast<std::uint32_t>(m.contextLength));
  writer.addFloat32("llama.attention.layer_norm_rms_epsilon", 1e-5f);
  writer.addFloat32("llama.rope.freq_base", 10000.0f);
  if (m.pooling != 0) writer.addUint32("llama.pooling_type", static_cast<std::uint32_t>(m.pooling));
  addTinyTokenizer(writer, m);
}

gguf::Writer makeTinyModel(const TinyModel& m) {
  gguf::Writer writer;
  addTinyHeader(writer, m);
  RandomTensors random(writer, m);
  const int kvWidth = m.width / m.heads * m.kvHeads;
  random.matrix("token_embd.weight", m.vocabSize, m.width,
                m.tiedEmbeddings ? m.headType.value_or(m.type) : m.type);
  for (int layer = 0; layer < m.layers; ++layer) {
    const std::string blk = "blk." + std::to_string(layer) + ".";
    random.gain(blk + "attn_norm.weight", m.width);
    random.matrix(blk + "attn_q.weight", m.width, m.width);
    random.matrix(blk + "attn_k.weight", kvWidth, m.width);
    random.matrix(blk + "attn_v.weight", kvWidth, m.width);
    random.matrix(blk + "attn_output.weight", m.width, m.width);
    random.gain(blk + "ffn_norm.weight", m.width);
    random.matrix(blk + "ffn_gate.weight", m.feedForward, m.width);
    random.matrix(blk + "ffn_up.weight", m.feedForward, m.width);
    random.matrix(blk + "ffn_down.weight", m.width, m.feedForward);
  }
  random.gain("output_norm.weight", m.width);
  if (!m.tiedEmbeddings) random.matrix("output.weight", m.vocabSize, m.width);
  if (m.pooling == 4) random.matrix("cls.output.weight", 2, m.width);
  return writer;
}

base::Result<void> writeTinyModel(const std::string& path, const TinyModel& model) {
  return makeTinyModel(model).write(path);
}

}  // namespace waferpair::test

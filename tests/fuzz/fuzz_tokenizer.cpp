// SPDX-License-Identifier: GPL-3.0-or-later
// Any text, by each pre-tokenizer and by a vocabulary with scores: the words follow one another
// without gap, and the tokens give the bytes back. The first byte chooses; the same bytes are also
// read as a vocabulary's file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/tokenizer/pre_tokenizer.h"
#include "runtime/tokenizer/tokenizer.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;

namespace {

tokenizer::Tokenizer makeTokenizer(const char* preTokenizer) {
  const auto bytes = test::makeTinyModel({.layers = 1, .preTokenizer = preTokenizer}).bytes();
  const auto file = gguf::File::parse(bytes, "tiny");
  return std::move(*tokenizer::Tokenizer::fromGguf(*file));
}

// A few letters and joined ones beside the bytes; text begins with a space.
tokenizer::Tokenizer makeScored() {
  std::vector<std::string> tokens{"<s>",
                                  "\xe2\x96\x81",
                                  "a",
                                  "b",
                                  "ab",
                                  "aba",
                                  "\xe2\x96\x81"
                                  "a",
                                  "é"};
  std::vector<std::int32_t> types(tokens.size(), 1);
  types[0] = 3;
  tokens.push_back("<user>");
  types.push_back(4);
  for (int byte = 0; byte < 256; ++byte) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    tokens.push_back({'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'});
    types.push_back(6);
  }
  std::vector<float> scores;
  for (std::size_t i = 0; i < tokens.size(); ++i) scores.push_back(-static_cast<float>(i % 5));
  gguf::Writer writer;
  writer.addString("tokenizer.ggml.model", "llama");
  writer.addStrings("tokenizer.ggml.tokens", tokens);
  writer.addInt32s("tokenizer.ggml.token_type", types);
  writer.addFloat32s("tokenizer.ggml.scores", scores);
  const auto bytes = writer.bytes();
  const auto file = gguf::File::parse(bytes, "scored");
  return std::move(*tokenizer::Tokenizer::fromGguf(*file));
}

void checkWords(std::string_view scheme, std::string_view text) {
  std::vector<std::size_t> ends;
  tokenizer::cutWords(tokenizer::findPreTokenizer(scheme)->scheme, text, ends);
  std::size_t last = 0;
  for (const std::size_t end : ends) {
    if (end <= last) std::abort();
    last = end;
  }
  if (last != text.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tokenizer::Tokenizer tokenizers[] = {
      makeTokenizer("gpt-2"),          makeTokenizer("starcoder"),
      makeTokenizer("deepseek-coder"), makeTokenizer("waferpair"),
      makeTokenizer("deepseek-llm"),   makeTokenizer("deepseek-v3"),
      makeTokenizer("llama-bpe"),      makeTokenizer("qwen2"),
      makeTokenizer("qwen35"),         makeTokenizer("seed-coder"),
      makeTokenizer("minicpm5"),       makeTokenizer("gpt-4o"),
      makeTokenizer("tekken"),         makeScored()};
  const std::span<const std::uint8_t> input(data, size);
  if (const auto file = gguf::File::parse(std::as_bytes(input), "fuzz")) {
    if (const auto read = tokenizer::Tokenizer::fromGguf(*file)) (void)read->encode("int main");
  }
  if (size == 0) return 0;

  const tokenizer::Tokenizer& tokenizer = tokenizers[data[0] % std::size(tokenizers)];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (!tokenizer.preTokenizer().empty()) checkWords(tokenizer.preTokenizer(), text);
  // A vocabulary with scores has one spelling for a space and for U+2581.
  const bool exact = !tokenizer.addsSpace() || text.find("\xe2\x96\x81") == text.npos;
  if (exact && tokenizer.decode(tokenizer.encode(text)) != text) std::abort();
  tokenizer::StreamDecoder stream(tokenizer);
  for (const std::int32_t id : tokenizer.encode(text, tokenizer::SpecialText::kParse)) {
    stream.push(id);
  }
  stream.finish();
  return 0;
}

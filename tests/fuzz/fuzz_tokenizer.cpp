// SPDX-License-Identifier: GPL-3.0-or-later
// Any text, by each pre-tokenizer: the words follow one another without gap, and the tokens give
// the bytes back. The first byte chooses the scheme; the same bytes are also read as a vocabulary's
// file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "runtime/gguf/file.h"
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tokenizer::Tokenizer tokenizers[] = {
      makeTokenizer("gpt-2"), makeTokenizer("starcoder"), makeTokenizer("deepseek-coder"),
      makeTokenizer("waferpair")};
  const std::span<const std::uint8_t> input(data, size);
  if (const auto file = gguf::File::parse(std::as_bytes(input), "fuzz")) {
    if (const auto read = tokenizer::Tokenizer::fromGguf(*file)) (void)read->encode("int main");
  }
  if (size == 0) return 0;

  const tokenizer::Tokenizer& tokenizer = tokenizers[data[0] % std::size(tokenizers)];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<std::size_t> ends;
  tokenizer::cutWords(*tokenizer::findPreTokenizer(tokenizer.preTokenizer()), text, ends);
  std::size_t last = 0;
  for (const std::size_t end : ends) {
    if (end <= last) std::abort();
    last = end;
  }
  const auto ids = tokenizer.encode(text);
  if (last != text.size() || tokenizer.decode(ids) != text) std::abort();
  tokenizer::StreamDecoder stream(tokenizer);
  for (const std::int32_t id : tokenizer.encode(text, tokenizer::SpecialText::kParse)) {
    stream.push(id);
  }
  stream.finish();
  return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what fuzzing begins from, for formats that are not text: make_seeds FOLDER
// One subfolder for each target; those of the others are in tests/fuzz/seeds.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/hash64.h"
#include "runtime/inference/engine/session_file.h"
#include "runtime/trace/format.h"
#include "tests/fuzz/session_key.h"
#include "tests/runtime/trace/sample_trace.h"
#include "tests/support/tiny_adapter.h"
#include "tests/support/tiny_architectures.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;

namespace {

namespace fs = std::filesystem;

fs::path top;

void write(const std::string& target, const std::string& name, std::string_view bytes) {
  fs::create_directories(top / target);
  std::ofstream(top / target / name, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string chars(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void ggufSeeds() {
  for (auto model : test::tinyArchitectures()) {
    model.layers = 1;
    write("fuzz_gguf", model.label, chars(test::makeTinyArchitecture(model).bytes()));
  }
  const std::vector<std::byte> model = test::makeTinyModel({.layers = 1}).bytes();
  const auto file = gguf::File::parse(model, "tiny.gguf");
  for (const float alpha : {0, 6})
    write("fuzz_adapter", alpha > 0 ? "all" : "one",
          chars(test::makeTinyAdapter(*file, {.alpha = alpha,
                                              .changes =
                                                  [alpha](std::string_view name) {
                                                    return alpha > 0 ||
                                                           name == "blk.0.ffn_up.weight";
                                                  }})
                    .bytes()));
  gguf::Writer writer;
  test::addTinyTokenizer(writer, {});
  write("fuzz_tokenizer", "vocabulary", chars(writer.bytes()));
}

// The first byte says how the target reads the rest.
void traceSeeds() {
  write("fuzz_trace", "header", '\0' + trace::encodeHeader(test::sampleHeader()));
  trace::StepEncoder encoder;
  for (const trace::Step& step : test::sampleSteps(20)) encoder.add(step);
  const std::string steps = encoder.take();
  write("fuzz_trace", "steps", '\1' + steps);
  const std::string header = trace::encodeHeader(test::sampleHeader());
  trace::Totals totals;
  for (const trace::Step& step : test::sampleSteps(20)) totals.add(step);
  const std::string end = trace::encodeTotals(totals);
  write("fuzz_trace", "file",
        '\2' + std::string(trace::kMagic) + trace::blockHead(trace::BlockKind::kLayout, header) +
            header + trace::blockHead(trace::BlockKind::kSteps, steps) + steps +
            trace::blockHead(trace::BlockKind::kEnd, end) + end);
}

template <typename Number>
void put(std::string& to, Number number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

// Two sequences, the second with a chunk whose windowed layers gave their pages back; the target
// puts the hash of the head right.
void sessionSeeds() {
  const inference::SessionKey& key = test::kFuzzSessionKey;
  std::string file = "WAFERKV\n";
  put(file, inference::kSessionVersion);
  put(file, static_cast<std::uint32_t>(key.format));
  put(file, key.model);
  put(file, std::uint64_t{key.pages.bytes});
  put(file, static_cast<std::uint32_t>(tensor::kChunk));
  const std::uint32_t positions[] = {3, static_cast<std::uint32_t>(tensor::kChunk) + 1};
  put(file, std::uint32_t{2});
  for (const std::uint32_t count : positions) {
    put(file, count);
    put(file, std::uint32_t{0});
    put(file, std::uint64_t{0});
  }
  for (const std::uint32_t count : positions) {
    for (std::uint32_t i = 0; i < count; ++i) put(file, i % 300);
  }
  file += std::string({1, 0, 1});
  put(file, std::uint64_t{0});
  const std::size_t pages = 2 * static_cast<std::size_t>(key.pages.ofChunk) +
                            static_cast<std::size_t>(key.pages.ofChunk - key.pages.windowed);
  file.append(pages * key.pages.bytes, 'k');
  write("fuzz_session_file", "two", file);
}

void codecSeeds() {
  write("fuzz_text_codec", "utf8", "caf\xc3\xa9\r\n\xf0\x9f\x99\x82\n");
  write("fuzz_text_codec", "utf8_mark",
        "\xef\xbb\xbf"
        "a\n\xc3\xa9\r");
  write("fuzz_text_codec", "windows1252", "caf\xe9 \x80 \x81\x9d\n");
  write("fuzz_text_codec", "utf16le",
        std::string_view("\xff\xfe"
                         "a\0\n\0\x3d\xd8\x42\xde",
                         10));
  write("fuzz_text_codec", "utf16be", std::string_view("\xfe\xff\0a\0\r\xd8\x3d\xde\x42", 10));
  write("fuzz_text_codec", "lone_surrogate",
        std::string_view("\xff\xfe\x3d\xd8"
                         "a\0",
                         6));
  write("fuzz_text_codec", "binary",
        std::string_view("\x7f"
                         "ELF\0\1\2",
                         7));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  top = argv[1];
  ggufSeeds();
  traceSeeds();
  sessionSeeds();
  codecSeeds();
  return 0;
}

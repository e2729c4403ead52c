// SPDX-License-Identifier: GPL-3.0-or-later
// make_tiny_model FILE [CONTEXT [SEED [CHAT TEMPLATE [large|embedding|ranking|encoder]]]]: a small
// random model for tests that start whole programs; a large one is called so and has some 100 MB of
// weights, one for embeddings is called so and pools by the mean, and so is one that ranks texts.
// An encoder, called so, pools by the mean, too, and has a context of 128.
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "tests/support/tiny_architectures.h"
#include "tests/support/tiny_model.h"

int main(int argc, char** argv) {
  if (argc < 2 || argc > 6) {
    std::cerr << "usage: make_tiny_model FILE [CONTEXT [SEED [CHAT TEMPLATE "
                 "[large|embedding|ranking|encoder]]]]\n";
    return 2;
  }
  // An encoder has a shape of its own.
  if (argc > 5 && std::string_view(argv[5]) == "encoder") {
    auto encoder = waferpair::test::tinyArchitecture("nomic-bert");
    encoder.label = "encoder";  // the model's name, too
    const auto written = waferpair::test::makeTinyArchitecture(encoder).write(argv[1]);
    if (!written) std::cerr << "make_tiny_model: " << written.error().message() << '\n';
    return written ? 0 : 1;
  }
  waferpair::test::TinyModel model;
  if (argc > 2) model.contextLength = std::atoi(argv[2]);
  if (argc > 3) model.seed = static_cast<std::uint32_t>(std::atoi(argv[3]));
  const std::string_view kind = argc > 5 ? argv[5] : "";
  if (kind == "embedding") {
    model.name = kind;
    model.pooling = 1;
  } else if (kind == "ranking") {
    model.name = kind;
    model.pooling = 4;
  } else if (!kind.empty()) {
    model.name = "large";
    model.layers = 6;
    model.width = 1024;
    model.feedForward = 4096;
    model.distinctRows = 16;
  }
  // The texts of a harmony template are told apart by control tokens alone.
  const std::string_view chatTemplate = argc > 4 ? argv[4] : "";
  if (chatTemplate.find("<|channel|>") != std::string_view::npos)
    model.markers = {"<|start|>", "<|channel|>", "<|constrain|>", "<|message|>",
                     "<|end|>",   "<|call|>",    "<|return|>"};
  auto writer = waferpair::test::makeTinyModel(model);
  writer.addString("waferpair.fim.order", "spm");  // as the model that comes with Waferpair
  if (kind == "ranking")
    writer.addString("tokenizer.chat_template.rerank",
                     "<bos>Query: {query}\nDocument: {document}<eos>");
  if (!chatTemplate.empty()) writer.addString("tokenizer.chat_template", chatTemplate);
  if (const auto written = writer.write(argv[1]); !written) {
    std::cerr << "make_tiny_model: " << written.error().message() << '\n';
    return 1;
  }
  return 0;
}

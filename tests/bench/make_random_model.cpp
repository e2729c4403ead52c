// SPDX-License-Identifier: GPL-3.0-or-later
// make_random_model FILE --size 15M|30M|60M|120M|1B --format Q8_0: a model of the shapes in which
// small code models are compared, with random weights, as speed does not depend on what they say.
#include <cstdint>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include "runtime/tensor/block_formats.h"
#include "tests/bench/random_shapes.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;

int main(int argc, char** argv) {
  std::string file, size = "15M", format = "Q8_0", head;
  CLI::App app{"Writes a model with random weights, for benchmarks"};
  app.add_option("file", file, "GGUF file to write")->required();
  app.add_option("--size", size)->check(CLI::IsMember(&bench::randomShapes()));
  app.add_option("--format", format, tensor::formatNames());
  app.add_option("--head", head, "format of the embedding and head, if another");
  CLI11_PARSE(app, argc, argv);

  test::TinyModel model = bench::randomShapes().at(size);
  const auto typeOf = [&](const std::string& name) {
    const auto f = tensor::parseFormat(name);
    if (!f) {
      std::cerr << "make_random_model: " << f.error().message() << "\n";
      std::exit(2);
    }
    if (tensor::rowBytes(*f, model.width) == 0 || tensor::rowBytes(*f, model.feedForward) == 0) {
      std::cerr << "make_random_model: rows of the " << size << " shape are no whole blocks of "
                << name << "\n";
      std::exit(2);
    }
    return static_cast<gguf::TensorType>(tensor::infoOf(*f).ggmlType);
  };
  model.type = typeOf(format);
  if (!head.empty()) model.headType = typeOf(head);
  if (const auto written = test::writeTinyModel(file, model); !written) {
    std::cerr << "make_random_model: " << written.error().message() << '\n';
    return 1;
  }
  return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// make_tiny_adapter FILE MODEL: a low-rank adapter with random numbers for all matrices of a model.
#include <iostream>

#include "tests/support/tiny_adapter.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: make_tiny_adapter FILE MODEL\n";
    return 2;
  }
  const auto model = waferpair::gguf::File::open(argv[2]);
  if (!model) {
    std::cerr << "make_tiny_adapter: " << model.error().message() << '\n';
    return 1;
  }
  if (const auto written = waferpair::test::makeTinyAdapter(*model).write(argv[1]); !written) {
    std::cerr << "make_tiny_adapter: " << written.error().message() << '\n';
    return 1;
  }
  return 0;
}

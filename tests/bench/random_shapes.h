// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes in which small code models are compared: heads of 64, a tied vocabulary of 16,384.
// Their weights are random, as speed does not depend on what they say.
#pragma once

#include <map>
#include <string>

#include "tests/support/tiny_model.h"

namespace waferpair::bench {

inline const std::map<std::string, test::TinyModel>& randomShapes() {
  const auto shape = [](const char* name, int layers, int width, int feedForward, int heads,
                        int kvHeads) {
    return test::TinyModel{.layers = layers,
                           .width = width,
                           .feedForward = feedForward,
                           .heads = heads,
                           .kvHeads = kvHeads,
                           .vocabSize = 16384,
                           .contextLength = 4352,  // 4,000 and a few steps more
                           .distinctRows = 512,
                           .name = std::string("random ") + name};
  };
  static const std::map<std::string, test::TinyModel> shapes{
      {"15M", shape("15M", 6, 384, 1024, 6, 2)},
      {"30M", shape("30M", 8, 512, 1280, 8, 2)},
      {"60M", shape("60M", 8, 768, 2048, 12, 4)},
      {"120M", shape("120M", 10, 1024, 2560, 16, 4)},
      {"1B", shape("1B", 16, 2048, 8192, 32, 8)}};
  return shapes;
}

}  // namespace waferpair::bench

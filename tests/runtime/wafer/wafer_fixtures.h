// SPDX-License-Identifier: GPL-3.0-or-later
// Machines, profiles and shapes for the wafer tests.
#pragma once

#include <QFile>
#include <QtTest>
#include <random>

#include "runtime/wafer/plan/plan.h"
#include "tests/support/paths.h"

namespace waferpair::test {

// A result that must hold; a failed one ends the test with its message.
template <typename T>
T required(base::Result<T> result) {
  if (!result) qFatal("%s", result.error().message().c_str());
  return std::move(*result);
}

inline wafer::Machine machine(const char* name) { return required(wafer::findMachine(name)); }
inline wafer::Profile profile(const char* name) { return required(wafer::findProfile(name)); }

inline wafer::ModelShape llama8b() {
  return {"LLaMA3-8B", 4096, 14336, 32, 32, 8, 128, 128256, 8192, false};
}

// About what the default model of the program is like.
inline wafer::ModelShape smallShape() { return {"small", 256, 768, 5, 8, 4, 32, 8192, 1024, true}; }

inline wafer::Plan smallPlan() {
  return required(wafer::plan(smallShape(), machine("wse3"), profile("waferllm-2025-wse3")));
}

// Returns true if docs/wafer-model.md has this line of a table.
inline bool documented(const QString& line) {
  QFile page(QString::fromStdString(test::sourceDir() + "/docs/wafer-model.md"));
  if (!page.open(QIODevice::ReadOnly)) qFatal("docs/wafer-model.md cannot be read");
  return QString::fromUtf8(page.readAll()).split('\n').contains(line);
}

// Returns a shape from tiny to larger than a wafer, with sizes that divide nothing.
inline wafer::ModelShape randomShape(std::mt19937& random) {
  auto upTo = [&](double low, double high) {  // even on a logarithmic scale
    std::uniform_real_distribution<double> exponent(std::log(low), std::log(high));
    return static_cast<int>(std::exp(exponent(random)));
  };
  wafer::ModelShape s;
  s.kvHeads = upTo(1, 16);
  s.heads = s.kvHeads * upTo(1, 9);
  s.headDim = upTo(8, 257);
  s.hiddenSize = upTo(16, 12000);
  s.intermediateSize = upTo(16, 40000);
  s.layers = upTo(1, 100);
  s.vocabSize = upTo(10, 200000);
  s.maxContext = upTo(1, 20000);
  return s;
}

}  // namespace waferpair::test

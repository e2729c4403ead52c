// SPDX-License-Identifier: GPL-3.0-or-later
// Files of tiny architectures, and what loading them says, for the tests of architectures.
#pragma once

#include <QtTest>
#include <memory>
#include <string>

#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/tiny_architectures.h"

namespace waferpair::transformer {

using test::TinyArchitecture;
using TinyKeys = decltype(TinyArchitecture::keys);

constexpr int kVocabulary = test::kTinyArchitectureVocabulary;

// Empty if the file loads.
inline base::Error errorOf(const gguf::Writer& writer) {
  const auto bytes = writer.bytes();
  auto file = gguf::File::parse(bytes, "tiny.gguf");
  if (!file) qFatal("%s", file.error().message().c_str());
  const auto model = Model::load(std::make_shared<const gguf::File>(std::move(*file)));
  return model ? base::Error{} : model.error();
}

inline void everyTinyArchitecture() {
  QTest::addColumn<QString>("label");
  for (const TinyArchitecture& model : test::tinyArchitectures()) {
    QTest::addRow("%s", model.label.c_str()) << QString::fromStdString(model.label);
  }
}

}  // namespace waferpair::transformer

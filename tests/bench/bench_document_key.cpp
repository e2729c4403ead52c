// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what one key in an open text costs where texts are kept: told to subscribers of
// DocumentSync, kept for a recovery copy, and told to the engine's known documents. Each stands
// beside the same with a copy of the whole text, by turns; medians of rounds of 200 keys, in
// microseconds.
#include <QByteArray>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "editor/assist/document_sync.h"
#include "runtime/gguf/file.h"
#include "runtime/inference/engine/known_documents.h"
#include "tests/support/tiny_model.h"

namespace {

using namespace waferpair;
using Clock = std::chrono::steady_clock;

constexpr int kKeys = 200;
constexpr int kRounds = 15;

std::string someCode(std::size_t bytes) {
  std::string text;
  for (int line = 0; text.size() < bytes; ++line)
    text += "  total += values[" + std::to_string(line) + "] * weight;\n";
  text.resize(bytes);
  return text;
}

// Holds what it was told last, as the client of the model server does.
class Holder : public editor::DocumentSubscriber {
 public:
  void opened(const editor::SyncedDocument& document) override { text = document.text; }
  void changed(const editor::SyncedDocument& document, const QVector<editor::TextEdit>&) override {
    text = document.text;
  }
  void closed(const editor::DocumentId&) override {}
  editor::Snapshot text;
};

template <typename Key>
double microseconds(Key key) {
  const auto start = Clock::now();
  for (int i = 0; i < kKeys; ++i) key();
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / kKeys;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// `ours` and `whole` type the same keys.
template <typename Ours, typename Whole>
void row(const char* name, std::size_t bytes, Ours ours, Whole whole) {
  std::array<std::vector<double>, 2> times;
  for (int round = 0; round < kRounds; ++round) {
    times[0].push_back(microseconds(ours));
    times[1].push_back(microseconds(whole));
  }
  const double by = median(times[0]);
  const double copied = median(times[1]);
  std::printf("| %-34s | %5.1f MB | %9.2f | %9.2f | %8.1f |\n", name,
              static_cast<double>(bytes) / 1e6, by, copied, copied / by);
}

void benchSync(std::size_t bytes) {
  const std::string text = someCode(bytes);
  editor::DocumentSync sync;
  std::array<Holder, 3> holders;
  for (Holder& holder : holders) sync.subscribe(&holder);
  sync.open({.id = QStringLiteral("/a.cpp"),
             .language = {},
             .version = 1,
             .text = editor::Snapshot(QByteArrayView(text))});
  std::mt19937 random(1);
  const auto place = [&] { return static_cast<qint64>(random() % bytes); };
  qint64 version = 1;
  editor::Snapshot now = sync.find(QStringLiteral("/a.cpp"))->text;
  QByteArray plain = QByteArray::fromStdString(text);
  QByteArray copy;
  row(
      "made and told to three subscribers", bytes,
      [&] {
        const qint64 at = place();
        now = now.replaced(at, at, "k");
        sync.change(QStringLiteral("/a.cpp"), ++version, {{at, at, "k"}}, now);
      },
      [&] {
        plain.insert(place(), 'k');
        copy = QByteArray(plain.constData(), plain.size());
      });
}

void benchKnown(std::size_t bytes, const tokenizer::Tokenizer& tokenizer) {
  std::string text = someCode(bytes);
  inference::KnownDocuments byEdits(tokenizer);
  inference::KnownDocuments byTexts(tokenizer);
  for (inference::KnownDocuments* documents : {&byEdits, &byTexts}) {
    documents->changed(1, "a", text);
    while (!documents->upToDate()) documents->refresh();
  }
  std::mt19937 random(1);
  std::string other = text;
  const auto edit = [&random](std::string& in) {
    const std::size_t at = random() % in.size();
    in[at] = 'k';
    return inference::DocumentEdit{at, at + 1, "k"};
  };
  row(
      "known documents: told and taken in", bytes,
      [&] {
        const inference::DocumentEdit made = edit(text);
        byEdits.edited(1, "a", std::span(&made, 1), text);
        byEdits.refresh();
      },
      [&] {
        edit(other);
        byTexts.changed(1, "a", other);
        byTexts.refresh();
      });
}

}  // namespace

int main() {
  std::printf(
      "| a key                              |   text    | by edits  | by copies |    times |\n"
      "|------------------------------------|-----------|-----------|-----------|----------|\n");
  for (const std::size_t bytes : {std::size_t{1'000'000}, std::size_t{10'000'000}})
    benchSync(bytes);
  const auto bytes = test::makeTinyModel({}).bytes();
  const auto file = gguf::File::parse(bytes, "tiny.gguf");
  const auto tokenizer = file ? tokenizer::Tokenizer::fromGguf(*file)
                              : base::Result<tokenizer::Tokenizer>(tl::unexpected(file.error()));
  if (!tokenizer) {
    std::fprintf(stderr, "%s\n", tokenizer.error().message().c_str());
    return 1;
  }
  benchKnown(1'000'000, *tokenizer);
  return 0;
}

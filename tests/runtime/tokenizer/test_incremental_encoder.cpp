// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is done to a text, its tokens are those of encoding it as a whole. The vocabularies of
// other models lie outside the repository: where they are absent their tests are skipped.
#include <QtTest>
#include <random>
#include <string>

#include "runtime/gguf/file.h"
#include "runtime/tokenizer/incremental_encoder.h"
#include "runtime/tokenizer/pre_tokenizer.h"
#include "tests/support/paths.h"

namespace waferpair::tokenizer {

namespace {

// The snippets that pre-tokenizers treat in their own ways, among plenty of letters.
constexpr const char* kSnippets[] = {"foo",
                                     "Bar",
                                     "HTTPServer",
                                     "x",
                                     " ",
                                     "  ",
                                     "    ",
                                     "\n",
                                     "\n\n",
                                     "\r\n",
                                     "\t",
                                     "(",
                                     ")",
                                     "{}",
                                     "[i]",
                                     ";",
                                     ", ",
                                     ".",
                                     "'s",
                                     "'LL",
                                     "'",
                                     "\"",
                                     "_",
                                     "__init__",
                                     "12",
                                     "3456",
                                     "0x7f",
                                     "//",
                                     "/* */",
                                     "+=",
                                     "==",
                                     "<<",
                                     "#",
                                     "!!!",
                                     "\xc3\xa9",
                                     "\xce\xb1\xce\xb2",
                                     "\xe4\xb8\xad",
                                     "\xe2\x96\x81",
                                     "\xf0\x9f\x98\x80",
                                     "\xcc\x81",
                                     "\xff",
                                     "\xe2\x82",
                                     "\xc2\xa0",
                                     "\xe3\x80\x80",
                                     "\x01",
                                     "<|endoftext|>",
                                     "return value",
                                     "for (int i = 0; i < n; ++i) {\n  sum += values[i];\n}\n"};

std::string anyText(std::mt19937& random, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += kSnippets[random() % std::size(kSnippets)];
  return text;
}

void edit(std::string& text, std::mt19937& random) {
  // Mostly near the end, as typing does.
  const std::size_t near = std::min<std::size_t>(text.size(), random() % 2 ? 8 : text.size());
  const std::size_t at = text.size() - (near == 0 ? 0 : random() % (near + 1));
  switch (random() % 4) {
    case 0:
      text.erase(at, random() % 20);
      break;
    case 1:
      text.resize(at);
      break;
    default:
      text.insert(at, kSnippets[random() % std::size(kSnippets)]);
  }
}

}  // namespace

class TestIncrementalEncoder : public QObject {
  Q_OBJECT

 private slots:
  // Tests every scheme, also those whose vocabularies are not here.
  void surelyPartedWordsAreCutApart() {
    std::mt19937 random(3);
    int places = 0;
    for (int scheme = 0; scheme <= static_cast<int>(PreTokenizer::kWaferpair); ++scheme) {
      const auto cut = [&](std::string_view text) {
        std::vector<std::size_t> ends;
        cutWords(static_cast<PreTokenizer>(scheme), text, ends);
        return ends;
      };
      for (int i = 0; i < 300; ++i) {
        const std::string text = anyText(random, 60);
        const std::vector<std::size_t> whole = cut(text);
        for (std::size_t at = 1; at < text.size(); ++at) {
          if (!surelyParted(text[at - 1], text[at])) continue;
          std::vector<std::size_t> parts = cut(std::string_view(text).substr(0, at));
          for (const std::size_t end : cut(std::string_view(text).substr(at)))
            parts.push_back(at + end);
          QVERIFY2(parts == whole, qPrintable(QString::number(scheme) + ": " +
                                              QByteArray::fromStdString(text).toPercentEncoding()));
          ++places;
        }
      }
    }
    QVERIFY(places > 10'000);
  }

  void editsGiveTheTokensOfTheWhole_data() {
    QTest::addColumn<QString>("path");
    const QString root = QString::fromStdString(test::sourceDir());
    QTest::newRow("waferpair") << root + "/resources/models/waferpair-mini.gguf";
    for (const char* model : {"gpt-2", "starcoder", "deepseek-coder", "llama-spm"})
      QTest::newRow(model) << root + "/../shared/tokenizers/ggml-vocab-" + model + ".gguf";
  }
  void editsGiveTheTokensOfTheWhole() {
    QFETCH(QString, path);
    if (!QFile::exists(path)) QSKIP("the vocabulary is not here");
    const auto file = gguf::File::open(path.toStdString());
    QVERIFY2(file.has_value(), file ? "" : file.error().message().c_str());
    const auto tokenizer = Tokenizer::fromGguf(*file);
    QVERIFY2(tokenizer.has_value(), tokenizer ? "" : tokenizer.error().message().c_str());
    std::mt19937 random(5);
    for (const TextStart start : {TextStart::kFresh, TextStart::kContinues}) {
      for (int document = 0; document < 20; ++document) {
        IncrementalEncoder encoder(*tokenizer, start);
        std::string text = anyText(random, random() % 1500);
        for (int i = 0; i < 60; ++i, edit(text, random))
          QVERIFY2(encoder.encode(text) == tokenizer->encode(text, SpecialText::kPlain, start),
                   QByteArray::fromStdString(text).toPercentEncoding());
      }
    }
  }
};

}  // namespace waferpair::tokenizer

QTEST_APPLESS_MAIN(waferpair::tokenizer::TestIncrementalEncoder)
#include "test_incremental_encoder.moc"

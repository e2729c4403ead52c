// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "runtime/gguf/file.h"
#include "runtime/inference/engine/known_documents.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

class TestKnownDocuments : public QObject {
  Q_OBJECT

  std::vector<std::byte> bytes_;
  std::optional<tokenizer::Tokenizer> tokenizer_;

  // How the index goes on after `text`.
  std::string after(const KnownDocuments& documents, ClientId client, const std::string& text,
                    int most = 8) const {
    return tokenizer_->decode(documents.of(client).propose(tokenizer_->encode(text), most).tokens);
  }
  static void finish(KnownDocuments& documents) {
    for (int pieces = 0; !documents.upToDate(); ++pieces) {
      documents.refresh();
      if (pieces == 100'000) qFatal("it never ends");
    }
  }
  static constexpr std::string_view kLetters = "bcdgjklmpqsvwxyz";  // one token each: none merges
  static std::string randomText(std::mt19937& random, int lines) {
    std::string text;
    for (int line = 0; line < lines; ++line) {
      text.append(random() % 4, ' ');
      for (int i = 0; i < 12; ++i) text += kLetters[random() % kLetters.size()];
      text += random() % 9 == 0 ? "\xC3\xA9\n" : "\n";
    }
    return text;
  }

 private slots:
  void initTestCase() {
    bytes_ = test::makeTinyModel({}).bytes();
    const auto file = gguf::File::parse(bytes_, "tiny.gguf");
    auto made = tokenizer::Tokenizer::fromGguf(*file);
    QVERIFY(made.has_value());
    tokenizer_.emplace(std::move(*made));
  }

  void documentsOfAClientAreFoundByItAlone() {
    KnownDocuments documents(*tokenizer_);
    QVERIFY(documents.upToDate());
    documents.changed(1, "a", "int first = 1;\n");
    documents.changed(1, "b", "float second = 2;\n");
    QVERIFY(!documents.upToDate());
    finish(documents);
    QCOMPARE(after(documents, 1, "int fi"), std::string("rst = 1;"));
    QCOMPARE(after(documents, 1, "float "), std::string("second ="));
    QCOMPARE(after(documents, 2, "int fi"), std::string());
  }

  void namesAreKnownByDocument() {
    KnownDocuments documents(*tokenizer_);
    documents.changed(1, "a", "int firstName = 1;\n");
    documents.changed(1, "b", "float firstNumber = firstNumb;\n");
    finish(documents);
    const auto names = [&](ClientId client, int without) {
      std::vector<std::string> found;
      documents.namesOf(client).gather("firstN", without, found);
      return found;
    };
    QCOMPARE(names(1, DraftIndex::kNobody),
             (std::vector<std::string>{"firstName", "firstNumb", "firstNumber"}));
    QCOMPARE(names(1, documents.ownerOf(1, "b")), std::vector<std::string>{"firstName"});
    QVERIFY(names(2, DraftIndex::kNobody).empty());
  }

  void editsAreTakenIn() {
    KnownDocuments documents(*tokenizer_);
    documents.changed(1, "a", "alpha beta\ngamma delta\n");
    finish(documents);
    documents.changed(1, "a", "alpha beta\ngamma epsilon\n");
    finish(documents);
    QCOMPARE(after(documents, 1, "gamma ", 7), std::string("epsilon"));
    QCOMPARE(after(documents, 1, "alp", 4), std::string("ha b"));
  }

  void whatIsClosedOrTooLargeIsForgotten() {
    KnownDocuments documents(*tokenizer_);
    documents.changed(1, "a", "only here");
    finish(documents);
    documents.closed(1, "a");
    finish(documents);
    QCOMPARE(after(documents, 1, "only"), std::string());
    documents.changed(1, "b", "again" + std::string(KnownDocuments::kMostBytes, 'x'));
    finish(documents);
    QCOMPARE(after(documents, 1, "agai"), std::string());
    documents.changed(1, "c", "here and there");
    documents.left(1);
    finish(documents);
    QCOMPARE(after(documents, 1, "here"), std::string());
  }

  // And the index does not grow without bounds.
  void everyLineIsThereAfterAnyEdits() {
    std::mt19937 random(11);
    KnownDocuments documents(*tokenizer_);
    std::string text = randomText(random, 900);  // several pieces
    documents.changed(7, "a", text);
    for (int edit = 0; edit < 300; ++edit) {
      const auto lineStart = [&] {
        return text.rfind('\n', random() % text.size()) + 1;  // 0 where there is none before
      };
      const std::size_t at = lineStart();
      const std::size_t end = random() % 3 == 0 ? text.find('\n', at) + 1 : at;
      text.replace(at, end - at, randomText(random, static_cast<int>(random() % 5)));
      documents.changed(7, "a", text);
      if (random() % 3 == 0) documents.refresh();  // edits come before all is taken in
      if (edit % 60 != 59) continue;
      finish(documents);
      for (std::size_t line = 0; line < text.size();) {
        const std::size_t lineEnd = text.find('\n', line);
        const std::string words = text.substr(line, lineEnd - line);
        const auto tokens = tokenizer_->encode(words.substr(words.find_first_not_of(' ')));
        const auto all = documents.of(7).tokens();
        const auto found = std::search(all.begin(), all.end(), tokens.begin(), tokens.end());
        QVERIFY2(found != all.end(), words.c_str());
        line = lineEnd + 1;
      }
    }
    for (int i = 0; i < 2000; ++i) {
      text[text.size() / 2] = kLetters[static_cast<std::size_t>(i) % kLetters.size()];
      documents.changed(7, "a", text);
      finish(documents);
    }
    QVERIFY(documents.of(7).tokens().size() < 4 * text.size() + 100'000);
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestKnownDocuments)
#include "test_known_documents.moc"

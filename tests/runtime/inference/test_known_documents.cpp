// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <atomic>
#include <barrier>
#include <chrono>
#include <random>
#include <thread>

#include "runtime/gguf/file.h"
#include "runtime/inference/engine/known_documents.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

class TestKnownDocuments : public QObject {
  Q_OBJECT

  std::vector<std::byte> bytes_;
  std::optional<tokenizer::Tokenizer> tokenizer_;

  // Returns how the index goes on after `text`.
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

  // Copies prefer the latest place: which that is must not depend on when the worker found time.
  void textsComeIntoTheIndexAsTheyWereTold() {
    std::mt19937 random(11);
    const std::vector<std::pair<std::string, std::string>> texts = {{"m", randomText(random, 900)},
                                                                    {"z", "int first = 1;\n"},
                                                                    {"a", "int first = 2;\n"},
                                                                    {"c", randomText(random, 500)},
                                                                    {"b", "int first = 3;\n"}};
    const auto told = [&](int refreshesBetween) {
      auto documents = std::make_unique<KnownDocuments>(*tokenizer_);
      for (const auto& [name, text] : texts) {
        documents->changed(1, name, text);
        for (int i = 0; i < refreshesBetween; ++i) documents->refresh();
      }
      finish(*documents);
      return documents;
    };
    const auto together = told(0);
    QCOMPARE(after(*together, 1, "int first = ", 1), std::string("3"));
    for (std::size_t i = 0; i < texts.size(); ++i)
      QCOMPARE(together->ownerOf(1, texts[i].first), static_cast<int>(i));
    const std::span<const std::int32_t> tokens = together->of(1).tokens();
    for (const int refreshes : {1, 2, 50}) {
      const auto apart = told(refreshes);
      QVERIFY(std::ranges::equal(apart->of(1).tokens(), tokens));
    }
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

  void editsOfUnknownTextAreNothing() {
    KnownDocuments documents(*tokenizer_);
    documents.edited(1, "a", std::vector<DocumentEdit>{{0, 0, "int first = 1;\n"}},
                     "int first = 1;\nint second = 2;\n");
    finish(documents);
    QCOMPARE(after(documents, 1, "int fi"), std::string());
    documents.changed(1, "a", "int first = 1;\n");
    documents.closed(1, "a");
    documents.edited(1, "a", std::vector<DocumentEdit>{{0, 0, "x"}}, "xint first = 1;\n");
    finish(documents);
    QCOMPARE(after(documents, 1, "int fi"), std::string());
  }

  // A text that was too large is known once it is not, though only an edit tells of it.
  void whatWasLeftOutComesBackByAnEdit() {
    KnownDocuments documents(*tokenizer_);
    std::string text = "int first = 1;\n" + std::string(KnownDocuments::kMostBytes, 'x');
    documents.changed(1, "a", text);
    finish(documents);
    QCOMPARE(after(documents, 1, "int fi"), std::string());
    const DocumentEdit cut{20, text.size(), ""};
    text.resize(20);
    documents.edited(1, "a", std::span(&cut, 1), text);
    finish(documents);
    QCOMPARE(after(documents, 1, "int fi"), std::string("rst = 1;"));
    // And is left out again when an edit makes it too large.
    const DocumentEdit grow{0, 0, std::string(KnownDocuments::kMostBytes, 'y')};
    text = grow.text + text;
    documents.edited(1, "a", std::span(&grow, 1), text);
    finish(documents);
    QCOMPARE(after(documents, 1, "int fi"), std::string());
  }

  // The texts of all documents together are known up to a limit; a text that gives way comes back
  // with its next edit.
  void whatHasNoRoomComesBackWhenThereIsSome() {
    KnownDocuments documents(*tokenizer_);
    const std::string line = "bcdgjk mpqsvw\n";
    std::string large;
    while (large.size() + line.size() <= KnownDocuments::kMostBytes) large += line;
    const auto most = KnownDocuments::kMostBytesOfAll / large.size();
    for (std::size_t i = 0; i < most; ++i) documents.changed(1, std::to_string(i), large);
    std::string text = "int first = 1;\n";
    while (text.size() + line.size() <= KnownDocuments::kMostBytes) text += line;
    documents.changed(1, "late", text);
    documents.refresh();
    for (std::size_t i = 1; i < most; ++i) documents.closed(1, std::to_string(i));
    finish(documents);
    QVERIFY(documents.ownerOf(1, "0") != DraftIndex::kNobody);
    QCOMPARE(documents.ownerOf(1, "late"), DraftIndex::kNobody);
    const DocumentEdit key{0, 0, "x"};
    text = "x" + text;
    documents.edited(1, "late", std::span(&key, 1), text);
    finish(documents);
    QVERIFY(documents.ownerOf(1, "late") != DraftIndex::kNobody);
    QCOMPARE(after(documents, 1, "int fi"), std::string("rst = 1;"));
  }

  void manyThreadsTellAtOnce() {
    KnownDocuments documents(*tokenizer_);
    constexpr int kThreads = 4;
    constexpr int kDocuments = 300;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&documents, t] {
        for (int i = 0; i < kDocuments; ++i) {
          const std::string name = std::to_string(t) + '/' + std::to_string(i);
          documents.changed(1, name, "int x;\n");
          documents.edited(1, name, std::vector<DocumentEdit>{{4, 5, "y"}}, "int y;\n");
        }
      });
    }
    for (int i = 0; i < 200; ++i) documents.refresh();
    for (std::thread& thread : threads) thread.join();
    finish(documents);
    for (int t = 0; t < kThreads; ++t)
      for (int i = 0; i < kDocuments; ++i)
        QVERIFY(documents.ownerOf(1, std::to_string(t) + '/' + std::to_string(i)) !=
                DraftIndex::kNobody);
    QCOMPARE(after(documents, 1, "int ", 1), std::string("y"));
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
  void everyLineIsThereAfterAnyEdits_data() {
    QTest::addColumn<bool>("byEdits");
    QTest::newRow("told whole") << false;
    QTest::newRow("told by edits") << true;
  }
  void everyLineIsThereAfterAnyEdits() {
    QFETCH(bool, byEdits);
    std::mt19937 random(11);
    KnownDocuments documents(*tokenizer_);
    const auto tell = [&](const DocumentEdit& edit, const std::string& whole) {
      if (byEdits)
        documents.edited(7, "a", std::span(&edit, 1), whole);
      else
        documents.changed(7, "a", whole);
    };
    std::string text = randomText(random, 900);  // several pieces
    documents.changed(7, "a", text);
    for (int edit = 0; edit < 300; ++edit) {
      const auto lineStart = [&] {
        return text.rfind('\n', random() % text.size()) + 1;  // 0 where there is none before
      };
      const std::size_t at = lineStart();
      const std::size_t end = random() % 3 == 0 ? text.find('\n', at) + 1 : at;
      const DocumentEdit change{at, end, randomText(random, static_cast<int>(random() % 5))};
      text.replace(at, end - at, change.text);
      tell(change, text);
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
      const std::size_t middle = text.size() / 2;
      text[middle] = kLetters[static_cast<std::size_t>(i) % kLetters.size()];
      tell({middle, middle + 1, text.substr(middle, 1)}, text);
      finish(documents);
    }
    QVERIFY(documents.of(7).tokens().size() < 4 * text.size() + 100'000);
  }

  // News come from any thread, all at once and while one reads them in: none is lost, and no
  // memory.
  void newsComeFromSeveralThreads() {
    constexpr int kWriters = 4, kNames = 1000, kEach = 100'000;
    KnownDocuments documents(*tokenizer_);
    std::atomic<int> writing = kWriters;
    std::barrier together(kWriters);
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer)
      writers.emplace_back([&, client = static_cast<ClientId>(writer + 1)] {
        together.arrive_and_wait();
        for (int i = 0; i < kEach; ++i) {
          const std::string name = std::to_string(i % kNames);
          documents.changed(client, name, "x" + name);
          if (i % 4 == 0) documents.closed(client, name);
          documents.changed(99, name, "gone");
          if (i % kNames == kNames - 1) documents.left(99);
        }
        documents.left(99);
        --writing;
      });
    while (writing > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      documents.refresh();
    }
    finish(documents);
    for (ClientId client = 1; client <= kWriters; ++client)
      for (int i = 0; i < kNames; ++i)
        if (i % 4 != 0)
          QVERIFY(documents.ownerOf(client, std::to_string(i)) != DraftIndex::kNobody);
    QCOMPARE(documents.ownerOf(99, "0"), DraftIndex::kNobody);
    QVERIFY(documents.of(99).tokens().empty());
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestKnownDocuments)
#include "test_known_documents.moc"

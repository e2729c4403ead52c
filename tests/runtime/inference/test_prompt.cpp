// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <filesystem>
#include <random>

#include "runtime/gguf/file.h"
#include "runtime/inference/prompt/prompt.h"
#include "runtime/inference/prompt/prompt_window.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

namespace {

using Tokens = std::vector<std::int32_t>;

struct Vocabulary {
  std::vector<std::byte> bytes;
  std::unique_ptr<gguf::File> file;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer;
};

Vocabulary vocabularyOf(const gguf::Writer& writer) {
  Vocabulary vocabulary{writer.bytes(), {}, {}};
  vocabulary.file = std::make_unique<gguf::File>(*gguf::File::parse(vocabulary.bytes, "test.gguf"));
  vocabulary.tokenizer =
      std::make_unique<tokenizer::Tokenizer>(*tokenizer::Tokenizer::fromGguf(*vocabulary.file));
  return vocabulary;
}

std::string sourceText(int lines) {
  std::string text;
  std::mt19937 random(5);
  for (int i = 0; i < lines; ++i)
    text += std::string(random() % 8, ' ') + "line " + std::to_string(i) +
            std::string(random() % 40, 'x') + "\n";
  return text;
}

}  // namespace

class TestPrompt : public QObject {
  Q_OBJECT
 private slots:
  void aShortDocumentIsTakenWhole() {
    const std::string text = "int main() {\n}\n";
    const PromptWindow window = cutWindow(text, 12, 1000, 1000);
    QCOMPARE(window.prefix, std::string_view("int main() {"));
    QCOMPARE(window.suffix, std::string_view("\n}\n"));
    QCOMPARE(cutWindow(text, 0, 1000, 1000).prefix.size(), size_t{0});
    QCOMPARE(cutWindow(text, text.size(), 1000, 1000).suffix.size(), size_t{0});
    QCOMPARE(cutWindow("", 0, 10, 10).prefix.size(), size_t{0});
  }

  void windowsKeepToTheirBudgetAndBeginAtLines() {
    const std::string text = sourceText(400);
    for (size_t offset = 0; offset <= text.size(); offset += 13) {
      const PromptWindow window = cutWindow(text, offset, 800, 200);
      QVERIFY(window.prefix.size() <= 800 && window.suffix.size() <= 200);
      QCOMPARE(window.prefix.data() + window.prefix.size(), text.data() + offset);
      if (window.prefix.size() < offset) {
        QVERIFY(window.prefix.size() >= 400);
        QCOMPARE(window.prefix.data()[-1], '\n');
      }
      if (offset + window.suffix.size() < text.size()) QCOMPARE(window.suffix.back(), '\n');
    }
  }

  // The KV cache relies on this: typing moves the start once in a few hundred keys.
  void typingKeepsThePrefixStart() {
    std::string text = sourceText(100);
    const size_t cursor = text.size() / 2;
    const std::string typed = sourceText(40);
    int moves = 0;
    std::string_view before = cutWindow(text, cursor, 800, 200).prefix;
    size_t start = static_cast<size_t>(before.data() - text.data());
    for (size_t i = 0; i < typed.size(); ++i) {
      text.insert(cursor + i, 1, typed[i]);
      const std::string_view prefix = cutWindow(text, cursor + i + 1, 800, 200).prefix;
      const auto now = static_cast<size_t>(prefix.data() - text.data());
      QVERIFY(now >= start);
      moves += now != start;
      start = now;
    }
    QVERIFY(moves > 0);
    QVERIFY(moves <= static_cast<int>(typed.size() / 200) + 1);
  }

  void oneEndlessLineIsCutBetweenCharacters() {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "\u00e9\u4e16";
    for (size_t offset = 2000; offset < 2100; ++offset) {
      if (!isCharacterBoundary(text, offset)) continue;
      const PromptWindow window = cutWindow(text, offset, 300, 100);
      QVERIFY(window.prefix.size() > 100 && window.prefix.size() <= 300);
      QVERIFY(isCharacterBoundary(text, static_cast<size_t>(window.prefix.data() - text.data())));
      QVERIFY(isCharacterBoundary(text, offset + window.suffix.size()));
    }
  }

  void tokensAreDroppedInSteps() {
    QCOMPARE(tokensToDrop(100, 100), size_t{0});
    QCOMPARE(tokensToDrop(101, 100), size_t{25});
    QCOMPARE(tokensToDrop(125, 100), size_t{25});
    QCOMPARE(tokensToDrop(126, 100), size_t{50});
    QCOMPARE(tokensToDrop(5, 0), size_t{5});
  }

  void budgetsLeaveRoomForTheOutput() {
    for (const int context : {8, 64, 256, 1024, 4096, 131072}) {
      const PromptBudget budget = promptBudget(context);
      QVERIFY(budget.prefix >= 1);
      QVERIFY(static_cast<int>(budget.prefix + budget.suffix) < context);
    }
    QCOMPARE(promptBudget(131072).prefix, promptBudget(4096).prefix);
  }

  void theSuffixComesFirstWhereTheFileSaysSo() {
    gguf::Writer writer = test::makeTinyModel({});
    writer.addString("waferpair.fim.order", "spm");
    const Vocabulary v = vocabularyOf(writer);
    const PromptFormat format = *readPromptFormat(*v.file, *v.tokenizer);
    QVERIFY(format.order == FimOrder::kSuffixFirst);
    const Tokens tokens = fimPrompt(*v.tokenizer, format, {"a.cpp", "ab", "c"}, {10, 10});
    QCOMPARE(tokens, (Tokens{test::kTinyFimSuffix, 'c', test::kTinyFimPrefix, 'a', 'b'}));
    // One more key is one more token at the end.
    Tokens more = fimPrompt(*v.tokenizer, format, {"a.cpp", "abd", "c"}, {10, 10});
    QCOMPARE(more.back(), 'd');
    more.pop_back();
    QCOMPARE(more, tokens);
  }

  // The memory is asked for more documents than it keeps, each again and again.
  void whatIsRememberedChangesNothing() {
    const Vocabulary v = vocabularyOf(test::makeTinyModel({}));
    const PromptFormat format{.order = FimOrder::kSuffixFirst};
    PromptMemories memories(*v.tokenizer);
    std::mt19937 random(9);
    std::vector<std::string> texts(PromptMemories::kMost + 8, sourceText(20));
    for (int i = 0; i < 400; ++i) {
      const std::size_t document = random() % texts.size();
      std::string& text = texts[document];
      const std::size_t at = random() % text.size();
      text.insert(at, std::string(1, "a (;\n"[random() % 5]));
      const PromptParts parts{"", std::string_view(text).substr(0, at),
                              std::string_view(text).substr(at)};
      PromptMemory& memory = memories.of(document % 2, std::to_string(document));
      QCOMPARE(fimPrompt(*v.tokenizer, format, parts, {300, 100}, memory),
               fimPrompt(*v.tokenizer, format, parts, {300, 100}));
    }
  }

  void theFileNameGoesInFrontWhereTheModelKnowsNames() {
    gguf::Writer writer = test::makeTinyModel({});
    writer.addString("waferpair.fim.order", "spm");
    writer.addUint32("waferpair.fim.file_token_id", test::kTinyEot);
    const Vocabulary v = vocabularyOf(writer);
    const PromptFormat format = *readPromptFormat(*v.file, *v.tokenizer);
    const Tokens tokens = fimPrompt(*v.tokenizer, format, {"f.c", "x", ""}, {10, 10});
    QCOMPARE(tokens, (Tokens{test::kTinyEot, 'f', '.', 'c', test::kTinyFimSuffix,
                             test::kTinyFimPrefix, 'x'}));
    QCOMPARE(fimPrompt(*v.tokenizer, format, {"", "x", ""}, {10, 10}).front(),
             test::kTinyFimSuffix);
  }

  // Whole files, the last of those that there is room for, as models were trained on several.
  void otherFilesGoInFrontInTheModelsOwnTokens() {
    gguf::Writer writer = test::makeTinyModel({});
    writer.addUint32("tokenizer.ggml.fim_sep_token_id", test::kTinyEot);
    const Vocabulary v = vocabularyOf(writer);
    const PromptFormat format = *readPromptFormat(*v.file, *v.tokenizer);
    QVERIFY(format.severalFiles);
    const Vocabulary plain = vocabularyOf(test::makeTinyModel({}));
    QVERIFY(!readPromptFormat(*plain.file, *plain.tokenizer)->severalFiles);
    const std::vector<OtherFile> files = {{"x.c", "much"}, {"y.c", "z"}};
    const PromptParts parts{"f.c", "a", "c", files};
    const Tokens gap = {test::kTinyFimPrefix, 'a', test::kTinyFimSuffix, 'c', test::kTinyFimMiddle};
    const auto fileOf = [](const std::string& name, const std::string& text) {
      Tokens tokens{test::kTinyEot};
      for (const char byte : name + "\n" + text) tokens.push_back(byte);
      return tokens;
    };
    const auto joined = [](std::vector<Tokens> all) {
      Tokens tokens;
      for (const Tokens& each : all) tokens.insert(tokens.end(), each.begin(), each.end());
      return tokens;
    };
    QCOMPARE(fimPrompt(*v.tokenizer, format, parts, {1000, 10}),
             joined({fileOf("x.c", "much"), fileOf("y.c", "z"), fileOf("f.c", ""), gap}));
    // The prefix counts as some hundreds of tokens.
    QCOMPARE(fimPrompt(*v.tokenizer, format, parts, {256 + 12, 10}),
             joined({fileOf("y.c", "z"), fileOf("f.c", ""), gap}));
    QCOMPARE(fimPrompt(*v.tokenizer, format, parts, {100, 10}), gap);
    PromptFormat other = format;
    other.severalFiles = false;
    QCOMPARE(fimPrompt(*v.tokenizer, other, parts, {1000, 10}), gap);
  }

  void withoutThatKeyThePrefixComesFirst() {
    const Vocabulary v = vocabularyOf(test::makeTinyModel({}));
    const PromptFormat format = *readPromptFormat(*v.file, *v.tokenizer);
    QVERIFY(format.order == FimOrder::kPrefixFirst);
    QCOMPARE(fimPrompt(*v.tokenizer, format, {"", "a", "c"}, {10, 10}),
             (Tokens{test::kTinyFimPrefix, 'a', test::kTinyFimSuffix, 'c', test::kTinyFimMiddle}));
  }

  // The text in front of the cursor is all there, and a key changes the last tokens alone but where
  // the prefix's end moves on.
  void aKeyIsATokenAtTheEndWhereThePrefixComesFirst() {
    const Vocabulary v = vocabularyOf(test::makeTinyModel({}));
    const PromptFormat format{.order = FimOrder::kPrefixFirst};
    const PromptBudget budget{.prefix = 2000, .suffix = 50};
    const std::string suffix = "all of this stands behind it", whole = sourceText(80);
    QVERIFY(whole.size() > 900);
    PromptMemory memory(*v.tokenizer);
    Tokens last;
    int jumps = 0;
    for (std::size_t size = 1; size <= 900; ++size) {
      const PromptParts parts{"", std::string_view(whole).substr(0, size), suffix};
      const Tokens tokens = fimPrompt(*v.tokenizer, format, parts, budget, memory);
      QCOMPARE(tokens, fimPrompt(*v.tokenizer, format, parts, budget));
      const auto textBetween = [&](std::ptrdiff_t first, std::ptrdiff_t end) {
        return v.tokenizer->decode(std::span(tokens).subspan(first, end - first));
      };
      const auto at = [&](std::int32_t marker) {
        return std::find(tokens.begin(), tokens.end(), marker) - tokens.begin();
      };
      const auto suffixAt = at(test::kTinyFimSuffix), middleAt = at(test::kTinyFimMiddle);
      QCOMPARE(tokens.front(), test::kTinyFimPrefix);
      QCOMPARE(textBetween(suffixAt + 1, middleAt), suffix);
      const std::string before = textBetween(1, suffixAt);
      const std::string middle = textBetween(middleAt + 1, std::ssize(tokens));
      QVERIFY(middle.empty() || before.empty() || before.back() == '\n');
      QCOMPARE(before + middle, whole.substr(0, size));
      const auto differ = std::mismatch(tokens.begin(), tokens.end(), last.begin(), last.end());
      constexpr int kWord = 6;  // tokens that a letter may join, at most
      if (size >= 256 && tokens.end() - differ.first > kWord) ++jumps;
      last = tokens;
    }
    QCOMPARE(jumps, 3);  // at 256, 512 and 768
    // Nothing to put off where there is no suffix, or no room.
    for (const auto& [end, room] : {std::pair("", budget), {"x", PromptBudget{500, 50}}}) {
      const Tokens tokens = fimPrompt(*v.tokenizer, format, {"", whole, end}, room);
      QCOMPARE(tokens.back(), test::kTinyFimMiddle);
    }
  }

  // Families that show in their vocabulary how they were trained.
  void withoutThatKeyTheFamilysOrderIsTaken() {
    struct Family {
      const char *model, *pre, *prefix, *suffix, *middle;
      Tokens expected;
    };
    constexpr std::int32_t kPre = 2, kSuf = 3, kMid = 4, kSpace = 5;
    const Family families[] = {
        {"llama", "default", "[PREFIX]", "[SUFFIX]", "[MIDDLE]", {kSuf, 1, kPre, kSpace, 0}},
        {"llama", "default", "▁<PRE>", "▁<SUF>", "▁<MID>", {kPre, kSpace, 0, kSuf, 1, kMid}},
        {"gpt2",
         "seed-coder",
         "<[fim-prefix]>",
         "<[fim-suffix]>",
         "<[fim-middle]>",
         {kSuf, 1, kPre, 0, kMid}},
        {"gpt2",
         "mellum",
         "<fim_prefix>",
         "<fim_suffix>",
         "<fim_middle>",
         {kSuf, 1, kPre, 0, kMid}},
        {"gpt2",
         "qwen2",
         "<|fim_prefix|>",
         "<|fim_suffix|>",
         "<|fim_middle|>",
         {kPre, 0, kSuf, 1, kMid}},
        {"gpt2", "qwen2", "<|fim_prefix|>", "<|fim_suffix|>", "c", {0}},
    };
    for (const Family& family : families) {
      gguf::Writer writer;
      writer.addString("tokenizer.ggml.model", family.model);
      writer.addString("tokenizer.ggml.pre", family.pre);
      writer.addStrings(
          "tokenizer.ggml.tokens",
          std::vector<std::string>{"a", "b", family.prefix, family.suffix, family.middle, "▁"});
      writer.addInt32s("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1, 3, 3, 3, 1});
      writer.addFloat32s("tokenizer.ggml.scores", std::vector<float>(6));
      writer.addStrings("tokenizer.ggml.merges", std::vector<std::string>{});
      const Vocabulary v = vocabularyOf(writer);
      const auto format = readPromptFormat(*v.file, *v.tokenizer);
      QVERIFY(format.has_value());
      QCOMPARE(fimPrompt(*v.tokenizer, *format, {"", "a", "b"}, {10, 10}), family.expected);
    }
  }

  void anOrderThatIsNotKnownIsAnErrorThatNamesIt() {
    gguf::Writer writer = test::makeTinyModel({});
    writer.addString("waferpair.fim.order", "sideways");
    const Vocabulary v = vocabularyOf(writer);
    const auto format = readPromptFormat(*v.file, *v.tokenizer);
    QVERIFY(!format);
    QVERIFY(format.error().what.find("sideways") != std::string::npos);
  }

  void textThatIsDenserThanExpectedIsCutToItsTokens() {
    const Vocabulary v = vocabularyOf(test::makeTinyModel({}));
    const std::string dense(1000, '%');
    const Tokens tokens =
        fimPrompt(*v.tokenizer, {FimOrder::kSuffixFirst}, {"", dense, dense}, {100, 20});
    QVERIFY(tokens.size() <= 122);
    QVERIFY(tokens.size() >= 22 + 75);
  }

  void aPromptIsNeverEmpty() {
    const Vocabulary v = vocabularyOf(test::makeTinyModel({}));
    QCOMPARE(textPrompt(*v.tokenizer, {}, ""), Tokens{test::kTinyBos});
    QCOMPARE(fimPrompt(*v.tokenizer, {FimOrder::kNone}, {"", "", "after"}, {10, 10}),
             Tokens{test::kTinyBos});
    QCOMPARE(textPrompt(*v.tokenizer, {}, "ab"), (Tokens{'a', 'b'}));
  }

  void textIsThePrefixOfAFillInPromptWithNothingBehindIt() {
    const Vocabulary v = vocabularyOf(test::makeTinyModel({}));
    QCOMPARE(textPrompt(*v.tokenizer, {FimOrder::kSuffixFirst}, "ab"),
             (Tokens{test::kTinyFimSuffix, test::kTinyFimPrefix, 'a', 'b'}));
    QCOMPARE(textPrompt(*v.tokenizer, {FimOrder::kPrefixFirst}, "ab"),
             (Tokens{test::kTinyFimPrefix, 'a', 'b', test::kTinyFimSuffix, test::kTinyFimMiddle}));
    // All of it, however long.
    const std::string dense(10000, '%');
    QCOMPARE(textPrompt(*v.tokenizer, {FimOrder::kSuffixFirst}, dense).size(), dense.size() + 2);
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestPrompt)
#include "test_prompt.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the suggestions of the default model, with all that stands beside the network.
#include <QtTest>
#include <future>

#include "runtime/inference/engine/engine.h"
#include "tests/support/paths.h"

namespace waferpair::inference {

class TestSuggestions : public QObject {
  Q_OBJECT

  std::unique_ptr<Engine> engine_;

  struct Answer {
    std::string text;
    JobReport report;
  };
  Answer complete(const std::string& prefix, const std::string& suffix, double least = 0,
                  int lines = 1) {
    return ask(
        CompletionRequest{.client = 1,
                          .document = "a",
                          .fileName = "words.cpp",
                          .prefix = prefix,
                          .suffix = suffix,
                          .limits = {.maxTokens = 24, .maxLines = lines, .minProbability = least}});
  }
  template <typename Request>
  Answer ask(Request request) {
    struct Outcome {
      std::string text;
      std::promise<JobReport> done;
    };
    const auto outcome = std::make_shared<Outcome>();
    auto done = outcome->done.get_future();
    engine_->submit(
        std::move(request),
        {.onText = [outcome](std::string text) { outcome->text += text; },
         .onDone = [outcome](const JobReport& report) { outcome->done.set_value(report); },
         .onBegin = {}});
    if (done.wait_for(std::chrono::seconds(60)) != std::future_status::ready)
      qFatal("the job never ended");
    return {outcome->text, done.get()};
  }

 private slots:
  void initTestCase() {
    const std::string path = test::sourceDir() + "/resources/models/waferpair-mini.gguf";
    auto model = CompiledModel::load(path);
    QVERIFY2(model.has_value(), model ? "" : model.error().message().c_str());
    engine_ = std::move(*Engine::make(std::move(*model)));
  }

  // The cursor stands inside a token, and what follows stands elsewhere in the file.
  void aNameThatWasBegunIsFinished_data() {
    QTest::addColumn<QString>("begun");
    for (const char* begun : {"cou", "countLo", "countLong", "countLongW", "countLongWor"})
      QTest::newRow(begun) << QString(begun);
  }
  void aNameThatWasBegunIsFinished() {
    QFETCH(QString, begun);
    const QString name = "countLongWords";
    const QString prefix =
        "int countLongWords(const std::vector<std::string>& words, int limit);\n"
        "\n"
        "void print(const std::vector<std::string>& words) {\n"
        "  std::cout << countLongWords(words, 5);\n"
        "  std::cout << countLongWords(words, 6);\n"
        "  std::cout << ";
    const std::string text = complete((prefix + begun).toStdString(), "\n}\n").text;
    const QString line = begun + QString::fromStdString(text);
    QVERIFY2(line.startsWith(name + "(words, "), qPrintable(line));
  }

  // The engine knows the document that is completed in, too, cursor and all: what stands behind the
  // cursor there is not what comes next.
  void theOwnDocumentDoesNotEndTheLine() {
    const std::string prefix =
        "int sum = 0;\nfor (const int value : values) {\n  sum += value;\n}\n"
        "int product = 1;\nfor (const int value : values) {\n  product *= ";
    const std::string suffix = "\n}\nreturn product;\n";
    const std::string alone = complete(prefix, suffix).text;
    QVERIFY2(!alone.empty() && alone[0] != '\n', alone.c_str());
    engine_->documentChanged(1, "a", prefix + suffix);
    // Documents are read in the order of their names.
    engine_->documentChanged(1, "b", "quixotic zebras = jumping(over, lazy, dogs);\n");
    QTRY_VERIFY(complete("\nquixotic zebras = ", "\n").text.starts_with("jumping(over, lazy"));
    QCOMPARE(complete(prefix, suffix).text, alone);
    engine_->documentClosed(1, "a");
    engine_->documentClosed(1, "b");
  }

  // The worker need not have had time for the edit.
  void aRemovedLineIsGoneOnWith() {
    const std::string above = "int one = 1;\n", below = "int two = 2;\n";
    const std::string old = "  total += quixotic(first, zebra[17], second);\n";
    const std::string begun = "  sum += quixotic(";
    const auto next = [&](ClientId client) {
      return ask(CompletionRequest{.client = client,
                                   .document = "a",
                                   .fileName = "words.cpp",
                                   .prefix = above + begun,
                                   .suffix = "\n" + below,
                                   .limits = {.maxTokens = 24, .maxLines = 1}})
          .text;
    };
    const std::string rest = "first, zebra[17], second);";
    QVERIFY(!next(3).starts_with(rest));
    engine_->documentChanged(3, "a", above + old + below);
    const DocumentEdit removal{above.size(), above.size() + old.size(), begun + "\n"};
    engine_->documentEdited(3, "a", std::span(&removal, 1), above + begun + "\n" + below);
    const std::string text = next(3);
    QVERIFY2(text.starts_with(rest), text.c_str());
    engine_->documentClosed(3, "a");
    QVERIFY(!next(3).starts_with(rest));
  }

  // As the lines above were, with the name that stands here.
  void aLineIsWrittenLikeAnAlikeOne() {
    const std::string prefix =
        "static int put_first(struct store *store, int quill) {\n"
        "  check_room(store, quill);\n"
        "  return put_quietly(store, 17, quill);\n"
        "}\n"
        "\n"
        "static int put_second(struct store *store, int zither) {\n"
        "  check_room(store, zither);\n  ";
    const std::string line = "return put_quietly(store, 17, zither);";
    QCOMPARE(complete(prefix, "\n}\n").text, line);
    QCOMPARE(complete(prefix + "return put_qu", "\n}\n").text, line.substr(13));
  }

  // A text that is continued ends with its block, and goes round in no circle on the way there.
  // Another client's: what this one's documents were is copied from.
  void aTextIsContinuedToTheEndOfItsBlock_data() {
    QTest::addColumn<QString>("prompt");
    QTest::newRow("brace") << "int main() {";
    QTest::newRow("line break") << "int main() {\n";
    QTest::newRow("arguments") << "// Returns the larger one.\nint max(int a, int b) {";
    QTest::newRow("script") << "function debounce(fn, ms) {";
    QTest::newRow("main") << "func main() {";
  }
  void aTextIsContinuedToTheEndOfItsBlock() {
    QFETCH(QString, prompt);
    const Answer answer = ask(GenerationRequest{
        .client = 2, .prompt = prompt.toStdString(), .limits = {.maxTokens = 200}});
    const QString text = QString::fromStdString(answer.text);
    QCOMPARE(answer.report.reason, StopReason::kEndOfText);
    const QString whole = prompt + text;
    QCOMPARE(whole.count('{'), whole.count('}'));
    QVERIFY2(text.trimmed().contains('\n'), qPrintable(text));
    QStringList lines;
    for (const QString& line : text.split('\n'))
      if (line.trimmed().size() > 2) lines += line.trimmed();
    QEXPECT_FAIL("script", "Marks of comments and short lines come again.", Continue);
    QVERIFY2(!lines.isEmpty() && lines.removeDuplicates() == 0, qPrintable(text));
    // What written_lines.h allows: short lines may come twice.
    QHash<QString, int> times;
    for (const QString& line : text.split('\n')) {
      const QString solid = line.trimmed();
      if (solid.count(QRegularExpression("\\w")) > 2) ++times[solid];
    }
    QVERIFY(!times.isEmpty());
    for (const auto& [line, count] : times.asKeyValueRange())
      QVERIFY2(count <= (line.size() < 12 ? 2 : 1), qPrintable(text));
  }

  // Checks are part of how tokens are chosen.
  void draftsChangeNothing() {
    const std::string path = test::sourceDir() + "/resources/models/waferpair-mini.gguf";
    const std::string begun =
        "int countLongWords(const std::vector<std::string>& words, int limit);\n"
        "int countShortWords(const std::vector<std::string>& words, int limit);\n"
        "void print() {\n  f(countLongWords(words, 1), g[2]);\n  f(countLongWords(words, 2), "
        "g[3]);\n";
    for (const char* line :
         {"  f(countS", "  f(countLongWords(wo", "  g[", "  f(", "}\n", "int "}) {
      std::vector<Answer> answers;
      for (const Speculation speculation : {Speculation::kOff, Speculation::kAlways}) {
        engine_ = std::move(
            *Engine::make(std::move(*CompiledModel::load(path)), {.speculation = speculation}));
        answers.push_back(complete(begun + line, ")\n}\n", 0, /*lines=*/4));
      }
      QCOMPARE(answers[1].text, answers[0].text);
      QCOMPARE(answers[1].report.reason, answers[0].report.reason);
      QCOMPARE(*answers[1].report.probability, *answers[0].report.probability);
    }
  }

  // Text that is sure enough is the beginning of what would have come, and ends with a word.
  void theSurerTheShorter() {
    const std::string prefix =
        "int sum = 0;\nfor (const int value : values) {\n  sum += value;\n}\n"
        "for (const int val";
    const Answer all = complete(prefix, "\n");
    std::size_t longest = all.text.size();
    bool cut = false;
    for (const double least : {0.01, 0.1, 0.3, 0.6, 0.9, 0.999}) {
      const Answer sure = complete(prefix, "\n", least);
      QVERIFY(all.text.starts_with(sure.text));
      QVERIFY(sure.text.size() <= longest);
      longest = sure.text.size();
      cut = cut || sure.report.reason == StopReason::kUnsure;
    }
    QVERIFY(cut && longest < all.text.size());
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestSuggestions)
#include "test_suggestions.moc"

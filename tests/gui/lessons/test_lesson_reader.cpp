// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons as they are written: what is read of them, and every mistake by its line. Formulas.
#include <QtTest>

#include "gui/lessons/expression.h"
#include "gui/lessons/lesson.h"
#include "gui/lessons/lesson_run.h"

using namespace waferpair::gui;

namespace {

const char kGood[] = R"(# A title
> What it is about,
> in a sentence.

## One

Text with {a.size} in it.

```
code that stays text
```

```experiment a
wafer model=x
choose lanes 8 16
show size weight
```

```command view.wafer
Show it
```

## Two

```question q
How large
is it?
number 2 * a.size - 1
within 5 %
unit PEs
hint Look again.
```

```question p
Which?
least
- the first = a.size
- a = b = a.weight
```
)";

ExperimentAnswer answerWith(double size, double weight) {
  ExperimentAnswer answer;
  answer.figures = {{QStringLiteral("size"), QStringLiteral("Size"), size, {}},
                    {QStringLiteral("weight"), QStringLiteral("Weight"), weight, {}}};
  return answer;
}

}  // namespace

class TestLessonReader : public QObject {
  Q_OBJECT
 private slots:
  void aLessonIsRead() {
    const auto lesson = readLesson(kGood, QStringLiteral("id"));
    QVERIFY2(lesson, lesson ? "" : qPrintable(lesson.error().text));
    QCOMPARE(lesson->id, QStringLiteral("id"));
    QCOMPARE(lesson->title, QStringLiteral("A title"));
    QCOMPARE(lesson->summary, QStringLiteral("What it is about, in a sentence."));
    QCOMPARE(lesson->steps.size(), 2);
    QCOMPARE(lesson->steps[0].title, QStringLiteral("One"));
    QCOMPARE(lesson->steps[0].blocks.size(), 3);
    const auto& text = std::get<LessonText>(lesson->steps[0].blocks[0]);
    QCOMPARE(text.markdown,
             QStringLiteral("Text with {a.size} in it.\n\n```\ncode that stays text\n```"));
    const auto& experiment = std::get<LessonExperiment>(lesson->steps[0].blocks[1]);
    QCOMPARE(experiment.question, QStringLiteral("wafer model=x"));
    QCOMPARE(experiment.choices.size(), 1);
    QCOMPARE(experiment.choices[0].key, QStringLiteral("lanes"));
    QCOMPARE(experiment.choices[0].values, QStringList({"8", "16"}));
    QCOMPARE(experiment.shown, QStringList({"size", "weight"}));
    QCOMPARE(experiment.line, 13);
    const auto& command = std::get<LessonCommand>(lesson->steps[0].blocks[2]);
    QCOMPARE(command.id, QStringLiteral("view.wafer"));
    QCOMPARE(command.label, QStringLiteral("Show it"));
    const auto& number = std::get<LessonQuestion>(lesson->steps[1].blocks[0]);
    QCOMPARE(number.text, QStringLiteral("How large is it?"));
    QCOMPARE(number.withinPercent, 5.0);
    QCOMPARE(number.unit, QStringLiteral("PEs"));
    QCOMPARE(number.hint, QStringLiteral("Look again."));
    const auto& options = std::get<LessonQuestion>(lesson->steps[1].blocks[1]);
    QCOMPARE(options.kind, LessonQuestion::Kind::kLeast);
    QCOMPARE(options.options[1].label, QStringLiteral("a = b"));
    QCOMPARE(lesson->questions(), QStringList({"q", "p"}));
  }

  void mistakesAreToldByLine_data() {
    QTest::addColumn<QByteArray>("was");
    QTest::addColumn<QByteArray>("is");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* was, const char* is, int line, const char* says) {
      QTest::newRow(says) << QByteArray(was) << QByteArray(is) << line << QString(says);
    };
    row("# A title\n", "\n", 1, "There is no title");
    row("## One\n", "\n", 7, "before the first step");
    row("show size weight\n", "\n", 13, "shows nothing");
    row("wafer model=x\n", "\n", 13, "asks nothing");
    row("choose lanes 8 16\n", "choose lanes 8\n", 13, "two values");
    row("experiment a\n", "experiment 1a\n", 17, "is no name");
    row("question p\n", "question q\n", 39, "taken already");
    row("number 2 * a.size - 1\n", "number 2 * a.size -\n", 25, "missing at the end");
    row("number 2 * a.size - 1\n", "number 2 * c.size\n", 25, "no experiment \"c\"");
    row("within 5 %\n", "within x\n", 25, "needs a percentage");
    row("- the first = a.size\n", "\n", 34, "needs 2 to");
    row("- the first = a.size\n", "- the first\n", 34, "label = formula");
    row("least\n", "dance\n", 34, "neither");
    row("Show it\n", "\n", 19, "a line that says");
  }
  void mistakesAreToldByLine() {
    QFETCH(QByteArray, was);
    QFETCH(QByteArray, is);
    QFETCH(int, line);
    QFETCH(QString, says);
    QByteArray text = kGood;
    const qsizetype at = text.lastIndexOf(was);
    QVERIFY(at >= 0);
    text.replace(at, was.size(), is);
    const auto lesson = readLesson(text, QStringLiteral("id"));
    QVERIFY(!lesson);
    QVERIFY2(lesson.error().text.contains(says), qPrintable(lesson.error().text));
    QCOMPARE(lesson.error().line, line);
  }

  void theLastStepAsks() {
    const QByteArray text = QByteArray(kGood) + "\n## Three\n\nNo question.\n";
    QVERIFY(readLesson(text, {}).error().text.contains(QStringLiteral("last step")));
  }

  void aFileThatIsTooLargeIsRefused() {
    QVERIFY(!readLesson(QByteArray(kMostLessonBytes + 1, ' '), {}));
  }

  void formulas_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    QTest::newRow("number") << "12.5" << 12.5;
    QTest::newRow("figure") << "a.x" << 3.0;
    QTest::newRow("order") << "1 + 2 * a.x - 4 / 2" << 5.0;
    QTest::newRow("left") << "8 / 4 / 2 - 1 - 1" << -1.0;
    QTest::newRow("brackets") << "(1 + a.x) * (2 - 1)" << 4.0;
  }
  void formulas() {
    QFETCH(QString, text);
    QFETCH(double, value);
    const auto made = Expression::parse(text);
    QVERIFY2(made, made ? "" : qPrintable(made.error().message()));
    const auto figures = [](const QString& experiment, const QString& figure) {
      return experiment == u"a" && figure == u"x" ? std::optional(3.0) : std::nullopt;
    };
    QCOMPARE(made->value(figures), std::optional(value));
  }

  void formulasWithoutAValue() {
    const auto none = [](const QString&, const QString&) { return std::optional<double>(); };
    QVERIFY(!Expression::parse(QStringLiteral("a.x + 1"))->value(none));
    QVERIFY(!Expression::parse(QStringLiteral("1 / 0"))->value(none));
    for (const char* wrong : {"", "1 +", "(1", "1)", "a", "a.b.c", "a.", ".x", "1 2", "%", "- 1"})
      QVERIFY2(!Expression::parse(QString::fromLatin1(wrong)), wrong);
    QVERIFY(!Expression::parse(QString(100, u'(') + u'1' + QString(100, u')')));
  }

  // A figure of the first values decides, whatever is chosen meanwhile.
  void anAnswerIsJudgedByTheExperiment() {
    QStringList asked;
    LessonRun run(
        *readLesson(kGood, {}), [&asked](const QString& question, QObject*, HearExperiment hear) {
          asked.append(question);
          hear(question.endsWith(QLatin1String("lanes=8")) ? answerWith(50, 60) : answerWith(7, 3));
        });
    QCOMPARE(run.filled(QStringLiteral("{a.size} of {b.x}")), QStringLiteral("**…** of **…**"));
    run.choose(QStringLiteral("a"), QStringLiteral("lanes"), QStringLiteral("16"));
    QVERIFY(asked.isEmpty());  // nothing is run before somebody asks for it
    run.answerNumber(QStringLiteral("q"), 104.1);
    QCOMPARE(asked, QStringList("wafer model=x lanes=8"));
    QCOMPARE(run.said(QStringLiteral("q")).verdict, LessonRun::Verdict::kWrong);
    QVERIFY(
        run.said(QStringLiteral("q")).text.contains(QStringLiteral("gives 99 PEs. Look again.")));
    run.answerNumber(QStringLiteral("q"), 103.9);
    QCOMPARE(run.said(QStringLiteral("q")).verdict, LessonRun::Verdict::kRight);
    QVERIFY(!run.isDone());
    run.answerOption(QStringLiteral("p"), 1);
    QCOMPARE(run.said(QStringLiteral("p")).verdict, LessonRun::Verdict::kWrong);
    run.answerOption(QStringLiteral("p"), 0);
    QVERIFY(run.isDone());
    run.run(QStringLiteral("a"));
    QCOMPARE(asked.last(), QStringLiteral("wafer model=x lanes=16"));
    QCOMPARE(run.experiment(QStringLiteral("a")).now->find(QStringLiteral("size"))->value, 7.0);
    QCOMPARE(run.figure(QStringLiteral("a"), QStringLiteral("size")), std::optional(50.0));
    QCOMPARE(run.filled(QStringLiteral("{a.size} of {b.x}")), QStringLiteral("**50** of **…**"));
    QCOMPARE(run.truth(std::get<LessonQuestion>(run.lesson().steps[1].blocks[1])),
             QStringLiteral("the first"));
  }

  void whatCannotBeAskedIsNotJudged() {
    LessonRun run(*readLesson(kGood, {}), [](const QString&, QObject*, HearExperiment hear) {
      hear(waferpair::editor::fail(QStringLiteral("No server."), QStringLiteral("Wait.")));
    });
    run.answerNumber(QStringLiteral("q"), 1);
    QCOMPARE(run.said(QStringLiteral("q")).verdict, LessonRun::Verdict::kFailed);
    QCOMPARE(run.experiment(QStringLiteral("a")).problem.message(),
             QStringLiteral("No server. Wait."));
    QVERIFY(!run.right().contains(QStringLiteral("q")));
  }
};

QTEST_GUILESS_MAIN(TestLessonReader)
#include "test_lesson_reader.moc"

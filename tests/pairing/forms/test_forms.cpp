// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "pairing/answers/search_replace.h"
#include "pairing/forms/answer_forms.h"
#include "pairing/forms/gbnf.h"
#include "pairing/plans/plan_request.h"
#include "pairing/plans/task_list.h"
#include "pairing/review/commit_message.h"
#include "pairing/review/remarks.h"
#include "pairing/review/review_request.h"
#include "runtime/grammar/gbnf.h"
#include "runtime/grammar/matcher.h"

using namespace waferpair::pairing;
using waferpair::grammar::Matcher;
using waferpair::pairing::gbnf::NumberRange;

namespace {

// Whether the text is one that the grammar describes, as waferd reads it.
bool matches(const QString& grammar, const QString& text) {
  const auto parsed = waferpair::grammar::parseGbnf(grammar.toStdString());
  if (!parsed) {
    qWarning("%s\n%s", parsed.error().what.c_str(), qPrintable(grammar));
    return false;
  }
  Matcher matcher(*parsed);
  Matcher::State state = matcher.start();
  for (const char byte : text.toStdString())
    if (state != Matcher::kDead) state = matcher.next(state, static_cast<std::uint8_t>(byte));
  return state != Matcher::kDead && matcher.mayEnd(state);
}

bool isNumberIn(const QVector<NumberRange>& ranges, const QString& text) {
  return matches(QStringLiteral("root ::= ") + gbnf::numberIn(ranges), text);
}

const QString kDiff = QStringLiteral(
    "diff --git a/src/a.cpp b/src/a.cpp\n--- a/src/a.cpp\n+++ b/src/a.cpp\n"
    "@@ -7,3 +8,4 @@ int f()\n a\n-b\n+c\n+d\n e\n@@ -90 +99 @@\n-x\n+y\n");

class TestForms : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // -- Pieces

  void numbersOfRangesAreAllThereIs_data() {
    QTest::addColumn<qint64>("first");
    QTest::addColumn<qint64>("last");
    for (const auto& [first, last] : QVector<std::pair<int, int>>{{1, 1},
                                                                  {0, 0},
                                                                  {8, 11},
                                                                  {1, 100},
                                                                  {95, 105},
                                                                  {120, 340},
                                                                  {99, 100},
                                                                  {7, 999},
                                                                  {200, 299}})
      QTest::addRow("%d to %d", first, last) << qint64(first) << qint64(last);
  }
  void numbersOfRangesAreAllThereIs() {
    QFETCH(const qint64, first);
    QFETCH(const qint64, last);
    for (qint64 number = 0; number <= 1'050; ++number) {
      const bool isIn = number >= first && number <= last;
      QVERIFY2(isNumberIn({{first, last}}, QString::number(number)) == isIn,
               qPrintable(QString::number(number)));
    }
    QVERIFY(!isNumberIn({{first, last}}, {}));
    QVERIFY(!isNumberIn({{first, last}}, QStringLiteral("0%1").arg(first)));
  }

  void severalRangesAreOneNumber() {
    QVERIFY(isNumberIn({{1, 3}, {90'000, 90'001}}, "2"));
    QVERIFY(isNumberIn({{1, 3}, {90'000, 90'001}}, "90001"));
    QVERIFY(!isNumberIn({{1, 3}, {90'000, 90'001}}, "90002"));
  }

  void oneOfTheseTextsIsAllThereIs() {
    const QStringList texts{"src/a.cpp", "src/a.cpp.in",      "src/b \"q\".h",
                            "s",         "\u00fc/\U0001F600", "\u00fc/\U0001F601"};
    const QString grammar = QStringLiteral("root ::= ") + gbnf::oneOf(texts);
    for (const QString& text : texts) QVERIFY2(matches(grammar, text), qPrintable(text));
    for (const char* other : {"", "src/", "src/a", "src/a.cp", "src/a.cpp.inn", "\u00fc/"})
      QVERIFY2(!matches(grammar, other), other);
  }

  // -- Plans

  void stepsArePlannedInFilesThatThereAre() {
    const QString form = planForm({"src/a.cpp", "src/b.h", "Makefile"}, {});
    const QString edit = "- [ ] In src/b.h: Rename the function\n";
    const QString create = "- [ ] Create src/c.cpp: Tests of the new name\n";
    const QString run = "- [ ] Run `make test`\n";
    QVERIFY(matches(form, edit + create + run));
    QCOMPARE(readTaskList(edit + create + run).items.size(), 3);
    QVERIFY(matches(form, edit.repeated(8)));
    QVERIFY(matches(form, create + edit.repeated(2)));
    QVERIFY(!matches(form, edit + run));         // too few
    QVERIFY(!matches(form, edit.repeated(9)));   // too many
    QVERIFY(!matches(form, edit + run + edit));  // a command comes last
    QVERIFY(!matches(form, create + create + edit));
    QVERIFY(!matches(form, "Sure! Here it is:\n" + edit.repeated(3)));
    QVERIFY(!matches(form, QString(edit).replace("b.h", "d.h").repeated(3)));  // no such file
    QVERIFY(!matches(form, QString(create).replace("src/c", "lib/c") + edit.repeated(2)));
    QVERIFY(matches(planForm({}, {}), QString(create).replace("src/c.cpp", "c.md").repeated(3)));
  }

  void aPlanIsRevisedByItsOwnLines() {
    const QString form = planForm({"a.py"}, {"- [x] Was \"done\"", "- [ ] ~~struck~~"});
    QVERIFY(matches(form, "- [x] Was \"done\"\n- [ ] In a.py: Something else\n"));
    QVERIFY(matches(form, "- [ ] ~~struck~~\n"));
    QVERIFY(!matches(form, "- [x] Was not done\n"));
  }

  void aFormHasRoomForSoManyFiles() {
    QStringList files;
    for (int i = 0; i < 5'000; ++i)
      files.append(QStringLiteral("folder%1/file%2.cpp").arg(i % 50).arg(i));
    files.insert(1, "a`b");
    const QStringList taken = formFiles(files);
    QCOMPARE(taken.size(), kMostFormFiles);
    QVERIFY(!taken.contains("a`b"));
    QVERIFY(matches(planForm(taken, {}),
                    QStringLiteral("- [ ] In folder7/file7.cpp: Some letters\n").repeated(3)));
    QVERIFY(planForm(taken, {QString(70'000, u'x')}).isEmpty());  // too large a grammar
  }

  void likelyFilesOfAPlanComeFirst() {
    ContextItem item;
    item.name = "src/z.cpp";
    item.path = "/p/src/z.cpp";
    item.text = "int z;\n";
    const QStringList files{"a.cpp", "src/m.cpp", "src/z.cpp", "y.cpp"};
    const ModelRequest request = formedPlanRequest(Plan::make(), "change m.cpp", {item}, files);
    QVERIFY2(
        request.input[0].text.contains("The project's files: src/m.cpp, src/z.cpp, a.cpp, y.cpp\n"),
        qPrintable(request.input[0].text));
    QVERIFY(matches(request.grammar, QString("- [ ] In src/m.cpp: Some letters\n").repeated(3)));
    QVERIFY(planRequest(Plan::make(), "change m.cpp", {item}).grammar.isEmpty());
  }

  // What goes out is looked through for secrets, in whatever part of the request it stands.
  void theFormIsOfTheTextsThatAreShown() {
    ModelRequest request = commitRequest("diff", true);
    QVERIFY(textsOf(request).contains(request.grammar));
  }

  // -- Remarks

  void remarksAreAtLinesThatAreShown() {
    const QString form = remarksForm({kDiff});
    const auto remarked = [&form](const char* place) {
      return matches(form, QLatin1String(place) + QLatin1String(": This is wrong.\n"));
    };
    QVERIFY(remarked("src/a.cpp:8"));
    QVERIFY(remarked("src/a.cpp:11"));
    QVERIFY(remarked("src/a.cpp:99"));
    QVERIFY(!remarked("src/a.cpp:7"));
    QVERIFY(!remarked("src/a.cpp:12"));
    QVERIFY(!remarked("src/b.cpp:8"));
    QVERIFY(matches(form, "No remarks."));
    const QString change =
        "src/a.cpp:9: This is wrong.\nsrc/a.cpp\n<<<<<<< SEARCH\nc\n=======\n\tC\n>>>>>>> "
        "REPLACE\n";
    QVERIFY(matches(form, change));
    const auto reader = makeAnswerReader(AnswerFormat::kSearchReplace);
    reader->feed(change.toUtf8());
    reader->finish();
    const auto remarks = remarksIn(reader->answer());
    QCOMPARE(remarks.size(), 1);
    QCOMPARE(remarks[0].line, 9);
    QCOMPARE(remarks[0].changes.size(), 1);
  }

  void diffsWithoutLinesHaveNoForm() {
    QVERIFY(remarksForm({}).isEmpty());
    QVERIFY(remarksForm({"diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n"
                         "@@ -1 +0,0 @@\n-x\n"})
                .isEmpty());
    QVERIFY(remarksForm({"+++ b/x\n@@ -1 +99999999999999999999,7 @@\n"}).isEmpty());
  }

  // -- Messages of commits

  void aMessageIsASentenceAndAParagraph() {
    const QString form = commitForm();
    QVERIFY(matches(form, "Names are compared without case\n\nTwo users had one each.\nIt is so."));
    QVERIFY(matches(form, "Names of a.cpp are compared without case."));
    QVERIFY(!matches(form, "Names are compared\nwithout case"));
    QVERIFY(!matches(form, "Names are compared. Without case"));
    QVERIFY(!matches(form, "```\nNames are compared\n```"));
    QVERIFY(!matches(form, "diff --git a/a.cpp b/a.cpp"));
    QVERIFY(!matches(form, QString(kMostOfSubject + 30, u'X')));
    QVERIFY(commitRequest("diff", false).grammar.isEmpty());
    QCOMPARE(commitRequest("diff", true).grammar, form);
  }

  void aFirstLineHasSoManyLetters() {
    const QString words = QString("Words ").repeated(13);  // 78
    QCOMPARE(fittedSubject(words).size(), 71);
    QCOMPARE(fittedSubject(QString(72, u'x') + '.'), QString(72, u'x'));
    QCOMPARE(fittedSubject(QString(80, u'x')), QString(72, u'x'));
    QCOMPARE(fittedSubject("Short."), "Short");
    const QString fits = "Says what is so in " + QString(40, u'x');
    QCOMPARE(fittedSubject(fits + " with the, for a whole other one"), fits);
    QCOMPARE(commitMessageIn(words + "\n\nWhy. ", true), words.first(71) + "\n\nWhy.");
    QCOMPARE(commitMessageIn("```\n" + words + "\n```", false), words.trimmed());
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestForms)
#include "test_forms.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// From edits to the next one, step by step: tokens, edits as lines, the history, the finders, the
// gate.
#include <QFile>
#include <QtTest>

#include "pairing/next_edit/edit_history.h"
#include "pairing/next_edit/next_edit.h"
#include "pairing/next_edit/search.h"
#include "tests/support/paths.h"

using namespace waferpair;
using namespace waferpair::pairing;
using editor::Snapshot;

namespace {

// "word:region" for each token, code without a region.
QByteArray tokensOf(const QByteArray& text, const QString& language) {
  const CodeText code(text, languageFamily(language));
  QByteArrayList all;
  for (const Token& token : code.tokens()) {
    QByteArray one = code.view(token).toByteArray();
    if (token.region == Region::kString) one += ":s";
    if (token.region == Region::kComment) one += ":c";
    all += one;
  }
  return all.join(' ');
}

// An open text, and the edits that somebody makes in it.
class Session {
 public:
  void open(const QString& id, const QByteArray& text, const QString& language = "C++") {
    documents_.append({id, language, 1, Snapshot(text)});
    history.opened(documents_.last());
  }
  // Replaces the first `was` in the text.
  void replace(const QString& id, const QByteArray& was, const QByteArray& is) {
    const qint64 at = text(id).toByteArray().indexOf(was);
    QVERIFY(at >= 0);
    edit(id, {at, at + was.size(), is});
  }
  void edit(const QString& id, const editor::TextEdit& edit) {
    for (editor::SyncedDocument& document : documents_) {
      if (document.id != id) continue;
      document.text = document.text.edited(edit);
      ++document.version;
      history.changed(document, {edit});
    }
  }
  Snapshot text(const QString& id) const {
    for (const editor::SyncedDocument& document : documents_)
      if (document.id == id) return document.text;
    return {};
  }
  Situation situation() const {
    Situation now{{}, history.edits(), dismissed};
    for (const editor::SyncedDocument& document : documents_) {
      now.texts.append(
          {document.id, std::make_shared<CodeText>(document.text.toByteArray(),
                                                   languageFamily(document.language))});
    }
    return now;
  }
  // "id:line -old +new" of what one finder proposes, in order.
  QStringList proposed(Finder finder) const {
    const Situation now = situation();
    QStringList all;
    for (const Candidate& candidate : nextEditCandidates(now)) {
      if (candidate.finder != finder) continue;
      const SearchedText& text = now.texts[candidate.text];
      QString one = QString("%1:%2").arg(text.document).arg(candidate.line);
      for (int i = 0; i < candidate.count; ++i)
        one += " -" + QString::fromUtf8(text.code->line(candidate.line + i).toByteArray());
      for (const QByteArray& line : candidate.lines) one += " +" + QString::fromUtf8(line);
      all += one;
    }
    return all;
  }

  EditHistory history;
  QVector<DismissedEdit> dismissed;

 private:
  QVector<editor::SyncedDocument> documents_;
};

// Shows whatever a finder proposes, those nearest by first.
Gate openGate() {
  return *Gate::parse(R"({"finders": {
      "name": {"bias": 0, "threshold": 0.1, "weights": {"within3": 1, "within10": 1}},
      "block": {"bias": -1, "threshold": 0.1, "weights": {}}}})");
}

Gate shippedGate() {
  QFile file(QString::fromStdString(test::sourceDir()) + "/resources/next_edit.json");
  const bool isOpen = file.open(QIODevice::ReadOnly);
  const auto gate = Gate::parse(isOpen ? file.readAll() : QByteArray());
  return gate ? *gate : Gate();
}

}  // namespace

class TestNextEdit : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void stringsAndCommentsAreToldFromCode();
  void linesAreThoseOfASnapshot();
  void functionsAreFound();
  void editsFallIntoParts();
  void keysInOneLineAreOneEdit();
  void whatIsTakenBackIsNoEdit();
  void linesFollowWhatIsEditedAbove();
  void aNameIsRenamedWhereItStands();
  void thePlainRenameIsFollowedUp_data();
  void thePlainRenameIsFollowedUp();
  void aRenameThatIsNotPlainIsLeftToTheGate_data();
  void aRenameThatIsNotPlainIsLeftToTheGate();
  void thePlainRenameGoesOn();
  void namesThatChangeTogetherStayTogether();
  void marksNeedWhatStandsAround();
  void linesOfOneShapeChangeAlike();
  void whatWasDoneTwiceIsCounted();
  void callsGetTheArgument();
  void callsFollowTheHead();
  void linesThatWentGoElsewhere();
  void linesThatCameComeElsewhere();
  void whatWasDismissedStaysAway();
  void theSuggestionIsTheSmallestHunk();
  void theLinesEndAsTheText();
  void aSearchCanBeCalledOff();
  void weightsAreRead();
  void theShippedWeightsAreRead();
};

void TestNextEdit::stringsAndCommentsAreToldFromCode() {
  QCOMPARE(tokensOf("a = \"b\\\"c\"; // d's\ne", "C++"),
           QByteArray("a = \":s b:s \\\":s c:s \":s ; /:c /:c d:c ':c s:c e"));
  QCOMPARE(tokensOf("x /* y\n z */ w", "C"), QByteArray("x /*:c y:c z:c */:c w"));
  QCOMPARE(tokensOf("f('''a\nb''') # c", "Python"),
           QByteArray("f ( ''':s a:s b:s ''':s ) #:c c:c"));
  QCOMPARE(tokensOf("fn f<'a>(c: 'x')", "Rust"), QByteArray("fn f < ' a > ( c : ':s x:s ':s )"));
  QCOMPARE(tokensOf("$a `b\nc` 1.5", "JavaScript"), QByteArray("$a `:s b:s c:s `:s 1.5"));
  // A string that nobody ended ends with its line.
  QCOMPARE(tokensOf("'a\nb", "C"), QByteArray("':s a:s b"));
}

void TestNextEdit::linesAreThoseOfASnapshot() {
  for (const QByteArray text : {"", "a", "a\n", "a\r\nb\rc\n\nd", "\r\n\r\n"}) {
    const Snapshot snapshot(text);
    const CodeText code(text, languageFamily("C"));
    QCOMPARE(code.lineCount(), snapshot.lineCount());
    for (int line = 0; line < code.lineCount(); ++line) {
      QCOMPARE(code.lineStart(line), snapshot.lineStart(line));
      QCOMPARE(code.lineEnd(line), snapshot.lineEnd(line));
    }
  }
}

void TestNextEdit::functionsAreFound() {
  const CodeText c(
      "namespace n {\nint f(int a,\n      int b) {\n  if (a) {\n    b;\n  }\n}\nint x;\n}\n",
      languageFamily("C++"));
  const int inC[] = {-1, 1, 1, 1, 1, 1, 1, -1, -1};
  for (int line = 0; line < 9; ++line) QCOMPARE(c.functionAt(line), inC[line]);
  const CodeText python("class A:\n  def f(self):\n    x\n\n    def g():\n      y\n  z = 1\n",
                        languageFamily("Python"));
  const int inPython[] = {-1, 1, 1, 1, 1, 1, -1};
  for (int line = 0; line < 7; ++line) QCOMPARE(python.functionAt(line), inPython[line]);
}

void TestNextEdit::editsFallIntoParts() {
  const LineEdit edit{"a",
                      4,
                      {"int a = f(1);", "gone();", "int b = f(2);"},
                      {"long a = f(1);", "long b = f(2);", "entirely = new_lines;"}};
  const QVector<LineEdit> parts = partsOf(edit);
  const QVector<LineEdit> wanted = {{"a", 4, {"int a = f(1);"}, {"long a = f(1);"}},
                                    {"a", 5, {"gone();"}, {}},
                                    {"a", 5, {"int b = f(2);"}, {"long b = f(2);"}},
                                    {"a", 6, {}, {"entirely = new_lines;"}}};
  QCOMPARE(parts, wanted);
}

void TestNextEdit::keysInOneLineAreOneEdit() {
  Session s;
  s.open("a", "one\ntwo\nthree\n");
  for (const char c : QByteArray("abc"))
    s.edit("a", {s.text("a").lineEnd(1), s.text("a").lineEnd(1), QByteArray(1, c)});
  const LineEdit typed{"a", 1, {"two"}, {"twoabc"}};
  QCOMPARE(s.history.edits(), QVector<LineEdit>{typed});
  // So is a line broken in two; what is edited far away is another edit.
  s.replace("a", "twoabc", "two\nabc");
  const LineEdit broken{"a", 1, {"two"}, {"two", "abc"}};
  QCOMPARE(s.history.edits().size(), 1);
  QCOMPARE(s.history.edits().first().after.last(), QByteArray("abc"));
  s.replace("a", "one", "ONE");
  QCOMPARE(s.history.edits().size(), 1);  // the line above is next to it
  s.open("b", "x\n");
  s.replace("b", "x", "y");
  QCOMPARE(s.history.edits().size(), 2);
}

void TestNextEdit::whatIsTakenBackIsNoEdit() {
  Session s;
  s.open("a", "one\n\n\n\ntwo\n");
  s.replace("a", "one", "once");
  s.replace("a", "once", "one");
  QVERIFY(s.history.edits().isEmpty());
  // Also where another edit was begun since.
  s.replace("a", "one", "once");
  s.history.endEdit();
  s.replace("a", "once", "one");
  QVERIFY(s.history.edits().isEmpty());
}

void TestNextEdit::linesFollowWhatIsEditedAbove() {
  Session s;
  s.open("a", "1\n2\n3\n4\n5\nsix\n");
  s.replace("a", "six", "seven");
  QCOMPARE(s.history.edits().first().line, 5);
  s.replace("a", "1\n", "0\n0\n1\n");
  QCOMPARE(s.history.edits().first().line, 7);
  s.replace("a", "0\n0\n", "");
  QCOMPARE(s.history.edits().first().line, 5);
}

void TestNextEdit::aNameIsRenamedWhereItStands() {
  Session s;
  s.open("a", "int count = 0;\nuse(count, count);\ncounter(); // count\n");
  s.open("b", "count;\n");
  s.replace("a", "count", "sum");
  QCOMPARE(s.proposed(Finder::kName),
           (QStringList{"a:1 -use(count, count); +use(sum, sum);",
                        "a:2 -counter(); // count +counter(); // sum", "b:0 -count; +sum;"}));
  // Brought back is not renamed.
  s.replace("a", "sum", "count");
  QVERIFY(s.proposed(Finder::kName).isEmpty());
}

// By the shipped weights: `total` becomes `whole` where it is defined, as nearly anybody's first
// try.
void TestNextEdit::thePlainRenameIsFollowedUp_data() {
  QTest::addColumn<QString>("language");
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("proposed");
  QTest::newRow("Python") << "Python"
                          << QByteArray(
                                 "total = 0\nfor price in prices:\n    total += price\n\n"
                                 "print(total)\n")
                          << "a:2 -    total += price +    whole += price";
  QTest::newRow("made of itself") << "Python"
                                  << QByteArray(
                                         "total = 0\nfor price in prices:\n"
                                         "    total = total + price\n\nprint(total)\n")
                                  << "a:2 -    total = total + price +    whole = whole + price";
  QTest::newRow("a parameter") << "Python"
                               << QByteArray(
                                      "def tax(total, rate=2):\n    return total * rate\n\n\n"
                                      "print(tax(1))\n")
                               << "a:1 -    return total * rate +    return whole * rate";
  QTest::newRow("C++") << "C++"
                       << QByteArray(
                              "int sum(int n) {\n  int total = 0;\n  total += n;\n"
                              "  return total;\n}\n")
                       << "a:2 -  total += n; +  whole += n;";
  QTest::newRow("a type with brackets") << "C++"
                                        << QByteArray(
                                               "void f() {\n  std::vector<int> total;\n"
                                               "  total.push_back(1);\n}\n")
                                        << "a:2 -  total.push_back(1); +  whole.push_back(1);";
  QTest::newRow("JavaScript") << "JavaScript"
                              << QByteArray(
                                     "let total = 0;\nfor (const price of prices) {\n"
                                     "  total += price;\n}\nconsole.log(total);\n")
                              << "a:2 -  total += price; +  whole += price;";
  QTest::newRow("Go") << "Go"
                      << QByteArray(
                             "func sum() int {\n\ttotal := 0\n\ttotal++\n\treturn total\n}\n")
                      << "a:2 -\ttotal++ +\twhole++";
  QTest::newRow("Rust") << "Rust"
                        << QByteArray(
                               "fn sum() -> u32 {\n    let mut total = 0;\n    total += 1;\n"
                               "    total\n}\n")
                        << "a:2 -    total += 1; +    whole += 1;";
  QTest::newRow("a function") << "Python"
                              << QByteArray(
                                     "def total(prices):\n    return sum(prices)\n\n\n"
                                     "print(total([1]))\n")
                              << "a:4 -print(total([1])) +print(whole([1]))";
  QTest::newRow("in the same line") << "C++"
                                    << QByteArray(
                                           "void f() {\n  for (int total = 0; total < 9; ++total)\n"
                                           "    g();\n}\n")
                                    << "a:1 -  for (int whole = 0; total < 9; ++total) "
                                       "+  for (int whole = 0; whole < 9; ++whole)";
}

void TestNextEdit::thePlainRenameIsFollowedUp() {
  QFETCH(QString, language);
  QFETCH(QByteArray, text);
  QFETCH(QString, proposed);
  Session s;
  s.open("a", text, language);
  s.replace("a", "total", "whole");
  const QStringList all = s.proposed(Finder::kRename);
  QVERIFY(!all.isEmpty());
  QCOMPARE(all.first(), proposed);
  const auto next = findNextEdit(s.situation(), shippedGate());
  QVERIFY(next);
  QCOMPARE(next->edit.after,
           QByteArrayList{QByteArray(next->edit.before.first()).replace("total", "whole")});
}

void TestNextEdit::aRenameThatIsNotPlainIsLeftToTheGate_data() {
  QTest::addColumn<QString>("language");
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("was");
  QTest::addColumn<QByteArray>("is");
  const auto row = [](const char* name, const char* language, const char* text, const char* was,
                      const char* is) {
    QTest::newRow(name) << language << QByteArray(text) << QByteArray(was) << QByteArray(is);
  };
  row("the new name is known", "Python", "total = 0\nwhole = 1\nprint(total)\n", "total", "whole");
  row("it is defined again", "Python", "total = 0\nf(total)\ntotal = 1\nf(total)\n", "total",
      "whole");
  row("more changed in the line", "Python", "total = 0\nprint(total)\n", "total = 0", "whole = 1");
  row("it is no definition", "Python", "f(total)\ng(total)\n", "total", "whole");
  row("a member of something", "Python", "total = 0\nprint(bill.total)\n", "total", "whole");
  row("a named argument", "Python", "total = 0\npay(total=1)\n", "total", "whole");
  row("a key", "JavaScript", "let total = 0;\nf({total: 1});\n", "total", "whole");
  row("a string and a comment", "Python", "total = 0\nprint('total')  # total\n", "total", "whole");
  row("another function's own", "C++",
      "void f() {\n  int total = 0;\n}\nvoid g() {\n  int total = 1;\n  h(total);\n}\n", "total",
      "whole");
  row("another function's parameter", "C++",
      "void f() {\n  int total = 0;\n}\nvoid g(int total) {\n  h(total);\n}\n", "total", "whole");
  row("another function's pointer", "C++",
      "void f(int* total) {\n  g(1);\n}\nvoid h(const T& t, int* total) {\n  total = 0;\n}\n",
      "total", "whole");
  row("a literal's", "Go", "func f(r *T) {\n\tg(func(w W, r *T) {\n\t\tw(1)\n\t})\n}\n", "r *T",
      "q *T");
  row("of the file, too", "C++", "int total;\nvoid f() {\n  int total = 0;\n  g(total);\n}\n",
      "int total = 0", "int whole = 0");
  row("a part of the name", "Python", "total_price = 0\nprint(total)\n", "total", "whole");
}

void TestNextEdit::aRenameThatIsNotPlainIsLeftToTheGate() {
  QFETCH(QString, language);
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, was);
  QFETCH(QByteArray, is);
  Session s;
  s.open("a", text, language);
  s.replace("a", was, is);
  QCOMPARE(s.proposed(Finder::kRename), QStringList());
}

// What was taken is no reason to stop; anything else is.
void TestNextEdit::thePlainRenameGoesOn() {
  Session s;
  s.open("a", "total = 0\nprint(1, total)\n\nprint(2, total)\nprint(3, total)\n", "Python");
  s.replace("a", "total", "whole");
  QCOMPARE(s.proposed(Finder::kRename).size(), 3);
  s.history.endEdit();
  s.replace("a", "print(1, total)", "print(1, whole)");
  QCOMPARE(s.proposed(Finder::kRename), (QStringList{"a:3 -print(2, total) +print(2, whole)",
                                                     "a:4 -print(3, total) +print(3, whole)"}));
  s.history.endEdit();
  s.replace("a", "print(2", "log(2");
  QCOMPARE(s.proposed(Finder::kRename), QStringList());
}

void TestNextEdit::namesThatChangeTogetherStayTogether() {
  Session s;
  s.open("a", "set(oldKey, oldValue);\n\n\nget(oldKey, oldValue);\nget(oldKey);\n");
  s.edit("a", {0, 22, "set(newKey, newValue);"});
  QVERIFY(
      s.proposed(Finder::kName).contains("a:3 -get(oldKey, oldValue); +get(newKey, newValue);"));
  QVERIFY(s.proposed(Finder::kName).contains("a:4 -get(oldKey); +get(newKey);"));
}

void TestNextEdit::marksNeedWhatStandsAround() {
  Session s;
  s.open("a", "if (x == y) f();\n\nif (x == y) g();\nif (p == q) g();\n");
  s.replace("a", "==", "!=");
  QCOMPARE(s.proposed(Finder::kSpan), QStringList{"a:2 -if (x == y) g(); +if (x != y) g();"});
}

void TestNextEdit::linesOfOneShapeChangeAlike() {
  Session s;
  s.open("a", "self.width = read('w')\nself.height = read('h')\nother(1, 2)\n", "Python");
  s.replace("a", "self.width = read('w')", "self.set_width(read('w'))");
  QCOMPARE(s.proposed(Finder::kLikeLine),
           QStringList{"a:1 -self.height = read('h') +self.set_height(read('h'))"});
}

// Lines that came or went count as often as they did, as replacements do.
void TestNextEdit::whatWasDoneTwiceIsCounted() {
  Session s;
  s.open("a", "f();\nlog(\"here\", x);\ng();\nlog(\"here\", x);\nh();\nlog(\"here\", x);\n");
  const auto isMadeTwice = [&] {
    const Situation now = s.situation();
    for (const Candidate& candidate : nextEditCandidates(now))
      if (candidate.finder == Finder::kBlock) return candidate.features[Feature::kMadeTwice];
    return -1.0F;
  };
  s.replace("a", "log(\"here\", x);\n", "");
  QCOMPARE(isMadeTwice(), 0.0F);
  s.history.endEdit();
  s.replace("a", "log(\"here\", x);\n", "");
  QCOMPARE(isMadeTwice(), 1.0F);
}

void TestNextEdit::callsGetTheArgument() {
  Session s;
  s.open("a", "draw(a, 1);\n\nif (draw(b, f(2, 3))) return;\ndraw(c);\n");
  s.replace("a", "draw(a, 1)", "draw(a, 1, style)");
  QCOMPARE(s.proposed(Finder::kCall),
           QStringList{"a:2 -if (draw(b, f(2, 3))) return; +if (draw(b, f(2, 3), style)) return;"});
}

void TestNextEdit::callsFollowTheHead() {
  Session s;
  s.open("a", "def area(self, width, unit):\n    pass\n\n\nprint(s.area(3, cm))\n", "Python");
  s.replace("a", "width, unit", "width");
  QCOMPARE(s.proposed(Finder::kCall), QStringList{"a:4 -print(s.area(3, cm)) +print(s.area(3))"});
}

void TestNextEdit::linesThatWentGoElsewhere() {
  Session s;
  s.open("a", "f();\nlog(\"here\", x);\ng();\n\n\n  log(\"here\", x);\nh();\n");
  s.replace("a", "log(\"here\", x);\n", "");
  QCOMPARE(s.proposed(Finder::kBlock), QStringList{"a:4 -  log(\"here\", x);"});
}

void TestNextEdit::linesThatCameComeElsewhere() {
  Session s;
  s.open("a", "lock(mutex);\nwork(one);\n\n\n\n  lock(mutex);\n  work(one);\n");
  s.replace("a", "lock(mutex);\n", "lock(mutex);\ncheck(state);\n");
  QCOMPARE(s.proposed(Finder::kBlock), QStringList{"a:7 +  check(state);"});
}

void TestNextEdit::whatWasDismissedStaysAway() {
  Session s;
  s.open("a", "int count;\nf(count);\ng(count);\n");
  s.replace("a", "count", "sum");
  auto next = findNextEdit(s.situation(), openGate());
  QVERIFY(next);
  QCOMPARE(next->edit.line, 1);
  QCOMPARE(next->places, 2);
  s.dismissed.append({"a", next->edit.before, next->edit.after, next->change});
  next = findNextEdit(s.situation(), openGate());
  QVERIFY(next);
  QCOMPARE(next->edit.line, 2);
}

void TestNextEdit::theSuggestionIsTheSmallestHunk() {
  Session s;
  s.open("a", "int count;\n  f(count, 1);\n");
  s.replace("a", "count", "sum");
  const auto next = findNextEdit(s.situation(), openGate());
  QVERIFY(next);
  const editor::Hunk& hunk = next->hunk;
  QCOMPARE(hunk.text, QByteArray("sum"));
  const QByteArray text = s.text("a").toByteArray();
  QCOMPARE(hunk.range.start(), text.indexOf("count"));
  QCOMPARE(hunk.range.end(), text.indexOf("count") + 5);
}

void TestNextEdit::theLinesEndAsTheText() {
  Session s;
  s.open("a", "lock(mutex);\r\nwork(one);\r\n\r\n\r\n\r\nlock(mutex);\r\nwork(one);\r\n");
  s.replace("a", "lock(mutex);\r\n", "lock(mutex);\r\ncheck(state);\r\n");
  const auto next = findNextEdit(s.situation(), openGate());
  QVERIFY(next);
  QCOMPARE(next->hunk.text, QByteArray("check(state);\r\n"));
  QCOMPARE(next->hunk.range.start(), s.text("a").lineStart(7));
}

void TestNextEdit::aSearchCanBeCalledOff() {
  Session s;
  s.open("a", "int count;\nf(count);\n");
  s.replace("a", "count", "sum");
  const std::atomic_bool cancelled(true);
  QVERIFY(!findNextEdit(s.situation(), openGate(), &cancelled));
}

void TestNextEdit::weightsAreRead() {
  const auto gate = Gate::parse(R"({"finders": {"name": {"bias": -1, "threshold": 0.5,
      "weights": {"only": 1, "only*left1": 2}}}})");
  QVERIFY(gate);
  Features features;
  QCOMPARE(gate->probability(Finder::kName, features), 1 / (1 + std::exp(1.0)));
  features.set(Feature::kOnly, 1);
  QCOMPARE(gate->probability(Finder::kName, features), 0.5);
  features.set(Feature::kLeft1, 1);
  QCOMPARE(gate->probability(Finder::kName, features), 1 / (1 + std::exp(-2.0)));
  QCOMPARE(gate->threshold(Finder::kName), 0.5);
  // One without weights is never shown.
  QVERIFY(gate->threshold(Finder::kSpan) > 1);
  QVERIFY(!Gate::parse("{"));
  const auto unknown = Gate::parse(R"({"finders": {"name": {"bias": 0, "weights": {"moon": 1}}}})");
  QVERIFY(!unknown);
  QVERIFY(unknown.error().message().contains("moon"));
}

void TestNextEdit::theShippedWeightsAreRead() {
  QFile file(QString::fromStdString(test::sourceDir()) + "/resources/next_edit.json");
  QVERIFY(file.open(QIODevice::ReadOnly));
  const auto gate = Gate::parse(file.readAll());
  QVERIFY2(gate.has_value(), gate ? "" : qPrintable(gate.error().message()));
  QVERIFY(gate->threshold(Finder::kName) < 1);
}

QTEST_GUILESS_MAIN(TestNextEdit)
#include "test_next_edit.moc"

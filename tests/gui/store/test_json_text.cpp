// SPDX-License-Identifier: GPL-3.0-or-later
// JSON that a person wrote: what is in it, what is wrong with it, and that a change of one value
// leaves all else as it was.
#include <QJsonArray>
#include <QRandomGenerator>
#include <QTest>

#include "gui/store/json_text.h"

namespace waferpair::gui {
namespace {

// A text of members in all layouts, and what it says.
struct Written {
  QByteArray text;
  QJsonObject values;
  QList<QByteArray> comments;
};

QByteArray blank(QRandomGenerator& random, Written& into) {
  static const QList<QByteArray> blanks = {"", " ", "\n", "\n  ", "\t", "\r\n"};
  QByteArray text = blanks[random.bounded(static_cast<int>(blanks.size()))];
  const QByteArray mark = QByteArray::number(into.comments.size());
  switch (random.bounded(6)) {
    case 0:
      into.comments.append("// \xc3\xa4 line {" + mark + "}");
      text += into.comments.last() + '\n';
      break;
    case 1:
      into.comments.append("/* block, " + mark + ": \"\n*/");
      text += into.comments.last();
      break;
    default:
      break;
  }
  return text + blanks[random.bounded(static_cast<int>(blanks.size()))];
}

QJsonValue someValue(QRandomGenerator& random) {
  switch (random.bounded(6)) {
    case 0:
      return random.bounded(1000) / 8.0;
    case 1:
      return QStringLiteral("a \"b\" // no\\ comment ä%1").arg(random.bounded(9));
    case 2:
      return QJsonArray{"x", 1, QJsonArray{}};
    case 3:
      return QJsonValue::Null;
    case 4:
      return QJsonObject{{"inner", QJsonArray{true}}};
    default:
      return random.bounded(2) == 0;
  }
}

QString someName(QRandomGenerator& random) {
  return QStringLiteral("name/%1\"").arg(random.bounded(8));
}

Written write(QRandomGenerator& random) {
  Written w;
  w.text = blank(random, w);
  w.text += '{';
  const int count = random.bounded(6);
  for (int i = 0; i < count; ++i) {
    const QString name = someName(random);
    const QJsonValue value = someValue(random);
    w.text += blank(random, w);
    w.text += jsonLine(name) + ':' + jsonLine(value);
    w.text += blank(random, w);
    if (i + 1 < count || random.bounded(2) == 0) w.text += ',';
    w.values.insert(name, value);
  }
  w.text += blank(random, w);
  w.text += '}';
  w.text += blank(random, w);
  return w;
}

}  // namespace

class TestJsonText : public QObject {
  Q_OBJECT
 private slots:
  void commentsAndLastCommasAreRead();
  void mistakesAreAtTheirLine_data();
  void mistakesAreAtTheirLine();
  void aChangeLeavesAllElse_data();
  void aChangeLeavesAllElse();
  void anythingWrittenCanBeChanged();
  void noBytesCrash();
};

void TestJsonText::commentsAndLastCommasAreRead() {
  const JsonText text(
      "\xef\xbb\xbf// mine\n{\n  \"a\": 1, // one\n  /* two */ \"b\": [1, 2,],\n"
      "  \"c\": {\"d\": \"\\u00e4 // x\",},\n  \"a\": -2.5e1,\n}\n// end");
  QVERIFY(!text.mistake());
  QCOMPARE(text.values(), (QJsonObject{{"a", -25},
                                       {"b", QJsonArray{1, 2}},
                                       {"c", QJsonObject{{"d", QStringLiteral("ä // x")}}}}));
  QCOMPARE(text.names(), (QStringList{"a", "b", "c"}));
  QCOMPARE(text.lineOf("b"), 4);
  QCOMPARE(text.lineOf("a"), 6);
  QCOMPARE(text.lineOf("d"), 0);
  QVERIFY(JsonText("").values().isEmpty() && !JsonText("").mistake());
  QVERIFY(!JsonText(" // nothing yet\n").mistake());
}

void TestJsonText::mistakesAreAtTheirLine_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("line");
  QTest::addColumn<int>("column");
  QTest::addColumn<QString>("says");
  const auto row = [](const char* name, const QByteArray& text, int line, int column,
                      const char* says) { QTest::newRow(name) << text << line << column << says; };
  row("comma", "{\n  \"a\": 1\n  \"b\": 2\n}", 3, 3, "comma");
  row("colon", "{\"a\" 1}", 1, 6, "colon");
  row("bare word", "{\n\"\xc3\xa4\": dark}", 2, 6, "dark");
  row("no end", "{\"a\": 1", 1, 8, "}");
  row("text without end", "{\n\"a\": \"x\n}", 2, 6, "no end");
  row("comment without end", "{}\n /* x", 2, 2, "*/");
  row("behind the end", "{}\n{}", 2, 1, "follow");
  row("a list", "[1]", 1, 1, "between");
  row("number", "{\"a\": 01}", 1, 7, "number");
  row("huge number", "{\"a\": 1e999}", 1, 7, "number");
  row("escape", "{\"a\": \"\\q\"}", 1, 8, "JSON");
  row("no name", "{a: 1}", 1, 2, "quotes");
  row("not UTF-8", "{\"a\":\n \"\xff\"}", 2, 3, "UTF-8");
  row("deep", QByteArray(200, '['), 1, 1, "between");
  row("deep inside", "{\"a\": " + QByteArray(200, '[') + '}', 1, 71, "deep");
}

void TestJsonText::mistakesAreAtTheirLine() {
  QFETCH(QByteArray, text);
  const JsonText read(text);
  QVERIFY(read.mistake());
  QTEST(read.mistake()->line, "line");
  QTEST(read.mistake()->column, "column");
  QFETCH(QString, says);
  QVERIFY2(read.mistake()->text.contains(says), qPrintable(read.mistake()->text));
  QVERIFY(read.values().isEmpty());
}

void TestJsonText::aChangeLeavesAllElse_data() {
  QTest::addColumn<QByteArray>("before");
  QTest::addColumn<QByteArray>("set");      // "b" to 7
  QTest::addColumn<QByteArray>("removed");  // "b"
  const auto row = [](const char* name, const QByteArray& before, const QByteArray& set,
                      const QByteArray& removed) {
    QTest::newRow(name) << before << set << removed;
  };
  row("empty", "", "{\n  \"b\": 7\n}\n", "");
  row("only a comment", "// mine", "// mine\n{\n  \"b\": 7\n}\n", "// mine");
  row("no members", "{}", "{\n  \"b\": 7\n}", "{}");
  row("a comment inside", "{\n  // soon\n}\n", "{\n  // soon\n  \"b\": 7\n}\n",
      "{\n  // soon\n}\n");
  row("in its place", "{\n  \"a\": 1, // x\n  \"b\":  2 , // two\n  \"c\": 3\n}",
      "{\n  \"a\": 1, // x\n  \"b\":  7 , // two\n  \"c\": 3\n}",
      "{\n  \"a\": 1, // x\n  // two\n  \"c\": 3\n}");
  row("a whole line", "{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"a\": 1,\n  \"b\": 7\n}",
      "{\n  \"a\": 1\n}");
  row("behind the last", "{\n\t\"a\": 1 // x\n\n  // end\n}",
      "{\n\t\"a\": 1, // x\n\t\"b\": 7\n\n  // end\n}", "{\n\t\"a\": 1 // x\n\n  // end\n}");
  row("a last comma", "{\n    \"a\": [\n  1],\n}", "{\n    \"a\": [\n  1],\n    \"b\": 7,\n}",
      "{\n    \"a\": [\n  1],\n}");
  row("one line", "{\"a\": 1, \"b\": 2}", "{\"a\": 1, \"b\": 7}", "{\"a\": 1 }");
  row("one line, new", "{\"a\": 1}", "{\"a\": 1, \"b\": 7}", "{\"a\": 1}");
  row("line ends of Windows", "{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"b\": 7\r\n}\r\n",
      "{\r\n  \"a\": 1\r\n}\r\n");
  row("twice", "{\n  \"b\": 1,\n  \"b\": 2\n}\n", "{\n  \"b\": 1,\n  \"b\": 7\n}\n", "{\n}\n");
}

void TestJsonText::aChangeLeavesAllElse() {
  QFETCH(QByteArray, before);
  JsonText text(before);
  text.set("b", 7);
  QTEST(text.text(), "set");
  JsonText other(before);
  other.remove("b");
  QTEST(other.text(), "removed");
}

void TestJsonText::anythingWrittenCanBeChanged() {
  QRandomGenerator random(11);
  for (int round = 0; round < 3000; ++round) {
    const Written written = write(random);
    JsonText text(written.text);
    QVERIFY2(!text.mistake(), written.text.constData());
    QCOMPARE(text.values(), written.values);
    QJsonObject expected = written.values;
    for (int change = random.bounded(1, 5); change > 0; --change) {
      const QString name = someName(random);
      const QJsonValue value = someValue(random);
      const QByteArray last = text.text();
      if (random.bounded(3) == 0) {
        text.remove(name);
        expected.remove(name);
      } else {
        text.set(name, value);
        expected.insert(name, value);
      }
      QVERIFY2(!text.mistake(), qPrintable(last + "\n-- " + name.toUtf8() + '\n' + text.text()));
      QCOMPARE(text.values(), expected);
    }
    // Each comment is there, in its order.
    qsizetype at = 0;
    for (const QByteArray& comment : written.comments) {
      at = text.text().indexOf(comment, at);
      QVERIFY2(at >= 0, qPrintable(written.text + "\n--\n" + text.text()));
      at += comment.size();
    }
  }
}

void TestJsonText::noBytesCrash() {
  QRandomGenerator random(5);
  const QByteArray signs = "{}[]\",:\\/*\n 01-.eEtrufalsn\xc3\xff";
  for (int round = 0; round < 20000; ++round) {
    QByteArray bytes = round % 2 == 0 ? QByteArray("{\"a\": ") : QByteArray();
    for (int n = random.bounded(24); n > 0; --n)
      bytes += signs[random.bounded(static_cast<int>(signs.size()))];
    JsonText text(bytes);
    if (text.mistake()) continue;
    text.set("new", 1);
    QVERIFY2(!text.mistake() && text.values().value("new") == QJsonValue(1), bytes.constData());
    text.remove("new");
    QVERIFY2(!text.mistake() && !text.values().contains("new"), bytes.constData());
  }
}

}  // namespace waferpair::gui

QTEST_GUILESS_MAIN(waferpair::gui::TestJsonText)
#include "test_json_text.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What a folder gives for a start: any change of it is another key, and all of it is shown.
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include "programs/given_start.h"

namespace waferpair::programs {
namespace {

QJsonObject object(const char* json) { return QJsonDocument::fromJson(json).object(); }

GivenStart server(const QJsonObject& given) {
  return {QStringLiteral("/p"), GivenStart::Kind::kLanguageServer, QStringLiteral("pylsp"),
          QStringLiteral(".waferpair/language-servers.json"), given};
}

constexpr char kPylsp[] =
    R"({"program": "/usr/bin/pylsp", "arguments": ["--check"], "settings": {"pylsp": {"plugins":
        {"flake8": {"enabled": true}}}}})";

}  // namespace

class TestGivenStart : public QObject {
  Q_OBJECT
 private slots:
  void keyIsOfAllThatIsGiven_data();
  void keyIsOfAllThatIsGiven();
  void keyIsOfFolderAndKind();
  void orderOfFieldsIsNothing();
  void allIsShown();
  void nothingHides_data();
  void nothingHides();
};

void TestGivenStart::keyIsOfAllThatIsGiven_data() {
  QTest::addColumn<QByteArray>("other");
  const auto add = [](const char* name, const char* json) {
    QTest::newRow(name) << QByteArray(json);
  };
  add("a program that a plugin runs",
      R"({"program": "/usr/bin/pylsp", "arguments": ["--check"], "settings": {"pylsp": {"plugins":
          {"flake8": {"enabled": true, "executable": "/tmp/x"}}}}})");
  add("a setting", R"({"program": "/usr/bin/pylsp", "arguments": ["--check"], "settings":
          {"pylsp": {"plugins": {"flake8": {"enabled": false}}}}})");
  add("none of them", R"({"program": "/usr/bin/pylsp", "arguments": ["--check"]})");
  add("an argument", R"({"program": "/usr/bin/pylsp", "arguments": ["--check", "-v"], "settings":
          {"pylsp": {"plugins": {"flake8": {"enabled": true}}}}})");
  add("one argument of two", R"({"program": "/usr/bin/pylsp", "arguments": ["--check -v"],
          "settings": {"pylsp": {"plugins": {"flake8": {"enabled": true}}}}})");
  add("the environment", R"({"program": "/usr/bin/pylsp", "arguments": ["--check"], "settings":
          {"pylsp": {"plugins": {"flake8": {"enabled": true}}}}, "environment": ["A=1"]})");
  add("a text for a flag", R"({"program": "/usr/bin/pylsp", "arguments": ["--check"], "settings":
          {"pylsp": {"plugins": {"flake8": {"enabled": "true"}}}}})");
}

void TestGivenStart::keyIsOfAllThatIsGiven() {
  QFETCH(QByteArray, other);
  const GivenStart a = server(object(kPylsp)), b = server(object(other));
  QVERIFY(!b.given.isEmpty());
  QVERIFY(a.key() != b.key());
  QVERIFY(a.shown() != b.shown());
  QCOMPARE(b.key().size(), 64);
}

void TestGivenStart::keyIsOfFolderAndKind() {
  const GivenStart start = server(object(kPylsp));
  GivenStart other = start;
  other.folder = QStringLiteral("/q");
  QVERIFY(start.key() != other.key());
  other = start;
  other.kind = GivenStart::Kind::kTask;
  QVERIFY(start.key() != other.key());
  // What it is called for people decides nothing.
  other = start;
  other.source = QStringLiteral("elsewhere");
  QCOMPARE(start.key(), other.key());
}

void TestGivenStart::orderOfFieldsIsNothing() {
  QCOMPARE(server(object(R"({"a": 1, "b": {"c": 2, "d": [3, 4]}})")).key(),
           server(object(R"({"b": {"d": [3, 4], "c": 2}, "a": 1})")).key());
  QVERIFY(server(object(R"({"a": [3, 4]})")).key() != server(object(R"({"a": [4, 3]})")).key());
}

void TestGivenStart::allIsShown() {
  const GivenStart start = server(object(
      R"({"program": "/usr/bin/pylsp", "settings": {"pylsp": {"on": true, "depth": 3,
          "list": ["a", {"b": null}], "empty": {}, "none": []}}})"));
  QCOMPARE(start.shown(), (QStringList{"program = /usr/bin/pylsp", "settings.pylsp.depth = 3",
                                       "settings.pylsp.empty = {}", "settings.pylsp.list[1] = a",
                                       "settings.pylsp.list[2].b = null",
                                       "settings.pylsp.none = []", "settings.pylsp.on = true"}));
  QCOMPARE(server({}).shown(), QStringList());
  // A command is shown as it would be typed.
  GivenStart command = server(givenCommand({"/bin/sh", {"-c", "make all"}, {"LANG=C", "A=\nB"}}));
  QCOMPARE(command.shown(),
           (QStringList{"command = /bin/sh -c \"make all\"", "environment[1] = LANG=C",
                        "environment[2] = A=⟨U+000A⟩B"}));
}

void TestGivenStart::nothingHides_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("shown");
  QTest::newRow("plain") << "make -j 4 \u00FC \u65E5"
                         << "make -j 4 \u00FC \u65E5";
  QTest::newRow("a line end") << QStringLiteral("a\nb") << "a⟨U+000A⟩b";
  QTest::newRow("60 line ends") << u'a' + QString(60, u'\n') + u'b' << "a⟨60 × U+000A⟩b";
  QTest::newRow("3,000 blanks") << u'a' + QString(3000, u' ') + u'b' << "a⟨3000 blanks⟩b";
  QTest::newRow("bidirectional") << QStringLiteral("a\u202Eb") << "a⟨U+202E⟩b";
}

void TestGivenStart::nothingHides() {
  QFETCH(QString, text);
  QFETCH(QString, shown);
  const GivenStart start = server({{"k" + text, text}});
  QCOMPARE(start.shown(), QStringList{"k" + shown + " = " + shown});
}

}  // namespace waferpair::programs

QTEST_APPLESS_MAIN(waferpair::programs::TestGivenStart)
#include "test_given_start.moc"

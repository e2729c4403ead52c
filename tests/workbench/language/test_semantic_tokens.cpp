// SPDX-License-Identifier: GPL-3.0-or-later
// What names are, as servers number it: read, followed through edits, and kept up to date.
#include <QJsonArray>
#include <QStandardPaths>

#include "tests/support/rest.h"
#include "tests/workbench/language/language_project.h"
#include "workbench/language/document_tokens.h"
#include "workbench/language/inlay_hints.h"

using namespace waferpair;
using namespace waferpair::workbench;
using editor::Snapshot;
using editor::TextEdit;

namespace {

QJsonValue provider(const QStringList& types, const QStringList& modifiers = {}) {
  return QJsonObject{
      {"legend", QJsonObject{{"tokenTypes", QJsonArray::fromStringList(types)},
                             {"tokenModifiers", QJsonArray::fromStringList(modifiers)}}}};
}

// "start-end kind" of each.
QStringList told(const QVector<SemanticToken>& tokens) {
  QStringList told;
  for (const SemanticToken& one : tokens)
    told.append(
        QStringLiteral("%1-%2 %3").arg(one.start).arg(one.end).arg(static_cast<int>(one.kind)));
  return told;
}

constexpr int kType = static_cast<int>(TokenKind::kType);
constexpr int kFunction = static_cast<int>(TokenKind::kFunction);
constexpr int kParameter = static_cast<int>(TokenKind::kParameter);
constexpr int kConstant = static_cast<int>(TokenKind::kConstant);

}  // namespace

class TestSemanticTokens : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void numbersBecomePlaces_data() {
    QTest::addColumn<int>("unit");
    QTest::addColumn<TokenData>("data");
    // "\u00e4 A f" and "\U0001f600 A": a letter of two bytes, one of four.
    QTest::newRow("UTF-16") << static_cast<int>(ColumnUnit::kUtf16)
                            << TokenData{0, 2, 1, 1, 0, 0, 2, 1, 2, 0, 1, 3, 1, 1, 0};
    QTest::newRow("UTF-8") << static_cast<int>(ColumnUnit::kUtf8)
                           << TokenData{0, 3, 1, 1, 0, 0, 2, 1, 2, 0, 1, 5, 1, 1, 0};
  }
  void numbersBecomePlaces() {
    QFETCH(int, unit);
    QFETCH(TokenData, data);
    const Snapshot text(QString("\u00e4 A f\n\U0001f600 A").toUtf8());
    const auto tokens =
        semanticTokens(data, readTokenLegend(provider({"variable", "class", "function"})), text,
                       static_cast<ColumnUnit>(unit));
    QCOMPARE(told(tokens),
             QStringList({QString("3-4 %1").arg(kType), QString("5-6 %1").arg(kFunction),
                          QString("12-13 %1").arg(kType)}));
  }

  void constantsAreGlobalAndReadOnly() {
    const TokenLegend legend =
        readTokenLegend(provider({"variable", "parameter"}, {"readonly", "static", "globalScope"}));
    const Snapshot text("a b c d");
    const auto tokens = semanticTokens({0, 0, 1, 0, 1, 0, 2, 1, 0, 3, 0, 2, 1, 0, 5, 0, 2, 1, 1, 7},
                                       legend, text, ColumnUnit::kUtf8);
    QCOMPARE(told(tokens),
             QStringList({QString("2-3 %1").arg(kConstant), QString("4-5 %1").arg(kConstant),
                          QString("6-7 %1").arg(kParameter)}));
  }

  void nonsenseIsLeftOut() {
    const TokenLegend legend = readTokenLegend(provider({"class"}));
    const Snapshot text("one two\nx");
    // Beyond the text, of an unknown type, over another, without an end, half a token.
    QCOMPARE(told(semanticTokens({0,  0, 3, 0, 0, 0, 1,           4, 0, 0,   0, 3, 3, 9, 0, 0,
                                  99, 5, 0, 0, 1, 0, 4000000000u, 0, 0, 700, 0, 1, 0, 0, 0, 1},
                                 legend, text, ColumnUnit::kUtf16)),
             QStringList({QString("0-3 %1").arg(kType), QString("8-9 %1").arg(kType)}));
    QCOMPARE(readTokenData(QJsonArray{0, -5, 1}), TokenData());
    QCOMPARE(readTokenData(QJsonArray{0, 4294967296.0}), TokenData());
    QCOMPARE(readTokenData("x"), TokenData());
    QCOMPARE(readTokenLegend(QJsonValue()).kinds.size(), 0);
  }

  void differencesAreMade_data() {
    QTest::addColumn<QByteArray>("edits");
    QTest::addColumn<bool>("fits");
    QTest::addColumn<TokenData>("after");
    QTest::newRow("one") << QByteArray(R"([{"start":1,"deleteCount":2,"data":[9]}])") << true
                         << TokenData{0, 9, 3, 4};
    QTest::newRow("two, of the data before")
        << QByteArray(R"([{"start":4,"deleteCount":1,"data":[8]},{"start":0,"deleteCount":1}])")
        << true << TokenData{1, 2, 3, 8};
    QTest::newRow("behind all") << QByteArray(R"([{"start":5,"deleteCount":0,"data":[5]}])") << true
                                << TokenData{0, 1, 2, 3, 4, 5};
    QTest::newRow("beyond it") << QByteArray(R"([{"start":4,"deleteCount":2}])") << false
                               << TokenData{};
    QTest::newRow("negative") << QByteArray(R"([{"start":-1,"deleteCount":0}])") << false
                              << TokenData{};
    QTest::newRow("one in another")
        << QByteArray(R"([{"start":0,"deleteCount":3},{"start":2,"deleteCount":1}])") << false
        << TokenData{};
    QTest::newRow("no numbers") << QByteArray(R"([{"start":0,"deleteCount":0,"data":["x"]}])")
                                << false << TokenData{};
    QTest::newRow("no list") << QByteArray("[7]") << false << TokenData{};
  }
  void differencesAreMade() {
    QFETCH(QByteArray, edits);
    QFETCH(bool, fits);
    QFETCH(TokenData, after);
    TokenData data{0, 1, 2, 3, 4};
    const QJsonArray list = QJsonDocument::fromJson(edits).array();
    QCOMPARE(editTokenData(list, &data), fits);
    if (fits) QCOMPARE(data, after);
  }

  void tokensFollowEdits_data() {
    QTest::addColumn<qint64>("start");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("after");
    // The tokens are at 2-5 and 8-10.
    QTest::newRow("before") << qint64(0) << qint64(1) << QByteArray("xyz")
                            << QStringList({"4-7", "10-12"});
    QTest::newRow("within") << qint64(3) << qint64(3) << QByteArray("xy")
                            << QStringList({"2-7", "10-12"});
    QTest::newRow("at its end") << qint64(5) << qint64(5) << QByteArray("x")
                                << QStringList({"2-5", "9-11"});
    QTest::newRow("at its start") << qint64(2) << qint64(2) << QByteArray("x")
                                  << QStringList({"3-6", "9-11"});
    QTest::newRow("over its front")
        << qint64(1) << qint64(3) << QByteArray("") << QStringList({"1-3", "6-8"});
    QTest::newRow("over its back")
        << qint64(4) << qint64(6) << QByteArray("x") << QStringList({"2-4", "7-9"});
    QTest::newRow("all of it") << qint64(1) << qint64(6) << QByteArray("") << QStringList({"3-5"});
    QTest::newRow("behind") << qint64(10) << qint64(10) << QByteArray("x")
                            << QStringList({"2-5", "8-10"});
  }
  void tokensFollowEdits() {
    QFETCH(qint64, start);
    QFETCH(qint64, end);
    QFETCH(QByteArray, text);
    QFETCH(QStringList, after);
    QVector<SemanticToken> tokens{{2, 5, TokenKind::kType}, {8, 10, TokenKind::kType}};
    followEdit({start, end, text}, &tokens);
    QStringList places;
    for (const SemanticToken& one : std::as_const(tokens))
      places.append(QStringLiteral("%1-%2").arg(one.start).arg(one.end));
    QCOMPARE(places, after);
  }

  // After the first answer only the difference is asked for, and what comes of it is the same.
  void differencesAreAskedFor_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("second");
    QTest::newRow("delta") << ""
                           << "tokens delta";
    QTest::newRow("in bytes") << "utf8"
                              << "tokens delta";
    QTest::newRow("all again from who forgets") << "forgets"
                                                << "tokens delta";
    QTest::newRow("from who knows no other way") << "whole"
                                                 << "tokens full";
    QTest::newRow("late") << "slow"
                          << "tokens delta";
  }
  void differencesAreAskedFor() {
    QFETCH(QString, how);
    QFETCH(QString, second);
    LanguageProject p(how);
    DocumentTokens tokens(&p.sync, &p.service);
    p.open("a.cpp", "\u00e4 Type run(x)\n");
    tokens.follow(p.path("a.cpp"));
    QTRY_COMPARE_WITH_TIMEOUT(
        told(tokens.tokens(p.path("a.cpp"))),
        QStringList({QString("3-7 %1").arg(kType), QString("8-11 %1").arg(kFunction),
                     QString("12-13 %1").arg(kParameter)}),
        10'000);
    p.sync.change(p.path("a.cpp"), 2, {{0, 0, "x "}});
    // At once where they are by now, and the new one once the server has told.
    QCOMPARE(told(tokens.tokens(p.path("a.cpp"))).value(0), QString("5-9 %1").arg(kType));
    QTRY_COMPARE_WITH_TIMEOUT(
        told(tokens.tokens(p.path("a.cpp"))),
        QStringList({QString("0-1 %1").arg(kParameter), QString("5-9 %1").arg(kType),
                     QString("10-13 %1").arg(kFunction), QString("14-15 %1").arg(kParameter)}),
        10'000);
    QStringList asked;
    for (const QJsonValue one : p.ask("test/told", "a.cpp").toArray())
      if (one[u"method"].toString().startsWith("tokens")) asked.append(one[u"method"].toString());
    QCOMPARE(asked.value(0), "tokens full");
    QCOMPARE(asked.value(1), second);
  }

  void wrongTokensDoNoHarm() {
    LanguageProject p("wrong");
    DocumentTokens tokens(&p.sync, &p.service);
    p.open("a.cpp", "Type run(x)\n");
    tokens.follow(p.path("a.cpp"));
    QVERIFY(p.becomesReady("a.cpp"));
    p.sync.change(p.path("a.cpp"), 2, {{0, 0, "x "}});
    test::rest({&p.service});
    QCOMPARE(tokens.tokens(p.path("a.cpp")).size(), 0);
    QCOMPARE(p.ask("test/text", "a.cpp").toString(), "x Type run(x)\n");
  }

  void whatIsClosedOrSwitchedOffIsForgotten() {
    LanguageProject p("");
    DocumentTokens tokens(&p.sync, &p.service);
    p.open("a.cpp", "Type\n");
    tokens.follow(p.path("a.cpp"));
    QTRY_COMPARE_WITH_TIMEOUT(tokens.tokens(p.path("a.cpp")).size(), 1, 10'000);
    tokens.stopAll();
    QCOMPARE(tokens.tokens(p.path("a.cpp")).size(), 0);
    tokens.follow(p.path("a.cpp"));
    QTRY_COMPARE_WITH_TIMEOUT(tokens.tokens(p.path("a.cpp")).size(), 1, 10'000);
    p.sync.close(p.path("a.cpp"));
    QCOMPARE(tokens.tokens(p.path("a.cpp")).size(), 0);
  }

  void clangdTellsThem() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    LanguageServer server = scripted({});
    server.programs = {"clangd"};
    server.arguments = {};
    LanguageProject p(server);
    DocumentTokens tokens(&p.sync, &p.service);
    p.open("a.cpp", "struct A {};\nint run(A \u00e4) { return 1; }\n");
    tokens.follow(p.path("a.cpp"));
    QTRY_VERIFY_WITH_TIMEOUT(tokens.tokens(p.path("a.cpp")).size() >= 4, 20'000);
    const QStringList all = told(tokens.tokens(p.path("a.cpp")));
    QVERIFY(all.contains(QString("7-8 %1").arg(kType)));
    QVERIFY(all.contains(QString("17-20 %1").arg(kFunction)));
    QVERIFY(all.contains(QString("23-25 %1").arg(kParameter)));
  }

  // -- What hints become

  void hintsReadByThemselves() {
    const Snapshot text(
        "auto size = f(3, g(1, 2));\nint b;\nh({1, 2}, \"a long argument of many letters\");\n");
    const QJsonArray answer{
        QJsonObject{{"position", QJsonObject{{"line", 0}, {"character", 17}}},
                    {"label", "other:"},
                    {"kind", 2}},
        QJsonObject{
            {"position", QJsonObject{{"line", 0}, {"character", 9}}},
            {"label", QJsonArray{QJsonObject{{"value", ": "}}, QJsonObject{{"value", "int"}}}},
            {"kind", 1}},
        QJsonObject{{"position", QJsonObject{{"line", 0}, {"character", 14}}},
                    {"label", "width:"},
                    {"kind", 2}},
        QJsonObject{{"position", QJsonObject{{"line", 2}, {"character", 2}}},
                    {"label", "list:"},
                    {"kind", "parameter"}},
        QJsonObject{{"position", QJsonObject{{"line", 2}, {"character", 10}}},
                    {"label", "text:"},
                    {"kind", 2}},
        QJsonObject{{"position", QJsonObject{{"line", 2}, {"character", 45}}}, {"label", "// h"}},
        QJsonValue(7),
        QJsonObject{{"label", "nowhere"}}};
    const auto notes = inlayNotes(readInlayHints(answer, text, ColumnUnit::kUtf16), text);
    QCOMPARE(notes.size(), 2);
    QCOMPARE(notes[0].text, "size: int \u00b7 width: 3 \u00b7 other: g(1, 2)");
    QCOMPARE(notes[1].text, "list: {1, 2} \u00b7 text: \"a long argumen\u2026 \u00b7 // h");
    QCOMPARE(text.lineAt(notes[1].at), 2);
  }
};

QTEST_GUILESS_MAIN(TestSemanticTokens)
#include "test_semantic_tokens.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What servers ask for while they run: to be told of files, to do more than they said, an answer of
// the user's, and to be seen at work.
#include <QSignalSpy>

#include "editor/text/path_bytes.h"
#include "tests/workbench/language/language_project.h"
#include "workbench/language/path_glob.h"
#include "workbench/language/server_abilities.h"
#include "workbench/language/server_works.h"

using namespace waferpair;
using namespace waferpair::workbench;

class TestServerRequests : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void namesThatAreNoUtf8GoAsBytes() {
    const QString path = "/p/" + editor::pathText("na\xefve #1.cpp");
    QCOMPARE(uriOf(path), "file:///p/na%EFve%20%231.cpp");
    QCOMPARE(pathOf(uriOf(path)), path);
    QCOMPARE(pathOf("file:///p/na%C3%AFve%20%231.cpp"),
             QString::fromUtf8("/p/na\xc3\xafve #1.cpp"));
    QCOMPARE(pathOf(uriOf("/p/a%20b")), "/p/a%20b");
  }

  void globsFit_data() {
    QTest::addColumn<QString>("glob");
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("fits");
    const auto row = [](const char* glob, const char* path, bool fits) {
      QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(glob, path))) << glob << path << fits;
    };
    row("*.py", "a.py", true);
    row("*.py", "b/a.py", false);
    row("**/*.py", "a.py", true);
    row("**/*.py", "/b/c/a.py", true);
    row("**/*.py", "/b/c/a.pyc", false);
    row("**/{a,b}.{ts,js}", "x/b.ts", true);
    row("**/{a,b}.{ts,js}", "x/c.ts", false);
    row("src/**", "src/a/b", true);
    row("src/**", "srca/b", false);
    row("a?c", "abc", true);
    row("a?c", "a/c", false);
    row("[a-c].x", "b.x", true);
    row("[!a-c].x", "b.x", false);
    row("[!a-c].x", "/.x", false);
    row("a.b", "axb", false);
    row("{a", "a", true);
    row("a}", "a}", true);
    row("[", "[", true);
    row("", "", false);
    row("**/\u00e4*", "x/\u00e4\u00f6", true);
  }
  void globsFit() {
    QFETCH(QString, glob);
    QFETCH(QString, path);
    QFETCH(bool, fits);
    QCOMPARE(PathGlob(glob).fits(path), fits);
  }

  void abilitiesComeAndGo() {
    ServerAbilities abilities(QJsonObject{{"hoverProvider", true}});
    const auto registered = [](const char* id, const char* method, const QJsonValue& options) {
      return QJsonArray{QJsonObject{{"id", id}, {"method", method}, {"registerOptions", options}}};
    };
    QVERIFY(abilities.add(registered("1", "textDocument/formatting", QJsonValue())));
    QCOMPARE(abilities.all()["documentFormattingProvider"], QJsonValue(true));
    QVERIFY(abilities.add(
        registered("2", "textDocument/completion", QJsonObject{{"resolveProvider", true}})));
    QVERIFY(abilities.all()["completionProvider"].toObject()["resolveProvider"].toBool());
    QVERIFY(!abilities.add(registered("3", "textDocument/hover", QJsonValue())));
    QVERIFY(!abilities.add(registered("4", "nobody/knows", QJsonValue())));
    QVERIFY(abilities.remove(QJsonArray{QJsonObject{{"id", "1"}}}));
    QVERIFY(!abilities.all().contains("documentFormattingProvider"));
    QVERIFY(
        !abilities.remove(QJsonArray{QJsonObject{{"id", "3"}}}));  // it said so at its start, too
    QCOMPARE(abilities.all()["hoverProvider"], QJsonValue(true));
    QVERIFY(!abilities.add(QJsonValue(7)));
  }

  void filesAreWanted() {
    ServerAbilities abilities;
    const QJsonArray watchers{
        QJsonObject{{"globPattern", "**/*.py"}},
        QJsonObject{{"globPattern", "setup.cfg"}, {"kind", 4}},
        QJsonObject{{"globPattern", QJsonObject{{"baseUri", uriOf("/lib")}, {"pattern", "*.h"}}}},
        QJsonObject{{"globPattern", QJsonObject{{"baseUri", "http://x/"}, {"pattern", "*"}}}},
        QJsonValue(3)};
    const QJsonObject options{{"watchers", watchers}};
    QVERIFY(!abilities.watchesFiles());
    abilities.add(QJsonArray{QJsonObject{
        {"id", "w"}, {"method", "workspace/didChangeWatchedFiles"}, {"registerOptions", options}}});
    QVERIFY(abilities.watchesFiles());
    const auto wants = [&](const char* path, FileChange change) {
      return abilities.wantsFile(path, change, "/p");
    };
    QVERIFY(wants("/p/a/b.py", FileChange::kChanged));
    QVERIFY(!wants("/p/a/b.txt", FileChange::kChanged));
    QVERIFY(wants("/p/setup.cfg", FileChange::kDeleted));
    QVERIFY(!wants("/p/setup.cfg", FileChange::kCreated));
    QVERIFY(!wants("/p/a/setup.cfg", FileChange::kDeleted));
    QVERIFY(wants("/lib/x.h", FileChange::kCreated));
    QVERIFY(!wants("/lib/sub/x.h", FileChange::kCreated));
    abilities.remove(QJsonArray{QJsonObject{{"id", "w"}}});
    QVERIFY(!abilities.watchesFiles());
  }

  void workIsTold() {
    ServerWorks works;
    const auto tell = [&](const QJsonValue& token, const QJsonObject& value) {
      works.take(QJsonObject{{"token", token}, {"value", value}});
    };
    QCOMPARE(works.text(), "");
    tell("a",
         {{"kind", "begin"}, {"title", "Indexing"}, {"percentage", 250}, {"cancellable", true}});
    QCOMPARE(works.text(), "Indexing 100 %");
    tell("a", {{"kind", "report"}, {"message", "3/7"}, {"percentage", 42}});
    QCOMPARE(works.text(), "Indexing 3/7 42 %");
    tell(1, {{"kind", "begin"}, {"title", "Loading"}});
    QCOMPARE(works.text(), "Loading");
    QCOMPARE(works.cancellable(), std::optional(QJsonValue("a")));
    tell(1, {{"kind", "end"}});
    QCOMPARE(works.text(), "Indexing 3/7 42 %");
    tell("a", {{"kind", "end"}});
    QVERIFY(works.isEmpty() && !works.cancellable());
    for (int i = 0; i < 100; ++i) tell(i, {{"kind", "begin"}, {"title", QString::number(i)}});
    QCOMPARE(works.text(), QString::number(ServerWorks::kMostWorks - 1));
  }

  void theUserIsAsked_data() {
    QTest::addColumn<int>("choice");
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("the first") << 0 << QByteArray(R"({"extra":7,"title":"Yes"})");
    QTest::newRow("the second") << 1 << QByteArray(R"({"title":"No"})");
    QTest::newRow("none") << -1 << QByteArray();
    QTest::newRow("one that is not there") << 9 << QByteArray();
  }
  void theUserIsAsked() {
    QFETCH(int, choice);
    QFETCH(QByteArray, answer);
    LanguageProject p("");
    p.open("a.cpp", "int a;");
    QVERIFY(p.becomesReady("a.cpp"));
    QSignalSpy asked(&p.service, &LanguageService::userAsked);
    p.ask("test/asks", "a.cpp");
    QTRY_COMPARE_WITH_TIMEOUT(asked.size(), 1, 10'000);
    QCOMPARE(asked[0][2].toString(), "Reload the project?");
    QCOMPARE(asked[0][3].toStringList(), QStringList({"Yes", "No"}));
    LanguageClient* client = p.service.clientOf(p.path("a.cpp"));
    const qint64 number = asked[0][1].toLongLong();
    client->answerUser(number, choice < 0 ? std::nullopt : std::optional<qsizetype>(choice));
    client->answerUser(number, 0);  // once is enough
    QList<QJsonValue> answers;
    for (const QJsonValue one : p.ask("test/told", "a.cpp").toArray())
      if (one[u"answer"] == QJsonValue("asked")) answers.append(one[u"result"]);
    QCOMPARE(answers.size(), 1);
    QCOMPARE(QJsonDocument(answers[0].toObject()).toJson(QJsonDocument::Compact),
             answer.isEmpty() ? QByteArray("{}") : answer);
    QCOMPARE(answers[0].isNull(), answer.isEmpty());
  }

  void filesAreTold() {
    LanguageProject p("");
    p.open("a.cpp", "int a;");
    QVERIFY(p.becomesReady("a.cpp"));
    LanguageClient* client = p.service.clientOf(p.path("a.cpp"));
    QVERIFY(!client->watchesFiles());
    p.ask("test/registers", "a.cpp");
    QTRY_VERIFY_WITH_TIMEOUT(client->watchesFiles(), 10'000);
    QVERIFY(client->offers("documentColorProvider"));
    client->filesChanged({{p.path("x/y.toml"), FileChange::kChanged},
                          {p.path("made.txt"), FileChange::kCreated},
                          {p.path("b.cpp"), FileChange::kChanged}});
    client->filesChanged({{p.path("made.txt"), FileChange::kDeleted}});
    QStringList told;
    for (const QJsonValue one : p.ask("test/told", "a.cpp").toArray()) {
      if (one[u"method"].toString() != "workspace/didChangeWatchedFiles") continue;
      for (const QJsonValue change : one[u"params"][u"changes"].toArray())
        told.append(pathOf(change[u"uri"].toString()).mid(p.folder.path().size()) + ' ' +
                    QString::number(change[u"type"].toInt()));
    }
    told.sort();
    QCOMPARE(told, QStringList({"/made.txt 1", "/x/y.toml 2"}));
    p.ask("test/unregisters", "a.cpp");
    QTRY_VERIFY_WITH_TIMEOUT(!client->watchesFiles(), 10'000);
    QVERIFY(!client->offers("documentColorProvider"));
  }

  void workIsCancelled() {
    LanguageProject p("");
    p.open("a.cpp", "int a;");
    QVERIFY(p.becomesReady("a.cpp"));
    LanguageClient* client = p.service.clientOf(p.path("a.cpp"));
    client->cancelWork();  // there is none
    p.ask("test/works", "a.cpp");
    QTRY_COMPARE_WITH_TIMEOUT(client->progress(), "Indexing 3/7 42 %", 10'000);
    QVERIFY(client->canCancelWork());
    client->cancelWork();
    QTRY_COMPARE_WITH_TIMEOUT(client->progress(), "", 10'000);
    QVERIFY(!client->canCancelWork());
  }
};

QTEST_GUILESS_MAIN(TestServerRequests)
#include "test_server_requests.moc"

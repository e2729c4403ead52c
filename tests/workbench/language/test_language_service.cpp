// SPDX-License-Identifier: GPL-3.0-or-later
// Language servers asked through pipes: a scripted one, which does as it is told and misbehaves.
#include <QRandomGenerator>
#include <QSignalSpy>

#include "tests/support/process_state.h"
#include "tests/support/rest.h"
#include "tests/workbench/language/language_project.h"
#include "workbench/language/symbols.h"

using namespace waferpair;
using namespace waferpair::workbench;
namespace programs = waferpair::programs;
using editor::TextEdit;

class TestLanguageService : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Without the user's word nothing is started, and it is asked for once.
  void nothingStartsUnasked() {
    LanguageProject p("", brisk(), false);
    p.open("a.cpp", "int a;\n");
    p.open("b.cpp", "int b;\n");
    p.sync.openText(p.path("c.txt"), "Markdown", 1, "c");
    QCOMPARE(p.service.offers().size(), 1);
    const LanguageService::Offer offer = p.service.offers().constFirst();
    QCOMPARE(offer.start.folder, p.folder.path());
    QVERIFY(offer.command.line().contains("/tests/workbench/language/scripted_server.py"));
    QVERIFY(!p.service.clientOf(p.path("a.cpp")));
    p.word.declined.insert(offer.start.key());
    p.service.lookAgain();
    QVERIFY(p.service.offers().isEmpty() && !p.service.clientOf(p.path("a.cpp")));
    p.word.agreed.insert(offer.start.key());
    p.service.lookAgain();
    QVERIFY(p.service.offers().isEmpty());
    QVERIFY(p.becomesReady("a.cpp") && p.becomesReady("b.cpp"));
    QCOMPARE(p.service.clientOf(p.path("a.cpp")), p.service.clientOf(p.path("b.cpp")));
    QVERIFY(!p.service.clientOf(p.path("c.txt")));
    QCOMPARE(p.ask("test/text", "a.cpp").toString(), "int a;\n");
  }

  // What a folder brings is for its own files, and each is asked about for itself.
  void eachFolderHasItsOwnServers() {
    LanguageProject p("", brisk(), false);
    const QTemporaryDir other;
    QVERIFY(QDir(other.path()).mkdir(".waferpair"));
    QFile list(other.filePath(".waferpair/language-servers.json"));
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.write(R"({"servers": [{"id": "mine", "languages": {"C++": "cpp"}, "programs": ["sleep"],
                                "arguments": ["600"]}]})");
    list.close();
    QCOMPARE(p.service.setFolders({p.folder.path(), other.path()}), QStringList());
    p.open("a.cpp", "int a;\n");
    p.sync.openText(other.filePath("b.cpp"), "C++", 1, "int b;\n");
    QMap<QString, QString> offered;
    for (const LanguageService::Offer& offer : p.service.offers())
      offered[offer.start.folder] = offer.server.id;
    QCOMPARE(offered,
             (QMap<QString, QString>{{p.folder.path(), "scripted"}, {other.path(), "mine"}}));
    // Agreed to in one of them it runs there alone, and goes with it.
    for (const LanguageService::Offer& offer : p.service.offers())
      if (offer.start.folder == p.folder.path()) p.word.agreed.insert(offer.start.key());
    p.service.lookAgain();
    QVERIFY(p.becomesReady("a.cpp"));
    QVERIFY(!p.service.clientOf(other.filePath("b.cpp")));
    QCOMPARE(p.service.clientOf(p.path("a.cpp"))->root(), p.folder.path());
    p.service.setFolders({other.path()});
    QVERIFY(!p.service.clientOf(p.path("a.cpp")));
  }

  // Trust taken back ends what runs, and nothing is offered there.
  void nothingRunsInARestrictedFolder() {
    LanguageProject p("");
    p.open("a.cpp", "int a;\n");
    QVERIFY(p.becomesReady("a.cpp"));
    QCOMPARE(p.service.restrictedFolder(), QString());
    p.word.isTrusted = false;
    p.service.lookAgain();
    QVERIFY(!p.service.clientOf(p.path("a.cpp")));
    QVERIFY(p.service.clients().isEmpty());
    QVERIFY(p.service.offers().isEmpty());
    QCOMPARE(p.service.restrictedFolder(), p.folder.path());
    QCOMPARE(p.service.rows().constFirst().word, programs::StartWord::kRestricted);
    p.word.isTrusted = true;
    p.service.lookAgain();
    QVERIFY(p.becomesReady("a.cpp"));
  }

  // Of all that a project gives for a server each change is another start, and is shown.
  void whatAProjectSaysOtherwiseIsAskedForAgain_data() {
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<QString>("shown");
    const auto add = [](const char* name, const QByteArray& fields, const char* shown) {
      QTest::newRow(name) << QByteArray(R"({"servers": [{"id": "mine", "languages": {"C++": "cpp"},
          "programs": ["python3"], )") +
                                 fields + "}]}"
                          << shown;
    };
    const QByteArray script = ("\"" + QString::fromStdString(test::sourceDir()) +
                               "/tests/workbench/language/scripted_server.py\"")
                                  .toUtf8();
    const QByteArray arguments = "\"arguments\": [" + script + ", \"\"]";
    add("a program among the settings",
        arguments + R"(, "settings": {"mine": {"plugins": {"flake8": {"executable": "/tmp/x"}}}})",
        "settings.mine.plugins.flake8.executable = /tmp/x");
    add("an option at the start", arguments + R"(, "initialization": {"command": "rm"})",
        "initialization.command = rm");
    add("an argument", "\"arguments\": [" + script + ", \"\", \"--more\"]", "--more");
    add("a marker", arguments + R"(, "markers": ["elsewhere"])", "markers[1] = elsewhere");
  }
  void whatAProjectSaysOtherwiseIsAskedForAgain() {
    QFETCH(QByteArray, other);
    QFETCH(QString, shown);
    LanguageProject p(LanguageServer{}, brisk(), false);
    const QByteArray first =
        QByteArray(R"({"servers": [{"id": "mine", "languages": {"C++": "cpp"},
            "programs": ["python3"], "arguments": ["SOURCE/tests/workbench/language/scripted_server.py",
            ""]}]})")
            .replace("SOURCE", QString::fromStdString(test::sourceDir()).toUtf8());
    const auto write = [&](const QByteArray& json) {
      QDir(p.folder.path()).mkpath(".waferpair");
      QFile file(p.folder.filePath(kProjectServers));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(json);
      file.close();
      QCOMPARE(p.service.setFolder(p.folder.path()), QStringList());
    };
    write(first);
    p.open("a.cpp", "int a;\n");
    QCOMPARE(p.service.offers().size(), 1);
    p.agreeToAll();
    QVERIFY(p.becomesReady("a.cpp"));
    write(other);
    QVERIFY(!p.service.clientOf(p.path("a.cpp")));
    QCOMPARE(p.service.offers().size(), 1);
    const programs::GivenStart start = p.service.offers().constFirst().start;
    QVERIFY2(start.shown().join(u'\n').contains(shown), qPrintable(start.shown().join(u'\n')));
    QCOMPARE(start.source, QLatin1String(kProjectServers));
    // What it said before was agreed to.
    write(first);
    QVERIFY(p.service.offers().isEmpty());
    QVERIFY(p.becomesReady("a.cpp"));
  }

  // Whatever is typed, the server has the same text: with characters of one, two, three and four
  // bytes, and line ends of each kind.
  void editsArriveAsTheyWereMade_data() {
    QTest::addColumn<QString>("how");
    QTest::newRow("UTF-16") << "";
    QTest::newRow("UTF-8") << "utf8";
    QTest::newRow("whole texts") << "full";
  }
  void editsArriveAsTheyWereMade() {
    QFETCH(QString, how);
    LanguageProject p(how);
    QByteArray text = "int ä = 1;\r\n// 😀 end\nlast €";
    p.open("a.cpp", text);
    QVERIFY(p.becomesReady("a.cpp"));
    QRandomGenerator random(7);
    const QList<QString> pieces = {"x", "ü", "€", "😀", "\n", "\r\n", "", "word word", "\t"};
    qint64 version = 1;
    for (int round = 0; round < 60; ++round) {
      QVector<TextEdit> edits;
      for (int i = 0; i <= round % 3; ++i) {
        // At characters' edges, as an editor's are, and never between CR and LF.
        const QString now = QString::fromUtf8(text);
        const auto edge = [&] {
          qsizetype at = random.bounded(static_cast<int>(now.size()) + 1);
          while (at > 0 && at < now.size() &&
                 (now[at].isLowSurrogate() || (now[at - 1] == u'\r' && now[at] == u'\n')))
            --at;
          return now.left(at).toUtf8().size();
        };
        qint64 start = edge(), end = edge();
        if (start > end) std::swap(start, end);
        end = std::min(end, start + 9);
        while (end < text.size() && (static_cast<uchar>(text[end]) & 0xC0) == 0x80) ++end;
        if (end > 0 && end < text.size() && text[end - 1] == '\r' && text[end] == '\n') ++end;
        const QByteArray piece = pieces[random.bounded(static_cast<int>(pieces.size()))].toUtf8();
        edits.append({start, end, piece});
        text.replace(start, end - start, piece);
      }
      QVERIFY(p.sync.change(p.path("a.cpp"), ++version, edits));
      if (round % 5 == 0) QCOMPARE(p.ask("test/text", "a.cpp").toString().toUtf8(), text);
    }
    QCOMPARE(p.ask("test/text", "a.cpp").toString().toUtf8(), text);
  }

  void whatIsWrongIsToldWhereItIs_data() {
    QTest::addColumn<QString>("how");
    for (const char* how : {"", "utf8", "full", "pull", "unversioned", "pull,utf8"})
      QTest::newRow(*how ? how : "pushed") << how;
  }
  void whatIsWrongIsToldWhereItIs() {
    QFETCH(QString, how);
    LanguageProject p(how);
    p.open("a.cpp", "ä ODD\n😀 BAD");
    QTRY_COMPARE_WITH_TIMEOUT(
        p.found("a.cpp"),
        QStringList({"3-6 2 ODD is not good (scripted 2)", "12-15 1 BAD is not good (scripted 1)"}),
        10'000);
    QCOMPARE(p.service.diagnosedFiles(), QStringList(p.path("a.cpp")));
    // It moves with the text, before the server has said anything.
    p.sync.change(p.path("a.cpp"), 2, {{0, 0, "€"}});
    QCOMPARE(p.found("a.cpp")[0], "6-9 2 ODD is not good (scripted 2)");
    p.sync.change(p.path("a.cpp"), 3, {{6, 9, "fine"}, {16, 19, "good"}});
    QTRY_COMPARE_WITH_TIMEOUT(p.found("a.cpp"), QStringList(), 10'000);
    QCOMPARE(p.service.diagnosedFiles(), QStringList());
  }

  // What comes late is of an older text: it stands where that text is by now.
  void lateFindingsFollowTheText() {
    LanguageProject p("late");
    p.open("a.cpp", "BAD");
    QVERIFY(p.becomesReady("a.cpp"));
    p.sync.change(p.path("a.cpp"), 2, {{0, 0, "0123456789"}});
    QSignalSpy told(&p.service, &LanguageService::diagnosticsChanged);
    QVERIFY(told.wait(10'000));
    QCOMPARE(p.found("a.cpp"), QStringList("10-13 1 BAD is not good (scripted 1)"));
  }

  void aServerThatDiesIsStartedAgain() {
    LanguagePatience patience = brisk();
    patience.again = std::chrono::milliseconds(1500);
    LanguageProject p("", patience);
    p.open("a.cpp", "BAD CRAS");
    QTRY_COMPARE_WITH_TIMEOUT(p.found("a.cpp").size(), 1, 10'000);
    p.sync.change(p.path("a.cpp"), 2, {{8, 8, "H"}});
    QTRY_COMPARE_WITH_TIMEOUT(p.stateOf("a.cpp"), LanguageClient::State::kDead, 10'000);
    QCOMPARE(p.found("a.cpp"), QStringList());
    const editor::Error problem = p.service.clientOf(p.path("a.cpp"))->problem();
    QCOMPARE(problem.what,
             "The language server scripted is no longer there. It was ended by a "
             "signal. It wrote: it hurts");
    QCOMPARE(problem.remedy, "It is started again by itself.");
    p.sync.change(p.path("a.cpp"), 3, {{4, 9, "fine"}});
    QVERIFY(p.becomesReady("a.cpp"));
    QCOMPARE(p.ask("test/text", "a.cpp").toString(), "BAD fine");
    QTRY_COMPARE_WITH_TIMEOUT(p.found("a.cpp").size(), 1, 10'000);
  }

  // It is not started again for ever, but the user can.
  void whatDiesAgainAndAgainIsLeftAlone() {
    LanguageProject p("");
    p.open("a.cpp", "CRASH");
    LanguageClient* client = nullptr;
    QVERIFY(QTest::qWaitFor(
        [&] {
          client = p.service.clientOf(p.path("a.cpp"));
          return client && client->state() == LanguageClient::State::kDead &&
                 !client->startsAgain();
        },
        20'000));
    QCOMPARE(client->problem().remedy,
             "It died 3 times and is not started again by itself; the command Restart Language "
             "Servers does that.");
    p.sync.change(p.path("a.cpp"), 2, {{0, 5, "fine"}});
    p.service.restartAll();
    QVERIFY(p.becomesReady("a.cpp"));
    QCOMPARE(p.ask("test/text", "a.cpp").toString(), "fine");
  }

  void whatCannotStartSaysWhy_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("what");
    QTest::newRow("dies") << "dies"
                          << "It ended with status 3. It wrote: no such thing";
    QTest::newRow("prose") << "garbage"
                           << "What it sends is no message: its header has no end.";
    QTest::newRow("endless") << "endless"
                             << "It sent a message of more than 32 MiB.";
    QTest::newRow("silent") << "silent"
                            << "It has not answered for 0.7 s.";
  }
  void whatCannotStartSaysWhy() {
    QFETCH(QString, how);
    QFETCH(QString, what);
    LanguagePatience patience = brisk();
    patience.restarts = 0;
    if (how == "silent") patience.start = std::chrono::milliseconds(700);
    LanguageProject p(how, patience);
    p.open("a.cpp", "int a;");
    QTRY_COMPARE_WITH_TIMEOUT(p.stateOf("a.cpp"), LanguageClient::State::kDead, 15'000);
    QCOMPARE(p.service.clientOf(p.path("a.cpp"))->problem().what,
             "The language server scripted is no longer there. " + what);
  }

  void whatIsMissingIsSilent() {
    LanguageProject p("");
    LanguageServer missing = scripted("");
    missing.id = "missing";
    missing.programs = {"waferpair-no-such-program"};
    missing.install = "sudo apt install it";
    LanguageService service(&p.sync, {.shipped = {missing}});
    service.setFolder(p.folder.path());
    p.open("a.cpp", "int a;");
    QVERIFY(service.offers().isEmpty() && !service.clientOf(p.path("a.cpp")));
    QCOMPARE(service.rows().size(), 1);
    QCOMPARE(service.rows()[0].command.program, "");
    QCOMPARE(service.rows()[0].server.install, "sudo apt install it");
  }

  void questionsHaveAnEnd() {
    LanguagePatience patience = brisk();
    patience.answer = std::chrono::milliseconds(200);
    LanguageProject p("", patience);
    p.open("a.cpp", "int a;");
    QVERIFY(p.becomesReady("a.cpp"));
    LanguageClient* client = p.service.clientOf(p.path("a.cpp"));
    QStringList problems;
    const auto note = [&](const LanguageAnswer& answer) { problems.append(answer.problem); };
    QVERIFY(client->ask("test/never", p.path("a.cpp"), {}, note) != 0);
    QVERIFY(client->ask("test/fails", p.path("a.cpp"), {}, note) != 0);
    QTRY_COMPARE_WITH_TIMEOUT(problems, QStringList({"It cannot be", "scripted has not answered."}),
                              10'000);
    // What is withdrawn is not answered, and the server is told.
    const qint64 question = client->ask("test/never", p.path("a.cpp"), {}, note);
    client->withdraw(question);
    const QJsonArray told = p.ask("test/told", "a.cpp").toArray();
    QCOMPARE(told.last()[u"method"].toString(), "$/cancelRequest");
    QCOMPARE(told.last()[u"params"][u"id"].toInteger(), question);
    waferpair::test::rest({client});
    QCOMPARE(problems.size(), 2);
  }

  // An answer may be of several texts, whatever the question is about.
  void otherTextsAreToldBeforeAQuestion() {
    LanguageProject project("");
    project.open("a.cpp", "class A\n");
    project.open("b.cpp", "class B\n");
    QVERIFY(project.becomesReady("a.cpp"));
    LanguageClient* client = project.service.clientOf(project.path("a.cpp"));
    std::optional<QJsonValue> result;
    const auto take = [&](const LanguageAnswer& answer) { result = answer.result; };
    const auto linesOf = [&](const QString& name) {
      QList<qint64> lines;
      for (const Location& one : readLocations(*result, ColumnUnit::kUtf16))
        if (one.path == project.path(name)) lines.append(one.start.line);
      return lines;
    };
    project.sync.change(project.path("b.cpp"), 2, {{0, 0, "\n"}});
    client->askAt("textDocument/references", project.path("a.cpp"), 0, {}, take);
    QTRY_VERIFY(result.has_value());
    QCOMPARE(linesOf("b.cpp"), QList<qint64>{1});
    result.reset();
    project.sync.change(project.path("b.cpp"), 3, {{0, 0, "\n"}});
    client->ask("workspace/symbol", {{"query", "b"}}, take);
    QTRY_VERIFY(result.has_value());
    const auto symbols = readProjectSymbols(*result, ColumnUnit::kUtf16);
    QCOMPARE(symbols.size(), 1);
    QCOMPARE(symbols[0].place.start.line, 2);
  }

  void anAnswerSaysThatItIsLate() {
    LanguageProject p("slow");
    p.open("a.cpp", "fro");
    QVERIFY(p.becomesReady("a.cpp"));
    std::optional<LanguageAnswer> answer;
    p.service.clientOf(p.path("a.cpp"))
        ->askAt("textDocument/completion", p.path("a.cpp"), 3, {},
                [&](const LanguageAnswer& told) { answer = told; });
    p.sync.change(p.path("a.cpp"), 2, {{3, 3, "b"}});
    QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), 10'000);
    QVERIFY(answer->isLate);
    QCOMPARE(answer->version, 1);
    QCOMPARE(answer->text.toByteArray(), "fro");
  }

  // What a server asks of its client is answered, and what it says is passed on.
  void theServersQuestionsAreAnswered() {
    LanguageProject p("asks");
    p.open("a.cpp", "int a;");
    QVERIFY(p.becomesReady("a.cpp"));
    QTRY_COMPARE_WITH_TIMEOUT(p.said, QStringList("No compile commands"), 10'000);
    QCOMPARE(p.service.clientOf(p.path("a.cpp"))->progress(), "Indexing 3/7");
    QHash<QString, QJsonValue> answers;
    QTRY_VERIFY_WITH_TIMEOUT(([&] {
                               for (const QJsonValue one : p.ask("test/told", "a.cpp").toArray())
                                 if (!one[u"answer"].isUndefined())
                                   answers[one[u"answer"].toVariant().toString()] = one;
                               return answers.size() == 6;
                             })(),
                             10'000);
    QCOMPARE(answers["c"][u"result"], QJsonValue(QJsonArray{7, QJsonValue()}));
    QCOMPARE(answers["2"][u"result"][0][u"uri"].toString(), uriOf(p.folder.path()));
    QCOMPARE(answers["3"][u"result"][u"applied"], QJsonValue(false));
    QCOMPARE(answers["4"][u"error"].toInt(), -32601);
  }

  void wrongAnswersDoNoHarm() {
    LanguageProject p("wrong");
    p.open("a.cpp", "BAD one\n");
    QTRY_COMPARE_WITH_TIMEOUT(p.found("a.cpp"), QStringList("0-0 4 kept"), 10'000);
    QVERIFY(!p.service.clientOf(p.path("a.cpp"))->offers("hoverProvider"));
    QCOMPARE(p.ask("test/text", "a.cpp").toString(), "BAD one\n");
  }

  // A server that reads nothing holds nobody up, and is given up some time.
  void aDeafServerIsGivenUp() {
    LanguagePatience patience = brisk();
    patience.restarts = 0;
    LanguageProject p("deaf", patience);
    p.open("a.cpp", QByteArray(6 << 20, 'x'));
    QVERIFY(p.becomesReady("a.cpp"));
    LanguageClient* client = p.service.clientOf(p.path("a.cpp"));
    for (int i = 0; i < 16 && client->state() == LanguageClient::State::kReady; ++i) {
      p.sync.openText(p.path("b.cpp"), "C++", 1, QByteArray(6 << 20, 'y'));
      p.sync.close(p.path("b.cpp"));
    }
    QCOMPARE(client->state(), LanguageClient::State::kDead);
    QVERIFY(client->problem().what.contains("It does not read what it is told."));
  }

  void savesAndClosesAreTold() {
    LanguageProject p("");
    p.open("a.cpp", "int a;");
    p.open("b.cpp", "int b;");
    QVERIFY(p.becomesReady("b.cpp"));
    p.service.saved(p.path("a.cpp"));
    p.sync.close(p.path("a.cpp"));
    QVERIFY(!p.service.clientOf(p.path("a.cpp")));
    const QJsonArray told = p.ask("test/told", "b.cpp").toArray();
    QStringList methods;
    for (const QJsonValue one : told) methods.append(one[u"method"].toString());
    QCOMPARE(methods.mid(methods.size() - 2),
             QStringList({"textDocument/didSave", "textDocument/didClose"}));
    QCOMPARE(told[told.size() - 2][u"params"][u"text"].toString(), "int a;");
  }

  // A marker makes a folder of the project a project of its own.
  void markersMakeRoots() {
    LanguageProject p("");
    QVERIFY(QDir(p.folder.path()).mkpath("sub/deep"));
    QFile marker(p.path("sub/marker.json"));
    QVERIFY(marker.open(QIODevice::WriteOnly));
    p.open("a.cpp", "int a;");
    p.open("sub/deep/b.cpp", "int b;");
    QVERIFY(p.becomesReady("a.cpp") && p.becomesReady("sub/deep/b.cpp"));
    QCOMPARE(p.service.clientOf(p.path("a.cpp"))->root(), p.folder.path());
    QCOMPARE(p.service.clientOf(p.path("sub/deep/b.cpp"))->root(), p.path("sub"));
    // A file that lies elsewhere is shown to one that runs, and starts none.
    QTemporaryDir elsewhere;
    p.sync.openText(elsewhere.filePath("x.h"), "C++", 1, "int x;");
    QVERIFY(p.service.clientOf(elsewhere.filePath("x.h")));
    QVERIFY(p.service.offers().isEmpty());
  }

  // A project may name another server; that takes the user's word, too.
  void aProjectMayNameAnother() {
    LanguageProject p("", brisk(), false);
    QVERIFY(QDir(p.folder.path()).mkpath(".waferpair"));
    QFile file(p.path(".waferpair/language-servers.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"servers": [{"id": "theirs", "languages": {"C++": "cpp"}, "programs": ["sh"],
                                "arguments": ["-c", "exit 1"]}, {"id": "broken"}]})");
    file.close();
    const QStringList problems = p.service.setFolder(p.folder.path());
    QCOMPARE(problems, QStringList(".waferpair/language-servers.json, server 2 is left out. It has "
                                   "no \"languages\"."));
    p.open("a.cpp", "int a;");
    QCOMPARE(p.service.offers().size(), 1);
    QCOMPARE(p.service.offers()[0].server.id, "theirs");
    QVERIFY(p.service.offers()[0].server.ofProject);
    QVERIFY(p.service.offers()[0].command.line().endsWith("/sh -c \"exit 1\""));
    QVERIFY(!p.service.clientOf(p.path("a.cpp")));
  }

  void serversEndWithTheirFolder() {
    LanguageProject p("");
    p.open("a.cpp", "int a;");
    QVERIFY(p.becomesReady("a.cpp"));
    const QPointer<LanguageClient> client = p.service.clientOf(p.path("a.cpp"));
    QTemporaryDir other;
    p.service.setFolder(other.path());
    QVERIFY(!p.service.clientOf(p.path("a.cpp")));
    QCOMPARE(client->state(), LanguageClient::State::kStopped);
    QTRY_VERIFY_WITH_TIMEOUT(!client, 15'000);
  }

  void theShippedListIsRead() {
    QFile file(QString::fromStdString(test::sourceDir()) +
               QStringLiteral("/resources/language_servers.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const LanguageServers list = readLanguageServers(file.readAll(), file.fileName());
    QCOMPARE(list.problems, QStringList());
    QCOMPARE(list.servers.size(), 11);
    QCOMPARE(list.servers[0].id, "clangd");
    for (const LanguageServer& server : list.servers) QVERIFY(!server.install.isEmpty());
    const LanguageServers broken = readLanguageServers("{\n\"servers\": [}", "x.json");
    QCOMPARE(broken.problems,
             QStringList("x.json, line 2: object is missing after a comma. Correct the file."));
  }
};

QTEST_GUILESS_MAIN(TestLanguageService)
#include "test_language_service.moc"

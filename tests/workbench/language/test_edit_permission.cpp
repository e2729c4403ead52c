// SPDX-License-Identifier: GPL-3.0-or-later
// A server may change texts for as long as a command of the user's is open, and at no other time.
#include "tests/workbench/language/language_project.h"

using namespace waferpair;
using namespace waferpair::workbench;

class TestEditPermission : public QObject {
  Q_OBJECT

  // A server with a command of the user's.
  struct Commanded {
    explicit Commanded(const QString& how = {}, LanguagePatience patience = brisk())
        : p(how, patience) {
      p.open("a.cpp", "int a;");
    }
    LanguageClient* client() const { return p.service.clientOf(p.path("a.cpp")); }
    qint64 run(const QString& which) {
      const QJsonObject command{{"command", "scripted.note"},
                                {"arguments", QJsonArray{uriOf(p.path("a.cpp")), which}}};
      return client()->execute(
          command, [this](const QJsonValue&) { return ++applied, QString(); },
          [this](const LanguageAnswer& answer) { answers.append(answer.problem); });
    }
    // What the server is told when it wants something changed now.
    QJsonValue applies() { return p.ask("test/applies", "a.cpp"); }

    LanguageProject p;
    int applied = 0;
    QStringList answers;  // what was wrong with each
  };
  static QJsonObject refusal() {
    return {{"applied", false}, {"failureReason", "Nobody asked for it."}};
  }

 private Q_SLOTS:
  void whileACommandIsOpenItMay() {
    Commanded c;
    QVERIFY(c.p.becomesReady("a.cpp"));
    QVERIFY(c.run("never") != 0);
    QCOMPARE(c.applies(), QJsonValue(QJsonObject{{"applied", true}}));
    QCOMPARE(c.applies(), QJsonValue(QJsonObject{{"applied", true}}));
    QCOMPARE(c.applied, 2);
    QCOMPARE(c.answers, QStringList());
  }

  void theRightEndsWithTheQuestion_data() {
    QTest::addColumn<QString>("end");
    QTest::addColumn<int>("own");  // changes that it makes by right
    QTest::newRow("nobody asked") << "" << 0;
    QTest::newRow("answered") << "note" << 1;
    QTest::newRow("an error") << "fails" << 0;
    QTest::newRow("no answer in time") << "timeout" << 0;
    QTest::newRow("withdrawn") << "withdraw" << 0;
    QTest::newRow("started anew") << "restart" << 0;
    QTest::newRow("died and back again") << "crash" << 0;
    QTest::newRow("not sent: it is starting") << "starting" << 0;
  }
  void theRightEndsWithTheQuestion() {
    QFETCH(QString, end);
    QFETCH(int, own);
    LanguagePatience patience = brisk();
    if (end == "timeout") patience.answer = std::chrono::milliseconds(200);
    if (end == "crash") patience.restarts = 20;
    Commanded c(end == "starting" ? "dozes" : "", patience);
    if (end == "starting") {
      QTRY_VERIFY_WITH_TIMEOUT(c.client(), 10'000);
      QCOMPARE(c.client()->state(), LanguageClient::State::kStarting);
      QCOMPARE(c.run("never"), 0);
      QFile wake(c.p.path("wake"));
      QVERIFY(wake.open(QIODevice::WriteOnly));
    }
    QVERIFY(c.p.becomesReady("a.cpp"));
    if (end == "note" || end == "fails") {
      QVERIFY(c.run(end) != 0);
    } else if (!end.isEmpty() && end != "starting") {
      const qint64 question = c.run("never");
      QVERIFY(question != 0);
      if (end == "withdraw") c.client()->withdraw(question);
      if (end == "restart") c.client()->restart();
      if (end == "crash") c.p.sync.change(c.p.path("a.cpp"), 2, {{0, 0, "CRASH"}});
    }
    const bool isTold = !end.isEmpty() && end != "withdraw" && end != "starting";
    QTRY_COMPARE_WITH_TIMEOUT(c.answers.size(), isTold ? 1 : 0, 10'000);
    if (isTold) QCOMPARE(c.answers[0].isEmpty(), end == "note");
    if (end == "crash") c.p.sync.change(c.p.path("a.cpp"), 3, {{0, 5, ""}});
    QVERIFY(c.p.becomesReady("a.cpp"));
    QCOMPARE(c.applied, own);
    if (end == "timeout") {
      // What it answers here may be late, too.
      QTRY_COMPARE_WITH_TIMEOUT(c.applies(), QJsonValue(refusal()), 10'000);
    } else {
      QCOMPARE(c.applies(), QJsonValue(refusal()));
    }
    QCOMPARE(c.applied, own);
    QCOMPARE(c.answers.size(), isTold ? 1 : 0);
  }

  void aServerThatEndsMayNot() {
    Commanded c("applies");
    QVERIFY(c.p.becomesReady("a.cpp"));
    QVERIFY(c.run("never") != 0);
    const QString told = c.p.path("applied.json");
    c.p.service.stopAll();
    QCOMPARE(c.answers.size(), 1);
    QByteArray said;
    const auto isWritten = [&] {
      QFile file(told);
      said = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
      return said.endsWith('}');
    };
    QTRY_VERIFY_WITH_TIMEOUT(isWritten(), 10'000);
    QCOMPARE(QJsonDocument::fromJson(said).object(), refusal());
    QCOMPARE(c.applied, 0);
  }

  void aNewerCommandTakesItOver() {
    Commanded c;
    QVERIFY(c.p.becomesReady("a.cpp"));
    QVERIFY(c.run("never") != 0);
    QVERIFY(c.run("note") != 0);
    QTRY_COMPARE_WITH_TIMEOUT(c.answers, QStringList{QString()}, 10'000);
    QCOMPARE(c.applied, 1);
    QCOMPARE(c.applies(), QJsonValue(refusal()));
  }
};

QTEST_GUILESS_MAIN(TestEditPermission)
#include "test_edit_permission.moc"

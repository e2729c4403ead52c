// SPDX-License-Identifier: GPL-3.0-or-later
// A text as a server has it: told whole where there is much to tell, bounded where nobody reads.
#include "tests/workbench/language/language_project.h"
#include "workbench/language/mirrored_text.h"

using namespace waferpair;
using namespace waferpair::workbench;
using editor::Snapshot;
using editor::TextEdit;

class TestMirroredText : public QObject {
  Q_OBJECT

  static editor::SyncedDocument document(qint64 version, const Snapshot& text) {
    return {.id = "/p/a.cpp", .language = "C++", .version = version, .text = text};
  }
  // Follows an edit, and returns the text behind it.
  static Snapshot edited(MirroredText* mirror, const TextEdit& edit) {
    const Snapshot text = mirror->text().edited(edit);
    mirror->follow(document(mirror->version() + 1, text), {edit}, ColumnUnit::kUtf16);
    return text;
  }

 private Q_SLOTS:
  void fewChangesAreToldOneByOne() {
    MirroredText mirror(document(1, Snapshot("ab\n")), "cpp");
    QVERIFY(!mirror.hasChanges());
    edited(&mirror, {1, 1, "x"});
    edited(&mirror, {0, 1, ""});
    const QJsonArray changes = mirror.takeChanges();
    QCOMPARE(changes.size(), 2);
    QVERIFY(changes[0][u"range"].isObject() && changes[1][u"range"].isObject());
    QVERIFY(!mirror.hasChanges());
  }

  void manyAreTheTextAsAWhole_data() {
    QTest::addColumn<int>("edits");
    QTest::addColumn<int>("bytes");
    QTest::newRow("keys") << MirroredText::kMostEdits + 1 << 1;
    QTest::newRow("much text") << 9 << (2 << 20);
  }
  void manyAreTheTextAsAWhole() {
    QFETCH(int, edits);
    QFETCH(int, bytes);
    MirroredText mirror(document(1, Snapshot("ab\n")), "cpp");
    Snapshot text;
    for (int i = 0; i < edits; ++i)
      text = edited(&mirror,
                    {0, mirror.text().size(), QByteArray(bytes, static_cast<char>('a' + i % 26))});
    QVERIFY(mirror.hasChanges());
    const QJsonArray changes = mirror.takeChanges();
    QCOMPARE(changes.size(), 1);
    QVERIFY(changes[0][u"range"].isUndefined());
    QCOMPARE(changes[0][u"text"].toString().toUtf8(), text.toByteArray());
    QVERIFY(!mirror.hasChanges() && mirror.takeChanges().isEmpty());
    // The way from before is forgotten, the one from here is not.
    QVERIFY(!mirror.editsSince(1));
    edited(&mirror, {0, 0, "y"});
    QCOMPARE(mirror.editsSince(mirror.version() - 1)->size(), 1);
    QCOMPARE(mirror.takeChanges().size(), 1);
  }

  void withoutAServerNothingIsKept() {
    MirroredText mirror(document(1, Snapshot("ab\n")), "cpp");
    edited(&mirror, {1, 1, "x"});
    mirror.follow(document(3, Snapshot("other")));
    QVERIFY(!mirror.hasChanges() && mirror.takeChanges().isEmpty());
    QCOMPARE(mirror.version(), 3);
    QCOMPARE(mirror.lastTold(), 3);
    QCOMPARE(mirror.text().toByteArray(), "other");
    QVERIFY(!mirror.textOf(1) && !mirror.editsSince(1));
    QCOMPARE(mirror.editsSince(3)->size(), 0);
  }

  void aDeadServersTextsAreToldWhole() {
    LanguagePatience patience = brisk();
    patience.restarts = 0;
    LanguageProject p("", patience);
    p.open("a.cpp", "int a;");
    QVERIFY(p.becomesReady("a.cpp"));
    LanguageClient* client = p.service.clientOf(p.path("a.cpp"));
    p.sync.change(p.path("a.cpp"), 2, {{0, 0, "CRASH"}});
    QTRY_COMPARE_WITH_TIMEOUT(client->state(), LanguageClient::State::kDead, 10'000);
    QByteArray text = "int a;";
    p.sync.change(p.path("a.cpp"), 3, {{0, 5, ""}});
    for (int i = 0; i < 20'000; ++i) {
      p.sync.change(p.path("a.cpp"), 4 + i, {{0, 0, "x"}});
      QVERIFY(!client->text(p.path("a.cpp"))->hasChanges());
    }
    client->restart();
    QVERIFY(p.becomesReady("a.cpp"));
    QCOMPARE(p.ask("test/text", "a.cpp").toString().toUtf8(), QByteArray(20'000, 'x') + text);
  }

  // It does not read for a while: what is told to it waits, and becomes one change.
  void aServerThatWasAwayIsBroughtUpToDate() {
    LanguageProject p("naps");
    p.open("a.cpp", "int a;");
    QVERIFY(p.becomesReady("a.cpp"));
    LanguageClient* client = p.service.clientOf(p.path("a.cpp"));
    constexpr int kRounds = 40;
    constexpr qsizetype kBytes = 3 << 20;
    QByteArray text = "int a;";
    for (int i = 0; i < kRounds && client->state() == LanguageClient::State::kReady; ++i) {
      const QByteArray next(kBytes, static_cast<char>('a' + i % 26));
      p.sync.change(p.path("a.cpp"), 2 + i, {{0, text.size(), next}});
      text = next;
      // As a pause in typing does; it is refused once the server is behind.
      client->ask("test/sync", p.path("a.cpp"), {}, [](const LanguageAnswer&) {});
    }
    QCOMPARE(client->state(), LanguageClient::State::kReady);
    QVERIFY(client->text(p.path("a.cpp"))->hasChanges());
    QFile wake(p.path("wake"));
    QVERIFY(wake.open(QIODevice::WriteOnly));
    // It can be asked again once it has read most of what it was told.
    QTRY_VERIFY_WITH_TIMEOUT(p.ask("test/text", "a.cpp").toString().toUtf8() == text, 30'000);
    QVERIFY(!client->text(p.path("a.cpp"))->hasChanges());
  }

  void aServerThatStaysAwayIsGivenUp() {
    LanguagePatience patience = brisk();
    patience.restarts = 0;
    patience.reading = std::chrono::milliseconds(300);
    LanguageProject p("deaf", patience);
    p.open("a.cpp", "int a;");
    QVERIFY(p.becomesReady("a.cpp"));
    LanguageClient* client = p.service.clientOf(p.path("a.cpp"));
    for (int i = 0; i < 8; ++i) {
      const qint64 size = client->text(p.path("a.cpp"))->text().size();
      p.sync.change(p.path("a.cpp"), 2 + i, {{0, size, QByteArray(5 << 20, 'x')}});
      client->ask("test/sync", p.path("a.cpp"), {}, [](const LanguageAnswer&) {});
    }
    QTRY_COMPARE_WITH_TIMEOUT(client->state(), LanguageClient::State::kDead, 10'000);
    QVERIFY(client->problem().what.contains("It does not read what it is told."));
  }
};

QTEST_GUILESS_MAIN(TestMirroredText)
#include "test_mirrored_text.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <memory>
#include <random>

#include "tests/support/text_sync.h"

using namespace waferpair::editor;
using waferpair::test::TextSync;

namespace {

// Writes down what it is told, and keeps the text by the edits alone.
class Recorder : public DocumentSubscriber {
 public:
  void opened(const SyncedDocument& document) override {
    told += "open " + document.id.toUtf8() + ' ' + document.language.toUtf8() + ' ' +
            QByteArray::number(document.version);
    text[document.id] = document.text.toByteArray();
  }
  void changed(const SyncedDocument& document, const QVector<TextEdit>& edits) override {
    told += "change " + document.id.toUtf8() + ' ' + QByteArray::number(document.version);
    QByteArray& mine = text[document.id];
    for (const TextEdit& edit : edits) mine.replace(edit.start, edit.end - edit.start, edit.text);
    QCOMPARE(document.text.toByteArray(), mine);
  }
  void closed(const DocumentId& id) override {
    told += "close " + id.toUtf8();
    text.remove(id);
  }

  QByteArrayList told;
  QHash<DocumentId, QByteArray> text;
};

}  // namespace

class TestDocumentSync : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachIsToldOnceAndInOrder() {
    TextSync sync;
    Recorder one;
    Recorder other;
    sync.subscribe(&one);
    sync.subscribe(&other);
    sync.openText("/a", "C++", 3, "abc");
    QVERIFY(sync.change("/a", 4, {{0, 1, "A"}, {3, 3, "d"}}));
    sync.close("/a");
    sync.close("/a");
    for (const Recorder* recorder : {&one, &other})
      QCOMPARE(recorder->told, QByteArrayList({"open /a C++ 3", "change /a 4", "close /a"}));
  }

  void whoComesLateIsToldWhatIsOpen() {
    TextSync sync;
    sync.openText("/a", "C++", 1, "abc");
    QVERIFY(sync.change("/a", 2, {{3, 3, "d"}}));
    sync.openText("/b", "", 1, "x");
    sync.close("/b");
    Recorder late;
    sync.subscribe(&late);
    QCOMPARE(late.told, QByteArrayList({"open /a C++ 2"}));
    QCOMPARE(late.text.value("/a"), QByteArray("abcd"));
  }

  void openedAnewItIsClosedFirst() {
    TextSync sync;
    Recorder recorder;
    sync.subscribe(&recorder);
    sync.openText("/a", "C++", 1, "old");
    sync.openText("/a", "Python", 2, "new");
    QCOMPARE(recorder.told, QByteArrayList({"open /a C++ 1", "close /a", "open /a Python 2"}));
    QCOMPARE(sync.find("/a")->text.toByteArray(), QByteArray("new"));
    QVERIFY(sync.find("/b") == nullptr);
  }

  void whatDoesNotFitIsRefusedAndNobodyIsTold_data() {
    QTest::addColumn<DocumentId>("id");
    QTest::addColumn<qint64>("version");
    QTest::newRow("not open") << DocumentId("/b") << qint64(6);
    QTest::newRow("same version") << DocumentId("/a") << qint64(5);
    QTest::newRow("older version") << DocumentId("/a") << qint64(4);
  }
  void whatDoesNotFitIsRefusedAndNobodyIsTold() {
    QFETCH(DocumentId, id);
    QFETCH(qint64, version);
    TextSync sync;
    Recorder recorder;
    sync.openText("/a", "", 5, "abc");
    sync.subscribe(&recorder);
    recorder.told.clear();
    QVERIFY(!sync.change(id, version, {{0, 0, "x"}}));
    QCOMPARE(recorder.told, QByteArrayList());
    QCOMPARE(sync.find("/a")->text.toByteArray(), QByteArray("abc"));
    QCOMPARE(sync.find("/a")->version, 5);
  }

  void eitherEndMayGoFirst() {
    auto sync = std::make_unique<TextSync>();
    auto gone = std::make_unique<Recorder>();
    Recorder stays;
    sync->subscribe(gone.get());
    sync->subscribe(&stays);
    gone.reset();
    sync->openText("/a", "", 1, "x");
    QCOMPARE(stays.told.size(), 1);
    sync.reset();
    TextSync another;
    another.subscribe(&stays);
    another.openText("/a", "", 1, "y");
    QCOMPARE(stays.told.size(), 2);
  }

  // The snapshot of each version stays what it was, whatever comes after.
  void subscribersHoldVersionsAtNoCost() {
    class Keeper : public DocumentSubscriber {
     public:
      void opened(const SyncedDocument& document) override { texts = {document.text}; }
      void changed(const SyncedDocument& document, const QVector<TextEdit>&) override {
        texts.append(document.text);
      }
      void closed(const DocumentId&) override {}
      QVector<Snapshot> texts;
    } keeper;
    TextSync sync;
    sync.subscribe(&keeper);
    QVector<QByteArray> plain{QByteArray("line\n").repeated(2000)};
    sync.openText("/a", "", 1, plain[0]);
    std::mt19937 random(1);
    for (int version = 2; version < 300; ++version) {
      QByteArray next = plain.last();
      const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(next.size()));
      next.replace(at, std::min<qsizetype>(3, next.size() - at), "ab");
      QVERIFY(
          sync.change("/a", version, {{at, std::min<qint64>(at + 3, plain.last().size()), "ab"}}));
      plain.append(next);
    }
    QCOMPARE(keeper.texts.size(), plain.size());
    for (qsizetype i = 0; i < plain.size(); ++i) QCOMPARE(keeper.texts[i].toByteArray(), plain[i]);
  }
};

QTEST_GUILESS_MAIN(TestDocumentSync)
#include "test_document_sync.moc"

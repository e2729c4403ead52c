// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "editor/text/conflicts.h"

namespace waferpair::editor {
namespace {

constexpr char kTwo[] =
    "a\n<<<<<<< HEAD\nours\n=======\ntheirs 1\ntheirs 2\n>>>>>>> topic branch\nb\n"
    "<<<<<<< HEAD\r\n||||||| 1234\r\nold\r\n=======\r\nnew\r\n>>>>>>> topic\r\n";

QByteArray cut(const QByteArray& text, ByteRange range) {
  return text.mid(range.start, range.end - range.start);
}

QByteArray after(const QByteArray& text, qsizetype conflict, Resolution resolution) {
  const Snapshot snapshot(text);
  return snapshot.edited(resolve(conflictsIn(text)[conflict], resolution, snapshot)).toByteArray();
}

}  // namespace

class TestConflicts : public QObject {
  Q_OBJECT
 private slots:
  void partsAreFound() {
    const QByteArray text(kTwo);
    const auto found = conflictsIn(text);
    QCOMPARE(found.size(), 2);
    QCOMPARE(cut(text, found[0].ours), QByteArray("ours\n"));
    QCOMPARE(cut(text, found[0].theirs), QByteArray("theirs 1\ntheirs 2\n"));
    QVERIFY(!found[0].base);
    QCOMPARE(found[0].oursName, QStringLiteral("HEAD"));
    QCOMPARE(found[0].theirsName, QStringLiteral("topic branch"));
    QVERIFY(cut(text, found[0].whole).startsWith("<<<<<<< HEAD\n"));
    QVERIFY(cut(text, found[0].whole).endsWith(">>>>>>> topic branch\n"));
    QCOMPARE(cut(text, found[1].ours), QByteArray());
    QVERIFY(found[1].base);
    QCOMPARE(cut(text, *found[1].base), QByteArray("old\r\n"));
    QCOMPARE(cut(text, found[1].theirs), QByteArray("new\r\n"));
  }

  void oneSideOrBothAreKept() {
    QVERIFY(after(kTwo, 0, Resolution::kOurs).startsWith("a\nours\nb\n"));
    QVERIFY(after(kTwo, 0, Resolution::kTheirs).startsWith("a\ntheirs 1\ntheirs 2\nb\n"));
    QVERIFY(after(kTwo, 0, Resolution::kBoth).startsWith("a\nours\ntheirs 1\ntheirs 2\nb\n"));
    QVERIFY(after(kTwo, 1, Resolution::kOurs).endsWith("b\n"));
    QVERIFY(after(kTwo, 1, Resolution::kTheirs).endsWith("b\nnew\r\n"));
  }

  void whatOnlyLooksLikeOneIsNone() {
    QVERIFY(conflictsIn("Title\n=======\n").isEmpty());
    QVERIFY(conflictsIn("<<<<<<< HEAD\nours\n").isEmpty());
    QVERIFY(conflictsIn("<<<<<<< HEAD\nours\n>>>>>>> topic\n").isEmpty());
    QVERIFY(conflictsIn("<<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n").isEmpty());
    QVERIFY(conflictsIn(" <<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n").isEmpty());
    // The second begins anew.
    const QByteArray nested = "<<<<<<< a\n<<<<<<< b\n1\n=======\n2\n>>>>>>> b\n";
    QCOMPARE(conflictsIn(nested).size(), 1);
    QCOMPARE(conflictsIn(nested)[0].whole.start, 10);
    // At the text's end a line end may lack.
    QCOMPARE(conflictsIn("<<<<<<<\n=======\n>>>>>>>").size(), 1);
  }

  // Each of the three may have others; what comes of it has ours, line by line.
  void lineEndsAreNoConflict() {
    const Snapshot base("1\n2\n3\n4\n5\n");
    const auto clean = markedMerge(base, Snapshot("one\r\n2\r\n3\n4\r\n5\r\n"),
                                   Snapshot("1\r2\r3\r4\rfive\r"), {}, {});
    QVERIFY(clean && clean->isClean);
    QCOMPARE(clean->text.toByteArray(), QByteArray("one\r\n2\r\n3\n4\r\nfive\r\n"));
    const auto marked = markedMerge(base, Snapshot("1\r\n2\r\nours\r\n4\r\n5\r\n"),
                                    Snapshot("1\n2\ntheirs\n4\n5\n"), {}, {});
    QVERIFY(marked && !marked->isClean);
    const QByteArray text = marked->text.toByteArray();
    QCOMPARE(conflictsIn(text).size(), 1);
    QCOMPARE(text.count("\r\n"), text.count('\n'));
  }

  void textsAreMergedWithMarkers() {
    const Snapshot base("1\n2\n3\n4\n5\n");
    const auto clean =
        markedMerge(base, Snapshot("one\n2\n3\n4\n5\n"), Snapshot("1\n2\n3\n4\nfive\n"), {}, {});
    QVERIFY(clean && clean->isClean);
    QCOMPARE(clean->text.toByteArray(), QByteArray("one\n2\n3\n4\nfive\n"));
    const auto marked =
        markedMerge(base, Snapshot("1\n2\nours\n4\n5\n"), Snapshot("1\n2\ntheirs\n4\n5\n"),
                    QStringLiteral("mine"), QStringLiteral("yours"));
    QVERIFY(marked && !marked->isClean);
    const auto found = conflictsIn(marked->text.toByteArray());
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].oursName, QStringLiteral("mine"));
    QCOMPARE(found[0].theirsName, QStringLiteral("yours"));
    QCOMPARE(cut(marked->text.toByteArray(), found[0].theirs), QByteArray("theirs\n"));
  }
};

}  // namespace waferpair::editor

QTEST_GUILESS_MAIN(waferpair::editor::TestConflicts)
#include "test_conflicts.moc"

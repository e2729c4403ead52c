// SPDX-License-Identifier: GPL-3.0-or-later
// Tests what others are told of a text that an editor shows, and when.
#include <QtTest>

#include "editor/view/shown_buffer.h"
#include "editor/widget/editor_sync.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

namespace {

constexpr char kId[] = "/a.cpp";

// Writes down what it is told.
class Told : public DocumentSubscriber {
 public:
  void opened(const SyncedDocument& document) override {
    said += "open " + document.language.toUtf8() + (document.silent.isEmpty() ? "" : " silent");
    last = document;
  }
  void changed(const SyncedDocument& document, const QVector<TextEdit>& edits) override {
    said += "change " + QByteArray::number(edits.size());
    last = document;
  }
  void closed(const DocumentId&) override { said += "close"; }

  QByteArrayList take() { return std::exchange(said, {}); }

  QByteArrayList said;
  SyncedDocument last;
};

struct Desk {
  explicit Desk(const QByteArray& text = "int a;\n") : buffer(Snapshot(text)) {
    sync.subscribe(&told);
    teller.open(QLatin1String(kId));
  }

  // Writes a file, and has the buffer load it.
  bool load(const QByteArray& bytes) {
    QFile file(dir.filePath(u"a.cpp"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return false;
    file.close();
    const auto opened = TextFile::open(file.fileName());
    return opened && buffer.load(*opened);
  }

  QTemporaryDir dir;
  std::unique_ptr<CodeEditor> editor = makeEditor();
  Buffer buffer;
  ShownBuffer shown{&buffer, editor.get()};
  DocumentSync sync;
  Told told;
  EditorSync teller{&buffer, editor.get(), &sync};
};

// Returns where the bytes of a text lie.
QVector<const char*> placesOf(const Snapshot& text) {
  QVector<const char*> places;
  text.read(0, text.size(), [&](QByteArrayView piece) { places.append(piece.data()); });
  return places;
}

}  // namespace

class TestEditorSync : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aKeyIsToldOnceAndItsTextIsTheBuffers() {
    Desk desk(QByteArray("int a;\n").repeated(2000));
    QCOMPARE(desk.told.take(), QByteArrayList{"open C++"});
    QTest::keyClick(desk.editor.get(), 'x');
    QCOMPARE(desk.told.take(), QByteArrayList{"change 1"});
    QCOMPARE(desk.told.last.version, desk.editor->version());
    QVERIFY(desk.told.last.text == Snapshot(desk.editor->text()));
    QCOMPARE(placesOf(desk.told.last.text), placesOf(desk.buffer.snapshot()));
    QCOMPARE(placesOf(desk.sync.find(QLatin1String(kId))->text), placesOf(desk.buffer.snapshot()));
  }

  void anotherTextOrLanguageIsToldWhole() {
    Desk desk;
    desk.told.take();
    desk.editor->setLanguage(u"Python"_s);
    QCOMPARE(desk.told.take(), (QByteArrayList{"close", "open Python"}));
    desk.editor->setText("b = 1\n");
    QCOMPARE(desk.told.take(), (QByteArrayList{"close", "open Python"}));
    QCOMPARE(desk.told.last.text.toByteArray(), QByteArray("b = 1\n"));
    QCOMPARE(desk.told.last.version, desk.editor->version());
    desk.teller.close();
    QTest::keyClick(desk.editor.get(), 'x');
    QCOMPARE(desk.told.take(), QByteArrayList{"close"});
  }

  // An edit that is just being made is told before what comes after it.
  void anEditUnderWayIsToldFirst() {
    Desk desk;
    desk.told.take();
    desk.editor->SendScintilla(QsciScintillaBase::SCI_APPENDTEXT, 4UL, "new\n");
    QCOMPARE(desk.told.said, QByteArrayList());
    desk.editor->setLanguage(u"Python"_s);
    QCOMPARE(desk.told.take(), (QByteArrayList{"change 1", "close", "open Python"}));
    QCOMPARE(desk.told.last.text.toByteArray(), QByteArray("int a;\nnew\n"));
    QCoreApplication::processEvents();
    QCOMPARE(desk.told.said, QByteArrayList());
  }

  void withALongLineItIsToldAsSilent() {
    Desk desk;
    desk.told.take();
    desk.editor->replaceRange(0, 0, QByteArray(kLongLine + 1, 'x'));
    QCOMPARE(desk.told.take(), (QByteArrayList{"close", "open C++ silent"}));
    QCOMPARE(desk.told.last.version, desk.editor->version());
    QCOMPARE(desk.told.last.text.size(), desk.editor->length());
    desk.editor->undo();
    QCOMPARE(desk.told.take(), (QByteArrayList{"change 1", "close", "open C++"}));
    QCOMPARE(desk.told.last.text.toByteArray(), QByteArray("int a;\n"));
  }

  void aBinaryFileIsToldToNobody() {
    Desk desk;
    desk.told.take();
    QVERIFY(desk.load(QByteArray("a\0b", 3)));
    QCOMPARE(desk.told.take(), QByteArrayList{"close"});
    QVERIFY(desk.sync.find(QLatin1String(kId)) == nullptr);
    QVERIFY(desk.load("int b;\n"));
    QCOMPARE(desk.told.take(), QByteArrayList{"open C++"});
  }

  void aHugeFileIsToldWhenItIsEdited() {
    Desk desk;
    desk.told.take();
    const QByteArray line = QByteArray(99, 'x') + '\n';
    const QByteArray bytes = line.repeated(kHugeBytes / line.size() + 1);
    QVERIFY(desk.load(bytes));
    // The language goes with what came before; the file is not told.
    QCOMPARE(desk.told.take().last(), QByteArray("close"));
    QVERIFY(desk.sync.find(QLatin1String(kId)) == nullptr);
    QTest::keyClick(desk.editor.get(), 'y');
    QCOMPARE(desk.told.take(), QByteArrayList{"open  silent"});
    QVERIFY(desk.told.last.text.toByteArray() == "y" + bytes);
    QTest::keyClick(desk.editor.get(), 'z');
    QCOMPARE(desk.told.take(), QByteArrayList{"change 1"});
    QVERIFY(desk.told.last.text.toByteArray() == "yz" + bytes);
    QCOMPARE(desk.told.last.version, desk.editor->version());
  }

  // The line is there, and told of, before the edit that brought it: the text is still the view's
  // alone then.
  void aHugeFileMayGetALongLineByItsFirstEdit() {
    Desk desk;
    const QByteArray line = QByteArray(99, 'x') + '\n';
    const QByteArray bytes = line.repeated(kHugeBytes / line.size() + 1);
    QVERIFY(desk.load(bytes));
    desk.told.take();
    const QByteArray longLine = QByteArray(kLongLine + 1, 'y');
    desk.editor->replaceRange(0, 0, longLine);
    QCOMPARE(desk.told.take(), QByteArrayList{"open  silent"});
    QVERIFY(desk.told.last.text.toByteArray() == longLine + bytes);
    QVERIFY(desk.buffer.snapshot() == desk.told.last.text);
  }
};

QTEST_MAIN(TestEditorSync)
#include "test_editor_sync.moc"

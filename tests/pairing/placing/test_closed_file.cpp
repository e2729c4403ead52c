// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a change to a file that no editor shows: placed, looked at, accepted, undone, saved.
#include <QtTest>

#include "editor/assist/hunks.h"
#include "editor/text/text_document.h"
#include "editor/view/shown_buffer.h"
#include "editor/widget/decorations.h"
#include "pairing/placing/placement.h"
#include "tests/editor/editor_test.h"

using namespace waferpair;
using namespace waferpair::editor;

namespace {

constexpr char kBefore[] =
    "int first() {\r\n  return 1;\r\n}\r\n\r\nint second() {\r\n  return 2;\r\n}\r\n";
constexpr char kAfter[] =
    "int first() {\r\n  return 1;\r\n}\r\n\r\nint second() {\r\n  return 3;\r\n}\r\n";

QByteArray onDisk(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

bool hasPixel(const CodeEditor& editor, const QColor& color) {
  const QImage picture = editor.viewport()->grab().toImage();
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      if (picture.pixelColor(x, y) == color) return true;
  return false;
}

}  // namespace

class TestClosedFile : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    path_ = folder_.filePath(QStringLiteral("second.cpp"));
    QFile file(path_);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kBefore) > 0);
    file.close();
    auto opened = TextDocument::open(path_);
    QVERIFY(opened);
    document_ = std::move(*opened);
    Buffer* buffer = document_->buffer();
    hunks_ = std::make_unique<Hunks>([buffer](const QVector<TextEdit>& edits) {
      return buffer->apply(buffer->version(), edits).has_value();
    });
    connect(buffer, &Buffer::edited, hunks_.get(), &Hunks::follow);
    // The change is as a model says it: LF, and without the indentation.
    pairing::ProposedChange change;
    change.oldText = "return 2;\n";
    change.newText = "return 3;\n";
    const auto placed = pairing::place(document_->snapshot(), change);
    QVERIFY2(placed, placed ? "" : qPrintable(placed.error().message()));
    hunks_->offer(suggestionOf(path_, placed->edits));
    QCOMPARE(hunks_->offeredCount(), 1);
  }
  void cleanup() {
    hunks_.reset();
    document_.reset();
  }

  void itIsAcceptedUndoneAndSavedWithoutAnEditor() {
    QVERIFY(hunks_->acceptAll());
    QVERIFY(document_->isModified());
    QCOMPARE(onDisk(path_), QByteArray(kBefore));
    QVERIFY(document_->save());
    QCOMPARE(onDisk(path_), QByteArray(kAfter));
    QVERIFY(document_->buffer()->undo());
    QVERIFY(document_->isModified());
    QVERIFY(document_->save());
    QCOMPARE(onDisk(path_), QByteArray(kBefore));
  }

  void itIsDrawnAcceptedUndoneAndSavedInAnEditor() {
    auto editor = makeEditor();
    const ShownBuffer shown(document_->buffer(), editor.get());
    const ThemeColors& colors = editor->colors();
    QVERIFY(!hasPixel(*editor, colors.addedGround) && !hasPixel(*editor, colors.removedGround));
    Decorations decorations(editor.get());
    decorations.show(hunks_.get());
    QVERIFY(hasPixel(*editor, colors.addedGround));
    QVERIFY(hasPixel(*editor, colors.removedGround));
    QCOMPARE(editor->text(), QByteArray(kBefore));  // it is no part of the text
    QVERIFY(!editor->isModified());
    QCOMPARE(editor->accessibleDescription(),
             QStringLiteral("Line 6: “return 2;” would become “return 3;”."));

    // Typed above: it moves along.
    editor->setSelection(0, 0);
    QTest::keyClicks(editor.get(), "// ");
    QVERIFY(hasPixel(*editor, colors.addedGround));
    QVERIFY(hunks_->acceptAll());
    QCOMPARE(editor->text(), "// " + QByteArray(kAfter));
    QVERIFY(!hasPixel(*editor, colors.addedGround) && !hasPixel(*editor, colors.removedGround));
    QVERIFY(editor->accessibleDescription().isEmpty());
    QVERIFY(document_->save());
    QVERIFY(!editor->isModified());
    QCOMPARE(onDisk(path_), "// " + QByteArray(kAfter));

    editor->undo();  // the hunk, as one step
    QCOMPARE(editor->text(), "// " + QByteArray(kBefore));
    editor->undo();  // what was typed
    QCOMPARE(editor->text(), QByteArray(kBefore));
    QVERIFY(document_->save());
    QCOMPARE(onDisk(path_), QByteArray(kBefore));
  }

  void itIsUndoneInAnEditorThatIsOpenedLater() {
    QVERIFY(hunks_->acceptAll());
    auto editor = makeEditor();
    {
      const ShownBuffer shown(document_->buffer(), editor.get());
      QCOMPARE(editor->text(), QByteArray(kAfter));
      editor->undo();
      QCOMPARE(editor->text(), QByteArray(kBefore));
      QVERIFY(!document_->isModified());
    }
    QVERIFY(document_->buffer()->redo());
    QVERIFY(document_->save());
    QCOMPARE(onDisk(path_), QByteArray(kAfter));
  }

 private:
  QTemporaryDir folder_;
  QString path_;
  std::unique_ptr<TextDocument> document_;
  std::unique_ptr<Hunks> hunks_;
};

QTEST_MAIN(TestClosedFile)
#include "test_closed_file.moc"

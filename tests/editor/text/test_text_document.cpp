// SPDX-License-Identifier: GPL-3.0-or-later
// Files that no editor shows.
#include <QtTest>

#include "editor/text/text_document.h"

using namespace waferpair::editor;

namespace {

QByteArray onDisk(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

bool write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

bool edit(TextDocument* document, const QVector<TextEdit>& edits) {
  return document->buffer()->apply(document->buffer()->version(), edits).has_value();
}

}  // namespace

class TestTextDocument : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    path_ = dir_->filePath(QStringLiteral("main.cpp"));
  }

  void aFileIsEditedUndoneAndSavedWithItsEncodingAndLineEnds_data() {
    QTest::addColumn<Encoding>("encoding");
    QTest::addColumn<QByteArray>("ends");
    for (const Encoding encoding :
         {Encoding::kUtf8, Encoding::kUtf8Bom, Encoding::kUtf16Be, Encoding::kWindows1252,
          Encoding::kUtf32Le, Encoding::kIso8859_15, Encoding::kGb18030}) {
      for (const char* ends : {"\n", "\r\n", "\r"}) {
        QTest::newRow(qPrintable(encodingName(encoding) + u' ' + QString::number(ends[0]) +
                                 QString::number(qstrlen(ends))))
            << encoding << QByteArray(ends);
      }
    }
  }
  void aFileIsEditedUndoneAndSavedWithItsEncodingAndLineEnds() {
    QFETCH(Encoding, encoding);
    QFETCH(QByteArray, ends);
    const QByteArray text = "int é = 1;" + ends + "int b;" + ends;
    const QByteArray bytes = *encodeText(text, encoding);
    QVERIFY(write(path_, bytes));
    auto document = TextDocument::open(path_, encoding);
    QVERIFY(document);
    TextDocument& file = **document;
    QCOMPARE(file.snapshot().toByteArray(), text);
    QVERIFY(!file.isModified());

    const qint64 line = file.snapshot().lineStart(1);
    QVERIFY(edit(&file, {{line, line, "int ü;" + ends}}));
    QVERIFY(edit(&file, {{0, 3, "long"}}));
    QVERIFY(file.isModified());
    QVERIFY(file.save());
    QVERIFY(!file.isModified());
    QCOMPARE(
        onDisk(path_).toHex(),
        encodeText("long é = 1;" + ends + "int ü;" + ends + "int b;" + ends, encoding)->toHex());

    QVERIFY(file.buffer()->undo());
    QVERIFY(file.isModified());
    QVERIFY(file.buffer()->undo());
    QVERIFY(file.save());
    QCOMPARE(onDisk(path_).toHex(), bytes.toHex());
    QVERIFY(file.buffer()->redo());
    QVERIFY(file.save());
    QCOMPARE(
        onDisk(path_).toHex(),
        encodeText("int é = 1;" + ends + "int ü;" + ends + "int b;" + ends, encoding)->toHex());
    QCOMPARE(file.file().encoding(), encoding);
  }

  void aNewFileIsMadeBySaving() {
    const auto document = TextDocument::create(path_);
    QVERIFY(edit(document.get(), {{0, 0, "new\n"}}));
    QVERIFY(!QFile::exists(path_));
    QVERIFY(document->save());
    QCOMPARE(onDisk(path_), QByteArray("new\n"));
    QVERIFY(!document->isModified());
  }

  void anotherEncodingIsAChangeUntilItIsSaved() {
    QVERIFY(write(path_, "é\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    (*document)->setEncoding(Encoding::kIso8859_1);
    QVERIFY((*document)->isModified());
    QVERIFY((*document)->save());
    QVERIFY(!(*document)->isModified());
    QCOMPARE(onDisk(path_), QByteArray("\xE9\n"));
  }

  void whatCannotBeSavedStaysModified() {
    QVERIFY(write(path_, "a\n"));
    auto document = TextDocument::open(path_, Encoding::kIso8859_1);
    QVERIFY(document);
    QVERIFY(edit(document->get(), {{0, 0, "漢"}}));
    const SaveResult saved = (*document)->save();
    QVERIFY(!saved);
    QVERIFY(saved.error().what.contains(u"漢"));
    QVERIFY((*document)->isModified());
    QCOMPARE(onDisk(path_), QByteArray("a\n"));
  }

  void savedElsewhereItIsThatFileFromThenOn() {
    QVERIFY(write(path_, "a\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    QVERIFY(edit(document->get(), {{0, 1, "b"}}));
    const QString other = dir_->filePath(QStringLiteral("other.cpp"));
    QVERIFY((*document)->saveAs(other));
    QCOMPARE((*document)->path(), other);
    QCOMPARE(onDisk(path_), QByteArray("a\n"));
    QCOMPARE(onDisk(other), QByteArray("b\n"));
  }

  void revertedItIsAsOnDiskAndOneStepLeadsBack() {
    QVERIFY(write(path_, "one\ntwo\nthree\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    QVERIFY(edit(document->get(), {{0, 3, "1"}}));
    QVERIFY(write(path_, "one\nzwei\nthree\nfour\n"));
    QCOMPARE((*document)->outsideChange(), OutsideChange::kChanged);
    QVector<TextEdit> told;
    connect((*document)->buffer(), &Buffer::edited, this,
            [&](const QVector<TextEdit>& edits) { told = edits; });
    QVERIFY((*document)->revert());
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("one\nzwei\nthree\nfour\n"));
    QVERIFY(!(*document)->isModified());
    QCOMPARE(told.size(), 2);  // "three" stayed where it was
    QCOMPARE((*document)->outsideChange(), OutsideChange::kNone);
    QVERIFY((*document)->buffer()->undo());
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("1\ntwo\nthree\n"));
    QVERIFY((*document)->isModified());
  }

  void revertedItKeepsAChosenEncodingButNotADetectedOne() {
    QVERIFY(write(path_, "\xF0\xD2\n"));
    auto document = TextDocument::open(path_, Encoding::kKoi8R);
    QVERIFY(document);
    QVERIFY(write(path_, "\xD2\xF0\n"));
    QVERIFY((*document)->revert());
    QCOMPARE((*document)->file().encoding(), Encoding::kKoi8R);
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("рП\n"));

    QVERIFY(write(path_, "caf\xE9\n"));
    document = TextDocument::open(path_);
    QVERIFY(document);
    QCOMPARE((*document)->file().encoding(), Encoding::kWindows1252);
    QVERIFY(write(path_, "café\n"));
    QVERIFY((*document)->revert());
    QCOMPARE((*document)->file().encoding(), Encoding::kUtf8);
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("café\n"));
  }

  void revertedItIsInTheEncodingOnDiskWhateverItWasToBeSavedIn() {
    QVERIFY(write(path_, "caf\xC3\xA9\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    (*document)->setEncoding(Encoding::kIso8859_1);  // in which any bytes are a text
    QVERIFY((*document)->revert());
    QCOMPARE((*document)->file().encoding(), Encoding::kUtf8);
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("caf\xC3\xA9\n"));
    QVERIFY(!(*document)->isModified());

    // Bytes that look like UTF-8, and were chosen to be something else: by a save, or to be read.
    QVERIFY(edit(document->get(), {{0, 6, "\xC3\x83\xC2\xA9\n"}}));
    (*document)->setEncoding(Encoding::kWindows1252);
    QVERIFY((*document)->save());
    QCOMPARE(onDisk(path_), QByteArray("\xC3\xA9\n"));
    QVERIFY((*document)->revert());
    QCOMPARE((*document)->file().encoding(), Encoding::kWindows1252);
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("\xC3\x83\xC2\xA9\n"));
    document = TextDocument::open(path_, Encoding::kWindows1252);
    QVERIFY(document);
    QVERIFY((*document)->revert());
    QCOMPARE((*document)->file().encoding(), Encoding::kWindows1252);
  }

  void aFileThatIsGoneIsNotReverted() {
    QVERIFY(write(path_, "a\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    QVERIFY(edit(document->get(), {{0, 1, "b"}}));
    QVERIFY(QFile::remove(path_));
    QVERIFY(!(*document)->revert());
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("b\n"));
    QVERIFY((*document)->isModified());
  }

  void withoutAFileItTakesOneBySavingElsewhere() {
    TextDocument document;
    QVERIFY(document.path().isEmpty());
    document.setEncoding(Encoding::kIso8859_1);
    QVERIFY(!document.isModified());  // nothing is on disk that would be another
    QVERIFY(edit(&document, {{0, 0, "é\n"}}));
    QVERIFY(document.isModified());
    QVERIFY(document.saveAs(path_));
    QCOMPARE(document.path(), path_);
    QCOMPARE(onDisk(path_), QByteArray("\xE9\n"));
    QVERIFY(!document.isModified());
    QCOMPARE(document.outsideChange(), OutsideChange::kNone);
  }

  void renamedItIsWhatItWas() {
    QVERIFY(write(path_, "caf\xE9\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    QVERIFY(edit(document->get(), {{0, 0, "x"}}));
    QVERIFY(write(path_, "th\xE9s\n"));  // by another program, unseen so far
    const QString other = dir_->filePath(QStringLiteral("other.txt"));
    QVERIFY(QFile::rename(path_, other));
    (*document)->moveTo(other);
    QCOMPARE((*document)->path(), other);
    QCOMPARE((*document)->encoding(), Encoding::kWindows1252);
    QVERIFY((*document)->isModified());
    QCOMPARE((*document)->outsideChange(), OutsideChange::kChanged);
    QVERIFY((*document)->save());
    QCOMPARE(onDisk(other), QByteArray("xcaf\xE9\n"));
    QVERIFY(!QFile::exists(path_));
  }

  void readInAnotherEncodingItIsOneStepThere() {
    QVERIFY(write(path_, "\xF0\xD2\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("ðÒ\n"));
    QCOMPARE((*document)->reopen(Encoding::kKoi8R), Result<bool>(true));
    QCOMPARE((*document)->encoding(), Encoding::kKoi8R);
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("Пр\n"));
    QVERIFY(!(*document)->isModified());
    QVERIFY((*document)->buffer()->undo());
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("ðÒ\n"));
    QVERIFY(!(*document)->buffer()->canUndo());
  }

  void anEncodingThatDoesNotFitChangesNothing() {
    QVERIFY(write(path_, "caf\xE9\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    QVERIFY(edit(document->get(), {{0, 0, "x"}}));
    QCOMPARE((*document)->reopen(Encoding::kShiftJis), Result<bool>(false));
    QCOMPARE((*document)->encoding(), Encoding::kWindows1252);
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("xcafé\n"));
    QVERIFY((*document)->isModified());
  }

  void aFileThatIsGoneIsAChangeUntilItIsBack() {
    QVERIFY(write(path_, "a\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    QVERIFY(QFile::remove(path_));
    QCOMPARE((*document)->outsideChange(), OutsideChange::kDeleted);
    QVERIFY((*document)->isGone() && (*document)->isModified());
    QVERIFY(write(path_, "a\n"));
    QCOMPARE((*document)->outsideChange(), OutsideChange::kNone);
    QVERIFY(!(*document)->isGone() && !(*document)->isModified());
    QVERIFY(QFile::remove(path_));
    QCOMPARE((*document)->outsideChange(), OutsideChange::kDeleted);
    QVERIFY((*document)->save());
    QVERIFY(!(*document)->isGone() && !(*document)->isModified());
    QCOMPARE(onDisk(path_), QByteArray("a\n"));
  }

  void withoutItsFolderItIsGoneAndNotSaved() {
    const QString folder = dir_->filePath(QStringLiteral("lib"));
    QVERIFY(QDir().mkpath(folder));
    const QString path = folder + QStringLiteral("/a.txt");
    QVERIFY(write(path, "a\n"));
    auto document = TextDocument::open(path);
    QVERIFY(document);
    QVERIFY(QDir(folder).removeRecursively());
    QCOMPARE((*document)->save().error().missingFolder, folder);
    QVERIFY((*document)->isGone() && (*document)->isModified());
  }

  void aChangeThatTheUserKeepsHisTextInSpiteOfIsNone() {
    QVERIFY(write(path_, "a\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    QVERIFY(edit(document->get(), {{0, 0, "mine "}}));
    QVERIFY(write(path_, "theirs\n"));
    QCOMPARE((*document)->outsideChange(), OutsideChange::kChanged);
    (*document)->keepMine();
    QCOMPARE((*document)->outsideChange(), OutsideChange::kNone);
    // Another one, or one that came since the user was told, is a change.
    QVERIFY(write(path_, "theirs again\n"));
    QCOMPARE((*document)->outsideChange(), OutsideChange::kChanged);
    QVERIFY(write(path_, "and once more\n"));
    (*document)->keepMine();
    QCOMPARE((*document)->outsideChange(), OutsideChange::kChanged);
    (*document)->keepMine();
    QVERIFY((*document)->save());
    QCOMPARE(onDisk(path_), QByteArray("mine a\n"));
    QVERIFY(write(path_, "and once more\n"));
    QCOMPARE((*document)->outsideChange(), OutsideChange::kChanged);
  }

  void aTextThatCameBackAsksWhereItsFileIsAnother() {
    QVERIFY(write(path_, "a\n"));
    const FileStamp madeFrom = (*TextDocument::open(path_))->file().stamp();
    for (const QByteArray& now : {QByteArray("a\n"), QByteArray("b\n"), QByteArray("longer\n")}) {
      QVERIFY(write(path_, now));
      auto document = TextDocument::open(path_);
      QVERIFY((*document)->recover(Snapshot("mine a\n"), madeFrom));
      QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("mine a\n"));
      QVERIFY((*document)->isModified());
      const bool same = now == "a\n";
      QCOMPARE((*document)->outsideChange(), same ? OutsideChange::kNone : OutsideChange::kChanged);
      // Also in the next copy of it.
      QCOMPARE((*document)->file().stamp().sha1, madeFrom.sha1);
      QVERIFY((*document)->revert());
      QCOMPARE((*document)->outsideChange(), OutsideChange::kNone);
      QCOMPARE((*document)->snapshot().toByteArray(), now);
    }
    QVERIFY(QFile::remove(path_));
    auto document = TextDocument::create(path_);
    QVERIFY(document->recover(Snapshot("mine a\n"), madeFrom));
    QCOMPARE(document->outsideChange(), OutsideChange::kDeleted);
    QVERIFY(document->isGone());
  }

  void aBinaryFileIsShownButNotEdited() {
    TextDocument document;
    QVERIFY(edit(&document, {{0, 0, "text"}}));
    const QByteArray zeros(kBinaryShown + 10, '\0');
    QVERIFY(write(path_, zeros));
    QVERIFY(document.load(path_));
    QVERIFY(document.isBinary());
    QCOMPARE(document.snapshot().toByteArray(), zeros.first(kBinaryShown));
    QVERIFY(!document.isModified() && !document.buffer()->canUndo());
    for (const auto& refused : {document.apply({{0, 0, "x"}}), document.replaceText(Snapshot("x"))})
      QVERIFY(!refused && refused.error().what.contains(u"main.cpp"));
    QVERIFY(!document.save());
    QCOMPARE(onDisk(path_), zeros);
    QVERIFY(write(path_, QByteArray("\1\0", 2)));
    QVERIFY(document.revert());
    QCOMPARE(document.snapshot().toByteArray(), QByteArray("\1\0", 2));
    // And it may be a text again.
    QVERIFY(write(path_, "text\n"));
    QVERIFY(document.revert());
    QVERIFY(!document.isBinary());
    QVERIFY(document.apply({{0, 4, "edited"}}));
    QVERIFY(document.save());
    QCOMPARE(onDisk(path_), QByteArray("edited\n"));
  }

  void whatCannotBeLoadedChangesNothing() {
    TextDocument document;
    QVERIFY(edit(&document, {{0, 0, "text"}}));
    QVERIFY(!document.load(path_));
    QCOMPARE(document.path(), QString());
    QCOMPARE(document.snapshot().toByteArray(), QByteArray("text"));
    QVERIFY(document.isModified() && document.buffer()->canUndo());
  }

  // Lines are not looked for in so much of it.
  void aHugeFileIsRevertedAsOneRange() {
    const QByteArray line = QByteArray(99, 'x') + '\n';
    QByteArray bytes = line.repeated(kHugeBytes / line.size() + 1);
    QVERIFY(write(path_, bytes));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    QCOMPARE((*document)->file().safeMode(), SafeMode::kHuge);
    bytes.replace(1000, 2, "yz");
    const qsizetype last = bytes.size() - 50;
    bytes.replace(last, 1, "w");
    QVERIFY(write(path_, bytes));
    QVector<TextEdit> told;
    connect((*document)->buffer(), &Buffer::edited, this,
            [&](const QVector<TextEdit>& edits) { told = edits; });
    QVERIFY((*document)->revert());
    QCOMPARE(told.size(), 1);
    QCOMPARE(told[0].start, 1000);
    QCOMPARE(told[0].end, last + 1);
    QVERIFY((*document)->snapshot().toByteArray() == bytes);
    QVERIFY(!(*document)->isModified());
  }

  void editsOfWhoeverSawCharactersKeepTheBytesThatAreNone() {
    QVERIFY(write(path_,
                  "na\xC3\xAFve\nb\xFF"
                  "c\xFE\nd\n"));
    auto document = TextDocument::open(path_);
    QVERIFY(document);
    QCOMPARE((*document)->encoding(), Encoding::kUtf8);
    // A line with both, and a line behind it whose place the first one moves.
    QVERIFY((*document)->applyShown({{7, 12, "  b�c�\n"}, {14, 15, "D"}}));
    QCOMPARE((*document)->snapshot().toByteArray(), QByteArray("na\xC3\xAFve\n  b\xFF"
                                                               "c\xFE\nD\n"));
    const auto refused = (*document)->applyShown({{7, 13, "b�"}});
    QVERIFY(!refused && !refused.error().remedy.isEmpty());
    // Whoever has the bytes says what he means.
    QVERIFY((*document)->apply({{7, 13, "b�"}}));
    QVERIFY((*document)->buffer()->undo());
    QVERIFY((*document)->save());
    QCOMPARE(onDisk(path_), QByteArray("na\xC3\xAFve\n  b\xFF"
                                       "c\xFE\nD\n"));
  }

  void aBinaryFileIsEditedWhereItsUserWantsTo() {
    const QByteArray bytes("#!/bin/sh\nexit\n\0\1\xFF\xFE\r\n\0", 21);
    QVERIFY(write(path_, bytes));
    TextDocument document;
    QVERIFY(document.load(path_));
    QVERIFY(document.isBinary());
    QVERIFY(document.openRaw());
    QVERIFY(!document.isBinary());
    QCOMPARE(document.snapshot().toByteArray(), bytes);
    QVERIFY(document.apply({{0, 1, "##"}}));
    QVERIFY(document.isModified());
    QVERIFY(document.save());
    QCOMPARE(onDisk(path_), '#' + bytes);
    // Another program's change is read in the same way.
    QVERIFY(write(path_, bytes));
    QCOMPARE(document.outsideChange(), OutsideChange::kChanged);
    QVERIFY(document.revert());
    QVERIFY(!document.isBinary());
    QCOMPARE(document.snapshot().toByteArray(), bytes);
  }

  void aBinaryFileIsRefused() {
    QVERIFY(write(path_, QByteArray("a\0b", 3)));
    const auto document = TextDocument::open(path_);
    QVERIFY(!document);
    QVERIFY(document.error().what.contains(u"main.cpp"));
    QVERIFY(!document.error().remedy.isEmpty());
  }

 private:
  std::unique_ptr<QTemporaryDir> dir_;
  QString path_;
};

QTEST_GUILESS_MAIN(TestTextDocument)
#include "test_text_document.moc"

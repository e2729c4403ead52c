// SPDX-License-Identifier: GPL-3.0-or-later
// Markdown and SVG beside their text, and pictures in place of their bytes.
#include <QImage>
#include <QLabel>
#include <QScrollBar>
#include <QTest>
#include <QTextDocument>

#include "gui/documents/image_view.h"
#include "gui/documents/markdown_preview.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

MarkdownPreview* preview(WindowFixture& f) {
  return qobject_cast<MarkdownPreview*>(f.document()->beside());
}
ImageView* picture(WindowFixture& f) { return qobject_cast<ImageView*>(f.document()->beside()); }
QString about(WindowFixture& f) { return picture(f)->findChild<QLabel*>("imageAbout")->text(); }

void showPreview() { WindowFixture::key(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier); }

}  // namespace

class TestPreviews : public QObject {
  Q_OBJECT
 private slots:
  void markdownIsShownAsItReadsAndFollowsTheText() {
    WindowFixture f;
    f.openProjectWith("a.md", "# Title\n\nSome *text*.\n");
    showPreview();
    QVERIFY(preview(f));
    QCOMPARE(preview(f)->toPlainText(), QStringLiteral("Title\nSome text."));
    QVERIFY(f.editor()->isVisible());
    f.document()->setFocus();
    f.editor()->goToLine(2, 0);
    WindowFixture::type(QStringLiteral("New "));
    QTRY_COMPARE(preview(f)->toPlainText(), QStringLiteral("Title\nNew Some text."));
    showPreview();
    QVERIFY(!f.document()->beside());
  }

  void aLinkOpensItsFile() {
    WindowFixture f;
    f.write("b.txt", "there\n");
    f.openProjectWith("a.md", "[b](b.txt) [far](https://example.org)\n");
    showPreview();
    Q_EMIT preview(f)->anchorClicked(QUrl(QStringLiteral("b.txt")));
    QTRY_COMPARE(f.document()->title(), QStringLiteral("b.txt"));
  }

  void aLinkNamesALine_data() {
    QTest::addColumn<QString>("link");
    QTest::addColumn<int>("line");
    QTest::newRow("colon") << "B.md:3" << 2;
    QTest::newRow("escaped") << "B%20c.txt#L2" << 1;
    QTest::newRow("another case") << "b.md:2" << 1;
    QTest::newRow("below a folder") << "sub/d.txt:3:1" << 2;
  }
  void aLinkNamesALine() {
    QFETCH(QString, link);
    QFETCH(int, line);
    WindowFixture f;
    for (const char* name : {"B c.txt", "B.md", "sub/d.txt"}) f.write(name, "1\n2\n3\n");
    f.openProjectWith("a.md", "text\n");
    showPreview();
    Q_EMIT preview(f)->anchorClicked(QUrl(link));
    QTRY_VERIFY(f.document()->title() != QStringLiteral("a.md"));
    QTRY_COMPARE(f.editor()->lineAt(f.editor()->caret()), line);
  }

  void picturesComeFromFilesOnly() {
    WindowFixture f;
    QImage image(20, 10, QImage::Format_RGB32);
    image.fill(Qt::red);
    QVERIFY(image.save(f.path("red.png")));
    f.openProjectWith("a.md", "![red](red.png) ![far](https://example.org/a.png)\n");
    showPreview();
    const auto load = [&](const char* name) {
      return preview(f)
          ->loadResource(QTextDocument::ImageResource, QUrl(QLatin1String(name)))
          .value<QImage>()
          .size();
    };
    QTRY_COMPARE(load("red.png"), QSize(20, 10));
    // Nothing is a pixel that is not seen.
    for (const char* name : {"https://example.org/a.png", "gone.png", "/dev/zero", "/dev/tty"}) {
      QCOMPARE(load(name), QSize(1, 1));
      QTRY_VERIFY(!preview(f)->isLoading());
      QCOMPARE(load(name), QSize(1, 1));
    }
  }

  // Qt's renderer would read what an SVG names.
  void anSvgDrawsNothingButWhatIsInIt_data() {
    QTest::addColumn<QByteArray>("inner");
    QTest::addColumn<QString>("problem");
    QTest::newRow("a rectangle") << QByteArray("<rect width='4' height='4'/>") << QString();
    QTest::newRow("a link") << QByteArray("<a xlink:href='https://a.b'><rect/></a>") << QString();
    QTest::newRow("itself") << QByteArray("<g id='a'/><use xlink:href='#a'/>") << QString();
    QTest::newRow("a picture of pixels")
        << QByteArray(
               "<image xlink:href='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYA"
               "AAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='/>")
        << QString();
    QTest::newRow("a file") << QByteArray("<image xlink:href='/dev/zero'/>") << "/dev/zero";
    QTest::newRow("an address") << QByteArray("<image href='file:///dev/zero'/>") << "/dev/zero";
    QTest::newRow("by an entity") << QByteArray("<image href='&x;'/>") << "/dev/zero";
    QTest::newRow("an SVG within")
        << QByteArray("<image href='data:image/svg+xml;base64,PHN2Zy8+'/>") << "another file";
    QByteArray bomb = "<g id='a0'><rect/></g>";
    for (int i = 1; i < 12; ++i)
      bomb += "<g id='a" + QByteArray::number(i) + "'>" +
              QByteArray("<use href='#a" + QByteArray::number(i - 1) + "'/>").repeated(10) + "</g>";
    QTest::newRow("parts of parts") << bomb << "too often";
  }
  void anSvgDrawsNothingButWhatIsInIt() {
    QFETCH(QByteArray, inner);
    QFETCH(QString, problem);
    const LoadedImage loaded = loadSvg(
        "<!DOCTYPE svg [<!ENTITY x '/dev/zero'>]><svg xmlns='http://www.w3.org/2000/svg' "
        "xmlns:xlink='http://www.w3.org/1999/xlink' width='4' height='4'>" +
        inner + "</svg>");
    QVERIFY2(problem.isEmpty() ? loaded.problem.isEmpty() : loaded.problem.contains(problem),
             qPrintable(loaded.problem));
    QCOMPARE(loaded.image.isNull(), !problem.isEmpty());
  }

  void theTwoScrollTogether() {
    WindowFixture f;
    QByteArray text;
    for (int i = 0; i < 40; ++i) {
      text += "# Heading " + QByteArray::number(i) + "\n\n";
      text += QByteArray("Some words that are long enough. ").repeated(i % 5 * 8 + 1) + "\n\n";
    }
    f.openProjectWith("a.md", text);
    showPreview();
    QCoreApplication::processEvents();
    QScrollBar* shown = preview(f)->verticalScrollBar();
    QTRY_VERIFY(shown->maximum() > 100);
    f.editor()->verticalScrollBar()->setValue(80);
    // Line 80 is a heading, the twentieth: it is at the top.
    QTRY_VERIFY(preview(f)->cursorForPosition({30, 24}).block().text().contains("Heading 20"));
    shown->setValue(0);
    QTRY_COMPARE(f.editor()->verticalScrollBar()->value(), 0);
  }

  void aPictureIsShownInPlaceOfItsBytes() {
    WindowFixture f;
    QImage image(64, 32, QImage::Format_ARGB32);
    image.fill(Qt::blue);
    QVERIFY(image.save(f.path("blue.png")));
    f.openProject();
    f.openFile("blue.png");
    QVERIFY(picture(f));
    QVERIFY(!f.editor()->isVisible());
    QTRY_COMPARE(about(f), QStringLiteral("64 × 32 pixels · PNG · 100 %"));
    const QColor middle = picture(f)->grab().toImage().pixelColor(picture(f)->width() / 2,
                                                                  picture(f)->height() / 2 + 12);
    QCOMPARE(middle, QColor(Qt::blue));
    QVERIFY(picture(f)->hasFocus());
    WindowFixture::key(Qt::Key_Plus);
    QCOMPARE(about(f), QStringLiteral("64 × 32 pixels · PNG · 125 %"));
    WindowFixture::key(Qt::Key_0);
    QVERIFY(picture(f)->isFitted());
    QCOMPARE(picture(f)->zoom(), 1.0);
  }

  void aLargePictureFitsTheRoom() {
    WindowFixture f;
    QImage image(4000, 100, QImage::Format_RGB32);
    image.fill(Qt::green);
    QVERIFY(image.save(f.path("wide.png")));
    f.openProject();
    f.openFile("wide.png");
    QTRY_VERIFY(picture(f)->zoom() < 0.5);
    QVERIFY(4000 * picture(f)->zoom() <= picture(f)->width());
    WindowFixture::key(Qt::Key_1);
    QCOMPARE(picture(f)->zoom(), 1.0);
  }

  void whatIsDamagedOrTooLargeIsSaid() {
    WindowFixture f;
    QImage image(64, 32, QImage::Format_RGB32);
    image.fill(Qt::blue);
    QVERIFY(image.save(f.path("half.png")));
    f.write("half.png", f.read("half.png").left(60));
    f.write("huge.ppm", QByteArray("P6\n30000 30000\n255\n") + QByteArray(9, '\0'));
    f.openProject();
    f.openFile("half.png");
    const auto problem = [&] { return picture(f)->findChild<QLabel*>("imageProblem"); };
    QTRY_VERIFY2(problem()->text().contains("half.png"), qPrintable(problem()->text()));
    f.openFile("huge.ppm");
    QTRY_VERIFY2(problem()->text().contains("30000 × 30000"), qPrintable(problem()->text()));
  }

  void anSvgIsShownBesideItsText() {
    WindowFixture f;
    const QByteArray begin =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">";
    f.openProjectWith("a.svg", begin + "<rect width=\"40\" height=\"20\" fill=\"red\"/></svg>\n");
    QVERIFY(!picture(f));
    showPreview();
    QVERIFY(picture(f));
    QVERIFY(f.editor()->isVisible());
    QTRY_COMPARE(about(f), QStringLiteral("40 × 20 pixels · SVG · 100 %"));
    f.document()->textDocument()->replaceText(editor::Snapshot("no picture"));
    QTRY_VERIFY(picture(f)->findChild<QLabel*>("imageProblem")->isVisible());
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestPreviews)
#include "test_previews.moc"

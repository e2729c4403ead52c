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

  void picturesComeFromFilesOnly() {
    WindowFixture f;
    QImage image(20, 10, QImage::Format_RGB32);
    image.fill(Qt::red);
    QVERIFY(image.save(f.path("red.png")));
    f.openProjectWith("a.md", "![red](red.png) ![far](https://example.org/a.png)\n");
    showPreview();
    const auto load = [&](const char* name) {
      return preview(f)->loadResource(QTextDocument::ImageResource, QUrl(QLatin1String(name)));
    };
    QCOMPARE(load("red.png").value<QImage>().size(), QSize(20, 10));
    QVERIFY(!load("https://example.org/a.png").isValid());
    QVERIFY(!load("gone.png").isValid());
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
    QVERIFY(shown->maximum() > 100);
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
    QVERIFY(problem()->isVisible());
    QVERIFY2(problem()->text().contains("half.png"), qPrintable(problem()->text()));
    f.openFile("huge.ppm");
    QVERIFY2(problem()->text().contains("30000 × 30000"), qPrintable(problem()->text()));
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

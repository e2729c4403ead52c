// SPDX-License-Identifier: GPL-3.0-or-later
// The style sheet's pictures are SVG, which Qt reads with a plugin: where that is not installed,
// check boxes have no check marks and choosers no arrows, and nothing says so.
#include <QPixmap>
#include <QRegularExpression>
#include <QtTest>

#include "gui/kit/icons.h"
#include "gui/kit/style_sheet.h"
#include "gui/kit/theme.h"

using namespace waferpair::gui;

class TestPictures : public QObject {
  Q_OBJECT

 private slots:
  void picturesOfTheStyleSheetCanBeRead_data() {
    QTest::addColumn<QString>("file");
    static const QRegularExpression kUrl(QStringLiteral("url\\(([^)]+)\\)"));
    auto matches =
        kUrl.globalMatch(styleSheet(Theme::instance().colors(), Theme::instance().points()));
    while (matches.hasNext()) {
      const QString file = matches.next().captured(1);
      QTest::addRow("%s", qPrintable(file)) << file;
    }
  }
  void picturesOfTheStyleSheetCanBeRead() {
    QFETCH(const QString, file);
    (void)programIcon();  // links the resources in
    QVERIFY2(QFile::exists(file), "there is no such file");
    const QPixmap picture(file);
    QVERIFY2(!picture.isNull(), "Qt's plugin for SVG is missing: is qt6-svg-plugins installed?");
    // Something is drawn in it.
    const QImage image = picture.toImage().convertToFormat(QImage::Format_ARGB32);
    bool drawn = false;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) drawn = drawn || qAlpha(image.pixel(x, y)) > 0;
    }
    QVERIFY(drawn);
  }
};

QTEST_MAIN(TestPictures)
#include "test_pictures.moc"

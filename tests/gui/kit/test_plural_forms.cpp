// SPDX-License-Identifier: GPL-3.0-or-later
// Texts with a number have two forms, which are there whenever a program of ours begins.
#include <QXmlStreamReader>
#include <QtTest>

#include "tests/support/paths.h"

class TestPluralForms : public QObject {
  Q_OBJECT
 private slots:
  void oneAndManyAreToldApart_data() {
    QTest::addColumn<QByteArray>("context");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("number");
    QTest::addColumn<QString>("told");
    const auto row = [](const char* context, const char* text, int number, const char* told) {
      QTest::addRow("%d of %s", number, text)
          << QByteArray(context) << QByteArray(text) << number << QString(told);
    };
    row("waferpair::gui::FindBar", "%Ln match(es)", 1, "1 match");
    row("waferpair::gui::FindBar", "%Ln match(es)", 2, "2 matches");
    row("waferpair::gui::FindBar", "%Ln match(es)", 1200, "1,200 matches");
    row("waferpair::gui::ProjectFeed", "%Ln file(s)", 0, "0 files");
    row("waferpair::gui::ProjectFeed", "%Ln file(s)", 1, "1 file");
    row("Window", "%1, on %n wafer(s)", 1, "%1, on one wafer");
    row("Window", "%1, on %n wafer(s)", 4, "%1, on 4 wafers");
  }
  void oneAndManyAreToldApart() {
    QFETCH(QByteArray, context);
    QFETCH(QByteArray, text);
    QFETCH(int, number);
    QFETCH(QString, told);
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QCOMPARE(QCoreApplication::translate(context, text, nullptr, number), told);
  }

  void allOfTheFileAreLoaded() {
    QFile file(QString::fromStdString(waferpair::test::sourceDir()) +
               QStringLiteral("/resources/translations/waferpair_en.ts"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QByteArray context;
    int texts = 0;
    while (!xml.atEnd()) {
      xml.readNext();
      if (!xml.isStartElement()) continue;
      if (xml.name() == QLatin1String("name")) context = xml.readElementText().toUtf8();
      if (xml.name() != QLatin1String("source")) continue;
      const QByteArray text = xml.readElementText().toUtf8();
      const QString told = QCoreApplication::translate(context, text, nullptr, 2);
      QVERIFY2(!told.contains("(s)") && !told.contains("(es)"), text.constData());
      ++texts;
    }
    QVERIFY(!xml.hasError());
    QVERIFY(texts >= 9);
  }
};

QTEST_GUILESS_MAIN(TestPluralForms)
#include "test_plural_forms.moc"

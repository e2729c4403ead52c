// SPDX-License-Identifier: GPL-3.0-or-later
// Quick open in a project of 50,000 files: the window never waits for the search.
#include <QLineEdit>
#include <QListView>
#include <QSemaphore>
#include <QTest>
#include <QThreadPool>
#include <QTimer>

#include "gui/kit/fuzzy_match.h"
#include "gui/kit/picker.h"
#include "gui/project/file_index.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

constexpr int kFolders = 500, kFilesEach = 100;

}  // namespace

class TestQuickOpen : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void cleanupTestCase() { f_.reset(); }
  void init();
  void cleanup();
  void findsTheRightOneAmongMany();
  void theWindowGoesOnWhileItSearches();
  void returnWaitsForWhatWasTyped();
  void returnTakesWhatWasChosenByHand();
  void anotherLetterTakesReturnBack();
  void escapeDropsTheSearch();
  void whatWasChosenStaysChosen();

 private:
  QListView* list() { return f_->find<QListView>("pickerList"); }
  QLineEdit* input() { return f_->find<QLineEdit>("pickerInput"); }
  QStringList rows() {
    QStringList texts;
    for (int row = 0; row < list()->model()->rowCount(); ++row)
      texts.append(list()->model()->index(row, 0).data().toString());
    return texts;
  }
  QString chosen() { return list()->currentIndex().data().toString(); }
  // The search has to wait until the gate is opened.
  void hold() {
    const auto pools = f_->window().findChildren<QThreadPool*>("searchPool");
    QVERIFY2(!pools.isEmpty(), "there is no thread to search on");
    for (QThreadPool* pool : pools) pool->start([this] { gate_.acquire(); });
    held_ = int(pools.size());
  }
  void letGo() {
    gate_.release(held_);
    held_ = 0;
  }

  std::unique_ptr<WindowFixture> f_;
  QSemaphore gate_;
  int held_ = 0;  // threads
};

void TestQuickOpen::initTestCase() {
  f_ = std::make_unique<WindowFixture>();
  for (int folder = 0; folder < kFolders; ++folder) {
    const QString name = QStringLiteral("part%1").arg(folder);
    QVERIFY(QDir(f_->project()).mkdir(name));
    for (int i = 0; i < kFilesEach; ++i) {
      QFile file(f_->path(QStringLiteral("%1/unit_%2_%3.cpp").arg(name).arg(folder).arg(i)));
      QVERIFY(file.open(QIODevice::WriteOnly));
    }
  }
  f_->openProject();
  QTRY_COMPARE_WITH_TIMEOUT(f_->parts().fileIndex->files().size(), kFolders * kFilesEach, 60'000);
}

void TestQuickOpen::init() {
  f_->key(Qt::Key_P, Qt::ControlModifier);
  QVERIFY(f_->parts().picker->isOpen());
  // Opening reads the folder anew.
  QTRY_VERIFY_WITH_TIMEOUT(!f_->parts().fileIndex->isReading(), 60'000);
}

void TestQuickOpen::cleanup() {
  letGo();
  if (f_->parts().picker->isOpen()) f_->key(Qt::Key_Escape);
  for (Document* document : f_->parts().tabs->documents()) f_->parts().tabs->close(document);
}

void TestQuickOpen::findsTheRightOneAmongMany() {
  QCOMPARE(rows().first(), f_->parts().fileIndex->files().first());
  f_->type("u314_77");
  QTRY_COMPARE(rows().value(0), QStringLiteral("part314/unit_314_77.cpp"));
  QCOMPARE(chosen(), rows().first());
  f_->key(Qt::Key_Return);
  QTRY_VERIFY(f_->document());
  QCOMPARE(f_->document()->path(), f_->path("part314/unit_314_77.cpp"));
}

void TestQuickOpen::theWindowGoesOnWhileItSearches() {
  hold();
  const QStringList before = rows();
  int turns = 0;
  QTimer ticks;
  connect(&ticks, &QTimer::timeout, this, [&turns] { ++turns; });
  ticks.start(0);
  for (const char letter : {'u', '2', '7', '1'}) {
    const int sofar = turns;
    f_->type(QString(QLatin1Char(letter)));
    QTRY_VERIFY(turns > sofar + 20);
    QCOMPARE(rows(), before);  // until there is something better
  }
  QCOMPARE(input()->text(), QStringLiteral("u271"));
  letGo();
  QTRY_COMPARE(rows().value(0), QStringLiteral("part271/unit_271_0.cpp"));
  QVERIFY(fuzzyMatch(u"u271", rows().last()));
}

void TestQuickOpen::returnWaitsForWhatWasTyped() {
  hold();
  f_->type("u161_80");
  f_->key(Qt::Key_Return);
  QCoreApplication::processEvents();
  QVERIFY(f_->parts().picker->isOpen());
  QVERIFY(!f_->document());
  letGo();
  QTRY_VERIFY(f_->document());
  QCOMPARE(f_->document()->path(), f_->path("part161/unit_161_80.cpp"));
  QVERIFY(!f_->parts().picker->isOpen());
}

void TestQuickOpen::returnTakesWhatWasChosenByHand() {
  f_->type("u12");
  QTRY_VERIFY(rows().size() > 3 && fuzzyMatch(u"u12", rows().last()));
  f_->key(Qt::Key_Down);
  f_->key(Qt::Key_Down);
  const QString third = rows().at(2);
  QCOMPARE(chosen(), third);
  f_->key(Qt::Key_Return);
  QTRY_VERIFY(f_->document());
  QCOMPARE(f_->document()->path(), f_->path(third));
}

void TestQuickOpen::anotherLetterTakesReturnBack() {
  hold();
  f_->type("u16");
  f_->key(Qt::Key_Return);
  f_->type("1_8");
  letGo();
  QTRY_COMPARE(rows().value(0), QStringLiteral("part161/unit_161_8.cpp"));
  QVERIFY(f_->parts().picker->isOpen());
  QVERIFY(!f_->document());
}

void TestQuickOpen::escapeDropsTheSearch() {
  hold();
  f_->type("u161");
  f_->key(Qt::Key_Return);
  f_->key(Qt::Key_Escape);
  letGo();
  QVERIFY(f_->window().findChild<QThreadPool*>("searchPool")->waitForDone());
  QCoreApplication::processEvents();
  QVERIFY(!f_->document());
  QVERIFY(!f_->parts().picker->isOpen());
}

// The list of files is read anew while one chooses from the old one.
void TestQuickOpen::whatWasChosenStaysChosen() {
  f_->type("u404_1");
  QTRY_COMPARE(rows().value(0), QStringLiteral("part404/unit_404_1.cpp"));
  f_->key(Qt::Key_Down);
  f_->key(Qt::Key_Down);
  const QString mine = chosen();
  const int row = list()->currentIndex().row();
  QCOMPARE(row, 2);
  f_->write("part404/u404_1.cpp", "");  // better than all others
  f_->parts().fileIndex->refresh();
  QTRY_COMPARE_WITH_TIMEOUT(rows().value(0), QStringLiteral("part404/u404_1.cpp"), 60'000);
  QCOMPARE(chosen(), mine);
  QCOMPARE(list()->currentIndex().row(), row + 1);
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestQuickOpen)
#include "test_quick_open.moc"

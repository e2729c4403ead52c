// SPDX-License-Identifier: GPL-3.0-or-later
// Notices lie in the lower right corner, over what is there, and only those that inform go by
// themselves.
#include <QtTest>

#include "gui/kit/notices.h"

using namespace waferpair::gui;
using Kind = Banner::Kind;

class TestNotices : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    middle_ = std::make_unique<QWidget>();
    notices_ = new Notices(middle_.get());
    notices_->layOver(middle_.get());
    middle_->resize(800, 600);
    middle_->show();
  }
  void cleanup() { middle_.reset(); }

  void theyLieInTheLowerRightCorner() {
    notices_->show("one", Kind::kWarning, "The file could not be read.");
    QTRY_COMPARE(notices_->geometry().right(), 800 - 12 - 1);
    QCOMPARE(notices_->geometry().bottom(), 600 - 12 - 1);
    QCOMPARE(notices_->width(), 420);
    middle_->resize(300, 200);
    QTRY_COMPARE(notices_->width(), 300 - 24);
    QTRY_COMPARE(notices_->geometry().bottom(), 200 - 12 - 1);
    QVERIFY(notices_->geometry().top() >= 12);
  }

  void theLatestThreeCanBeSeen() {
    for (const char* id : {"a", "b", "c", "d"}) notices_->show(id, Kind::kWarning, id);
    const auto seen = [this] {
      QStringList ids;
      for (const Banner* banner : notices_->banners())
        if (banner->isVisible()) ids.append(banner->objectName());
      return ids.join(' ');
    };
    QCOMPARE(seen(), "b c d");
    notices_->remove("c");
    QCOMPARE(seen(), "a b d");
    notices_->removeAll();
    QCOMPARE(seen(), "");
    QVERIFY(notices_->isHidden());
  }

  void onlyWhatInformsGoesByItself_data() {
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<bool>("hasButton");
    QTest::addColumn<bool>("goes");
    QTest::newRow("information") << Kind::kInfo << false << true;
    QTest::newRow("a question") << Kind::kInfo << true << false;
    QTest::newRow("a warning") << Kind::kWarning << false << false;
    QTest::newRow("an error") << Kind::kError << false << false;
  }
  void onlyWhatInformsGoesByItself() {
    QFETCH(Kind, kind);
    QFETCH(bool, hasButton);
    QFETCH(bool, goes);
    Banner& banner = notices_->show("one", kind, "Something happened.");
    if (hasButton) banner.addButton("undo", "Undo", [] {});
    auto* timer = banner.findChild<QTimer*>();
    QCOMPARE(timer != nullptr, kind == Kind::kInfo);
    if (timer) {
      QCOMPARE(timer->interval(), 6000);
      timer->setInterval(0);
    }
    if (goes)
      QTRY_VERIFY(!notices_->find("one"));
    else if (timer)
      QTRY_VERIFY(!timer->isActive());
    QCOMPARE(notices_->find("one") == nullptr, goes);
  }

  void whatWasSaidIsKept() {
    notices_->show("one", Kind::kInfo, "First.");
    notices_->show("two", Kind::kError, "Second.");
    notices_->show("two", Kind::kError, "Second.");
    notices_->removeAll();
    QCOMPARE(notices_->history().size(), 2);
    QCOMPARE(notices_->history().first().text, "Second.");
    QCOMPARE(notices_->history().first().kind, Kind::kError);
    QCOMPARE(notices_->history().last().text, "First.");
    for (int i = 0; i < 200; ++i) notices_->show("many", Kind::kInfo, QString::number(i));
    QCOMPARE(notices_->history().size(), 100);
    QCOMPARE(notices_->history().first().text, "199");
  }

 private:
  std::unique_ptr<QWidget> middle_;
  Notices* notices_ = nullptr;
};

QTEST_MAIN(TestNotices)
#include "test_notices.moc"

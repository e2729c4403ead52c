// SPDX-License-Identifier: GPL-3.0-or-later
// What leads somewhere, by real keys and the mouse: links that a server knows and addresses that
// are written, names with Ctrl and the mouse, and the bulb of fixes.
#include <QDesktopServices>
#include <QToolButton>

#include "gui/kit/picker.h"
#include "tests/gui/workbench/language_window.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;
using Sci = QsciScintillaBase;

namespace {

constexpr unsigned long kHotIndicator = 25;

}  // namespace

class TestWays : public QObject {
  Q_OBJECT
 public Q_SLOTS:
  void browse(const QUrl& url) { browsed_.append(url.toString()); }

 private Q_SLOTS:
  void initTestCase() {
    for (const char* scheme : {"http", "https", "ftp"})
      QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "browse");
  }
  void cleanupTestCase() {
    for (const char* scheme : {"http", "https", "ftp"})
      QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
  }
  void init() {
    browsed_.clear();
    w_ = std::make_unique<LanguageWindow>();
  }
  void cleanup() { w_.reset(); }

  void aKeyFollowsTheServersLink() {
    w_->write("b.cpp", "beta\n");
    w_->write("later.cpp", "later\n");
    w_->begin("see file b.cpp or later\n", "links");
    caretTo(8);
    QTRY_VERIFY_WITH_TIMEOUT(follow() && w_->document()->title() == "b.cpp", kPatience);
    // Where it leads is asked for. It has moved meanwhile.
    w_->openFile("a.cpp");
    caretTo(0);
    WindowFixture::type("Do ");
    caretTo(24);
    QVERIFY(follow());
    QTRY_COMPARE_WITH_TIMEOUT(w_->document()->title(), "later.cpp", kPatience);
  }

  void anAddressNeedsNoServer() {
    w_->openProjectWith("a.txt", "\xc3\xa4 (https://example.org/a_(b)). x\n");
    caretTo(10);
    QVERIFY(follow());
    QCOMPARE(browsed_, QStringList({"https://example.org/a_(b)"}));
    caretTo(33);
    QVERIFY(follow());
    QCOMPARE(notice(), "Nothing at the caret leads to a file or an address.");
    QCOMPARE(browsed_.size(), 1);
  }

  void onlyWhatIsReadIsOpened() {
    w_->begin("odd\n", "links");
    QTRY_VERIFY_WITH_TIMEOUT(follow() && notice().startsWith("ftp://example.org/x is not opened"),
                             kPatience);
    QCOMPARE(browsed_, QStringList());
  }

  void aWrongServerBreaksNothing() {
    w_->begin("https://example.org\n", "links,wrong");
    test::rest();
    QVERIFY(follow());
    QCOMPARE(browsed_, QStringList({"https://example.org"}));
  }

  void ctrlAndAClickLeadToTheDefinition() {
    w_->begin("alpha + beta\nalpha\n");
    const QPoint at = pointOf(15);
    move(at);
    QTRY_COMPARE_WITH_TIMEOUT(hot(), QByteArray("alpha"), kPatience);
    QCOMPARE(hotStart(), 13);
    QCOMPARE(w_->editor()->sci(Sci::SCI_GETCURSOR), 8);
    QTest::mouseClick(w_->editor()->viewport(), Qt::LeftButton, Qt::ControlModifier, at);
    QTRY_COMPARE_WITH_TIMEOUT(w_->editor()->caret(), 0, kPatience);
    QCOMPARE(hot(), QByteArray());
    QVERIFY(w_->editor()->hasOneCaret());
    // It cools when Ctrl goes, and when the mouse does; an operator is nothing.
    move(pointOf(9));
    QTRY_COMPARE_WITH_TIMEOUT(hot(), QByteArray("beta"), kPatience);
    QTest::keyRelease(w_->editor(), Qt::Key_Control);
    QCOMPARE(hot(), QByteArray());
    move(pointOf(9));
    QTRY_COMPARE_WITH_TIMEOUT(hot(), QByteArray("beta"), kPatience);
    move(pointOf(6));
    QCOMPARE(hot(), QByteArray());
    QCOMPARE(w_->editor()->sci(Sci::SCI_GETCURSOR), Sci::SC_CURSORNORMAL);
    // There a click is like any other.
    QTest::mouseClick(w_->editor()->viewport(), Qt::LeftButton, Qt::ControlModifier, pointOf(6));
    QCOMPARE(w_->editor()->caret(), 6);
  }

  void ctrlAndAClickFollowALink() {
    w_->openProjectWith("a.txt", "go to https://example.org now\n");
    move(pointOf(12));
    QCOMPARE(hot(), QByteArray("https://example.org"));
    QTest::mouseClick(w_->editor()->viewport(), Qt::LeftButton, Qt::ControlModifier, pointOf(12));
    QCOMPARE(browsed_, QStringList({"https://example.org"}));
  }

  void aBulbStandsWhereAFixIsKnown() {
    w_->begin("    one\n    BAD\ntwo\n");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    test::rest();
    QVERIFY(!bulb());  // not where nothing is wrong
    caretTo(14);
    QTRY_VERIFY_WITH_TIMEOUT(bulb() && bulb()->isVisible(), kPatience);
    QCOMPARE(bulb()->accessibleName(), "1 fix for this line (Ctrl+.)");
    // It covers the blanks before the line, and no letter.
    const QRect place = bulb()->geometry();
    QCOMPARE(place.top(), pointOf(8).y());
    QVERIFY(place.left() >= pointOf(8).x());
    QVERIFY(place.right() < pointOf(12).x());
    QVERIFY(WindowFixture::click("actionBulb"));
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().picker->isOpen(), kPatience);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(w_->editor()->text(), "    one\n    good\ntwo\n", kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!bulb(), kPatience);
  }

  void theBulbGivesWayToLetters() {
    w_->begin("BAD\none two\n");
    QTRY_VERIFY_WITH_TIMEOUT(bulb() && bulb()->isVisible(), kPatience);
    QVERIFY(bulb()->x() > pointOf(3).x());
    QCOMPARE(bulb()->y(), pointOf(0).y());
    caretTo(5);
    QTRY_VERIFY(!bulb());
  }

 private:
  QToolButton* bulb() { return w_->editor()->viewport()->findChild<QToolButton*>("actionBulb"); }
  void caretTo(qint64 at) { w_->editor()->setSelection(at, at); }
  bool follow() {
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_Return);
    return true;
  }
  QString notice() {
    const Banner* banner = w_->parts().notices->find("languageGuide");
    return banner ? banner->text() : QString();
  }
  QPoint pointOf(qint64 at) {
    const auto position = static_cast<long>(at);
    return {static_cast<int>(w_->editor()->sci(Sci::SCI_POINTXFROMPOSITION, 0, position)),
            static_cast<int>(w_->editor()->sci(Sci::SCI_POINTYFROMPOSITION, 0, position))};
  }
  void move(QPoint at) {
    QWidget* view = w_->editor()->viewport();
    at += QPoint(2, 4);
    QMouseEvent event(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                      Qt::ControlModifier);
    QApplication::sendEvent(view, &event);
  }
  qint64 hotStart() {
    return w_->editor()->sci(Sci::SCI_INDICATORVALUEAT, kHotIndicator, 0) != 0
               ? 0
               : w_->editor()->sci(Sci::SCI_INDICATOREND, kHotIndicator, 0);
  }
  QByteArray hot() {
    const qint64 start = hotStart();
    if (w_->editor()->sci(Sci::SCI_INDICATORVALUEAT, kHotIndicator, static_cast<long>(start)) == 0)
      return {};
    return w_->editor()->textRange(
        start, w_->editor()->sci(Sci::SCI_INDICATOREND, kHotIndicator, static_cast<long>(start)));
  }

  QStringList browsed_;
  std::unique_ptr<LanguageWindow> w_;
};

QTEST_MAIN(TestWays)
#include "test_ways.moc"

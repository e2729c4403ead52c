// SPDX-License-Identifier: GPL-3.0-or-later
// A window whose theme was changed looks like one that was started so.
#include <QLabel>

#include "gui/kit/command_registry.h"
#include "gui/wafer/wafer_dock.h"
#include "tests/gui/wafer/wafer_window.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::WaferWindow;

namespace {

const QString kFile = QStringLiteral("one.txt");

// Returns the path from the window to a widget, which tells it from all others.
QString nameOf(const QWidget* widget) {
  QStringList way;
  for (const QObject* one = widget; one->parent(); one = one->parent()) {
    const QString name = one->objectName();
    const auto siblings = one->parent()->children();
    way.prepend(QStringLiteral("%1 %2 %3")
                    .arg(QLatin1String(one->metaObject()->className()), name)
                    .arg(siblings.indexOf(const_cast<QObject*>(one))));
  }
  return way.join(u'/');
}

QMap<QString, QString> colorsOf(const MainWindow& window) {
  QMap<QString, QString> colors;
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    // Hidden widgets count, too, as they may be shown later. The recent folders are others each
    // time.
    if (nameOf(widget).contains(QLatin1String("recent."))) continue;
    QStringList found;
    for (const auto group : {QPalette::Active, QPalette::Disabled})
      for (int role = 0; role < QPalette::NColorRoles; ++role) {
        if (role == QPalette::NoRole) continue;
        found.append(widget->palette().color(group, static_cast<QPalette::ColorRole>(role)).name());
      }
    colors.insert(nameOf(widget), found.join(u' '));
  }
  return colors;
}

struct Look {
  QMap<QString, QString> colors;
  QImage picture;
};

Look lookOf(WaferWindow& w) {
  // A blinking caret and a mouse that rests somewhere are no part of it.
  w.window->parts().tabs->current()->editor()->sci(QsciScintillaBase::SCI_SETCARETPERIOD, 0UL);
  if (!QTest::qWaitFor([&w] { return w.window->parts().waferDock->isSubscribed(); })) return {};
  w.sendWafer();
  w.window->parts().waferDock->panel()->setPaused(true);
  // The status bar follows at a pace of its own.
  const auto says = [&w](const char* name, const char* text) {
    const auto* field = w.window->findChild<QWidget*>(QLatin1String(name));
    return field->property("text").toString().contains(QLatin1String(text));
  };
  if (!QTest::qWaitFor([&] {
        return says("suggestionStatus", "Suggestions on") && says("contextStatus", "323");
      }))
    return {};
  const auto settled = [&w, last = QImage()]() mutable {
    QImage now = w.window->grab().toImage();
    const bool same = now == last;
    last = now;
    return same;
  };
  (void)QTest::qWaitFor(settled);
  return {colorsOf(*w.window), w.window->grab().toImage()};
}

}  // namespace

class TestThemeToggle : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    useProfile(profile_.path());
    QApplication::setCursorFlashTime(0);
  }

  void aChangedWindowLooksLikeOneStartedSo_data() {
    QTest::addColumn<int>("toggles");
    QTest::addColumn<bool>("startsDark");
    QTest::newRow("dark to light") << 1 << true;
    QTest::newRow("light to dark") << 1 << false;
    QTest::newRow("dark and back") << 2 << true;
    QTest::newRow("light and back") << 2 << false;
    QTest::newRow("dark to light, the long way") << 3 << true;
  }
  void aChangedWindowLooksLikeOneStartedSo() {
    QFETCH(int, toggles);
    QFETCH(bool, startsDark);
    const auto kind = [](bool dark) { return dark ? ThemeKind::kDark : ThemeKind::kLight; };
    WaferWindow fresh;
    fresh.open({1440, 900}, kind(startsDark == (toggles % 2 == 0)), kFile);
    const Look wanted = lookOf(fresh);
    fresh.window.reset();

    WaferWindow changed;
    changed.open({1440, 900}, kind(startsDark), kFile);
    for (int i = 0; i < toggles; ++i)
      changed.window->parts().commands->action("view.theme")->trigger();
    const Look seen = lookOf(changed);

    QStringList stale;
    for (auto it = wanted.colors.begin(); it != wanted.colors.end(); ++it)
      if (const QString now = seen.colors.value(it.key()); now != *it)
        stale.append(it.key() + "\n  has   " + now + "\n  wants " + *it);
    QVERIFY2(stale.isEmpty(), qPrintable(stale.join('\n')));
    QCOMPARE(seen.colors.keys(), wanted.colors.keys());
    comparePictures(seen.picture, wanted.picture);
  }

 private:
  static void comparePictures(const QImage& seen, const QImage& wanted) {
    QCOMPARE(seen.size(), wanted.size());
    QRect different;
    for (int y = 0; y < seen.height(); ++y)
      for (int x = 0; x < seen.width(); ++x)
        if (seen.pixel(x, y) != wanted.pixel(x, y)) different |= QRect(x, y, 1, 1);
    QVERIFY2(different.isEmpty(), qPrintable(QStringLiteral("differs within %1,%2 %3x%4")
                                                 .arg(different.x())
                                                 .arg(different.y())
                                                 .arg(different.width())
                                                 .arg(different.height())));
  }

  QTemporaryDir profile_;
};

QTEST_MAIN(TestThemeToggle)
#include "test_theme_toggle.moc"

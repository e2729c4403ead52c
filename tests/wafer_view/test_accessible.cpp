// SPDX-License-Identifier: GPL-3.0-or-later
// Tests what assistive technology hears of the panel: each control has a name and a role, the name
// stays when the value changes, and the value is told.
#include <QAccessible>
#include <QAccessibleWidget>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QtTest>

#include "tests/wafer_view/demo.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

using namespace waferpair;
using namespace waferpair::view;

namespace {

QAccessibleInterface* face(QWidget* widget) {
  return QAccessible::queryAccessibleInterface(widget);
}
QString nameOf(QWidget* widget) { return face(widget)->text(QAccessible::Name); }
QString valueOf(QWidget* widget) { return face(widget)->text(QAccessible::Value); }
QString descriptionOf(QWidget* widget) { return face(widget)->text(QAccessible::Description); }

struct Heard {
  QAccessible::Event type;
  QString object, name;
};
std::vector<Heard> heard;

void listen(QAccessibleEvent* event) {
  QAccessibleInterface* about = event->accessibleInterface();
  if (!about || !event->object()) return;
  heard.push_back({event->type(), event->object()->objectName(), about->text(QAccessible::Name)});
}

struct Shown {
  explicit Shown(QSize size = {420, 860}) {
    panel.resize(size);
    panel.show();
    panel.setLayout(demo::layout());
    for (int n = 0; n < 3; ++n) panel.addFrame(demo::frame(demo::layout(), n));
    QTest::keyClick(panel.view(), Qt::Key_W);
    QCoreApplication::processEvents();
  }
  template <typename T>
  T* child(const char* name) {
    T* found = panel.findChild<T*>(QLatin1String(name));
    if (!found) qFatal("There is no %s.", name);
    return found;
  }
  WaferPanel panel;
};

}  // namespace

class TestAccessible : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Only while something listens, Qt tells of changes: under the AT-SPI bus that CTest starts.
  void initTestCase() {
    if (qEnvironmentVariableIsSet("QT_LINUX_ACCESSIBILITY_ALWAYS_ON"))
      QTRY_VERIFY(QAccessible::isActive());
  }

  void eachControlHasANameARoleAndAnObjectName() {
    Shown shown;
    QStringList names;
    int seen = 0;
    for (QWidget* widget : shown.panel.findChildren<QWidget*>()) {
      const bool control = widget->focusPolicy() != Qt::NoFocus ||
                           widget->objectName().startsWith(QLatin1String("figure"));
      if (!control || !widget->isVisible()) continue;
      ++seen;
      const char* type = widget->metaObject()->className();
      QVERIFY2(face(widget), type);
      QVERIFY2(!nameOf(widget).isEmpty(), type);
      QVERIFY2(!widget->objectName().isEmpty(), qPrintable(nameOf(widget)));
      QVERIFY2(!descriptionOf(widget).isEmpty(), qPrintable(nameOf(widget)));
      const QAccessible::Role role = face(widget)->role();
      QVERIFY2(role != QAccessible::NoRole && role != QAccessible::Client,
               qPrintable(nameOf(widget)));
      QVERIFY2(!names.contains(nameOf(widget)), qPrintable(nameOf(widget)));
      names << nameOf(widget);
    }
    QVERIFY(seen >= 15);
    QCOMPARE(face(shown.panel.view())->role(), QAccessible::Canvas);
    QCOMPARE(face(shown.child<QComboBox>("waferMetric"))->role(), QAccessible::ComboBox);
    QCOMPARE(face(shown.child<QSlider>("wavePlace"))->role(), QAccessible::Slider);
  }

  void comboBoxesKeepTheirNamesAndTellTheirValues() {
    Shown shown;
    for (auto* combo : shown.panel.findChildren<QComboBox*>()) {
      const QString name = combo->accessibleName();
      QVERIFY(!name.isEmpty());
      combo->setFocus();
      for (int i = 0; i < combo->count(); ++i) {
        combo->setCurrentIndex(i);
        QCOMPARE(nameOf(combo), name);
        QCOMPARE(valueOf(combo), combo->itemText(i));
        // AT-SPI asks for the text, as it knows no value of a combo box.
        auto* text = face(combo)->textInterface();
        QVERIFY(text);
        QCOMPARE(text->text(0, text->characterCount()), combo->itemText(i));
        QCOMPARE(text->text(0, -1), combo->itemText(i));
      }
    }
    QCOMPARE(nameOf(shown.child<QComboBox>("waferMetric")), QStringLiteral("Metric"));
    QCOMPARE(nameOf(shown.child<QComboBox>("waveSpeed")), QStringLiteral("Wave slow-down"));
  }

  void aComboBoxIsOpenedThroughItsAction() {
    Shown shown;
    auto* metric = shown.child<QComboBox>("waferMetric");
    auto* actions = face(metric)->actionInterface();
    QVERIFY(actions->actionNames().contains(QAccessibleActionInterface::showMenuAction()));
    QVERIFY(face(metric)->state().expandable && !face(metric)->state().expanded);
    actions->doAction(QAccessibleActionInterface::showMenuAction());
    QTRY_VERIFY(face(metric)->state().expanded);
    QCOMPARE(face(metric)->childCount(), 1);
    QCOMPARE(face(metric)->child(0)->childCount(), metric->count());
    QCOMPARE(face(metric)->indexOfChild(face(metric)->child(0)), 0);
    actions->doAction(QAccessibleActionInterface::pressAction());
    QTRY_VERIFY(!face(metric)->state().expanded);
  }

  void theChangeOfAValueIsHeardOnce() {
    if (!QAccessible::isActive()) QSKIP("nothing listens");
    Shown shown;
    auto* metric = shown.child<QComboBox>("waferMetric");
    QCoreApplication::processEvents();
    heard.clear();
    QAccessible::installUpdateHandler(listen);
    QTest::keyClick(metric, Qt::Key_Down);
    QAccessible::installUpdateHandler(nullptr);
    int told = 0;
    for (const Heard& one : heard) {
      if (one.object != QLatin1String("waferMetric")) continue;
      QVERIFY(one.type != QAccessible::NameChanged);
      QCOMPARE(one.name, QStringLiteral("Metric"));
      if (one.type == QAccessible::ValueChanged) ++told;
    }
    QCOMPARE(told, 1);
  }

  void valuesAreFoundByNameAndFollowTheirCaption() {
    Shown shown;
    const struct {
      const char *object, *name, *first;
    } figures[] = {{"figureHostRate", "Tokens/s, host", "1,040"},
                   {"figureWaferRate", "Tokens/s, wafer (emul.)", "14,865"},
                   {"figureHostFirst", "First token, host", "38.0 ms"},
                   {"figureWaferFirst", "First token, wafer (emul.)", "310 µs"},
                   {"figureContext", "Context used", "848 of 4,096"}};
    shown.panel.setRates({1040, 14'865});
    for (const auto& figure : figures) {
      auto* label = shown.child<QLabel>(figure.object);
      QTRY_COMPARE(label->text(), QString::fromUtf8(figure.first));
      QCOMPARE(nameOf(label), QLatin1String(figure.name));
      QCOMPARE(descriptionOf(label), QString::fromUtf8(figure.first));
      QCOMPARE(face(label)->role(), QAccessible::StaticText);
    }
    shown.panel.setRates({2000, 0});
    auto* host = shown.child<QLabel>("figureHostRate");
    QTRY_COMPARE(descriptionOf(host), QStringLiteral("2,000"));
    QCOMPARE(nameOf(host), QStringLiteral("Tokens/s, host"));
    auto* wafer = shown.child<QLabel>("figureWaferRate");
    QTRY_COMPARE(descriptionOf(wafer), QStringLiteral("not measured yet"));
  }

  void theMapTellsTheMetricOfThePeInTheMiddle() {
    Shown shown;
    WaferView* view = shown.panel.view();
    QTest::keyClick(view, Qt::Key_W);
    QTest::keyClick(view, Qt::Key_Plus);
    QTRY_VERIFY(descriptionOf(view).contains(QLatin1String("\nUtilization: ")));
    QCOMPARE(nameOf(view), QStringLiteral("Wafer map"));
  }

  void thePlaceInTheWaveIsTold() {
    Shown shown;
    auto* place = shown.child<QSlider>("wavePlace");
    QTest::keyClick(place, Qt::Key_Home);
    QTest::keyClick(place, Qt::Key_Right);
    const QString first = descriptionOf(place);
    QVERIFY2(first.startsWith(QLatin1String("cycle 228, token_embd")), qPrintable(first));
    QCOMPARE(face(place)->valueInterface()->currentValue().toInt(), 228);
    QTest::keyClick(place, Qt::Key_Right);
    QVERIFY(descriptionOf(place).contains(QLatin1String("blk.0.attn_norm")));
    QCOMPARE(nameOf(place), QStringLiteral("Place in the token"));
  }

  void tabReachesEveryControlAndTheFocusIsSeen() {
    Shown shown;
    shown.panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&shown.panel));
    auto* metric = shown.child<QComboBox>("waferMetric");
    shown.child<QWidget>("waveForward")->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);  // rings are drawn from now on
    QCOMPARE(QApplication::focusWidget(), metric);
    QStringList order;
    QWidget* at = metric;
    do {
      order << at->objectName();
      const QImage focused =
          shown.panel.grab(QRect(at->mapTo(&shown.panel, QPoint()), at->size())).toImage();
      QTest::keyClick(at, Qt::Key_Tab);
      QWidget* next = QApplication::focusWidget();
      QVERIFY(next && next != at);
      const QImage plain =
          shown.panel.grab(QRect(at->mapTo(&shown.panel, QPoint()), at->size())).toImage();
      QVERIFY2(focused != plain, qPrintable(at->objectName()));
      at = next;
    } while (at != metric && order.size() < 30);
    QCOMPARE(order, (QStringList{"waferMetric", "waferWave", "waferZoomOut", "waferZoomIn",
                                 "waferFit", "waferFitModel", "waferPause", "waferView",
                                 "waveSpeed", "waveBack", "wavePlace", "waveForward"}));
  }

  // While it plays nothing is told sixty times a second.
  void aPlayingWaveIsQuiet() {
    if (!QAccessible::isActive()) QSKIP("nothing listens");
    Shown shown;
    QCoreApplication::processEvents();
    heard.clear();
    QAccessible::installUpdateHandler(listen);
    const int ticks = shown.panel.view()->tickCount();
    QTRY_VERIFY(shown.panel.view()->tickCount() > ticks + 10);
    QAccessible::installUpdateHandler(nullptr);
    for (const Heard& one : heard)
      QVERIFY2(!one.object.startsWith(QLatin1String("wave")), qPrintable(one.object));
  }
};

QTEST_MAIN(TestAccessible)
#include "test_accessible.moc"

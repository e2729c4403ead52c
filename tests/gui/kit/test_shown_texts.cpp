// SPDX-License-Identifier: GPL-3.0-or-later
// What is painted of a text with characters that one does not see is what is painted of the text
// with marks in their place, pixel for pixel, on each kind of widget that shows texts of others.
#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QGroupBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QTabBar>
#include <QToolTip>
#include <QTreeWidget>
#include <QtTest>
#include <functional>

#include "editor/text/unseen.h"
#include "gui/kit/banner.h"
#include "gui/kit/elided.h"
#include "gui/kit/picker.h"
#include "gui/kit/shown_texts.h"
#include "gui/kit/strip_text.h"
#include "gui/kit/tab_bar.h"
#include "gui/kit/unseen_note.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

const QString kHostile = QStringLiteral("a\u202Eyp.exe\u200B");
const QString kMarked = QStringLiteral("a⟨U+202E⟩yp.exe⟨U+200B⟩");

using MakeWidget = std::function<QWidget*(const QString& text)>;

template <typename Widget>
QWidget* withText(const QString& text) {
  auto* widget = new Widget;
  widget->setText(text);
  return widget;
}

struct Surface {
  const char* name;
  MakeWidget make;
};

const Surface kSurfaces[] = {
    {"label", withText<QLabel>},
    {"label that elides", withText<ElidedLabel>},
    {"rich label",
     [](const QString& text) {
       auto* label = new QLabel;
       label->setTextFormat(Qt::RichText);
       label->setText(QStringLiteral("<b>") + text + QStringLiteral("</b>"));
       return label;
     }},
    {"push button", withText<QPushButton>},
    {"tool button", withText<QToolButton>},
    {"button that elides", withText<ElidedButton>},
    {"check box", withText<QCheckBox>},
    {"radio button", withText<QRadioButton>},
    {"strip", withText<StripText>},
    {"group", [](const QString& text) { return new QGroupBox(text); }},
    {"notice", [](const QString& text) { return new Banner(Banner::Kind::kInfo, text, nullptr); }},
    {"tabs",
     [](const QString& text) {
       auto* tabs = new QTabBar;
       tabs->addTab(text);
       return tabs;
     }},
    {"tabs of texts",
     [](const QString& text) {
       auto* tabs = new TabBar(nullptr);
       tabs->addTab(QString());
       tabs->describeTab(0, text, text, false);
       return tabs;
     }},
    {"choice",
     [](const QString& text) {
       auto* choice = new QComboBox;
       choice->addItem(text);
       return choice;
     }},
    {"list",
     [](const QString& text) {
       auto* list = new QListWidget;
       list->setFocusPolicy(Qt::NoFocus);  // which would choose the row
       list->addItem(text);
       return list;
     }},
    {"tree",
     [](const QString& text) {
       auto* tree = new QTreeWidget;
       tree->setFocusPolicy(Qt::NoFocus);
       tree->setHeaderHidden(true);
       tree->addTopLevelItem(new QTreeWidgetItem({text}));
       return tree;
     }},
    {"menu",
     [](const QString& text) {
       auto* menu = new QMenu;
       menu->addAction(text);
       return menu;
     }},
    {"picker",
     [](const QString& text) {
       auto* window = new QWidget;
       window->resize(700, 300);
       auto* picker = new Picker(window);
       picker->open(QStringLiteral("Files"), QStringLiteral("Open"),
                    {{.text = text, .hint = text, .data = 0}}, [](const QVariant&) {});
       return window;
     }},
};

// As it looks once it was painted and laid out anew.
QImage pictureOf(QWidget* widget) {
  widget->show();
  if (!QTest::qWaitForWindowExposed(widget)) return {};
  widget->grab();
  QCoreApplication::processEvents();
  widget->resize(700, 300);
  QCoreApplication::processEvents();
  return widget->grab().toImage();
}

}  // namespace

class TestShownTexts : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  static void initTestCase() { keepTextsShown(); }

  static void whatIsPaintedHasMarks_data() {
    QTest::addColumn<MakeWidget>("make");
    for (const Surface& each : kSurfaces) QTest::newRow(each.name) << each.make;
  }
  static void whatIsPaintedHasMarks() {
    QFETCH(MakeWidget, make);
    const std::unique_ptr<QWidget> hostile(make(kHostile)), marked(make(kMarked)),
        other(make(QStringLiteral("a")));
    const QImage picture = pictureOf(hostile.get());
    QVERIFY(!picture.isNull());
    QCOMPARE(picture, pictureOf(marked.get()));
    QVERIFY(picture != pictureOf(other.get()));
  }

  // A text that is set later, too.
  static void anotherTextIsShownAsWell() {
    QLabel label(QStringLiteral("fine"));
    label.show();
    QVERIFY(QTest::qWaitForWindowExposed(&label));
    label.setText(kHostile);
    QTRY_COMPARE(label.text(), kMarked);
    label.setText(QStringLiteral("10\u00a0km, 👩‍💻"));  // as prose and emoji need it
    label.grab();
    QCOMPARE(label.text(), QStringLiteral("10\u00a0km, 👩‍💻"));
  }

  static void tipsAndTitlesHaveMarks() {
    QWidget window;
    window.setWindowTitle(kHostile);
    QCOMPARE(window.windowTitle(), kMarked);
    window.setToolTip(kHostile);
    QCOMPARE(window.toolTip(), kMarked);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    // As a row's, which no widget has.
    QToolTip::showText(window.mapToGlobal(QPoint(5, 5)), kHostile, &window);
    QTRY_COMPARE(QToolTip::text(), kMarked);
    QToolTip::hideText();
  }

  // And what assistive technology is told.
  static void whatIsToldHasMarks() {
    QLabel label(QStringLiteral("fine"));
    label.setAccessibleName(kHostile);
    label.setAccessibleDescription(kHostile);
    label.show();
    QVERIFY(QTest::qWaitForWindowExposed(&label));
    label.grab();
    QCOMPARE(label.accessibleName(), kMarked);
    QCOMPARE(label.accessibleDescription(), kMarked);
  }

  static void noEndIsOutOfSight() {
    QLabel label(QStringLiteral("make") + QString(60, u'\n') + QString(3000, u' ') +
                 QStringLiteral("; rm *"));
    label.show();
    QVERIFY(QTest::qWaitForWindowExposed(&label));
    label.grab();
    QVERIFY2(label.text().size() < 100 && label.text().endsWith(QStringLiteral("; rm *")),
             qPrintable(label.text()));
    label.setText(QStringLiteral("one\n\ntwo   three"));
    label.grab();
    QCOMPARE(label.text(), QStringLiteral("one\n\ntwo   three"));
  }

  // The value of a row stays what it is.
  static void rowsKeepTheirTexts() {
    QListWidget list;
    list.addItem(kHostile);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    QVERIFY(qobject_cast<ShownDelegate*>(list.itemDelegate()));
    QCOMPARE(list.item(0)->text(), kHostile);
  }

  static void aFieldSaysWhatIsInIt() {
    QWidget window;
    auto* field = new QPlainTextEdit(&window);
    auto* note = new UnseenNote(field, QStringLiteral("x"), QStringLiteral("Unseen: %1"), &window);
    window.show();
    QVERIFY(note->isHidden());
    field->setPlainText(QStringLiteral("fix\u202E it"));
    QVERIFY(note->isVisible() && note->hasUnseen());
    QCOMPARE(note->findChild<QLabel*>("xUnseen")->text(), QStringLiteral("Unseen: fix⟨U+202E⟩ it"));
    note->findChild<QPushButton*>("xTakeOut")->click();
    QCOMPARE(field->toPlainText(), QStringLiteral("fix it"));
    QVERIFY(note->isHidden());
    field->setPlainText(QStringLiteral("\u200B"));
    field->setReadOnly(true);
    QVERIFY(note->isHidden() && note->hasUnseen());
  }
};

QTEST_MAIN(TestShownTexts)
#include "test_shown_texts.moc"

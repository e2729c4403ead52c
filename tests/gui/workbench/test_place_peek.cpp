// SPDX-License-Identifier: GPL-3.0-or-later
// Places shown below the caret's line by key: a definition, and uses in several files.
#include <QLabel>
#include <QListWidget>
#include <QToolButton>

#include "gui/workbench/place_peek.h"
#include "tests/gui/workbench/language_window.h"

using namespace waferpair;
using namespace waferpair::gui;

class TestPlacePeek : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<LanguageWindow>(); }
  void cleanup() { w_.reset(); }

  void aDefinitionIsLookedAtWithoutGoingThere() {
    w_->begin("alpha\n\nbeta\n");
    WindowFixture::key(Qt::Key_F12, Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(peek() && peek()->isVisible(), kPatience);
    QCOMPARE(title(), "Definition: a.cpp:1");
    QCOMPARE(reader()->text(), "alpha\n\nbeta\n");
    QCOMPARE(reader()->selectedText(), "alpha");
    QVERIFY(reader()->hasFocus());
    QVERIFY(!w_->find<QListWidget>("placePeekList")->isVisible());
    // It lies below the line, within the text.
    const int lineHeight =
        static_cast<int>(w_->editor()->sci(QsciScintillaBase::SCI_TEXTHEIGHT, 0));
    QVERIFY(peek()->y() >= lineHeight);
    QVERIFY(w_->editor()->rect().contains(peek()->geometry()));
    // It is there to be read.
    WindowFixture::type("x");
    QCOMPARE(reader()->text(), "alpha\n\nbeta\n");
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(!peek()->isVisible());
    QVERIFY(w_->editor()->hasFocus());
    QCOMPARE(w_->editor()->caret(), 0);
  }

  void theSameKeyEndsIt() {
    w_->begin("alpha\n");
    WindowFixture::key(Qt::Key_F12, Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(peek() && peek()->isVisible(), kPatience);
    WindowFixture::key(Qt::Key_F12, Qt::AltModifier);
    QVERIFY(!peek()->isVisible());
    QVERIFY(w_->editor()->hasFocus());
  }

  void usesAreGoneThroughAndGoneTo() {
    w_->write("sub/b.cpp", "one\ntwo alpha\n");
    w_->begin("alpha beta alpha\n");
    w_->openFile("sub/b.cpp");
    w_->openFile("a.cpp");
    WindowFixture::key(Qt::Key_F12, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(peek() && peek()->isVisible(), kPatience);
    auto* list = w_->find<QListWidget>("placePeekList");
    QVERIFY(list->hasFocus());
    QStringList rows;
    for (int i = 0; i < list->count(); ++i) rows.append(list->item(i)->text());
    QCOMPARE(rows, QStringList({"a.cpp:1  alpha beta alpha", "a.cpp:1  alpha beta alpha",
                                "b.cpp:2  two alpha"}));
    QCOMPARE(title(), "Use, 1 of 3: a.cpp:1");
    WindowFixture::key(Qt::Key_Down);
    QCOMPARE(reader()->sci(QsciScintillaBase::SCI_GETSELECTIONSTART), 11);
    WindowFixture::key(Qt::Key_Down);
    QCOMPARE(title(), "Use, 3 of 3: sub/b.cpp:2");
    QCOMPARE(reader()->text(), "one\ntwo alpha\n");
    QCOMPARE(reader()->selectedText(), "alpha");
    // To the text and back, round the end by the button, and there.
    WindowFixture::key(Qt::Key_Tab);
    QVERIFY(reader()->hasFocus());
    WindowFixture::key(Qt::Key_Tab);
    QVERIFY(list->hasFocus());
    QVERIFY(WindowFixture::click("placePeekNext"));
    QCOMPARE(title(), "Use, 1 of 3: a.cpp:1");
    QVERIFY(WindowFixture::click("placePeekPrevious"));
    QCOMPARE(title(), "Use, 3 of 3: sub/b.cpp:2");
    QVERIFY(list->hasFocus());
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->document()->title(), "b.cpp");
    QCOMPARE(w_->editor()->caretLine(), 1);
    QVERIFY(w_->editor()->hasFocus());
  }

  // Below the last row of the window there is no room.
  void theTextMakesRoom() {
    w_->begin(QByteArray("line\n").repeated(300) + "alpha\n");
    WindowFixture::key(Qt::Key_End, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_Up);
    WindowFixture::key(Qt::Key_F12, Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(peek() && peek()->isVisible(), kPatience);
    QVERIFY(w_->editor()->rect().contains(peek()->geometry()));
    QVERIFY(peek()->height() > 100);
    QVERIFY(!peek()->geometry().contains(caretPoint()));
  }

  void nothingKnownIsSaid() {
    w_->begin("+\n");
    WindowFixture::key(Qt::Key_F12, Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().notices->find("languageGuide"), kPatience);
    QCOMPARE(w_->parts().notices->find("languageGuide")->text(),
             "No definition is known for what is at the caret.");
    QVERIFY(!peek());
  }

 private:
  PlacePeek* peek() { return w_->editor()->findChild<PlacePeek*>(); }
  QString title() { return peek()->findChild<QLabel*>("placePeekTitle")->text(); }
  editor::CodeEditor* reader() { return peek()->findChild<editor::CodeEditor*>("placePeekText"); }
  QPoint caretPoint() {
    const auto* editor = w_->editor();
    const auto at = static_cast<long>(editor->caret());
    return {static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, at)),
            static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, at)) + 2};
  }

  std::unique_ptr<LanguageWindow> w_;
};

QTEST_MAIN(TestPlacePeek)
#include "test_place_peek.moc"

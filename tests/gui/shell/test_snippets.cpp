// SPDX-License-Identifier: GPL-3.0-or-later
// The user's snippets in the window, by keys and commands.
#include <QLineEdit>
#include <QtTest>

#include "editor/widget/list_popup.h"
#include "editor/widget/snippet_mode.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "tests/gui/shell/window_fixture.h"

using namespace Qt::StringLiterals;
using namespace waferpair;
using namespace waferpair::gui;

class TestSnippets : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { w_ = std::make_unique<WindowFixture>(); }
  void cleanup() { w_.reset(); }

  void theListHasThemByPrefix() {
    w_->write(".waferpair/snippets/cpp.json",
              "{\"Loop\": {\"prefix\": \"fori\", \"body\": \"for ($1) ${2|a,b|};\"}}");
    w_->openProjectWith("a.cpp", "\n");
    WindowFixture::type("for");
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY(w_->editor()->list()->isOpen());
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->text(), QByteArray("for () a;\n"));
    QVERIFY(w_->parts().commands->contexts()->is(Context::kInSnippet));
    WindowFixture::type("x");
    WindowFixture::key(Qt::Key_Tab);
    // The field's choices are listed.
    QTRY_VERIFY(w_->editor()->list()->isOpen());
    QCOMPARE(w_->editor()->list()->model()->rowCount(), 2);
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->text(), QByteArray("for (x) b;\n"));
    WindowFixture::key(Qt::Key_Tab);
    QVERIFY(!w_->parts().commands->contexts()->is(Context::kInSnippet));
    QCOMPARE(w_->editor()->caret(), 10);
  }

  void oneIsPutInOverTheSelection() {
    w_->write(".waferpair/snippets/cpp.json",
              "{\"Wrap\": {\"prefix\": \"w\", \"body\": \"f($TM_SELECTED_TEXT, "
              "$TM_FILENAME)$0\"}}");
    w_->openProjectWith("a.cpp", "value\n");
    w_->editor()->setSelection(0, 5);
    WindowFixture::trigger(w_->window(), "edit.insertSnippet");
    QVERIFY(w_->parts().picker->isVisible());
    WindowFixture::type("wrap");
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->text(), QByteArray("f(value, a.cpp)\n"));
    QVERIFY(w_->editor()->hasFocus());
  }

  void theyAreEditedAndReadAnew() {
    w_->openProjectWith("a.cpp", "\n");
    WindowFixture::trigger(w_->window(), "edit.insertSnippet");
    // There is none: Return leads to the file.
    WindowFixture::key(Qt::Key_Return);
    const QString file = w_->config() + u"/snippets/cpp.json"_s;
    QTRY_COMPARE(w_->document()->path(), file);
    w_->editor()->replaceRange(0, w_->editor()->length(), "{\"A\": \n{\"body\": 1");
    WindowFixture::trigger(w_->window(), "file.save");
    const QString banner = u"snippets "_s + file;
    QTRY_VERIFY(w_->parts().notices->find(banner));
    QVERIFY(w_->parts().notices->find(banner)->text().contains(u"line 2"_s));
    w_->editor()->replaceRange(0, w_->editor()->length(), "{\"A\": {\"body\": \"alpha\"}}");
    WindowFixture::trigger(w_->window(), "file.save");
    QTRY_VERIFY(!w_->parts().notices->find(banner));
    w_->openFile("a.cpp");
    WindowFixture::trigger(w_->window(), "edit.insertSnippet");
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->text(), QByteArray("alpha\n"));
  }

 private:
  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestSnippets)
#include "test_snippets.moc"

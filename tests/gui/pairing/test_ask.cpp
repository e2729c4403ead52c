// SPDX-License-Identifier: GPL-3.0-or-later
// Questions asked by keys and mouse in the real window, of an endpoint that answers what it is told
// to, and misbehaves.
#include <QAbstractItemView>
#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QClipboard>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "editor/assist/hunks.h"
#include "editor/widget/code_editor.h"
#include "gui/automation/state.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dock_strip.h"
#include "gui/kit/picker.h"
#include "gui/kit/rich_text.h"
#include "gui/pairing/answer_blocks.h"
#include "gui/pairing/ask_input.h"
#include "gui/pairing/ask_panel.h"
#include "gui/pairing/code_block.h"
#include "gui/pairing/context_meter.h"
#include "gui/pairing/message_view.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/summary_card.h"
#include "gui/pairing/transcript.h"
#include "gui/project/file_index.h"
#include "pairing/models/model_roster.h"
#include "pairing/threads/thread_store.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/pairing/scripted_endpoint.h"

using namespace waferpair;
using namespace waferpair::gui;
using pairing::chatFinish;
using pairing::chatText;
using pairing::MessageState;
using pairing::ScriptedEndpoint;
using pairing::sse;
using Then = ScriptedEndpoint::Then;

namespace {

ScriptedEndpoint::Reply whole(const QByteArray& text) {
  return {.pieces = {chatText(text), chatFinish("stop"),
                     sse("{\"choices\":[],\"usage\":{\"prompt_tokens\":1234,"
                         "\"completion_tokens\":56}}"),
                     sse("[DONE]")}};
}

ScriptedEndpoint::Reply beginning(const QByteArray& text) {
  return {.pieces = {chatText(text)}, .then = Then::kStall};
}

}  // namespace

class TestAsk : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    endpoint_ = std::make_unique<ScriptedEndpoint>();
    w_ = std::make_unique<WindowFixture>();
    w_->write("src/a.cpp", "int placeHunk() {\n  return 1;\n}\n");
    w_->write(".env", "KEY=1\n");
  }
  void cleanup() {
    w_.reset();
    endpoint_.reset();
  }

  void anAnswerIsTakenApart() {
    AnswerBlock code{true, "int a;\n", "cpp"};
    code.lead = "a";
    code.isWhole = true;
    QCOMPARE(answerBlocks("a\n\n```cpp\nint a;\n```\nb"),
             (QVector<AnswerBlock>{{false, "a\n\n", {}}, code, {false, "b", {}}}));
    QCOMPARE(answerBlocks("```py title=x\nopen"), (QVector<AnswerBlock>{{true, "open", "py"}}));
    code = {true, "```\n", {}};
    code.isWhole = true;
    QCOMPARE(answerBlocks("````\n```\n````\n"), QVector<AnswerBlock>{code});
    QCOMPARE(answerBlocks("**src/a.py**\n```\nopen")[1].path, "src/a.py");
    QCOMPARE(answerBlocks("```cpp src/a.cpp\n```\n")[0].path, "src/a.cpp");
    QVERIFY(answerBlocks("\n \n").isEmpty());
  }

  // To lay out a long piece takes its while: it is done for the width that it is going to have.
  void proseIsLaidOutOnce() {
    QWidget window;
    window.resize(500, 400);
    auto* column = new QVBoxLayout(&window);
    column->setContentsMargins(0, 0, 0, 0);
    auto* prose = new RichText(&window);
    prose->expectWidth(500);
    prose->showMarkdown(QStringLiteral("some words ").repeated(100));
    int sizes = 0;
    connect(prose->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged,
            this, [&sizes] { ++sizes; });
    column->addWidget(prose);
    column->addStretch(1);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QCOMPARE(prose->width(), 500);
    QCOMPARE(sizes, 0);
    const int height = prose->height();
    QVERIFY(height >= prose->document()->size().height());
    window.resize(300, 400);
    QTRY_VERIFY(prose->height() > height);
    QVERIFY(prose->height() >= prose->document()->size().height());
    QTRY_COMPARE(prose->verticalScrollBar()->maximum(), 0);
  }

  // In no turn of the events more of it is laid out than takes a few milliseconds.
  void aLongAnswerIsLaidOutPieceByPiece_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("brackets") << QString("[").repeated(20'000);
    QTest::newRow("lines") << QString("a line of it\n").repeated(2'000);
    QTest::newRow("paragraphs") << QString("A word, *two* words.\n\n").repeated(1'000);
  }

  void aLongAnswerIsLaidOutPieceByPiece() {
    QFETCH(const QString, text);
    pairing::Message message;
    message.author = pairing::Message::Author::kModel;
    message.state = MessageState::kComplete;
    message.text = text;
    MessageView view(QFont(), nullptr);
    view.resize(500, 400);
    const QVector<AnswerBlock> all = answerBlocks(text);
    qsizetype shown = 0;
    view.show(message);
    for (int turn = 0; turn < 1000 && shown < all.size(); ++turn) {
      qsizetype units = 0;
      const qsizetype now = view.findChildren<RichText*>().size();
      for (qsizetype i = shown; i < now; ++i) units += all[i].text.size();
      QVERIFY2(now - shown <= 1 || units <= MessageView::kAtOnce,
               qPrintable(QString::number(units)));
      shown = now;
      QCoreApplication::processEvents();
    }
    QCOMPARE(shown, all.size());
    for (const AnswerBlock& block : all) QVERIFY(block.text.size() <= editor::kMostOfPiece);
  }

  void howFarItIsIsTold() {
    open();
    endpoint_->script({{pairing::chatReading(512, 2048)}, Then::kStall});
    askFor("why?");
    const auto state = [this] {
      const auto& views = ask()->transcript()->views();
      return views.size() < 2 ? QString() : views[1]->accessibleName();
    };
    QTRY_VERIFY2(state().contains("tokens (25 %), "), qPrintable(state()));
    endpoint_->say(pairing::chatReading(1024, 2048));
    QTRY_VERIFY2(state().contains("tokens (50 %), "), qPrintable(state()));
    endpoint_->say(chatText("Because"));
    QTRY_VERIFY2(state().contains(", Writing, "), qPrintable(state()));
    endpoint_->goOn({chatFinish("stop"), sse("[DONE]")});
    QTRY_COMPARE(state(), "small");
  }

  // What is in sight is not laid out once more when the scroll bar comes.
  void theScrollBarOfALongAnswerComesBeforeIt() {
    open();
    focusInput();
    const auto bar = [this] { return ask()->transcript()->verticalScrollBar(); };
    const QString line = "A line of it that is as long as the panel is wide, and longer.\\n\\n";
    endpoint_->script(beginning(line.repeated(200).toUtf8()));
    askFor("why?");
    QVERIFY(!bar()->isVisible());
    QTRY_COMPARE(states(), (QStringList{"sent", "streaming"}));
    QTRY_VERIFY(!ask()->transcript()->views()[1]->findChildren<RichText*>().isEmpty());
    QVERIFY(bar()->isVisible());
    ask()->newThread();
    QTRY_VERIFY(!bar()->isVisible());
  }

  void aQuestionIsAskedAndAnswered() {
    open();
    endpoint_->script(whole("It **returns**:\\n\\n```cpp\\nreturn 1;\\n```\\nThat is all."));
    WindowFixture::key(Qt::Key_L, Qt::ControlModifier);
    QTRY_VERIFY(ask()->isVisible());
    QVERIFY(ask()->input()->hasFocus());
    WindowFixture::type("what does it return?");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QCOMPARE(ask()->input()->toPlainText(), "");
    const MessageView* answer = ask()->transcript()->views()[1];
    const auto prose = answer->findChildren<RichText*>();
    QCOMPARE(prose.size(), 2);
    QCOMPARE(prose[0]->toPlainText(), "It returns:");
    QCOMPARE(answer->findChild<CodeBlock*>()->code(), "return 1;");
    const QString notes = answer->findChild<QLabel*>("messageNotes")->text();
    QVERIFY2(notes.contains("small, this computer, port") && notes.contains("1,234 tokens sent") &&
                 notes.contains("first token"),
             qPrintable(notes));
    QCOMPARE(ask()->findChild<QLabel*>("askTitle")->text(), "what does it return?");

    // Up brings the question back.
    WindowFixture::key(Qt::Key_Up);
    QCOMPARE(ask()->input()->toPlainText(), "what does it return?");
    WindowFixture::key(Qt::Key_Down);
    QCOMPARE(ask()->input()->toPlainText(), "");
  }

  void shiftEnterBeginsALine() {
    open();
    focusInput();
    WindowFixture::type("one");
    WindowFixture::key(Qt::Key_Return, Qt::ShiftModifier);
    WindowFixture::type("two");
    QCOMPARE(ask()->input()->toPlainText(), "one\ntwo");
    QCOMPARE(endpoint_->requests().size(), 0);
  }

  void escStopsAndKeepsWhatThereIs() {
    open();
    endpoint_->script(beginning("The first half"));
    askFor("why?");
    QTRY_COMPARE(text(1), "The first half");
    QVERIFY(ask()->findChild<QToolButton*>("askStop")->isVisible());
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(states(), (QStringList{"sent", "interrupted"}));
    QCOMPARE(text(1), "The first half");
    QTRY_COMPARE(endpoint_->openConnections(), 0);
    QVERIFY(!ask()->findChild<QToolButton*>("askStop")->isVisible());
    QTRY_COMPARE(ask()->transcript()->views()[1]->findChild<RichText*>()->toPlainText(),
                 "The first half");
    QCOMPARE(ask()->transcript()->views()[1]->accessibleName(), "small, interrupted");
  }

  void aQueuedQuestionIsEditedWithdrawnAndSentNow() {
    open();
    endpoint_->script(beginning("A long way"));
    askFor("one");
    QTRY_COMPARE(text(1), "A long way");
    askFor("two");
    askFor("three");
    QCOMPARE(states(), (QStringList{"sent", "streaming", "queued", "queued"}));
    QVERIFY(WindowFixture::click("messageReword"));
    QCOMPARE(ask()->input()->toPlainText(), "two");
    WindowFixture::type(" and a half");
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(text(2), "two and a half");
    QCOMPARE(states().size(), 4);

    QTest::mouseClick(ask()->transcript()->views()[3]->findChild<QPushButton*>("messageWithdraw"),
                      Qt::LeftButton);
    QCOMPARE(states(), (QStringList{"sent", "streaming", "queued"}));
    QCOMPARE(ask()->input()->toPlainText(), "three");  // not lost
    ask()->input()->clear();

    endpoint_->script(whole("Another way"));
    QTRY_VERIFY(ask()->input()->hasFocus());
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY2(states() == (QStringList{"sent", "interrupted", "sent", "complete"}),
                 qPrintable(states().join(' ')));
    QCOMPARE(text(3), "Another way");
    const QJsonArray sent = endpoint_->requests().last().body["messages"].toArray();
    QVERIFY(sent[2].toObject()["content"].toString().startsWith("A long way"));
  }

  void failuresSayWhatToDo_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("then");
    QTest::addColumn<QString>("part");
    QTest::newRow("429") << 429 << QByteArray("{}") << int(Then::kEnd) << "is busy. Ask again";
    QTest::newRow("cut") << 200 << chatText("Half") << int(Then::kCut) << "Ask again";
    QTest::newRow("wrong") << 200 << sse("{\"choices\": 12") << int(Then::kEnd) << ". ";
  }
  void failuresSayWhatToDo() {
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(int, then);
    QFETCH(QString, part);
    open();
    endpoint_->script({.pieces = {body}, .then = static_cast<Then>(then), .status = status});
    askFor("why?");
    QTRY_COMPARE(states(), (QStringList{"sent", "failed"}));
    const MessageView* answer = ask()->transcript()->views()[1];
    const QString notes = answer->findChild<QLabel*>("messageNotes")->text();
    QVERIFY2(notes.contains(part), qPrintable(notes));
    endpoint_->script(whole("Well"));
    QVERIFY(WindowFixture::click("messageAskAgain"));
    QTRY_COMPARE(states(), (QStringList{"sent", "failed", "sent", "complete"}));
  }

  void mentionsAreOfferedAndRefused() {
    open();
    focusInput();
    WindowFixture::type("is @acpp");
    QTRY_COMPARE(ask()->input()->offered().value(0), "src/a.cpp");
    QTest::keyClick(QApplication::activePopupWidget() ? QApplication::activePopupWidget()
                                                      : QApplication::focusWidget(),
                    Qt::Key_Return);
    QTRY_COMPARE(ask()->input()->toPlainText(), "is @src/a.cpp ");
    QVERIFY(!ask()->input()->isOffering());
    WindowFixture::type("or @.env right?");
    if (QWidget* popup = QApplication::activePopupWidget()) QTest::keyClick(popup, Qt::Key_Escape);
    QTRY_VERIFY2(ask()->noteText().startsWith(".env: "), qPrintable(ask()->noteText()));
    QTRY_COMPARE(ask()->meter()->use().files, 14);  // the file, and the project's tree
    QVERIFY(ask()->meter()->accessibleDescription().contains("estimated"));

    endpoint_->script(whole("Yes"));
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    const QJsonArray sent = endpoint_->requests()[0].body["messages"].toArray();
    const QString question = sent[1].toObject()["content"].toString();
    QVERIFY(question.contains("int placeHunk()") && !question.contains("KEY=1"));
    const QString notes =
        ask()->transcript()->views()[0]->findChild<QLabel*>("messageNotes")->text();
    QVERIFY2(notes.startsWith("With src/a.cpp\nUnasked: ") && notes.contains("\n.env: "),
             qPrintable(notes));
  }

  void theSelectionGoesAlong() {
    open();
    w_->openFile("src/a.cpp");
    w_->editor()->setSelection(18, 29);
    WindowFixture::key(Qt::Key_L, Qt::ControlModifier);
    QTRY_COMPARE(ask()->input()->toPlainText(), "@selection ");
    endpoint_->script(whole("One"));
    WindowFixture::type("is it right?");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    const QString sent =
        endpoint_->requests()[0].body["messages"].toArray()[1].toObject()["content"].toString();
    QVERIFY2(sent.contains("### src/a.cpp:2-2\n\n```\n  return 1;\n```"), qPrintable(sent));
  }

  // Chips say what goes along before anything is sent; one that is pressed stays here.
  void whatGoesAlongUnaskedIsInSightAndCanBeStruck() {
    w_->write("AGENTS.md", "Be kind.\n");
    open();
    w_->openFile("src/a.cpp");
    w_->editor()->setSelection(0, 0);
    focusInput();
    WindowFixture::type("what does it return?");
    const auto chip = [this](const QString& text) {
      QToolButton* found = nullptr;
      for (auto* each : ask()->findChildren<QToolButton*>("contextChip"))
        if (each->isVisible() && each->text() == text) found = each;
      return found;
    };
    QTRY_VERIFY(chip("AGENTS.md") && chip("a.cpp (C++)") && chip("files of the project"));
    QVERIFY(ask()->input()->hasFocus());
    const qint64 files = ask()->meter()->use().files;
    QVERIFY(files > 0);
    QVERIFY(chip("AGENTS.md")->isChecked());
    QTest::mouseClick(chip("AGENTS.md"), Qt::LeftButton);
    QTRY_VERIFY(ask()->meter()->use().files < files);
    QVERIFY(!chip("AGENTS.md")->isChecked() && chip("AGENTS.md")->font().strikeOut());
    QCOMPARE(chip("AGENTS.md")->accessibleName(), "AGENTS.md is left out");
    endpoint_->script(whole("One"));
    ask()->input()->setFocus();
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    const QString sent =
        endpoint_->requests()[0].body["messages"].toArray()[1].toObject()["content"].toString();
    QVERIFY2(!sent.contains("Be kind") && sent.contains("int placeHunk()"), qPrintable(sent));
  }

  void aSecretIsNotSent() {
    open();
    focusInput();
    ask()->input()->setPlainText(QStringLiteral("-----BEGIN RSA PRIVATE ") + "KEY-----");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->find<Banner>("askProblem"));
    QVERIFY(w_->find<Banner>("askProblem")->text().contains("a private key"));
    QVERIFY(!ask()->input()->toPlainText().isEmpty());
    QCOMPARE(endpoint_->requests().size(), 0);
  }

  void codeIsCopiedAndPutIn() {
    open();
    w_->openFile("src/a.cpp");
    w_->editor()->setSelection(0, 0);
    endpoint_->script(whole("```cpp\\nint b;\\n```"));
    askFor("more?");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(WindowFixture::click("codeCopy"));
    QCOMPARE(QApplication::clipboard()->text(), "int b;");
    QVERIFY(WindowFixture::click("codeInsert"));
    QCOMPARE(w_->editor()->text(), QByteArray("int b;int placeHunk() {\n  return 1;\n}\n"));
    QVERIFY(w_->editor()->hasFocus());
    w_->editor()->undo();
    QCOMPARE(w_->editor()->text(), QByteArray("int placeHunk() {\n  return 1;\n}\n"));
  }

  void changesAreOfferedAsHunks() {
    open();
    endpoint_->script(
        whole("```diff\\n--- a/src/a.cpp\\n+++ b/src/a.cpp\\n@@ -1,3 +1,3 @@\\n int placeHunk() "
              "{\\n-  return 1;\\n+  return 2;\\n }\\n```\\n\\n```diff\\n--- a/no.cpp\\n+++ "
              "b/no.cpp\\n@@ -1 +1 @@\\n-a\\n+b\\n```"));
    askFor("change it");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    const auto blocks = ask()->transcript()->views()[1]->findChildren<CodeBlock*>();
    QCOMPARE(blocks.size(), 2);
    QVERIFY(!blocks[0]->findChild<QToolButton*>("codeInsert")->isVisible());
    QTest::mouseClick(blocks[0]->findChild<QToolButton*>("codeApply"), Qt::LeftButton);
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->document()->title(), "a.cpp");
    QCOMPARE(w_->document()->hunks()->offeredCount(), 1);
    QCOMPARE(w_->editor()->text(), QByteArray("int placeHunk() {\n  return 1;\n}\n"));
    w_->document()->hunks()->acceptAll();
    QCOMPARE(w_->editor()->text(), QByteArray("int placeHunk() {\n  return 2;\n}\n"));

    QTest::mouseClick(blocks[1]->findChild<QToolButton*>("codeApply"), Qt::LeftButton);
    QTRY_VERIFY(w_->find<Banner>("askProblem"));
    QVERIFY(w_->find<Banner>("askProblem")->text().contains("no file no.cpp"));
  }

  // Places of the project's files are links, whether between backticks or not; nothing else is.
  void placesOfFilesAreLinks() {
    open();
    endpoint_->script(
        whole("See `src/a.cpp:2` and src/a.cpp:3, not `no.cpp:4`, localhost:8080, "
              "[mine](src/a.cpp) or http://x/src/a.cpp:9."));
    askFor("where");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    auto* prose = ask()->transcript()->views()[1]->findChild<RichText*>();
    QCOMPARE(prose->toPlainText(),
             "See src/a.cpp:2 and src/a.cpp:3, not no.cpp:4, localhost:8080, mine or "
             "http://x/src/a.cpp:9.");
    QStringList links;
    for (QTextBlock block = prose->document()->begin(); block.isValid(); block = block.next())
      for (auto at = block.begin(); !at.atEnd(); ++at)
        if (at.fragment().charFormat().isAnchor())
          links.append(at.fragment().charFormat().anchorHref());
    links.removeIf([](const QString& link) { return link.startsWith("http:"); });
    QCOMPARE(links, (QStringList{"src/a.cpp#L2", "src/a.cpp#L3", "src/a.cpp"}));
    Q_EMIT prose->linkClicked(QUrl(links[0]));
    QTRY_VERIFY(w_->document() && w_->document()->title() == "a.cpp");
    QCOMPARE(w_->editor()->caretLine(), 1);
  }

  void whatAModelWritesIsTextOnly() {
    open();
    w_->write("picture.png", "no picture");
    endpoint_->script(
        whole("<b onclick=x>bold</b> ![alt](picture.png) ![far](http://127.0.0.1:9/a.png) "
              "[there](https://example.com/a?b=c) [a file](src/a.cpp)"));
    askFor("show me");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    auto* prose = ask()->transcript()->views()[1]->findChild<RichText*>();
    QCOMPARE(prose->toPlainText(),
             "<b onclick=x>bold</b> [picture: alt] [picture: far] there a file");
    Q_EMIT prose->linkClicked(QUrl("https://example.com/a?b=c"));
    QTRY_VERIFY(w_->find<Banner>("askLink"));
    QVERIFY(w_->find<Banner>("askLink")->text().contains("https://example.com/a?b=c"));
    QVERIFY(WindowFixture::click("askLinkCopy"));
    QCOMPARE(QApplication::clipboard()->text(), "https://example.com/a?b=c");
    // Neither does a file of the computer's open by itself.
    Q_EMIT prose->linkClicked(QUrl("file:///etc/passwd"));
    QVERIFY(!w_->find<QPushButton>("askLinkOpen") ||
            !w_->find<QPushButton>("askLinkOpen")->isVisible());
    QVERIFY(!w_->document());
    Q_EMIT prose->linkClicked(QUrl("src/a.cpp"));
    QCOMPARE(w_->document()->title(), "a.cpp");
    w_->write("Notes.md", "1\n2\n3\n");
    for (const char* link : {"Notes.md:3", "./Notes.md#L3", "Notes.md#L3-L4"}) {
      w_->editor()->goToLine(0);
      Q_EMIT prose->linkClicked(QUrl(link));
      QTRY_COMPARE(w_->document()->title(), "Notes.md");
      QTRY_COMPARE(w_->editor()->lineAt(w_->editor()->caret()), 2);
    }
  }

  void withoutAModelThePassagesAnswer() {
    w_->openProject();
    QTRY_VERIFY(!w_->parts().fileIndex->isReading());
    focusInput();
    QVERIFY(ask()->findChild<QWidget*>("askNoModel")->isVisible());
    QVERIFY(!ask()->findChild<QLabel*>("askNoModelText")->text().isEmpty());
    WindowFixture::type("where is placeHunk?");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    auto* place = ask()->findChild<QToolButton*>("passageOpen");
    QVERIFY(place);
    QCOMPARE(place->text(), "src/a.cpp:1");
    QCOMPARE(place->accessibleName(), "Open src/a.cpp:1, which defines placeHunk");
    QTest::mouseClick(place, Qt::LeftButton);
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->document()->path(), w_->path("src/a.cpp"));
    QVERIFY(w_->editor()->hasFocus());
  }

  void passagesAreShownFromTheFirstOn() {
    QByteArray text;
    for (int i = 0; i < 60; ++i)
      text += "placeHunk is named in line " + QByteArray::number(i) + "\n";
    w_->openProjectWith("many.txt", text);
    QTRY_VERIFY(!w_->parts().fileIndex->isReading());
    focusInput();
    WindowFixture::type("where is placeHunk?");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    const QScrollBar* bar = ask()->transcript()->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    QTRY_COMPARE(bar->value(), ask()->transcript()->views()[0]->y());
  }

  // Each message is a turn of its own, and those that nobody comes near are none.
  void aLongThreadIsShownFromItsEnd() {
    constexpr int kMessages = 200;
    {
      pairing::ThreadStore store(w_->state() + "/threads");
      store.load(w_->project());
      pairing::Thread thread = pairing::Thread::make();
      for (int i = 0; i < kMessages / 2; ++i) {
        thread.append(pairing::Message::Author::kUser, MessageState::kSent, "why?");
        thread.append(pairing::Message::Author::kModel, MessageState::kComplete,
                      QString("Part %1.\n\n```cpp\nint a;\n```\n\n").arg(i).repeated(5));
      }
      store.save(thread);
      store.flush();
    }
    open();
    focusInput();
    Transcript* transcript = ask()->transcript();
    QTRY_COMPARE(ask()->thread()->messages.size(), kMessages);
    QTRY_VERIFY(!transcript->views().isEmpty());
    QVERIFY(transcript->views().size() <= 8);
    QScrollBar* bar = transcript->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > transcript->viewport()->height());
    QTRY_COMPARE(bar->value(), bar->maximum());
    QCOMPARE(transcript->views().last()->id(), ask()->thread()->messages.last().id);
    QVERIFY(transcript->views().size() < 40);
    QCOMPARE(transcript->earlier() + transcript->views().size(), kMessages);

    // What one reads stays where it is while what is before it comes.
    const qsizetype before = transcript->earlier();
    while (bar->value() > transcript->viewport()->height() / 2)
      bar->triggerAction(QAbstractSlider::SliderSingleStepSub);
    const MessageView* read = nullptr;
    for (const MessageView* view : transcript->views())
      if (!read && view->y() + view->height() > bar->value()) read = view;
    const int top = read->mapTo(transcript->viewport(), QPoint()).y();
    QTRY_VERIFY(transcript->earlier() < before);
    QTRY_VERIFY(bar->value() > transcript->viewport()->height());
    QTRY_COMPARE(read->mapTo(transcript->viewport(), QPoint()).y(), top);

    // Where it begins all of it is there.
    bar->triggerAction(QAbstractSlider::SliderToMinimum);
    QTRY_COMPARE(transcript->earlier(), 0);
    QCOMPARE(transcript->views().size(), kMessages);
    QTRY_COMPARE(bar->value(), 0);
    QCOMPARE(transcript->views().first()->id(), ask()->thread()->messages.first().id);
  }

  void aRestartBringsTheThreadsBack() {
    open();
    endpoint_->script(beginning("So far"));
    askFor("why?");
    QTRY_COMPARE(text(1), "So far");
    askFor("and then?");
    w_->drop();
    open();
    focusInput();
    QTRY_COMPARE(states(), (QStringList{"sent", "interrupted", "queued"}));
    QCOMPARE(text(1), "So far");
    endpoint_->script(whole("Then"));
    QVERIFY(WindowFixture::click("messageSendNow"));
    QTRY_COMPARE(states(), (QStringList{"sent", "interrupted", "sent", "complete"}));
  }

  void aDraftIsKeptWithItsThread() {
    open();
    endpoint_->script(whole("Because."));
    askFor("why?");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    WindowFixture::type("half a thou");
    WindowFixture::trigger(w_->window(), "ask.newThread");
    QCOMPARE(ask()->input()->toPlainText(), QString());
    WindowFixture::type("another");
    // However the program ends: nobody is asked and nothing is pressed.
    w_->drop();
    open();
    focusInput();
    QTRY_COMPARE(ask()->input()->toPlainText(), QString("another"));
    QVERIFY(states().isEmpty());
    WindowFixture::trigger(w_->window(), "ask.threads");
    QTRY_VERIFY(w_->parts().picker->isOpen());
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(ask()->input()->toPlainText(), QString("half a thou"));
    // A question that was asked is no draft.
    endpoint_->script(whole("Then"));
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete", "sent", "complete"}));
    w_->drop();
    open();
    focusInput();
    QTRY_COMPARE(states(), (QStringList{"sent", "complete", "sent", "complete"}));
    QCOMPARE(ask()->input()->toPlainText(), QString());
  }

  void threadsAreNamedFoundExportedAndDeleted() {
    open();
    endpoint_->script(whole("Because of the byte order."));
    askFor("first question");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    WindowFixture::trigger(w_->window(), "ask.newThread");
    QVERIFY(states().isEmpty());
    endpoint_->script(whole("Other"));
    askFor("second question");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));

    WindowFixture::trigger(w_->window(), "ask.search");
    WindowFixture::type("byte order");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->parts().picker->isOpen());
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(text(0), "first question");

    WindowFixture::trigger(w_->window(), "ask.rename");
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::type("Byte order");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(ask()->findChild<QLabel*>("askTitle")->text(), "Byte order");

    WindowFixture::trigger(w_->window(), "ask.export");
    QTRY_VERIFY(w_->document());
    QVERIFY(w_->editor()->text().startsWith("# Byte order\n\n## You\n\nfirst question\n"));
    QCOMPARE(w_->editor()->language(), "Markdown");

    WindowFixture::trigger(w_->window(), "ask.delete");
    QTRY_COMPARE(text(0), "second question");
    QVERIFY(WindowFixture::click("askUndelete"));
    QTRY_COMPARE(text(0), "first question");

    WindowFixture::trigger(w_->window(), "ask.threads");
    QTRY_VERIFY(w_->parts().picker->isOpen());
    WindowFixture::key(Qt::Key_Escape);
  }

  // By the command, read on the card, and taken back by its button.
  void earlierMessagesAreSummarized() {
    open();
    for (const char* answer : {"Bytes, because they are counted from nought.", "Yes."}) {
      endpoint_->script(whole(answer));
      askFor("why?");
      QTRY_VERIFY(!ask()->isRunning() && !ask()->thread()->messages.isEmpty());
    }
    endpoint_->script(beginning("It was"));
    WindowFixture::trigger(w_->window(), "ask.summarize");
    SummaryCard* card = ask()->transcript()->summary();
    QTRY_VERIFY(card->isVisible());
    QTRY_COMPARE(endpoint_->requests().size(), 3);
    QVERIFY(WindowFixture::click("summaryStop"));
    QTRY_VERIFY(!card->isVisible());
    QVERIFY(ask()->input()->hasFocus());

    endpoint_->script(whole("About **bytes**."));
    WindowFixture::trigger(w_->window(), "ask.summarize");
    QTRY_VERIFY(ask()->thread()->summary);
    QTRY_VERIFY(card->isVisible());
    QVERIFY2(card->text().contains("2 messages above, by small"), qPrintable(card->text()));
    const auto& views = ask()->transcript()->views();
    QTRY_VERIFY(card->y() > views[1]->y() && card->y() < views[2]->y());
    QVERIFY(WindowFixture::click("summaryShow"));
    QTRY_VERIFY(card->text().endsWith("About bytes."));
    QTRY_COMPARE(ask()->meter()->use().messagesSummarized, 2);
    QVERIFY(ask()->meter()->details().contains("The summary stands for 2 messages."));
    if (qEnvironmentVariableIsSet("SHOTS")) w_->window().grab().save("/tmp/summary.png");
    QVERIFY(WindowFixture::click("summaryWhole"));
    QTRY_VERIFY(!card->isVisible());
    QVERIFY(!ask()->thread()->summary);
    QTRY_COMPARE(ask()->meter()->use().messagesSummarized, 0);
  }

  void automationSeesThePanel() {
    open();
    endpoint_->script(whole("Well."));
    askFor("why?");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    const QJsonObject state = programState(w_->window(), nullptr, false)["ask"].toObject();
    QCOMPARE(state["thread"].toString(), "why?");
    QCOMPARE(state["messages"].toArray()[1].toObject()["text"].toString(), "Well.");
    QCOMPARE(state["messages"].toArray()[1].toObject()["state"].toString(), "complete");
    QCOMPARE(state["running"].toBool(), false);
    QVERIFY(state["model"].toString().startsWith("small, this computer"));
  }

  void aSmallWindowHasAStrip() {
    open();
    w_->window().resize(1400, 800);
    focusInput();
    w_->window().resize(900, 600);
    QTRY_VERIFY(w_->parts().pairStrip->isStrip());
    QTRY_VERIFY(w_->parts().pairDock->width() < 50);
    WindowFixture::key(Qt::Key_L, Qt::ControlModifier);
    QTRY_VERIFY(ask()->isVisible() && ask()->input()->hasFocus());
    QTRY_VERIFY(w_->parts().pairDock->width() >= 300);
    QCOMPARE(w_->window().size(), QSize(900, 600));
    QVERIFY(WindowFixture::click("pairFold"));
    QTRY_VERIFY(w_->parts().pairStrip->isStrip());
  }

 private:
  void open() {
    w_->openProject();
    pairing::ModelEntry entry;
    entry.id = entry.name = "small";
    entry.address.base = endpoint_->base();
    entry.address.model = "small";
    entry.contextTokens = 8192;
    w_->parts().roster->setModels({entry});
    w_->parts().roster->setRole(pairing::ModelRoster::Role::kFast, "small");
    QTRY_VERIFY(!w_->parts().fileIndex->isReading());
  }
  AskPanel* ask() { return w_->parts().pairDock->ask(); }
  void focusInput() {
    WindowFixture::trigger(w_->window(), "ask.ask");
    QTRY_VERIFY(ask()->input()->hasFocus());
  }
  void askFor(const QString& question) {
    focusInput();
    ask()->input()->setText(question);
    WindowFixture::key(Qt::Key_Return);
  }
  QString text(int message) { return ask()->thread()->messages.value(message).text; }
  QStringList states() {
    QStringList states;
    const QJsonObject state = programState(w_->window(), nullptr, false)["ask"].toObject();
    for (const QJsonValue& message : state["messages"].toArray())
      states.append(message.toObject()["state"].toString());
    return states;
  }

  std::unique_ptr<ScriptedEndpoint> endpoint_;
  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestAsk)
#include "test_ask.moc"

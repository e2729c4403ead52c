// SPDX-License-Identifier: GPL-3.0-or-later
// Next edits by a model that was taught them, in the window and by real keys: a script plays the
// model, and its server misbehaves.
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

#include "editor/ghost/ghost_text.h"
#include "editor/ghost/line_hint.h"
#include "gui/pairing/next_edit_service.h"
#include "gui/pairing/next_edit_status.h"
#include "gui/pairing/taught_edits.h"
#include "gui/store/settings.h"
#include "pairing/models/model_roster.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;
using pairing::ScriptedEndpoint;
using Then = ScriptedEndpoint::Then;

namespace {

constexpr char kShapes[] =
    "def area(w, h):\n"
    "    return w * h\n"
    "\n"
    "\n"
    "def volume(w, h):\n"
    "    return w * h\n"
    "\n"
    "\n"
    "print(area(1, 2))\n"
    "print(volume(1, 2, 3))\n";

QByteArray quoted(const QByteArray& text) {
  return QJsonDocument(QJsonArray{QString::fromUtf8(text)}).toJson(QJsonDocument::Compact);
}

// A piece of an answer, as OpenAI's older API streams it; with its probability's logarithm.
QByteArray piece(const QByteArray& text, double chance = -0.01) {
  const QByteArray list = quoted(text);
  return pairing::sse("{\"choices\":[{\"text\":" + list.mid(1, list.size() - 2) +
                      ",\"logprobs\":{\"tokens\":" + list + ",\"token_logprobs\":[" +
                      QByteArray::number(chance) + "]}}]}");
}

QByteArray pieceWithoutChance(const QByteArray& text) {
  const QByteArray list = quoted(text);
  return pairing::sse("{\"choices\":[{\"text\":" + list.mid(1, list.size() - 2) + "}]}");
}

const QByteArray kEnd =
    pairing::sse(R"({"choices":[{"text":"","finish_reason":"stop"}]})") + pairing::sse("[DONE]");

// What the model writes once "volume" has got another side.
QByteArray answer() {
  return QByteArray(kShapes)
      .replace("volume(w, h)", "volume(w, h, d)")
      .replace("d):\n    return w * h\n", "d):\n    return w * h * d\n");
}

struct Desk : WindowFixture {
  explicit Desk(const QByteArray& text = kShapes, const QString& file = QStringLiteral("shapes.py"),
                const QString& model = QStringLiteral("sweep-next-edit-1.5B")) {
    server = std::make_unique<ScriptedEndpoint>();
    openProjectWith(file, text);
    service()->setGate(pairing::Gate());  // no finder finds anything
    pairing::ModelEntry entry;
    entry.id = entry.name = model;
    entry.address.base = server->base();
    entry.address.model = model;
    entry.followsInstructions = false;
    parts().roster->setModels({entry});
    parts().roster->setRole(pairing::ModelRoster::Role::kNextEdit, entry.id);
  }
  NextEditService* service() { return parts().nextEdits; }
  editor::LineHint* hint() { return editor()->nextEditHint(); }
  void set(const std::function<void(Preferences&)>& change) {
    Preferences changed = parts().settings->get();
    change(changed);
    parts().settings->set(changed);
  }
  // The user gives "volume" another side.
  void edit(const QString& typed = QStringLiteral(", d")) {
    editor()->goToLine(4, 15);
    type(typed);
  }
  // The pause behind the last key, and what it takes to ask.
  bool isAsked() {
    return QTest::qWaitFor([this] { return !server->requests().isEmpty(); }, 2000);
  }

  std::unique_ptr<ScriptedEndpoint> server;
};

}  // namespace

class TestTaughtEdits : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void tabGoesThereAndTabMakesIt() {
    Desk d;
    d.server->script({{piece(answer()), kEnd}});
    d.edit();
    QTRY_VERIFY(d.hint()->isOffered());
    QCOMPARE(d.hint()->text(), QString("Tab: change line 6"));
    const auto& request = d.server->requests().first();
    QCOMPARE(request.path, QByteArray("/v1/completions"));
    QCOMPARE(request.body.value("model").toString(), QString("sweep-next-edit-1.5B"));
    QCOMPARE(request.body.value("temperature").toInt(-1), 0);
    QCOMPARE(request.body.value("stop").toArray().size(), 2);
    const QString prompt = request.body.value("prompt").toString();
    QVERIFY2(prompt.startsWith("<|file_sep|>shapes.py.diff\noriginal:\n"), qPrintable(prompt));
    QVERIFY2(prompt.endsWith("<|file_sep|>updated/shapes.py\n"), qPrintable(prompt));
    QVERIFY(prompt.contains("<|file_sep|>original/shapes.py\n" + QString(kShapes)));
    const QByteArray before = d.editor()->text();
    d.key(Qt::Key_Tab);
    QCOMPARE(d.editor()->text(), before);
    QCOMPARE(d.editor()->caretLine(), 5);
    d.key(Qt::Key_Tab);
    QCOMPARE(d.editor()->lineText(5), QByteArray("    return w * h * d"));
    QCOMPARE(d.editor()->text(), answer());
    QCOMPARE(d.service()->counts().acceptedByModel, 1);
    d.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(d.editor()->text(), before);
  }

  // What follows the change is not waited for: it would be copied.
  void theAnswerEndsOnceItIsBackAtTheText() {
    Desk d;
    const QByteArray text = answer();
    const qsizetype back = text.indexOf("print(volume") + 23;
    d.server->script({{piece(text.left(back))}, Then::kStall});
    d.edit();
    QTRY_VERIFY(d.hint()->isOffered());
    QTRY_COMPARE(d.server->openConnections(), 0);
  }

  void theFindersComeFirst() {
    Desk d("int f() {\n  int count = 0;\n  g(count);\n  return count;\n}\n", "a.cpp");
    d.service()->setGate(
        *pairing::Gate::parse(R"({"finders": {"name": {"bias": 1, "threshold": 0.5}}})"));
    const auto at = d.editor()->lineStart(1) + 6;
    d.editor()->setSelection(at, at + 5);
    d.type("sum");
    QTRY_VERIFY(d.hint()->isOffered());
    test::rest();
    QVERIFY(d.server->requests().isEmpty());
  }

  void whatIsNotLikelyIsNotShown() {
    Desk d;
    const QByteArray text = answer();
    const qsizetype change = text.indexOf(" * d\n");
    d.server->script({{piece(text.left(change)), piece(text.mid(change, 5), -2),
                       piece(text.mid(change + 5)), kEnd}});
    d.edit();
    QVERIFY(d.isAsked());
    test::rest();
    QVERIFY(!d.hint()->isOffered());
    QCOMPARE(d.service()->counts().shown, 0);
  }

  // Half as sure is enough for who wants to see much.
  void theLevelHoldsForIt() {
    Desk d;
    const QByteArray text = answer();
    d.set([](Preferences& p) { p.suggestionLevel = SuggestionLevel::kQuiet; });
    d.edit();
    test::rest();
    QVERIFY(d.server->requests().isEmpty());
    d.set([](Preferences& p) { p.suggestionLevel = SuggestionLevel::kEager; });
    d.server->script({{piece(text, -0.6), kEnd}});
    d.key(Qt::Key_Backspace);
    d.type("d");
    QTRY_VERIFY(d.hint()->isOffered());
  }

  void aServerThatTellsNoProbabilitiesSaysSo() {
    Desk d;
    d.server->script({{pieceWithoutChance(answer()), kEnd}});
    d.edit();
    auto* status = d.find<NextEditStatus>("nextEditStatus");
    QTRY_VERIFY(status->isVisible());
    QVERIFY(!d.hint()->isOffered());
    QVERIFY2(status->toolTip().contains("logprobs"), qPrintable(status->toolTip()));
    d.set([](Preferences& p) { p.suggestionLevel = SuggestionLevel::kEager; });
    d.server->script({{pieceWithoutChance(answer()), kEnd}});
    d.key(Qt::Key_Backspace);
    d.type("d");
    QTRY_VERIFY(d.hint()->isOffered());
    QVERIFY2(!status->toolTip().contains("logprobs"), qPrintable(status->toolTip()));
  }

  // A key ends the question at the server, too.
  void typingEndsTheQuestion() {
    Desk d;
    d.server->script({{piece("def area(w, h):\n")}, Then::kStall});
    d.edit();
    QVERIFY(d.isAsked());
    QTRY_COMPARE(d.server->openConnections(), 1);
    d.type("e");
    QTRY_COMPARE(d.server->openConnections(), 0);
    QVERIFY(!d.hint()->isOffered());
  }

  void whatWasDismissedStaysAway() {
    Desk d;
    for (int i = 0; i < 2; ++i) d.server->script({{piece(answer()), kEnd}});
    d.edit();
    QTRY_VERIFY(d.hint()->isOffered());
    d.key(Qt::Key_Escape);
    QVERIFY(!d.hint()->isOffered());
    d.key(Qt::Key_Backspace);
    d.type("d");
    QTRY_COMPARE(d.server->requests().size(), 2);
    test::rest();
    QVERIFY(!d.hint()->isOffered());
  }

  // "Make it as it was" is what such models answer where they know nothing.
  void whatTheUserJustWroteIsNotTakenBack() {
    Desk d;
    d.server->script({{piece(kShapes), kEnd}});
    d.edit();
    QVERIFY(d.isAsked());
    test::rest();
    QVERIFY(!d.hint()->isOffered());
  }

  void aSecretIsNotSent() {
    Desk d(QByteArray(kShapes) +
           "KEY = 'AKIA"
           "IOSFODNN7EXAMPLE'\n"
           "-----BEGIN RSA"
           " PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n");
    d.edit();
    test::rest();
    QVERIFY(d.server->requests().isEmpty());
  }

  void aFileThatModelsMayNotSeeIsNotSent() {
    Desk d(kShapes, "secrets.py");
    d.write(".waferpairignore", "secrets.py\n");
    d.edit();
    test::rest();
    QVERIFY(d.server->requests().isEmpty());
  }

  void ghostTextComesFirst() {
    Desk d;
    d.edit();
    d.editor()->ghost()->show(d.editor()->caret(), "epth");
    test::rest();
    QVERIFY(d.server->requests().isEmpty());
  }

  void itCanBeTurnedOff() {
    Desk d;
    d.parts().roster->setRole(pairing::ModelRoster::Role::kNextEdit, {});
    d.edit();
    test::rest();
    QVERIFY(d.server->requests().isEmpty());
  }

  void linesEndAsTheText() {
    Desk d(QByteArray(kShapes).replace("\n", "\r\n"));
    d.server->script({{piece(answer()), kEnd}});
    d.edit();
    QTRY_VERIFY(d.hint()->isOffered());
    d.key(Qt::Key_Tab);
    d.key(Qt::Key_Tab);
    QCOMPARE(d.editor()->text(), answer().replace("\n", "\r\n"));
  }

  // Whatever the server does, the user types on, and is told why nothing comes.
  void aServerThatMisbehavesIsLeftAlone_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArrayList>("pieces");
    QTest::addColumn<int>("then");
    QTest::addColumn<bool>("isTold");
    const auto row = [](const char* name, int status, const QByteArrayList& pieces, Then then,
                        bool isTold) {
      QTest::newRow(name) << status << pieces << static_cast<int>(then) << isTold;
    };
    row("too many requests", 429, {R"({"error":{"message":"slow down"}})"}, Then::kEnd, true);
    row("no such path", 404, {"not here"}, Then::kEnd, true);
    row("an error in the stream", 200, {pairing::sse(R"({"error":{"message":"out of memory"}})")},
        Then::kEnd, true);
    row("no JSON", 200, {pairing::sse("{")}, Then::kEnd, true);
    row("cut", 200, {piece("def area(w, h):\n")}, Then::kCut, true);
    row("another text", 200, {piece("I cannot help with that.\n"), kEnd}, Then::kEnd, false);
    row("no end", 200,
        {piece(QByteArray("x = 1\n").repeated(5000)),
         pairing::sse(R"({"choices":[{"text":"","finish_reason":"length"}]})"),
         pairing::sse("[DONE]")},
        Then::kEnd, false);
  }
  void aServerThatMisbehavesIsLeftAlone() {
    QFETCH(int, status);
    QFETCH(QByteArrayList, pieces);
    QFETCH(int, then);
    QFETCH(bool, isTold);
    Desk d;
    ScriptedEndpoint::Reply reply{pieces, static_cast<Then>(then)};
    reply.status = status;
    d.server->script(reply);
    d.edit();
    QVERIFY(d.isAsked());
    QTRY_COMPARE(!d.service()->taught().problem().isEmpty(), isTold);
    QVERIFY(!d.hint()->isOffered());
    d.type("e");
    // One that has failed is not asked at once again.
    if (isTold) test::rest();
    QTRY_COMPARE(d.server->requests().size(), isTold ? 1 : 2);
    QCOMPARE(d.editor()->lineText(4), QByteArray("def volume(w, h, de):"));
  }

  void aServerThatEndsIsTold() {
    Desk d;
    d.server->script({{piece("def area(w, h):\n")}, Then::kStall});
    d.edit();
    QVERIFY(d.isAsked());
    d.server.reset();
    QTRY_VERIFY(!d.service()->taught().problem().isEmpty());
    QVERIFY(!d.hint()->isOffered());
    QVERIFY(!d.service()->taught().isWanted());
  }
};

QTEST_MAIN(TestTaughtEdits)
#include "test_taught_edits.moc"

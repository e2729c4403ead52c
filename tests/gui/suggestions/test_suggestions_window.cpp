// SPDX-License-Identifier: GPL-3.0-or-later
// When suggestions come and what is counted of them, in the real window, by keys and mouse. A
// scripted server plays the model.
#include <QLineEdit>
#include <QTableWidget>
#include <QToolButton>

#include "editor/assist/suggestion_controller.h"
#include "editor/ghost/ghost_text.h"
#include "gui/kit/command_registry.h"
#include "gui/store/json_file.h"
#include "gui/suggestions/suggestion_counts.h"
#include "gui/suggestions/suggestion_rules.h"
#include "tests/gui/wafer/wafer_window.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;
using namespace std::chrono_literals;

namespace {

struct Desk {
  Desk() {
    w.open({1200, 800});
    editor()->setSelection(editor()->lineEnd(2), editor()->lineEnd(2));
    w.server->onMessage = [this](const QJsonObject& message) {
      if (message["type"] == "completion.create") answer(message);
    };
  }

  const WindowParts& parts() { return w.window->parts(); }
  Document* document() { return parts().tabs->current(); }
  editor::CodeEditor* editor() { return document()->editor(); }
  editor::GhostText* ghost() { return editor()->ghost(); }
  // But for what was asked for ahead.
  QList<QJsonObject> asked() {
    QList<QJsonObject> asked = w.server->messagesOf("completion.create");
    asked.removeIf([](const QJsonObject& create) {
      return create.contains("inserted") || create.contains("ahead");
    });
    return asked;
  }
  void run(const char* command) { parts().commands->action(QLatin1String(command))->trigger(); }
  QString status() {
    return w.window->findChild<QToolButton*>(QStringLiteral("suggestionStatus"))->text();
  }

  void type(const QString& text) {
    editor()->setFocus();
    QTest::keyClicks(editor(), text);
    test::dealWithEvents();  // for the request that follows a burst of keys
  }

  void answer(QJsonObject message) {
    // What would follow never comes, nor what is only read.
    if (message.contains("inserted") || message.contains("ahead")) return;
    QJsonObject delta = message;
    delta["type"] = "completion.delta";
    delta["text"] = text;
    w.server->sendText(QJsonDocument(delta).toJson());
    message["type"] = "completion.done";
    message["reason"] = "end_of_text";
    w.server->sendText(QJsonDocument(message).toJson());
  }

  QString text = "answer();";
  test::WaferWindow w;
};

}  // namespace

class TestSuggestionsWindow : public QObject {
  Q_OBJECT
  QTemporaryDir profile_;

 private Q_SLOTS:
  void init() {
    QDir(profile_.path()).removeRecursively();
    QDir().mkpath(profile_.path());
    useProfile(profile_.path());
  }

  void quietlyOnlyTheKeyAsks() {
    Desk desk;
    desk.run("suggest.quiet");
    QVERIFY(desk.parts().commands->action("suggest.quiet")->isChecked());
    QVERIFY(!desk.parts().commands->action("suggest.normal")->isChecked());
    QTRY_COMPARE(desk.status(), QString("Suggestions by key"));
    desk.type("x");
    QCOMPARE(desk.asked().size(), 0);
    QTest::keyClick(desk.editor(), Qt::Key_Backslash, Qt::AltModifier);
    QTRY_VERIFY(desk.ghost()->isShown());
    QCOMPARE(desk.asked().first()["min_probability"].toDouble(), 0.0);
    QTest::keyClick(desk.editor(), Qt::Key_Escape);
    desk.run("suggest.normal");
    desk.type(" = ");
    QTRY_VERIFY(desk.ghost()->isShown());
  }

  void eagerlyLessSureOnesCome() {
    for (const auto& [command, least] :
         {std::pair("suggest.normal", 0.75), std::pair("suggest.eager", 0.375)}) {
      Desk desk;
      desk.run(command);
      desk.type("x");
      QTRY_COMPARE(desk.asked().size(), 1);
      QCOMPARE(desk.asked().first()["min_probability"].toDouble(), least);
    }
  }

  void aSnoozeIsChosenByKeysAndEndedEarly() {
    Desk desk;
    QTest::keyClick(desk.editor(), Qt::Key_M, Qt::ControlModifier);
    QTest::keyClick(desk.editor(), Qt::Key_S);
    QTRY_VERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
    QTest::keyClicks(QApplication::focusWidget(), "snooze for 15");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_VERIFY(desk.parts().suggestionRules->isSnoozed());
    const QString until = desk.parts().suggestionRules->snoozedUntil();
    QTRY_COMPARE(desk.status(), "Snoozed until " + until);
    desk.type(" x");
    QCOMPARE(desk.asked().size(), 0);
    // The field of the status bar leads to the same list.
    QTest::mouseClick(desk.w.window->findChild<QToolButton*>("suggestionStatus"), Qt::LeftButton);
    QTRY_VERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);  // "End the snooze" is the first
    QTRY_VERIFY(!desk.parts().suggestionRules->isSnoozed());
    QTRY_COMPARE(desk.status(), QString("Suggestions on"));
    desk.type(" = ");
    QTRY_VERIFY(desk.ghost()->isShown());
  }

  void aSnoozeEndsByItselfAndOutlastsTheProgram() {
    Desk desk;
    desk.run("suggest.snooze60");
    QVERIFY(desk.parts().suggestionRules->isSnoozed());
    {
      Settings later(AppPaths::forUser());
      QCOMPARE(later.get().snoozedUntil, desk.parts().settings->get().snoozedUntil);
      QVERIFY(SuggestionRules(&later).isSnoozed());
    }
    desk.parts().suggestionRules->snooze(50ms);
    QTRY_VERIFY(!desk.parts().settings->get().snoozedUntil.isValid());
    QTRY_COMPARE(desk.status(), QString("Suggestions on"));
  }

  void aLanguageIsOffAndOnAgain() {
    Desk desk;
    desk.run("suggest.language");
    QTRY_COMPARE(desk.status(), QString("suggestions are off for C++"));
    QCOMPARE(desk.parts().settings->get().languagesWithoutSuggestions, QStringList{"C++"});
    desk.type(" x");
    QTest::keyClick(desk.editor(), Qt::Key_Backslash, Qt::AltModifier);
    test::dealWithEvents();
    QCOMPARE(desk.asked().size(), 0);
    // As another language it is another matter.
    desk.editor()->setLanguage("Python");
    QTRY_COMPARE(desk.status(), QString("Suggestions on"));
    desk.editor()->setLanguage("C++");
    QTRY_COMPARE(desk.status(), QString("suggestions are off for C++"));
    desk.run("suggest.language");
    desk.type(" ");
    QTRY_VERIFY(desk.ghost()->isShown());
  }

  void whatBecomesOfSuggestionsIsCountedByLanguage() {
    Desk desk;
    SuggestionCounts* counts = desk.parts().suggestionCounts;
    desk.type(" ");
    QTRY_VERIFY(desk.ghost()->isShown());
    // The first picture: its latency is counted.
    QTRY_VERIFY(counts->total().latency.percentile(0.5).has_value());
    QTest::keyClick(desk.editor(), Qt::Key_Tab);
    QTRY_VERIFY(desk.editor()->text().contains("answer();"));
    QCOMPARE(counts->total().shown, 1);
    QCOMPARE(counts->total().accepted, 1);
    desk.type(" ");
    QTRY_COMPARE(counts->total().shown, 2);
    QTest::keyClick(desk.editor(), Qt::Key_Escape);
    QCOMPARE(counts->total().dismissed, 1);
    desk.editor()->setLanguage("Python");
    desk.type(";");
    desk.type(" ");
    QTRY_VERIFY(counts->byLanguage().contains("Python"));

    desk.run("suggest.counts");
    auto* dialog = desk.w.window->findChild<QDialog*>("suggestionCountsDialog");
    QVERIFY(dialog);
    auto* table = dialog->findChild<QTableWidget*>("suggestionCountsTable");
    QCOMPARE(table->rowCount(), 3);
    QCOMPARE(table->item(0, 0)->text(), QString("C++"));
    QCOMPARE(table->item(0, 1)->text(), QString("2"));
    QCOMPARE(table->item(0, 2)->text(), QString("1 (50 %)"));
    // Another language is another document to those who are told: the old one is judged.
    QCOMPARE(table->item(0, 3)->text(), QString("1 (100 %)"));
    QCOMPARE(table->item(0, 4)->text(), QString("1"));
    QVERIFY(table->item(0, 5)->text().endsWith(" ms"));
    QCOMPARE(table->item(1, 0)->text(), QString("Python"));
    QCOMPARE(table->item(2, 0)->text(), QString("All"));
    auto* reset = dialog->findChild<QPushButton*>("suggestionCountsReset");
    QTest::mouseClick(reset, Qt::LeftButton);
    QCOMPARE(table->rowCount(), 0);
    QVERIFY(!reset->isEnabled());
    QCOMPARE(counts->total(), editor::SuggestionFigures());
    QTest::keyClick(dialog, Qt::Key_Escape);
  }

  void countsOutlastTheProgram() {
    QTemporaryDir folder;
    const QString file = folder.filePath("suggestions.json");
    editor::DocumentSync sync;
    editor::SuggestionFigures expected;
    QDateTime since;
    {
      Desk desk;
      SuggestionCounts counts(file, &sync);
      since = counts.since();
      counts.watch(desk.document()->suggestions(), [] {
        return SuggestionCounts::Place{"/a.cpp", "C++"};
      });
      desk.type(" ");
      QTRY_VERIFY(counts.total().latency.percentile(0.5).has_value());
      expected = counts.total();
      QCOMPARE(expected.shown, 1);
    }
    {
      const SuggestionCounts again(file, &sync);
      QCOMPARE(again.total(), expected);
      QCOMPARE(again.byLanguage().keys(), QStringList{"C++"});
      QCOMPARE(again.since().toSecsSinceEpoch(), since.toSecsSinceEpoch());
    }
    QVERIFY(
        writeJson(file, {{"languages", QJsonObject{{"C", QJsonObject{{"shown", -4}}}}}}).isEmpty());
    QCOMPARE(SuggestionCounts(file, &sync).total().shown, 0);
  }
};

QTEST_MAIN(TestSuggestionsWindow)
#include "test_suggestions_window.moc"

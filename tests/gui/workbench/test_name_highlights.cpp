// SPDX-License-Identifier: GPL-3.0-or-later
// The uses of the name at the caret, marked by a scripted server's word, clangd's and pylsp's.
#include <QStandardPaths>

#include "editor/layers/use_marks.h"
#include "tests/gui/workbench/language_window.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;

class TestNameHighlights : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<LanguageWindow>(); }
  void cleanup() { w_.reset(); }

  void readAndWrittenUsesAreMarked_data() {
    QTest::addColumn<QString>("how");
    QTest::newRow("UTF-16") << "";
    QTest::newRow("UTF-8") << "utf8";
  }
  void readAndWrittenUsesAreMarked() {
    QFETCH(QString, how);
    w_->begin("// \u00e4\none = 1;\ntwo = one;\n", how);
    caretTo(1, 1);
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList({"w6-9", "r21-24"}), kPatience);
    // Written ones have an outline, which is there without color.
    QVERIFY(outlineAt(6) > 0 && drawnAt(21) && outlineAt(21) == 0);
    QVERIFY(!drawnAt(15));
    // On the next use nothing has to be asked.
    caretTo(2, 7);
    QCOMPARE(marks(), QStringList({"w6-9", "r21-24"}));
    caretTo(2, 0);
    QCOMPARE(marks(), QStringList());
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList("w15-18"), kPatience);
  }

  // They go with the first key, and come back once the caret rests.
  void typingTakesThemAway() {
    w_->begin("one = 1;\none\n");
    caretTo(1, 3);
    QTRY_COMPARE_WITH_TIMEOUT(marks().size(), 2, kPatience);
    WindowFixture::type("s");
    QCOMPARE(marks(), QStringList());
    QVERIFY(!drawnAt(0));
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList("r9-13"), kPatience);
    caretTo(0, 8);
    w_->editor()->setSelection(0, 3);
    test::rest();
    QCOMPARE(marks(), QStringList());
  }

  // While keys follow one another, nothing is asked.
  void keysAreNotAskedAboutOneByOne() {
    w_->begin("one\n");
    QTRY_COMPARE_WITH_TIMEOUT(marks().size(), 1, kPatience);
    const qsizetype before = questions();
    caretTo(0, 3);
    WindowFixture::type("abcdefgh");
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList("r0-11"), kPatience);
    QVERIFY2(questions() - before <= 2, qPrintable(QString::number(questions() - before)));
  }

  void wrongAnswersDoNoHarm() {
    w_->begin("one two\n", "wrong");
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList("r0-8"), kPatience);
    WindowFixture::type("x");
    QCOMPARE(w_->editor()->text(), "xone two\n");
  }

  void realServersTellThem_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("uses");
    QTest::newRow("clangd") << "clangd"
                            << "a.cpp"
                            << QByteArray("void f() {\n  int one = 1;\n  one = 2;\n  f();\n}\n")
                            << QStringList({"r17-20", "w28-31"});
    QTest::newRow("pylsp") << "pylsp"
                           << "a.py" << QByteArray("\n  \none = 1\nprint(one)\n")
                           << QStringList({"w4-7", "r18-21"});
  }
  void realServersTellThem() {
    QFETCH(QString, program);
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QStringList, uses);
    if (QStandardPaths::findExecutable(program).isEmpty()) QSKIP("It is not installed.");
    w_->useInstalledLanguageServers();
    w_->openProjectWith(name, text);
    w_->agree();
    caretTo(2, 2);
    QTRY_COMPARE_WITH_TIMEOUT(marks(), uses, kPatience);
    const QString pictures = qEnvironmentVariable("WAFERPAIR_PICTURES");
    if (!pictures.isEmpty()) w_->window().grab().save(pictures + "/uses-" + program + ".png");
  }

 private:
  void caretTo(int line, int column) {
    const qint64 at = w_->editor()->lineStart(line) + column;
    w_->editor()->setSelection(at, at);
    w_->editor()->flushEdits();
  }
  // "w" or "r" and the bytes.
  QStringList marks() {
    QStringList told;
    if (const auto* drawn = w_->editor()->findChild<editor::UseMarks*>())
      for (const editor::UseMark& one : drawn->marks())
        told.append(
            QStringLiteral("%1%2-%3").arg(one.isWrite ? 'w' : 'r').arg(one.start).arg(one.end));
    return told;
  }
  int indicatorAt(long offset) {
    for (const int indicator : {20, 21})
      if (w_->editor()->sci(QsciScintillaBase::SCI_INDICATORVALUEAT,
                            static_cast<unsigned long>(indicator), offset) != 0)
        return indicator;
    return -1;
  }
  bool drawnAt(long offset) { return indicatorAt(offset) >= 0; }
  long outlineAt(long offset) {
    return w_->editor()->sci(QsciScintillaBase::SCI_INDICGETOUTLINEALPHA,
                             static_cast<unsigned long>(indicatorAt(offset)));
  }
  qsizetype questions() {
    std::optional<qsizetype> count;
    LanguageClient* client = w_->service()->clientOf(w_->document()->id());
    client->ask("test/told", w_->document()->id(), {},
                [&](const workbench::LanguageAnswer& answer) {
                  count = 0;
                  for (const QJsonValue one : answer.result.toArray())
                    if (one[u"method"] == QStringLiteral("textDocument/documentHighlight"))
                      ++*count;
                });
    return QTest::qWaitFor([&] { return count.has_value(); }, kPatience) ? *count : -1;
  }

  std::unique_ptr<LanguageWindow> w_;
};

QTEST_MAIN(TestNameHighlights)
#include "test_name_highlights.moc"

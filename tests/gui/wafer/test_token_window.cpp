// SPDX-License-Identifier: GPL-3.0-or-later
// One token's way in the real window, by keys: a suggested and an accepted token are explained at
// all three depths. The program's own model server answers.
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QSlider>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QtTest>

#include "editor/assist/suggestion_controller.h"
#include "editor/ghost/ghost_text.h"
#include "editor/widget/code_editor.h"
#include "gui/client/runtime_service.h"
#include "gui/client/token_explainer.h"
#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "gui/wafer/token_window.h"
#include "tests/gui/kit/accessible_names.h"
#include "tests/support/paths.h"
#include "wafer_view/mesh_picture.h"
#include "wafer_view/way_map.h"

using namespace waferpair;
using namespace waferpair::gui;
using Depth = TokenWindow::Depth;

namespace {

constexpr int kModelMs = 60'000;  // generous: the machine may be busy
const char kText[] =
    "int countLongWords(const std::vector<std::string>& words, int limit);\n"
    "\n"
    "void print(const std::vector<std::string>& words) {\n"
    "  std::cout << countLongWords(words, 5);\n"
    "  std::cout << countLongWords(words, 6);\n"
    "\n"
    "}\n";

}  // namespace

class TestTokenWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    useProfile(profile_.path());
    qputenv("XDG_RUNTIME_DIR", profile_.path().toUtf8());
    const QString program = QString::fromStdString(test::programDir() + "/waferd");
    if (!QFile::exists(program)) QFAIL("waferd is not built");
    QFile source(project_.filePath("words.cpp"));
    QVERIFY(source.open(QFile::WriteOnly));
    source.write(kText);
    source.close();
    runtime_ = std::make_unique<RuntimeService>(RuntimeCommand{
        program,
        QString::fromStdString(test::sourceDir() + "/resources/models/waferpair-mini.gguf")});
    window_ = std::make_unique<MainWindow>(AppPaths::forUser(), runtime_.get());
    window_->resize(1280, 800);
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    window_->start({project_.path()});
    document_ = window_->parts().tabs->openFile(project_.filePath("words.cpp"));
    QVERIFY(document_);
    QTRY_COMPARE_WITH_TIMEOUT(runtime_->state(), RuntimeService::State::kReady, kModelMs);
  }
  void cleanupTestCase() {
    window_.reset();
    runtime_.reset();
  }

  void withoutASuggestionTheReasonIsTold() {
    document_->setFocus();
    QTest::keyClick(focus(), Qt::Key_Home, Qt::ControlModifier);
    explain();
    QVERIFY(!window());
    auto* notice = window_->findChild<QWidget*>("tokenNotice");
    QVERIFY(notice && notice->isVisible());
  }

  void aSuggestedTokenIsExplained() {
    editor::CodeEditor* editor = document_->editor();
    document_->setFocus();
    for (int i = 0; i < 5; ++i) QTest::keyClick(focus(), Qt::Key_Down);
    QTest::keyClick(focus(), Qt::Key_End);
    for (const char c : QByteArray("  std::cout << cou")) QTest::keyClick(focus(), c);
    QTRY_COMPARE_WITH_TIMEOUT(document_->suggestions()->state(),
                              editor::SuggestionController::State::kShowing, kModelMs);
    const QByteArray ghost = editor->ghost()->remaining();
    QVERIFY2(ghost.startsWith("ntLongWords"), ghost.constData());
    explain();
    QTRY_VERIFY(window() && window()->way());
    const protocol::TokenWay& way = *window()->way();
    // The token at the caret: what of it is behind the typed letters is what the ghost begins with.
    const protocol::TokenPiece& piece = way.tokens[static_cast<std::size_t>(way.token)];
    QVERIFY(piece.start <= 0 && piece.end > 0);
    QVERIFY(ghost.startsWith(piece.text.substr(static_cast<std::size_t>(-piece.start))));
    QCOMPARE(find<QListWidget>("tokens")->currentRow(), way.token);
    const QString facts = find<QLabel>("tokenFacts")->text();
    QVERIFY2(facts.contains("Copied") || facts.contains("Computed"), qPrintable(facts));
    QVERIFY2(facts.contains(QString::fromStdString(way.layout.profile)), qPrintable(facts));
    QCOMPARE(find<QTableWidget>("tokenAlternatives")->rowCount(), 5);
    // The ghost is there all the same.
    QVERIFY(editor->ghost()->isShown());
  }

  void theNextTokenIsAKeyAway() {
    auto* tokens = find<QListWidget>("tokens");
    const int before = window()->way()->token;
    tokens->setFocus();
    QTest::keyClick(tokens, Qt::Key_Right);
    QTRY_COMPARE(window()->way()->token, before + 1);
    QCOMPARE(tokens->currentRow(), before + 1);
  }

  void everythingHasAName() {
    auto* depths = find<QTabWidget>("tokenDepths");
    for (const int depth : {2, 1, 0}) {
      depths->setCurrentIndex(depth);
      QCOMPARE(test::namelessIn(window()).join(u'|'), QString());
    }
  }

  void theSliderGoesThroughTheRegions() {
    auto* map = window()->findChild<view::WayMap*>();
    auto* time = find<QSlider>("tokenCycle");
    QCOMPARE(window()->depth(), Depth::kWafer);
    QCOMPARE(time->maximum(), window()->way()->cycles);
    time->setFocus();
    QTest::keyClick(time, Qt::Key_End);
    QCOMPARE(window()->op(), static_cast<int>(window()->way()->ops.size()) - 1);
    QVERIFY2(map->accessibleDescription().contains("sample"), qPrintable(map->text()));
    QTest::keyClick(time, Qt::Key_Home);
    QCOMPARE(window()->op(), 0);
    QVERIFY(map->accessibleDescription().contains("token_embd"));
  }

  void theBlockTellsTheClosedForm() {
    chooseOp("blk.0.attn_output");
    find<QTabWidget>("tokenDepths")->setCurrentIndex(1);
    auto* terms = find<QTableWidget>("opTerms");
    QTRY_COMPARE(terms->rowCount(), 5);
    const auto op = static_cast<std::size_t>(window()->op());
    const protocol::OpCharge& charge = window()->way()->ops[op];
    double sum = 0;
    for (int row = 0; row < terms->rowCount(); ++row)
      sum += QLocale().toDouble(terms->item(row, 3)->text());
    const auto rows = static_cast<double>(window()->way()->waferRows);
    QVERIFY2(std::abs(sum * rows - static_cast<double>(charge.cycles())) <= 2 * rows,
             qPrintable(QString("%1 against %2").arg(sum).arg(charge.cycles())));
    QVERIFY(find<QLabel>("opTitle")->text().startsWith("blk.0.attn_output (matmul)"));
    // The term that has the slider's cycle is marked.
    QCOMPARE(terms->currentRow(), 0);
    find<QSlider>("tokenCycle")->setValue(static_cast<int>(charge.end - 1));
    QCOMPARE(terms->currentRow(), 4);
  }

  void aCutoutIsRunAndSteppedThrough() {
    QSignalSpy explained(runtime_->explainer(), &TokenExplainer::opExplained);
    chooseOp("blk.0.attn_output");
    auto* depths = find<QTabWidget>("tokenDepths");
    depths->setCurrentIndex(2);
    auto* picture = window()->findChild<view::MeshPicture*>();
    QTRY_VERIFY_WITH_TIMEOUT(!picture->replay().isEmpty(), kModelMs);
    QTRY_VERIFY(!explained.isEmpty());  // what is told of the block leaves the cut-out where it is
    const QString title = find<QLabel>("cutoutTitle")->text();
    QVERIFY2(title.contains("cut-out, 16 x 16 of"), qPrintable(title));
    auto* time = find<QSlider>("tokenCycle");
    QCOMPARE(time->maximum(), picture->replay().end());
    QCOMPARE(picture->replay().cycle(), 0);
    window()->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window()));
    QTest::keyClick(picture, Qt::Key_Period);
    QCOMPARE(picture->replay().cycle(), 1);
    QTest::keyClick(picture, Qt::Key_Comma);
    QCOMPARE(picture->replay().cycle(), 0);
    QTest::keyClick(picture, Qt::Key_Right);
    QTest::keyClick(picture, Qt::Key_Down);
    QCOMPARE(picture->selected(), 17);
    // Break on a color: the next cycle in which it moves.
    auto* breaks = find<QComboBox>("cutoutBreak");
    QVERIFY(breaks->count() > 3);
    breaks->setCurrentIndex(3);
    const int color = breaks->currentData().toInt();
    const auto next = picture->replay().nextCycle(1, -1, color);
    QVERIFY(next.has_value());
    QTest::keyClick(picture, Qt::Key_Period);
    QCOMPARE(picture->replay().cycle(), *next);
    QVERIFY(std::ranges::any_of(picture->replay().hops(),
                                [&](const auto& hop) { return hop.color == color; }));
    // What the core holds is asked for once it stands still.
    QTRY_VERIFY(find<QLabel>("cutoutHeld")->text().contains("SRAM"));
    depths->setCurrentIndex(0);
    QCOMPARE(time->maximum(), window()->way()->cycles);
  }

  void anAcceptedTokenIsExplained() {
    window()->close();
    editor::CodeEditor* editor = document_->editor();
    document_->setFocus();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    if (!editor->ghost()->isShown()) QSKIP("the suggestion went with the focus");
    const QByteArray ghost = editor->ghost()->remaining();
    const qint64 caret = editor->caret();
    QTest::keyClick(focus(), Qt::Key_Tab);
    QCOMPARE(editor->textRange(caret, caret + ghost.size()), ghost);
    for (qsizetype i = 2; i < ghost.size(); ++i) QTest::keyClick(focus(), Qt::Key_Left);
    QCOMPARE(editor->caret(), caret + 2);
    explain();
    QTRY_VERIFY(window() && window()->isVisible() && window()->way());
    QTRY_VERIFY(window()->way()->tokens[static_cast<std::size_t>(window()->way()->token)].end > 2);
    // Typed over, it is no longer what was accepted.
    window()->close();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    QTest::keyClick(focus(), 'x');
    explain();
    QTRY_VERIFY(window_->findChild<QWidget*>("tokenNotice"));
  }

 private:
  QWidget* focus() const { return document_->editor()->viewport(); }
  TokenWindow* window() const { return window_->findChild<TokenWindow*>(); }
  template <typename T>
  T* find(const char* name) const {
    T* found = window()->findChild<T*>(QLatin1String(name));
    if (!found) qFatal("there is no %s", name);
    return found;
  }
  void explain() {
    QTest::keyClick(focus(), Qt::Key_M, Qt::ControlModifier);
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : focus(), Qt::Key_E,
                    Qt::ControlModifier);
  }
  void chooseOp(const char* name) {
    auto* ops = find<QComboBox>("tokenOp");
    const int index = ops->findText(QLatin1String(name));
    QVERIFY2(index >= 0, name);
    ops->setCurrentIndex(index);
    Q_EMIT ops->activated(index);
    QCOMPARE(window()->op(), index);
  }

  QTemporaryDir profile_, project_;
  std::unique_ptr<RuntimeService> runtime_;
  std::unique_ptr<MainWindow> window_;
  Document* document_ = nullptr;
};

QTEST_MAIN(TestTokenWindow)
#include "test_token_window.moc"

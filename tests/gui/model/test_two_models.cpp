// SPDX-License-Identifier: GPL-3.0-or-later
// A fast and a deep model in one waferd, the real one, in the real window: chosen, loaded and
// unloaded by keys, and killed in each state.
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>
#include <QtTest>
#include <csignal>
#include <filesystem>

#include "editor/widget/code_editor.h"
#include "gui/client/completion_service.h"
#include "gui/kit/theme.h"
#include "gui/model/runtime_memory.h"
#include "gui/store/settings.h"
#include "pairing/models/model_roster.h"
#include "tests/gui/model/model_window.h"
#include "tests/support/paths.h"
#include "tests/support/rest.h"
#include "tests/support/tiny_adapter.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;
using namespace waferpair::gui;
using Role = pairing::ModelRoster::Role;
using State = RuntimeService::State;

namespace {

constexpr int kModelMs = 60'000;  // generous: the machine may be busy
const QString kProgram = QString::fromStdString(test::programDir() + "/waferd");
const QString kDeepName = QStringLiteral("me/deep/deep.gguf");

}  // namespace

class TestTwoModels : public QObject, private ModelWindow {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (!QFile::exists(kProgram)) QFAIL("waferd is not built");
    QVERIFY(models_.isValid());
    test::TinyModel fast;
    fast.name = "small";
    QVERIFY(test::writeTinyModel(fastFile().toStdString(), fast).has_value());
    // Large enough that loading it takes a while: it is to be interrupted.
    test::TinyModel deep;
    deep.name = "large";
    deep.layers = 6;
    deep.width = 1024;
    deep.feedForward = 4096;
    deep.distinctRows = 16;
    auto writer = test::makeTinyModel(deep);
    writer.addString("tokenizer.chat_template", "{{ '<|im_start|>' }}");
    QVERIFY(writer.write(deepFile().toStdString()).has_value());
  }
  void init() {
    begin();
    const QString store = profile_->filePath(".lmstudio/models/me/deep");
    QVERIFY(QDir().mkpath(store));
    file_ = store + "/deep.gguf";
    std::filesystem::create_hard_link(deepFile().toStdString(), file_.toStdString());
  }
  void cleanup() { end(); }

  // By the dialog to the one that suggests, by the setting to the other, which is read again.
  void adaptersAreAddedToBoth() {
    const QString style = adapterOf(fastFile(), "style.gguf"), tone = adapterOf(file_, "tone.gguf");
    openWith({kProgram, fastFile()});
    chooseDeep();
    QVERIFY(answers());
    QTRY_COMPARE_WITH_TIMEOUT(nameOf(file_), QString("large"), kModelMs);
    press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(window_->findChild<QLineEdit*>("pickerInput"), "add adapter");
    QTest::keyClick(window_->findChild<QLineEdit*>("pickerInput"), Qt::Key_Return);
    auto* dialog = window_->findChild<QFileDialog*>("chooseAdapterDialog");
    QVERIFY(dialog);
    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
    name->setText(style);
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(runtime_->modelName(), QString("small + style"), kModelMs);
    Settings* settings = window_->parts().settings;
    QCOMPARE(settings->get().adapters, QStringList(fastFile() + u'=' + style));

    Preferences changed = settings->get();
    changed.adapters.append(file_ + u'=' + tone + QStringLiteral(":0.5"));
    settings->set(changed);
    QTRY_COMPARE_WITH_TIMEOUT(nameOf(file_), QString("large + style"), kModelMs);
    QVERIFY(answers());
    // The next start adds both.
    window_.reset();
    runtime_.reset();
    RuntimeCommand command = rememberedCommand(AppPaths::forUser(), fastFile());
    command.program = kProgram;
    openWith(command);
    QCOMPARE(runtime_->modelName(), QString("small + style"));
    QTRY_COMPARE_WITH_TIMEOUT(nameOf(file_), QString("large + style"), kModelMs);
    // One of another model is refused, and the present one stays.
    changed.adapters = {fastFile() + u'=' + tone};
    window_->parts().settings->set(changed);
    auto* box = waitFor<QMessageBox>("modelRejected");
    QVERIFY(box);
    QVERIFY2(box->informativeText().contains("tone.gguf"), qPrintable(box->informativeText()));
    box->accept();
    QCOMPARE(runtime_->modelName(), QString("small + style"));
    QTRY_COMPARE_WITH_TIMEOUT(nameOf(file_), QString("large"), kModelMs);
  }

  // Chosen by the dialog it is loaded and asked; the setting takes it away again.
  void aLargerModelSuggestsBesideTheFirst() {
    openWith({kProgram, fastFile()});
    press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(window_->findChild<QLineEdit*>("pickerInput"), "choose a larger model");
    QTest::keyClick(window_->findChild<QLineEdit*>("pickerInput"), Qt::Key_Return);
    auto* dialog = window_->findChild<QFileDialog*>("chooseLargerDialog");
    QVERIFY(dialog);
    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
    name->setText(file_);
    QTest::keyClick(name, Qt::Key_Return);
    Settings* settings = window_->parts().settings;
    QCOMPARE(settings->get().largerModel, file_);
    const auto state = [this] {
      const HostedModel* model = runtime_->hosted()->find(file_);
      return model ? model->state : ModelState::kFailed;
    };
    QTRY_COMPARE_WITH_TIMEOUT(state(), ModelState::kReady, kModelMs);
    QCOMPARE(runtime_->documents()->largerModel(), file_);
    QTRY_VERIFY(window_->findChild<QToolButton*>("modelStatus")
                    ->toolTip()
                    .endsWith("\nSuggests, too: large"));
    // Another waferd loads it, too.
    const qint64 process = runtime_->processId();
    runtime_->restart();
    QTRY_VERIFY_WITH_TIMEOUT(
        runtime_->processId() != process && runtime_->documents()->largerModel() == file_,
        kModelMs);
    QTRY_COMPARE_WITH_TIMEOUT(state(), ModelState::kReady, kModelMs);
    Preferences changed = settings->get();
    changed.largerModel.clear();
    settings->set(changed);
    QCOMPARE(runtime_->documents()->largerModel(), QString());
    QTRY_VERIFY(!runtime_->hosted()->find(file_));
    // Nothing comes of the first one's own file, or of one that is not there.
    for (const QString& file : {fastFile(), QString(file_ + ".no")}) {
      changed.largerModel = file;
      settings->set(changed);
      test::rest();
      QCOMPARE(runtime_->documents()->largerModel(), QString());
    }
  }

  void theDeepModelIsLoadedWhenItIsAskedAndLeavesTheFastOneAlone() {
    openWith({kProgram, fastFile()});
    const qint64 process = runtime_->processId();
    chooseDeep();
    QTRY_COMPARE_WITH_TIMEOUT(status()->text(), "pair: " + kDeepName + " (idle)", kModelMs);
    QVERIFY2(status()->toolTip().contains("not in memory; what it is asked next loads it"),
             qPrintable(status()->toolTip()));
    // What it is asked loads it.
    QVERIFY(answers());
    QTRY_COMPARE_WITH_TIMEOUT(status()->text(), "pair: " + kDeepName, kModelMs);
    QVERIFY2(status()->toolTip().contains(": in memory, "), qPrintable(status()->toolTip()));
    // By key it gives its memory back, and is loaded ahead of being asked.
    press(Qt::Key_L, kOpenKeys);
    QTRY_COMPARE_WITH_TIMEOUT(status()->text(), "pair: " + kDeepName + " (idle)", kModelMs);
    press(Qt::Key_L, kOpenKeys);
    QTRY_COMPARE_WITH_TIMEOUT(status()->text(), "pair: " + kDeepName, kModelMs);
    press(Qt::Key_M, kOpenKeys);
    QTRY_COMPARE(hint(kDeepName), QString("deep, in memory"));
    QTest::keyClick(window_->findChild<QLineEdit*>("pickerInput"), Qt::Key_Escape);
    // One waferd did all of that, and the fast one was in memory all the while.
    QCOMPARE(runtime_->processId(), process);
    QCOMPARE(runtime_->state(), State::kReady);
    QCOMPARE(runtime_->hosted()->all().size(), 2);
    QCOMPARE(runtime_->hosted()->all()[0].state, ModelState::kReady);
    QCOMPARE(runtime_->modelName(), QString("small"));
    // The next start knows both.
    window_.reset();
    runtime_.reset();
    openWith({kProgram, fastFile()});
    QTRY_COMPARE_WITH_TIMEOUT(status()->text(), "pair: " + kDeepName + " (idle)", kModelMs);
    QVERIFY(answers());
  }

  void aServerKilledWithBothInMemoryCostsNoText() {
    openWith({kProgram, fastFile()});
    chooseDeep();
    QVERIFY(answers());
    const QByteArray text = typeText();
    const qint64 process = runtime_->processId();
    ::kill(static_cast<pid_t>(process), SIGKILL);
    QTRY_VERIFY(runtime_->processId() != process);
    QTRY_COMPARE_WITH_TIMEOUT(runtime_->state(), State::kReady, kModelMs);
    QCOMPARE(window_->findChild<editor::CodeEditor*>()->text(), text);
    QTRY_COMPARE_WITH_TIMEOUT(status()->text(), "pair: " + kDeepName + " (idle)", kModelMs);
    QVERIFY(!noticed("cannot be used for pairing"));
    QVERIFY(answers());
  }

  void aServerKilledWhileTheDeepOneLoadsComesBackWithoutIt() {
    openWith({kProgram, fastFile()});
    chooseDeep();
    QTRY_COMPARE_WITH_TIMEOUT(status()->text(), "pair: " + kDeepName + " (idle)", kModelMs);
    const QByteArray text = typeText();
    killWhileItLoads();
    QTRY_VERIFY_WITH_TIMEOUT(noticed("ended while it loaded deep.gguf"), kModelMs);
    QTRY_COMPARE_WITH_TIMEOUT(runtime_->state(), State::kReady, kModelMs);
    QCOMPARE(window_->findChild<editor::CodeEditor*>()->text(), text);
    QCOMPARE(status()->text(), "pair: " + kDeepName + " (cannot be used)");
    // The fast one is back alone, and stays so.
    QTRY_COMPARE_WITH_TIMEOUT(runtime_->hosted()->all().size(), 1, kModelMs);
    QVERIFY(!roster()->inRole(Role::kDeep));
    auto* again = window_->findChild<QPushButton*>("loadAgain");
    QVERIFY(again);
    again->setFocus();
    QTest::keyClick(again, Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(status()->text(), "pair: " + kDeepName, kModelMs);
    QVERIFY(!noticed("cannot be used for pairing"));
    QVERIFY(answers());
  }

  void itLooksAsItShould_data() {
    QTest::addColumn<ThemeKind>("theme");
    QTest::newRow("two-models-dark") << ThemeKind::kDark;
    QTest::newRow("two-models-light") << ThemeKind::kLight;
  }
  void itLooksAsItShould() {
    const QString pictures = qEnvironmentVariable("WAFERPAIR_PICTURES");
    if (pictures.isEmpty()) QSKIP("WAFERPAIR_PICTURES names no folder");
    QFETCH(ThemeKind, theme);
    openWith({kProgram, fastFile()}, QSize(900, 600));
    Theme::instance().apply(theme);
    const QString name = pictures + '/' + QTest::currentDataTag();
    chooseDeep();
    press(Qt::Key_M, kOpenKeys);
    QTRY_COMPARE_WITH_TIMEOUT(hint(kDeepName), QString("deep, idle"), kModelMs);
    QVERIFY(window_->grab().save(name + "-list.png"));
    choose(kDeepName);
    QTRY_COMPARE(picker()->accessibleName(), "Work for " + kDeepName);
    QVERIFY(window_->grab().save(name + "-work.png"));
    QTest::keyClick(window_->findChild<QLineEdit*>("pickerInput"), Qt::Key_Escape);
    QVERIFY(answers());
    QTest::mouseClick(window_->findChild<QToolButton*>("modelStatus"), Qt::LeftButton);
    auto* details = waitFor<QFrame>("runtimeDetails");
    QVERIFY(details);
    QVERIFY(details->grab().save(name + "-details.png"));
    details->close();
    press(Qt::Key_L, kOpenKeys);
    QTRY_COMPARE_WITH_TIMEOUT(status()->text(), "pair: " + kDeepName + " (idle)", kModelMs);
    killWhileItLoads();
    QTRY_VERIFY_WITH_TIMEOUT(noticed("ended while it loaded deep.gguf"), kModelMs);
    QTRY_COMPARE_WITH_TIMEOUT(runtime_->state(), State::kReady, kModelMs);
    QVERIFY(window_->grab().save(name + "-failed.png"));
  }

 private:
  QString fastFile() const { return models_.filePath("small.gguf"); }
  QString deepFile() const { return models_.filePath("large.gguf"); }
  // A new file with an adapter of one matrix of a model.
  QString adapterOf(const QString& model, const QString& name) const {
    const auto file = gguf::File::open(model.toStdString());
    const auto only = [](std::string_view tensor) { return tensor == "blk.0.attn_v.weight"; };
    const QString path = profile_->filePath(name);
    const auto written = test::makeTinyAdapter(*file, {.changes = only}).write(path.toStdString());
    return written ? path : QString();
  }
  // The name that waferd tells of it, or why it cannot be used.
  QString nameOf(const QString& file) const {
    const HostedModel* model = runtime_->hosted()->find(file);
    if (!model) return {};
    return model->problem.what.isEmpty() ? model->name : model->problem.message();
  }

  void chooseDeep() {
    press(Qt::Key_M, kOpenKeys);
    QTRY_VERIFY_WITH_TIMEOUT(row(kDeepName).contains("follows instructions"), kModelMs);
    choose(kDeepName);
    QTRY_COMPARE(picker()->accessibleName(), "Work for " + kDeepName);
    choose("Deep");
    QTRY_VERIFY_WITH_TIMEOUT(roster()->inRole(Role::kDeep), kModelMs);
  }

  void killWhileItLoads() {
    bool isKilled = false;
    QObject scope;  // of the connection
    connect(runtime_->hosted(), &HostedModels::changed, &scope, [&] {
      const HostedModel* deep = runtime_->hosted()->find(file_);
      if (isKilled || !deep || deep->state != ModelState::kLoading) return;
      isKilled = true;
      ::kill(static_cast<pid_t>(runtime_->processId()), SIGKILL);
    });
    press(Qt::Key_L, kOpenKeys);
    QTRY_VERIFY_WITH_TIMEOUT(isKilled, kModelMs);
  }

  // Types into a new text, and returns what it holds.
  QByteArray typeText() {
    press(Qt::Key_N, Qt::ControlModifier);
    const auto* editor = window_->findChild<editor::CodeEditor*>();
    QTest::keyClicks(QApplication::focusWidget(), "not lost");
    return editor->text();
  }

  // Whether the deep model answers a question as Ask would put it.
  bool answers() {
    const auto choice = roster()->choose(pairing::Work::kPlan);
    if (!choice.endpoint) return false;
    pairing::ModelRequest question = pairing::ModelRequest::of({}, "int ");
    question.mostOutputTokens = 4;
    const auto reply = choice.endpoint->send(*pairing::ShownRequest::of(question));
    return QTest::qWaitFor([&] { return reply->isOver(); }, kModelMs) && reply->usage().output == 4;
  }

  QTemporaryDir models_;
  QString file_;
};

QTEST_MAIN(TestTwoModels)
#include "test_two_models.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The project's other files in the real window: tabs, the setting, the details. A scripted server
// hears what the model would.
#include <QCheckBox>
#include <QLabel>
#include <QtTest>

#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/model/runtime_details.h"
#include "gui/model/runtime_status.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/main_window.h"
#include "gui/shell/settings_dialog.h"
#include "gui/store/app_paths.h"
#include "gui/store/settings.h"
#include "tests/gui/client/scripted_server.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

namespace {

constexpr int kPaceMs = 20'000;  // the feed takes seconds between two choices, on purpose

}  // namespace

class TestProjectFeedWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    useProfile(profile_.path());
  }
  void init() {
    QFile::remove(AppPaths::forUser().config + "/settings.json");
    project_ = std::make_unique<QTemporaryDir>();
    for (const char* name : {"one.cpp", "two.cpp", ".env"}) {
      QFile file(project_->filePath(name));
      QVERIFY(file.open(QFile::WriteOnly) && file.write(QByteArray(100, 'x')) > 0);
    }
    server_ = std::make_unique<ScriptedServer>();
    runtime_ =
        std::make_unique<RuntimeService>(RuntimeCommand{server_->program(), "/models/m.gguf"});
    window_ = std::make_unique<MainWindow>(AppPaths::forUser(), runtime_.get());
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    window_->start({project_->path()});
    QTRY_COMPARE_WITH_TIMEOUT(open(), (QStringList{"one.cpp", "two.cpp"}), kPaceMs);
  }
  void cleanup() {
    window_.reset();
    runtime_.reset();
    server_.reset();
  }

  void aTabTakesItsFileAndGivesItBack() {
    EditorTabs* tabs = window_->parts().tabs;
    Document* document = tabs->openFile(project_->filePath("one.cpp"));
    QVERIFY(document);
    document->setFocus();
    QTest::keyClicks(document->editor()->viewport(), "typed ");
    QTRY_VERIFY(text("one.cpp").startsWith("typed x"));
    QCOMPARE(open(), (QStringList{"one.cpp", "two.cpp"}));
    tabs->close(document);
    QTRY_COMPARE(open(), QStringList{"two.cpp"});
    QTRY_COMPARE_WITH_TIMEOUT(open(), (QStringList{"one.cpp", "two.cpp"}), kPaceMs);
    QVERIFY(text("one.cpp").startsWith("xxx"));  // as it is on disk
  }

  void openingTheSameFolderAgainKeepsSuggestions() {
    const QString path = project_->filePath("one.cpp");
    QVERIFY(window_->parts().tabs->openFile(path));
    QVERIFY(runtime_->documents()->inEditors().contains(path));
    window_->parts().folders->open(project_->path());
    QVERIFY(window_->parts().tabs->documentAt(path));
    test::dealWithEvents();  // what was closed is deleted
    QVERIFY(runtime_->documents()->inEditors().contains(path));
    QCOMPARE(runtime_->silenceReason(path), QString());
  }

  void theSettingIsReachedByKeysAndHolds() {
    window_->parts().commands->action("app.settings")->trigger();
    auto* dialog = window_->findChild<SettingsDialog*>();
    QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
    auto* box = dialog->findChild<QCheckBox*>("setting.editor/projectFiles");
    QVERIFY(box && box->isChecked());
    QVERIFY(!box->accessibleName().isEmpty());
    QVERIFY(box->accessibleDescription().contains("this computer"));
    QTest::keyClicks(dialog->focusWidget(), "other files learn");
    QTest::keyClick(dialog->focusWidget(), Qt::Key_Down);
    QCOMPARE(dialog->focusWidget(), box);
    QTest::keyClick(box, Qt::Key_Space);
    QTRY_VERIFY(open().isEmpty());
    QVERIFY(details().contains("off"));
    QVERIFY(!Settings(AppPaths::forUser()).get().projectFiles);
    QTest::keyClick(box, Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(open(), (QStringList{"one.cpp", "two.cpp"}), kPaceMs);
  }

  void theDetailsSayHowManyAreKnown() {
    QTRY_COMPARE(details(), QString("2 files, 1 KiB"));
    window_->parts().tabs->openFile(project_->filePath("two.cpp"));
    QCOMPARE(details(), QString("1 file, 1 KiB"));
  }

 private:
  // The names of the project's files that the server has open, sorted. None may be opened twice.
  QStringList open() const {
    QStringList names;
    for (const QJsonObject& message : server_->messages()) {
      const QString name = QFileInfo(message["uri"].toString()).fileName();
      if (message["type"] == "document.open") {
        if (names.contains(name)) return {"opened twice: " + name};
        names.append(name);
      } else if (message["type"] == "document.close" && !names.removeOne(name)) {
        return {"closed, not open: " + name};
      }
    }
    names.sort();
    return names;
  }
  QByteArray text(const QString& name) const {
    const QString root = QFileInfo(project_->path()).canonicalFilePath();
    return ScriptedServer::documentAfter(server_->messages(), root + u'/' + name);
  }
  // Returns what the pop-up of the status bar says about them.
  QString details() {
    window_->parts().runtimeStatus->showDetails();
    auto* details = window_->findChild<RuntimeDetails*>();
    const QString text = details->findChild<QLabel*>("runtimeProjectFiles")->text();
    delete details;
    return text;
  }

  QTemporaryDir profile_;
  std::unique_ptr<QTemporaryDir> project_;
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeService> runtime_;
  std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(TestProjectFeedWindow)
#include "test_project_feed_window.moc"

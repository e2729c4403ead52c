// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/shell/window_fixture.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/theme.h"
#include "gui/store/folder_trust.h"
#include "tests/support/paths.h"

namespace waferpair::gui {

WindowFixture::WindowFixture() {
  // The trash, too, must not be the user's.
  useProfile(profile_.filePath(QStringLiteral("xdg")));
  // Nor may a terminal read the files of the user's shell: what they start takes its time, and may
  // be killed in the middle of it, with locks left behind ("pyenv rehash" then waits a minute for
  // one in each shell that comes after). A test that wants another shell gives it a home.
  qputenv("SHELL", "/bin/sh");
  Theme::instance().apply(ThemeKind::kDark);
  QDir().mkpath(config());
  QFile settings(config() + QStringLiteral("/settings.json"));
  if (settings.open(QIODevice::WriteOnly))
    settings.write(R"({"editor/languageServers": false, "spelling/check": false})");
  trust(project());
}

void WindowFixture::trust(const QString& folder) const {
  const QString wrong = FolderTrust(trustFile()).trust(folder);
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void WindowFixture::trustNothing() const { QVERIFY(QFile::remove(trustFile())); }

void WindowFixture::useInstalledLanguageServers() const {
  QVERIFY(QFile::remove(config() + QStringLiteral("/settings.json")));
}

void WindowFixture::useSettings(const QByteArray& json) const {
  QFile settings(config() + QStringLiteral("/settings.json"));
  QVERIFY(settings.open(QIODevice::WriteOnly | QIODevice::Truncate));
  settings.write(json);
}

void WindowFixture::useScriptedLanguageServer(const QString& how) const {
  useInstalledLanguageServers();
  const QString script = QString::fromStdString(test::sourceDir()) +
                         QStringLiteral("/tests/workbench/language/scripted_server.py");
  const QJsonObject server{{"id", "scripted"},
                           {"languages", QJsonObject{{"C++", "cpp"}}},
                           {"programs", QJsonArray{"python3"}},
                           {"arguments", QJsonArray{script, how}}};
  QFile list(config() + QStringLiteral("/language-servers.json"));
  QVERIFY(list.open(QIODevice::WriteOnly));
  list.write(QJsonDocument(QJsonObject{{"servers", QJsonArray{server}}}).toJson());
}

void WindowFixture::write(const QString& relative, const QByteArray& bytes) const {
  QDir().mkpath(QFileInfo(path(relative)).absolutePath());
  QFile file(path(relative));
  QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(file.errorString()));
  QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray WindowFixture::read(const QString& relative) const {
  QFile file(path(relative));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no such file)");
}

namespace {

// Clicks the button of this name as soon as it is there.
class Answerer : public QObject {
 public:
  Answerer(BannerStack* notices, QString button) : QObject(notices), button_(std::move(button)) {
    notices->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::ChildAdded)
      QMetaObject::invokeMethod(
          this,
          [this, watched] {
            auto* button = watched->findChild<QAbstractButton*>(button_);
            if (button && button->isVisibleTo(static_cast<QWidget*>(watched))) button->click();
          },
          Qt::QueuedConnection);
    return false;
  }

 private:
  QString button_;
};

}  // namespace

void WindowFixture::open(const QStringList& targets) {
  window_ = std::make_unique<MainWindow>(AppPaths{config(), state()}, nullptr);
  if (!answer_.isEmpty()) new Answerer(parts().notices, answer_);
  window_->show();
  window_->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(window_.get()));
  window_->start(targets);
}

bool WindowFixture::close() {
  window_->close();
  return QTest::qWaitFor([this] { return !window_->isVisible(); }, 200);
}

Document* WindowFixture::openFile(const QString& relative) {
  Document* opened = parts().tabs->openFile(path(relative));
  if (opened) opened->setFocus();
  return opened;
}

// Returns the widget that gets the keys: the focus may be on its way back from a dialog that has
// just closed.
static QWidget* keyTarget() {
  (void)QTest::qWaitFor([] { return QApplication::focusWidget() != nullptr; }, 500);
  QWidget* focus = QApplication::focusWidget();
  return focus ? focus : QApplication::activeWindow();
}

void WindowFixture::type(const QString& text) {
  for (const QChar each : text) {
    if (each == u'\n') {
      key(Qt::Key_Return);
    } else {
      QTest::keyClicks(keyTarget(), QString(each));
    }
  }
}

void WindowFixture::key(Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QTest::keyClick(keyTarget(), key, modifiers);
}

static QAbstractButton* visibleButton(const char* name) {
  const QWidgetList windows = QApplication::topLevelWidgets();
  for (QWidget* window : windows) {
    const auto buttons = window->findChildren<QAbstractButton*>(QLatin1String(name));
    for (QAbstractButton* button : buttons) {
      if (button->isVisible() && button->isEnabled()) return button;
    }
  }
  return nullptr;
}

bool WindowFixture::click(const char* name) {
  if (!QTest::qWaitFor([name] { return visibleButton(name) != nullptr; })) return false;
  QTest::mouseClick(visibleButton(name), Qt::LeftButton);
  return true;
}

void WindowFixture::trigger(MainWindow& window, const char* command) {
  QAction* action = window.parts().commands->action(QLatin1String(command));
  QVERIFY(action && action->isEnabled());
  action->trigger();
}

}  // namespace waferpair::gui

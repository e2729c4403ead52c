// SPDX-License-Identifier: GPL-3.0-or-later
// The real window with a scripted waferd and a profile of its own, and its lists of models worked
// by keys and mouse.
#pragma once

#include <QApplication>
#include <QDirIterator>
#include <QLineEdit>
#include <QListView>
#include <QLoggingCategory>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <memory>

#include "gui/client/runtime_service.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/model/model_picker.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "tests/gui/client/scripted_server.h"
#include "tests/pairing/scripted_endpoint.h"

namespace waferpair::gui {

constexpr Qt::KeyboardModifiers kOpenKeys =
    Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier;

class ModelWindow {
 public:
  void begin() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    profile_ = std::make_unique<QTemporaryDir>();
    useProfile(profile_->filePath("xdg"));
    qputenv("HOME", profile_->path().toUtf8());
    // No secret store: what is entered holds until the end.
    qunsetenv("DBUS_SESSION_BUS_ADDRESS");
    qputenv("XDG_RUNTIME_DIR", profile_->path().toUtf8());
    server_ = std::make_unique<test::ScriptedServer>();
    endpoint_ = std::make_unique<pairing::ScriptedEndpoint>();
  }
  void end() {
    window_.reset();
    runtime_.reset();
  }

  void open(QSize size = QSize(1200, 800)) {
    openWith({server_->program(), "/models/m.gguf"}, size);
  }
  void openWith(const RuntimeCommand& command, QSize size = QSize(1200, 800)) {
    runtime_ = std::make_unique<RuntimeService>(command);
    window_ = std::make_unique<MainWindow>(AppPaths::forUser(), runtime_.get());
    window_->parts().modelPicker->setPlaces({{pairing::LocalServers::Kind::kOllama, "Ollama",
                                              static_cast<quint16>(endpoint_->base().port())}});
    window_->resize(size);
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    window_->start({});
    QTRY_COMPARE_WITH_TIMEOUT(runtime_->state(), RuntimeService::State::kReady, 60'000);
  }

  pairing::ModelRoster* roster() { return window_->parts().roster; }
  Picker* picker() { return window_->parts().picker; }
  QToolButton* status() { return window_->findChild<QToolButton*>("pairingStatus"); }
  QAbstractItemModel* rows() { return window_->findChild<QListView*>("pickerList")->model(); }
  // The whole of the row whose title this is; empty if there is none.
  QString row(const QString& title) {
    for (int i = 0; i < rows()->rowCount(); ++i) {
      const QString text = rows()->index(i, 0).data().toString();
      if (text.endsWith(title)) return text;
    }
    return {};
  }
  QString hint(const QString& title) {
    for (int i = 0; i < rows()->rowCount(); ++i) {
      const QModelIndex index = rows()->index(i, 0);
      if (index.data().toString().endsWith(title))
        return index.data(PickerModel::kHintRole).toString();
    }
    return {};
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : window_.get(), key, modifiers);
  }
  // Goes down to the row with this title and takes it.
  void choose(const QString& title) {
    auto* input = window_->findChild<QLineEdit*>("pickerInput");
    const auto* list = window_->findChild<QListView*>("pickerList");
    QTRY_VERIFY(input->isVisible());
    QTRY_VERIFY2(!row(title).isEmpty(), qPrintable(title));
    for (int i = 0; i < rows()->rowCount(); ++i) {
      const QModelIndex at = list->currentIndex();
      const QString text = at.data().toString();
      if (text.mid(at.data(PickerModel::kTitleStartRole).toInt()) == title) break;
      QTest::keyClick(input, Qt::Key_Down);
    }
    QTest::keyClick(input, Qt::Key_Return);
  }
  template <typename T>
  static T* shown(const char* name) {
    for (QWidget* widget : QApplication::topLevelWidgets()) {
      auto* found = qobject_cast<T*>(widget);
      if (found && found->isVisible() && found->objectName() == QLatin1String(name)) return found;
    }
    return nullptr;
  }
  template <typename T>
  static T* waitFor(const char* name) {
    (void)QTest::qWaitFor([name] { return shown<T>(name) != nullptr; });
    return shown<T>(name);
  }
  bool noticed(const QString& text) {
    for (const Banner* banner : window_->parts().notices->findChildren<Banner*>()) {
      if (banner->text().contains(text)) return true;
    }
    return false;
  }
  // All that the program has written.
  QByteArray keptText() const {
    QByteArray all;
    QDirIterator files(profile_->filePath("xdg"), QDir::Files | QDir::Hidden,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
      QFile file(files.next());
      if (file.open(QFile::ReadOnly)) all += file.readAll();
    }
    return all;
  }

 protected:
  std::unique_ptr<QTemporaryDir> profile_;
  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<pairing::ScriptedEndpoint> endpoint_;
  std::unique_ptr<RuntimeService> runtime_;
  std::unique_ptr<MainWindow> window_;  // goes first
};

}  // namespace waferpair::gui

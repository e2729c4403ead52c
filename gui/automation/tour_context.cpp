// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/tour_context.h"

#include <time.h>
#include <unistd.h>

#include <QAbstractItemView>
#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QMainWindow>
#include <QPixmap>
#include <QTreeView>

#include "editor/assist/suggestion_controller.h"
#include "editor/text/save_file.h"
#include "editor/widget/code_editor.h"
#include "gui/client/runtime_service.h"
#include "wafer_view/wafer_view.h"

namespace waferpair::gui {
namespace {

// Since the kernel started this process, with all that came before main(). Linux tells it in clock
// ticks (10 ms).
std::optional<double> processAgeMs() {
  QFile file(QStringLiteral("/proc/self/stat"));
  if (!file.open(QFile::ReadOnly)) return std::nullopt;
  const QByteArray stat = file.readAll();
  // The program's name, in parentheses, may hold blanks: count fields after it.
  const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
  constexpr qsizetype kStartTime = 19;  // field 22 of proc(5)
  timespec now;
  if (fields.size() <= kStartTime || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0)
    return std::nullopt;
  const double started =
      fields[kStartTime].toDouble() / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 - started) * 1e3;
}

template <typename T>
T* visibleChild(QWidget* window) {
  if (!window) return nullptr;
  for (T* child : window->findChildren<T*>())
    if (child->isVisible()) return child;
  return nullptr;
}

}  // namespace

TourContext::TourContext(QMainWindow* window, RuntimeService* runtime, TourOptions options)
    : window_(window), runtime_(runtime), options_(std::move(options)) {
  window_->installEventFilter(this);
  if (!runtime_) return;
  connect(runtime_, &RuntimeService::telemetryLayout, this,
          [this](const protocol::WaferLayout& layout) {
            regions.clear();
            for (const protocol::RegionLayout& region : layout.regions)
              regions.append(QString::fromStdString(region.name));
          });
  connect(runtime_, &RuntimeService::telemetryFrame, this,
          [this](const protocol::TelemetryFrame& frame) { decoded += frame.intervalDecoded; });
}

bool TourContext::eventFilter(QObject* watched, QEvent* event) {
  if (watched == window_ && event->type() == QEvent::Paint) {
    window_->removeEventFilter(this);
    // This comes behind this paint in the queue, when the picture is out.
    QMetaObject::invokeMethod(
        this, [this] { figures.windowUpMs = processAgeMs(); }, Qt::QueuedConnection);
  }
  return QObject::eventFilter(watched, event);
}

editor::CodeEditor* TourContext::editor() const {
  return visibleChild<editor::CodeEditor>(window_);
}

editor::SuggestionController* TourContext::suggestions() const {
  // Each editor has one controller, which is its child or stands beside it under the same parent.
  for (QObject* holder = editor(); holder; holder = holder->parent())
    if (auto* found = holder->findChild<editor::SuggestionController*>()) return found;
  return nullptr;
}

QAbstractItemView* TourContext::fileTree() const { return visibleChild<QTreeView>(window_); }

view::WaferView* TourContext::wafer() const { return visibleChild<view::WaferView>(window_); }

bool TourContext::screenshot(const QString& name) {
  if (!window_) return false;
  QString file = name.toLower();
  for (QChar& c : file)
    if (!c.isLetterOrNumber()) c = u'-';
  file = QStringLiteral("%1-%2.png").arg(++pictures_, 2, 10, QLatin1Char('0')).arg(file);
  QBuffer picture;
  if (!picture.open(QIODevice::WriteOnly) || !window_->grab().save(&picture, "PNG") ||
      !editor::saveFile(QDir(options_.directory).filePath(file), picture.data())) {
    return false;
  }
  figures.screenshots.append(file);
  return true;
}

}  // namespace waferpair::gui

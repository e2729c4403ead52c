// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/stack_view.h"

#include <QKeyEvent>
#include <QStandardItemModel>
#include <chrono>
#include <utility>

#include "gui/debug/debug_runner.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {

using workbench::DebugSession;
using workbench::StackFrame;

namespace {

constexpr std::chrono::milliseconds kStackDelay(20);
enum StackRole { kThreadRole = Qt::UserRole, kFrameRole };  // frame -1: the thread; -2: more
constexpr int kThreadRow = -1, kMoreRow = -2;

QStandardItem* rowOf(const QString& text, qint64 thread, int frame) {
  auto* item = new QStandardItem(text);
  item->setEditable(false);
  item->setData(thread, kThreadRole);
  item->setData(frame, kFrameRole);
  return item;
}

QString placeOf(const StackFrame& frame) {
  const QString file = frame.path.isEmpty() ? frame.shown : frame.path.section(u'/', -1);
  return file.isEmpty() ? QString() : QStringLiteral("%1:%2").arg(file).arg(frame.line + 1);
}

}  // namespace

StackView::StackView(DebugRunner* runner, QWidget* parent)
    : QTreeView(parent), runner_(runner), model_(new QStandardItemModel(this)) {
  setObjectName(QStringLiteral("debugStack"));
  setAccessibleName(tr("Threads and calls"));
  setModel(model_);
  setHeaderHidden(true);
  setUniformRowHeights(true);
  setIndentation(14);
  soon_.setSingleShot(true);
  soon_.setInterval(kStackDelay);
  connect(&soon_, &QTimer::timeout, this, &StackView::rebuild);
  connect(runner_, &DebugRunner::sessionChanged, this, [this] {
    DebugSession* session = runner_->session();
    for (const auto changed :
         {&DebugSession::threadsChanged, &DebugSession::frameChanged, &DebugSession::stateChanged})
      connect(session, changed, &soon_, qOverload<>(&QTimer::start));
    rebuild();
  });
  connect(this, &QTreeView::clicked, this,
          [this](const QModelIndex& index) { choose(index, false); });
  connect(this, &QTreeView::activated, this,
          [this](const QModelIndex& index) { choose(index, true); });
  connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) {
    if (isBuilding_ || index.data(kFrameRole).toInt() != kThreadRow || !runner_->session()) return;
    runner_->session()->fetchFrames(index.data(kThreadRole).toLongLong());
  });
}

void StackView::choose(const QModelIndex& index, bool enters) {
  DebugSession* session = runner_->session();
  if (!session || !index.isValid()) return;
  const qint64 thread = index.data(kThreadRole).toLongLong();
  const int frame = index.data(kFrameRole).toInt();
  if (frame == kMoreRow) return session->fetchFrames(thread);
  session->select(thread, frame == kThreadRow ? 0 : frame);
  if (enters && frame >= 0) Q_EMIT entered();
}

void StackView::keyPressEvent(QKeyEvent* event) {
  // The row under the keyboard is the frame that is looked at.
  const QModelIndex before = currentIndex();
  QTreeView::keyPressEvent(event);
  if (currentIndex() != before && currentIndex().data(kFrameRole).toInt() >= 0)
    choose(currentIndex(), false);
}

void StackView::rebuild() {
  const DebugSession* session = runner_->session();
  isBuilding_ = true;
  model_->clear();
  QModelIndex current;
  if (session && !session->isOver()) {
    const QColor faint = Theme::instance().colors().muted;
    const bool isOne = session->threads().size() == 1;
    for (const DebugSession::ThreadState& state : session->threads()) {
      QString name =
          state.thread.name.isEmpty() ? tr("Thread %1").arg(state.thread.id) : state.thread.name;
      const QString how = !state.isStopped ? tr("runs") : state.reason;
      if (!how.isEmpty()) name += QStringLiteral(" — ") + how;
      QStandardItem* thread = rowOf(name, state.thread.id, kThreadRow);
      thread->setForeground(faint);
      model_->appendRow(thread);
      for (qsizetype i = 0; i < state.frames.size(); ++i) {
        const StackFrame& frame = state.frames[i];
        const QString place = placeOf(frame);
        const QString text =
            place.isEmpty() ? frame.name : frame.name + QStringLiteral("   ") + place;
        QStandardItem* row = rowOf(text, state.thread.id, static_cast<int>(i));
        row->setToolTip(frame.path.isEmpty() ? text : frame.name + u'\n' + frame.path);
        if (frame.path.isEmpty() || frame.isSubtle) row->setForeground(faint);
        thread->appendRow(row);
        if (state.thread.id == session->currentThread() && i == session->currentFrameIndex())
          current = row->index();
      }
      if (state.hasMore) thread->appendRow(rowOf(tr("More calls…"), state.thread.id, kMoreRow));
      // What is in it is asked for when it is opened.
      if (state.isStopped && !state.isAsked)
        thread->appendRow(rowOf(tr("Asking…"), state.thread.id, kMoreRow));
      if (!state.frames.isEmpty() && (isOne || state.thread.id == session->currentThread()))
        expand(thread->index());
    }
  }
  if (current.isValid()) {
    setCurrentIndex(current);
    scrollTo(current);
  }
  isBuilding_ = false;
}

}  // namespace waferpair::gui

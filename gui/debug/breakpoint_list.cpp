// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/breakpoint_list.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QStandardItemModel>
#include <chrono>

#include "gui/debug/debug_runner.h"
#include "gui/kit/theme.h"
#include "gui/project/workspace.h"

namespace waferpair::gui {

using workbench::Breakpoint;
using workbench::Breakpoints;
using workbench::DebugSession;

namespace {

constexpr std::chrono::milliseconds kListDelay(30);
enum BreakpointRole { kIdRole = Qt::UserRole, kFilterRole };

}  // namespace

QString wordsOf(const Breakpoint& one) {
  QStringList words{BreakpointList::tr("line %1").arg(one.line + 1)};
  if (!one.condition.isEmpty()) words.append(BreakpointList::tr("if %1").arg(one.condition));
  if (!one.hits.isEmpty()) words.append(BreakpointList::tr("hits %1").arg(one.hits));
  if (!one.log.isEmpty()) words.append(BreakpointList::tr("logs “%1”").arg(one.log));
  return words.join(QStringLiteral(", "));
}

BreakpointList::BreakpointList(DebugRunner* runner, QWidget* parent)
    : QTreeView(parent), runner_(runner), model_(new QStandardItemModel(this)) {
  setObjectName(QStringLiteral("debugBreakpoints"));
  setAccessibleName(tr("Breakpoints"));
  setModel(model_);
  setHeaderHidden(true);
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  soon_.setSingleShot(true);
  soon_.setInterval(kListDelay);
  connect(&soon_, &QTimer::timeout, this, &BreakpointList::rebuild);
  for (const auto changed : {&Breakpoints::fileChanged, &Breakpoints::moved})
    connect(runner_->breakpoints(), changed, &soon_, qOverload<>(&QTimer::start));
  connect(runner_, &DebugRunner::stateChanged, &soon_, qOverload<>(&QTimer::start));
  connect(runner_, &DebugRunner::sessionChanged, this, [this] {
    const DebugSession* session = runner_->session();
    connect(session, &DebugSession::boundChanged, &soon_, qOverload<>(&QTimer::start));
    connect(session, &DebugSession::abilitiesChanged, &soon_, qOverload<>(&QTimer::start));
  });
  connect(model_, &QStandardItemModel::itemChanged, this, &BreakpointList::take);
  connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
    if (const Breakpoint* one = at(index)) Q_EMIT goToWanted(*one);
  });
  rebuild();
}

const Breakpoint* BreakpointList::at(const QModelIndex& index) const {
  return runner_->breakpoints()->withId(index.data(kIdRole).toLongLong());
}

void BreakpointList::rebuild() {
  isBuilding_ = true;
  const int row = currentIndex().row();
  model_->clear();
  const DebugSession* session = runner_->session();
  const bool isLive = session && !session->isOver();
  const QColor faint = Theme::instance().colors().muted;
  const auto add = [this](const QString& text, bool isOn) {
    auto* item = new QStandardItem(text);
    item->setEditable(false);
    item->setCheckable(true);
    item->setCheckState(isOn ? Qt::Checked : Qt::Unchecked);
    model_->appendRow(item);
    return item;
  };
  if (isLive) {
    const QStringList on = session->exceptionsOn();
    for (const workbench::ExceptionFilter& filter : session->exceptionFilters()) {
      QStandardItem* item = add(tr("Exceptions: %1").arg(filter.label), on.contains(filter.id));
      item->setData(filter.id, kFilterRole);
    }
  }
  for (const Breakpoint& one : runner_->breakpoints()->all()) {
    const QString folder = runner_->placeFor({}).folder + u'/';
    const QString path = one.path.startsWith(folder) ? one.path.mid(folder.size()) : one.path;
    QString text = path + QStringLiteral(" — ") + wordsOf(one);
    const auto bound = isLive ? session->bound(one.id) : std::nullopt;
    if (bound && !bound->message.isEmpty()) text += QStringLiteral(" (") + bound->message + u')';
    if (bound && !bound->isVerified && bound->message.isEmpty())
      text += QStringLiteral(" (") + tr("the program has no code there yet") + u')';
    QStandardItem* item = add(text, one.isOn);
    item->setData(one.id, kIdRole);
    item->setToolTip(text);
    if (!one.isOn || (bound && !bound->isVerified)) item->setForeground(faint);
  }
  if (row >= 0) setCurrentIndex(model_->index(std::min(row, model_->rowCount() - 1), 0));
  isBuilding_ = false;
}

// A box was checked or unchecked.
void BreakpointList::take(QStandardItem* item) {
  if (isBuilding_) return;
  const bool isOn = item->checkState() == Qt::Checked;
  if (const QString filter = item->data(kFilterRole).toString(); !filter.isEmpty()) {
    if (!runner_->session()) return;
    QStringList on = runner_->session()->exceptionsOn();
    on.removeAll(filter);
    if (isOn) on.append(filter);
    return runner_->setExceptions(on);
  }
  const Breakpoint* there = runner_->breakpoints()->withId(item->data(kIdRole).toLongLong());
  if (!there) return;
  Breakpoint now = *there;
  now.isOn = isOn;
  runner_->breakpoints()->put(now);
}

// F2 is the window's, too.
bool BreakpointList::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_F2) {
    event->accept();
    return true;
  }
  return QTreeView::event(event);
}

void BreakpointList::keyPressEvent(QKeyEvent* event) {
  const Breakpoint* one = at(currentIndex());
  if (one && event->key() == Qt::Key_Delete) return runner_->breakpoints()->remove(one->id);
  if (one && event->key() == Qt::Key_F2) {
    Q_EMIT editWanted(*one);
    return;
  }
  QTreeView::keyPressEvent(event);
}

void BreakpointList::contextMenuEvent(QContextMenuEvent* event) {
  const Breakpoint* there = at(currentIndex());
  if (!there) return;
  const Breakpoint one = *there;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("&Go to It"), this, [this, one] { Q_EMIT goToWanted(one); });
  menu->addAction(tr("&Edit…"), this, [this, one] { Q_EMIT editWanted(one); });
  menu->addAction(tr("&Remove"), this, [this, one] { runner_->breakpoints()->remove(one.id); });
  menu->popup(event->globalPos());
}

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/breadcrumbs.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <algorithm>
#include <chrono>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/quoted.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/elided.h"
#include "gui/kit/picker.h"
#include "gui/kit/preference_toggle.h"
#include "gui/project/folder_names.h"
#include "gui/project/folder_rows.h"
#include "gui/store/settings.h"
#include "gui/translate.h"
#include "workbench/language/document_outlines.h"

namespace waferpair::gui {
namespace {

using workbench::OutlineSymbol;

constexpr std::chrono::milliseconds kSoon(30);
constexpr qsizetype kFoldersOutside = 2;  // that are named of a file outside of the project
constexpr qsizetype kMostNeighbors = 5'000;

}  // namespace

Breadcrumbs::Breadcrumbs(Document* document, const BreadcrumbParts& parts)
    : QFrame(document), document_(document), parts_(parts), row_(new QHBoxLayout(this)) {
  setObjectName(QStringLiteral("breadcrumbs"));
  setAccessibleName(tr("Where the text is"));
  row_->setContentsMargins(8, 1, 8, 1);
  row_->setSpacing(0);
  row_->addStretch(1);
  document->setBar(this);
  soon_.setSingleShot(true);
  soon_.setInterval(kSoon);
  connect(&soon_, &QTimer::timeout, this, &Breadcrumbs::refresh);
  const auto soon = [this] {
    if (!soon_.isActive()) soon_.start();
  };
  connect(document->editor(), &editor::CodeEditor::cursorMoved, this, soon);
  connect(document, &Document::titleChanged, this, soon);
  connect(parts_.settings, &Settings::changed, this, soon);
  connect(parts_.outlines, &workbench::DocumentOutlines::outlineChanged, this,
          [this, soon](const QString& id) {
            if (id == document_->id()) soon();
          });
  refresh();
}

Breadcrumbs* Breadcrumbs::of(const Document* document) {
  return document ? document->findChild<Breadcrumbs*>(QString(), Qt::FindDirectChildrenOnly)
                  : nullptr;
}

QStringList Breadcrumbs::texts() const {
  QStringList all;
  for (const Crumb& crumb : crumbs_) all += crumb.text;
  return all;
}

QList<Breadcrumbs::Crumb> Breadcrumbs::crumbsNow() const {
  QList<Crumb> crumbs;
  const QString path = document_->path();
  const QString folder = parts_.folderOf(path);
  const bool isInside = !folder.isEmpty() && path.startsWith(folder + u'/');
  const QStringList names = path.split(u'/', Qt::SkipEmptyParts);
  const qsizetype first = isInside ? folder.split(u'/', Qt::SkipEmptyParts).size()
                                   : std::max<qsizetype>(0, names.size() - 1 - kFoldersOutside);
  // Of several folders each is named.
  if (const QStringList folders = parts_.folders(); isInside && folders.size() > 1)
    crumbs.append(
        {editor::shownPath(folderLabels(folders).value(folders.indexOf(folder))), folder});
  for (qsizetype i = first; i < names.size(); ++i)
    crumbs.append({editor::shownPath(names[i]), u'/' + names.mid(0, i + 1).join(u'/')});
  const auto& symbols = parts_.outlines->symbols(document_->id());
  for (const int index : parts_.outlines->pathAt(document_->id(), document_->editor()->caret()))
    if (index >= 0 && index < symbols.size()) crumbs.append({symbols[index].name, {}, index});
  return crumbs;
}

void Breadcrumbs::refresh() {
  const bool isWanted = parts_.settings->get().breadcrumbs && !document_->path().isEmpty();
  setVisible(isWanted);
  if (!isWanted) return;
  const QList<Crumb> now = crumbsNow();
  if (now == crumbs_) return;
  crumbs_ = now;
  while (buttons_.size() < crumbs_.size()) {
    const qsizetype at = buttons_.size();
    if (at > 0) {
      auto* between = new QLabel(QStringLiteral("›"), this);
      between->setProperty("role", "muted");
      row_->insertWidget(row_->count() - 1, between);
    }
    auto* button = new ElidedButton(this);
    button->setObjectName(QStringLiteral("breadcrumb%1").arg(at));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->installEventFilter(this);
    button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    row_->insertWidget(row_->count() - 1, button);
    connect(button, &QToolButton::clicked, this, [this, at] { listNeighbors(at); });
    buttons_.append(button);
  }
  for (qsizetype i = 0; i < buttons_.size(); ++i) {
    const bool isUsed = i < crumbs_.size();
    buttons_[i]->setVisible(isUsed);
    // What stands before it.
    if (i > 0) row_->itemAt(static_cast<int>(2 * i - 1))->widget()->setVisible(isUsed);
    if (!isUsed) continue;
    const Crumb& crumb = crumbs_[i];
    buttons_[i]->setText(crumb.text);
    buttons_[i]->setToolTip(crumb.symbol < 0 ? editor::describedPath(crumb.path) : crumb.text);
    buttons_[i]->setAccessibleName(tr("%1, lists its neighbors").arg(crumb.text));
  }
}

void Breadcrumbs::enter() {
  refresh();
  if (isVisible() && !crumbs_.isEmpty()) buttons_[crumbs_.size() - 1]->setFocus(Qt::TabFocusReason);
}

// A button has uses of its own for the arrows.
bool Breadcrumbs::eventFilter(QObject* watched, QEvent* event) {
  const qsizetype at = buttons_.indexOf(qobject_cast<ElidedButton*>(watched));
  if (at < 0 || event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  const auto go = [this](qsizetype to) {
    if (to >= 0 && to < crumbs_.size()) buttons_[to]->setFocus(Qt::TabFocusReason);
    return true;
  };
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Left:
      return go(at - 1);
    case Qt::Key_Right:
      return go(at + 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Down:
      listNeighbors(at);
      return true;
    case Qt::Key_Escape:
      document_->setFocus();
      return true;
    default:
      return QFrame::eventFilter(watched, event);
  }
}

// -- Neighbors

void Breadcrumbs::listNeighbors(qsizetype crumb) {
  if (crumb >= crumbs_.size()) return;
  const Crumb at = crumbs_[crumb];
  if (at.symbol >= 0) return listSymbols(at.symbol);
  // What lies around an open folder is none of the project's.
  if (parts_.folders().contains(at.path)) return listFolder(at.path, {});
  listFolder(QFileInfo(at.path).path(), at.path);
}

void Breadcrumbs::listFolder(const QString& folder, const QString& current) {
  QList<PickerItem> items;
  FolderRules rules(folder);
  for (const FolderRow& entry :
       readFolderRows(folder, {.ignored = true}, &rules).mid(0, kMostNeighbors)) {
    const QString path = QDir(folder).filePath(entry.name);
    PickerItem item;
    item.text = editor::shownPath(entry.isFolder ? entry.name + u'/' : entry.name);
    if (path == current) item.hint = tr("here");
    item.data = path;
    items.append(item);
  }
  parts_.picker->open(tr("In %1").arg(editor::shownPath(QFileInfo(folder).fileName())),
                      tr("Type a part of a name; a folder is gone into"), items,
                      [self = QPointer(this)](const QVariant& data) {
                        if (!self) return;
                        const QString path = data.toString();
                        if (editor::isFolderAt(path)) {
                          self->listFolder(path, {});
                        } else {
                          self->parts_.tabs->open(path);
                        }
                      });
}

void Breadcrumbs::listSymbols(int symbol) {
  const auto& symbols = parts_.outlines->symbols(document_->id());
  if (symbol >= symbols.size()) return;
  QList<PickerItem> items;
  for (qsizetype i = 0; i < symbols.size(); ++i) {
    if (symbols[i].parent != symbols[symbol].parent) continue;
    PickerItem item;
    item.text = symbols[i].name;
    item.hint = i == symbol ? tr("here") : symbols[i].kind;
    item.data = symbols[i].place.start;
    items.append(item);
  }
  parts_.picker->open(tr("Symbols beside %1").arg(symbols[symbol].name),
                      tr("Type a part of a name"), items,
                      [self = QPointer(this)](const QVariant& offset) {
                        if (self) self->goTo(offset.toLongLong());
                      });
}

void Breadcrumbs::goTo(qint64 offset) {
  editor::CodeEditor* editor = document_->editor();
  const qint64 at = std::min(offset, editor->length());
  editor->goToLine(editor->lineAt(at));
  editor->setSelection(at, at);
  document_->setFocus();
}

void addBreadcrumbCommands(CommandRegistry& commands, const BreadcrumbParts& parts) {
  QObject::connect(parts.tabs, &EditorTabs::opened, parts.tabs,
                   [parts](Document* document) { new Breadcrumbs(document, parts); });
  commands.add({.id = "go.breadcrumbs",
                .category = tr("Go"),
                .text = tr("Breadcrum&bs"),
                .help = tr("Give the keyboard to the folders, file and symbols over the text."),
                .keys = {chord(Qt::Key_B)},
                .when = Context::kDocumentOpen,
                .places = {{"go", 3}},
                .run = [tabs = parts.tabs] {
                  if (Breadcrumbs* bar = Breadcrumbs::of(tabs->current())) bar->enter();
                }});
  addPreferenceToggle(commands, parts.settings,
                      {.id = "view.breadcrumbs",
                       .category = tr("View"),
                       .text = tr("Bread&crumbs"),
                       .help = tr("Show folder, file and symbols over the text."),
                       .places = {{"view", 4}}},
                      &Preferences::breadcrumbs);
}

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/editor_tabs.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/assist/suggestion_controller.h"
#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/quoted.h"
#include "gui/documents/attention.h"
#include "gui/documents/drop_mark.h"
#include "gui/documents/file_bookmarks.h"
#include "gui/documents/file_openings.h"
#include "gui/documents/find_bar.h"
#include "gui/documents/pane.h"
#include "gui/documents/pane_tree.h"
#include "gui/documents/places.h"
#include "gui/documents/recent_popup.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostClosed = 30;

QString canonical(const QString& path) {
  const QString real = editor::realPath(path);
  return real.isEmpty() ? QDir::cleanPath(QFileInfo(path).absoluteFilePath()) : real;
}

}  // namespace

EditorTabs::EditorTabs(const DocumentServices& services, QWidget* parent)
    : QWidget(parent),
      services_(services),
      findBar_(new FindBar(this)),
      tree_(new PaneTree([this](Pane* pane) { watch(pane); }, this)),
      dropMark_(new DropMark(this)),
      bookmarks_(new FileBookmarks(this)),
      places_(new Places(this)),
      openings_(new FileOpenings(this)),
      recent_(new RecentPopup(this)) {
  setObjectName(QStringLiteral("editorTabs"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(tree_);
  findBar_->hide();
  active_ = tree_->panes().first();
  active_->setFindBar(findBar_);
  active_->showActive(true);
  connect(tree_, &PaneTree::changed, this, &EditorTabs::moved);
  connect(recent_, &RecentPopup::chosen, this, [this](int row) {
    if (row >= history_.size()) return;
    setCurrent(history_[row]);
    endStepBack();
    if (current()) current()->setFocus();
  });
  connect(qApp, &QApplication::focusChanged, this,
          [this](const QWidget*, QWidget* now) { followFocus(now); });
}

EditorTabs::~EditorTabs() {
  // Tabs are not closed one by one through close(): nobody is to be told any more. Second views go
  // before the documents.
  qApp->disconnect(this);
  disconnect(tree_, nullptr, this, nullptr);
  findBar_->attach(nullptr);
  findBar_->setParent(this);
  for (Pane* pane : tree_->panes()) {
    pane->disconnect(this);
    for (Document* document : pane->documents()) {
      if (pane->page(document) != document) delete pane->take(document);
    }
  }
  // While this is whole: whoever hears of a text's end may ask which documents are left.
  for (Pane* pane : tree_->panes())
    for (Document* document : pane->documents()) delete pane->take(document);
}

Document* EditorTabs::current() const { return active_ ? active_->current() : nullptr; }

QList<Document*> EditorTabs::documents() const {
  QList<Document*> all;
  for (const Pane* pane : tree_->panes()) {
    for (Document* document : pane->documents())
      if (!all.contains(document)) all.append(document);
  }
  return all;
}

QList<Document*> EditorTabs::modifiedDocuments() const {
  QList<Document*> modified = documents();
  modified.removeIf([](const Document* document) { return !document->isModified(); });
  return modified;
}

Document* EditorTabs::documentAt(const QString& path) const {
  const QString wanted = canonical(path);
  for (Document* document : documents()) {
    if (!document->path().isEmpty() && canonical(document->path()) == wanted) return document;
  }
  return nullptr;
}

Document* EditorTabs::openFile(const QString& path, bool takeFocus) {
  return show(path, takeFocus, nullptr);
}

void EditorTabs::open(const QString& path, const OpenWish& wish) {
  const auto tell = [then = wish.then](Document* document) {
    if (then) then(document);
  };
  if (wish.isPreview) ++previewsWanted_;
  if (documentAt(path) || !FileOpenings::isLarge(path))
    return tell(wish.isPreview ? previewFile(path) : openFile(path, wish.takesFocus));
  const auto done = [this, path, wish, tell, number = previewsWanted_,
                     attention = Attention(this)](const FileOpenings::Prepared* prepared) {
    if (wish.isPreview && number != previewsWanted_) return tell(nullptr);
    if (prepared && !*prepared) {
      Q_EMIT problem(prepared->error().message());
      return tell(nullptr);
    }
    // Another program may have written it since.
    const editor::PreparedText* text =
        prepared && (*prepared)->file.looksUnchanged() ? &**prepared : nullptr;
    const bool isSame = attention.isOnSameText();
    if (wish.isPreview) return tell(isSame ? showPreview(path, text) : nullptr);
    Document* now = current();
    Document* document = show(path, wish.takesFocus && attention.isKept(), text);
    if (document && now && !isSame) setCurrent(now);
    tell(document);
  };
  openings_->prepare(QFileInfo(path).absoluteFilePath(), done);
}

void EditorTabs::readBeforehand(const QStringList& paths, const std::function<void()>& then) {
  QStringList closed;
  for (const QString& path : paths)
    if (!documentAt(path)) closed.append(QFileInfo(path).absoluteFilePath());
  openings_->prepareAll(closed, then);
}

bool EditorTabs::isOpening() const { return openings_->isUnderWay(); }

Document* EditorTabs::show(const QString& path, bool takesFocus,
                           const editor::PreparedText* prepared) {
  if (Document* open = documentAt(path)) {
    if (open == preview_) keepPreview();
    setCurrent(open);
    if (takesFocus) open->setFocus();
    return open;
  }
  if (!prepared) prepared = openings_->ready(QFileInfo(path).absoluteFilePath());
  auto* document = new Document(services_, QFileInfo(path).fileName(), this);
  if (prepared) {
    document->open(*prepared);
  } else if (const auto done = document->open(path); !done) {
    delete document;
    Q_EMIT problem(done.error().message());
    return nullptr;
  }
  // An untouched empty text was only there for want of anything better.
  Document* before = current();
  addDocument(document);
  if (before && before->isPristine() && !before->isModified()) close(before);
  if (takesFocus) document->setFocus();
  return document;
}

Document* EditorTabs::previewFile(const QString& path) { return showPreview(path, nullptr); }

Document* EditorTabs::showPreview(const QString& path, const editor::PreparedText* prepared) {
  if (Document* open = documentAt(path)) {
    setCurrent(open);
    return open;
  }
  if (!services_.settings->get().previewTabs) return show(path, false, prepared);
  const QPointer<Document> before = preview_;
  Document* document = show(path, false, prepared);
  if (!document) return nullptr;
  preview_ = document;
  const auto keep = [this, document] {
    if (preview_ == document) keepPreview();
  };
  connect(document->editor(), &editor::CodeEditor::edited, this, keep);
  connect(document, &Document::written, this, keep);
  if (before && active_->has(before) && !before->isModified()) close(before);
  describeAll();
  return document;
}

void EditorTabs::keepPreview() {
  preview_.clear();
  describeAll();
}

QString EditorTabs::freeName(const QString& title) {
  const QList<Document*> all = documents();
  const auto taken = [&all](const QString& name) {
    return std::any_of(all.begin(), all.end(),
                       [&name](const Document* document) { return document->title() == name; });
  };
  QString name = title;
  for (int number = 2; !title.isEmpty() && taken(name); ++number) {
    name = tr("%1 (%2)").arg(title).arg(number);
  }
  while (name.isEmpty() || taken(name)) name = tr("Untitled %1").arg(++untitled_);
  return name;
}

Document* EditorTabs::openPrepared(const editor::PreparedText& prepared, const QString& title) {
  const QString& path = prepared.file.path();
  Q_ASSERT(path.isEmpty() || !documentAt(path));
  if (!path.isEmpty()) return show(path, false, &prepared);
  auto* document = new Document(services_, freeName(title), this);
  document->open(prepared);
  return addDocument(document);
}

Document* EditorTabs::newDocument(const QString& title) {
  auto* document = new Document(services_, freeName(title), this);
  document->tellOpen();
  return addDocument(document);
}

Document* EditorTabs::addDocument(Document* document) {
  connect(document, &Document::titleChanged, this, &EditorTabs::describeAll);
  connect(document, &Document::closeWanted, this,
          [this, document] { Q_EMIT closeRequested(document); });
  // Esc closes one layer at a time; after the editor's own comes the bar.
  connect(document->editor(), &editor::CodeEditor::escapePressed, findBar_, [this, document] {
    if (!document->closeOneLayer() && findBar_->isVisible()) findBar_->close();
  });
  Q_EMIT opened(document);
  active_->add(document, document);
  active_->setCurrent(document);
  describeAll();
  showCurrent();
  return document;
}

void EditorTabs::setCurrent(Document* document) {
  Pane* pane = active_->has(document) ? active_ : homeOf(document);
  if (!pane) return;
  if (pane == active_ && document == current()) return;
  pane->setCurrent(document);
  if (pane == active_) {
    showCurrent();
  } else {
    activate(pane);
  }
}

void EditorTabs::showCurrent() {
  Document* document = current();
  if (document) {
    bring(document, active_);
    if (stepping_ == 0) {
      history_.removeOne(document);
      history_.prepend(document);
    }
  }
  findBar_->attach(document);
  Q_EMIT currentChanged(document);
}

void EditorTabs::close(Document* document) {
  if (!homeOf(document)) return;
  if (!document->path().isEmpty()) {
    closed_.prepend({document->path(), document->editor()->viewState()});
    if (closed_.size() > kMostClosed) closed_.removeLast();
  }
  letGo(document);
}

void EditorTabs::letGo(Document* document) {
  if (document == preview_) preview_.clear();
  const bool wasCurrent = document == current();
  endStepBack();
  history_.removeOne(document);
  Q_EMIT closed(document);
  {
    const QScopedValueRollback arranging(arranging_, true);
    for (Pane* pane : tree_->panes()) {
      if (pane->has(document) && pane->page(document) != document) dropTab(document, pane);
    }
    Pane* home = homeOf(document);
    home->take(document, lastUsedIn(home));
    document->setParent(this);
    // The click or key that closes it may come from inside it. Nobody is told of it from now on:
    // the same file may be opened again before it is gone.
    document->tellClosed();
    document->hide();
    document->deleteLater();
    for (Pane* pane : tree_->panes()) closePaneIfEmpty(pane);
  }
  if (wasCurrent) showCurrent();
  describeAll();
  if (wasCurrent && current()) current()->setFocus();
}

void EditorTabs::reopenClosed() {
  while (!closed_.isEmpty()) {
    const Closed last = closed_.takeFirst();
    if (documentAt(last.path)) continue;
    return open(last.path, {.then = [view = last.view](Document* document) {
                  if (document) document->editor()->setViewState(view);
                }});
  }
}

void EditorTabs::step(int direction) {
  if (!current()) return;
  active_->step(direction);
  current()->setFocus();
}

void EditorTabs::stepBack(int direction) {
  const int count = static_cast<int>(history_.size());
  if (count < 2) return;
  const int back = (stepping_ + direction + count) % count;
  // The history stays as it is until Ctrl is let go; 0 would read as "not stepping".
  if (stepping_ == 0) qApp->installEventFilter(this);
  stepping_ = back == 0 ? count : back;
  setCurrent(history_[back]);
  current()->setFocus();
  // By a menu or the palette there is no key that would be let go.
  if (QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier))
    recent_->showAt(history_, back);
}

void EditorTabs::endStepBack() {
  if (stepping_ == 0) return;
  stepping_ = 0;
  recent_->hide();
  qApp->removeEventFilter(this);
  if (Document* document = current()) {
    history_.removeOne(document);
    history_.prepend(document);
  }
}

bool EditorTabs::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease:
      if (auto* view = qobject_cast<editor::CodeEditor*>(watched->parent());
          view && view->isMirror() && watched == view->viewport())
        return pressView(view, static_cast<QMouseEvent*>(event));
      break;
    case QEvent::Move:
      if (const auto* text = qobject_cast<editor::CodeEditor*>(watched)) textMoved(text);
      break;
    default:
      break;
  }
  if (event->type() == QEvent::KeyRelease &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Control) {
    endStepBack();
  }
  // Nobody tells of a key that is let go in another program.
  if (event->type() == QEvent::WindowDeactivate && watched == window()) endStepBack();
  return QWidget::eventFilter(watched, event);
}

void EditorTabs::pathRenamed(const QString& from, const QString& to) {
  for (Document* document : documents()) {
    const QString path = document->path();
    if (path == from) {
      document->moveTo(to);
    } else if (path.startsWith(from + u'/')) {
      document->moveTo(to + path.mid(from.size()));
    }
  }
}

// All tabs at once: whether a name needs its folder beside it depends on the others.
void EditorTabs::describeAll() {
  QHash<QString, int> uses;
  for (const Document* document : documents()) ++uses[document->title()];
  for (Pane* pane : tree_->panes()) {
    for (const Document* document : pane->documents()) {
      QString text = document->title();
      if (uses[text] > 1 && !document->path().isEmpty()) {
        text +=
            QStringLiteral(" · ") + editor::shownPath(QFileInfo(document->path()).dir().dirName());
      }
      const QString tip =
          document->path().isEmpty() ? document->title() : editor::describedPath(document->path());
      pane->describe(document, text, tip);
    }
    pane->setItalic(preview_);
  }
}

QString EditorTabs::busyWith() const {
  return isOpening() ? QStringLiteral("opening a file") : QString();
}

}  // namespace waferpair::gui

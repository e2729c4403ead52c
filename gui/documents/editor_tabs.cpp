// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/editor_tabs.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QKeyEvent>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/assist/suggestion_controller.h"
#include "gui/documents/file_bookmarks.h"
#include "gui/documents/find_bar.h"
#include "gui/documents/places.h"
#include "gui/kit/tab_bar.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostClosed = 30;

QString canonical(const QString& path) {
  const QString real = QFileInfo(path).canonicalFilePath();
  return real.isEmpty() ? QDir::cleanPath(QFileInfo(path).absoluteFilePath()) : real;
}

}  // namespace

EditorTabs::EditorTabs(const DocumentServices& services, QWidget* parent)
    : QWidget(parent),
      services_(services),
      bar_(new TabBar(this)),
      findBar_(new FindBar(this)),
      stack_(new QStackedWidget(this)),
      bookmarks_(new FileBookmarks(this)),
      places_(new Places(this)) {
  setObjectName(QStringLiteral("editorTabs"));
  stack_->setObjectName(QStringLiteral("editorStack"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar_);
  layout->addWidget(findBar_);
  layout->addWidget(stack_, 1);
  findBar_->hide();

  connect(bar_, &QTabBar::currentChanged, this, &EditorTabs::showTab);
  connect(bar_, &QTabBar::tabMoved, this, &EditorTabs::moved);
  // Said when the button goes down, before the tab is the current one.
  connect(
      bar_, &QTabBar::tabBarClicked, this,
      [this] {
        if (Document* document = current()) document->setFocus();
      },
      Qt::QueuedConnection);
  connect(bar_, &QTabBar::tabCloseRequested, this,
          [this](int index) { Q_EMIT closeRequested(at(index)); });
  connect(bar_, &TabBar::menuWanted, this,
          [this](int index, const QPoint& global) { Q_EMIT tabMenuRequested(at(index), global); });
}

EditorTabs::~EditorTabs() {
  // Tabs are not closed one by one through close(): nobody is to be told any more.
  disconnect(bar_, nullptr, this, nullptr);
  findBar_->attach(nullptr);
}

// The tab carries its document; the stack's order is of no consequence.
Document* EditorTabs::at(int index) const {
  return index < 0 ? nullptr : bar_->tabData(index).value<Document*>();
}

int EditorTabs::indexOf(const Document* document) const {
  for (int i = 0; i < bar_->count(); ++i) {
    if (at(i) == document) return i;
  }
  return -1;
}

Document* EditorTabs::current() const { return at(bar_->currentIndex()); }

QList<Document*> EditorTabs::documents() const {
  QList<Document*> all;
  for (int i = 0; i < bar_->count(); ++i) all.append(at(i));
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
  if (Document* open = documentAt(path)) {
    setCurrent(open);
    if (takeFocus) open->setFocus();
    return open;
  }
  auto* document = new Document(services_, QFileInfo(path).fileName(), this);
  if (const auto done = document->open(path); !done) {
    delete document;
    Q_EMIT problem(done.error().message());
    return nullptr;
  }
  // An untouched empty text was only there for want of anything better.
  Document* before = current();
  addDocument(document);
  if (before && before->isPristine() && !before->isModified()) close(before);
  if (takeFocus) document->setFocus();
  return document;
}

Document* EditorTabs::newDocument(const QString& title) {
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
  auto* document = new Document(services_, name, this);
  document->tellOpen();
  return addDocument(document);
}

Document* EditorTabs::addDocument(Document* document) {
  stack_->addWidget(document);
  connect(document, &Document::titleChanged, this, &EditorTabs::describeAll);
  connect(document, &Document::closeWanted, this,
          [this, document] { Q_EMIT closeRequested(document); });
  // Esc closes one layer at a time; after the editor's own comes the bar.
  connect(document->editor(), &editor::CodeEditor::escapePressed, findBar_, [this, document] {
    if (!document->closeOneLayer() && findBar_->isVisible()) findBar_->close();
  });
  Q_EMIT opened(document);
  int index = 0;
  {
    const QSignalBlocker quiet(bar_);  // until the tab knows its document
    index = bar_->insertTab(bar_->currentIndex() + 1, QString());
    bar_->setTabData(index, QVariant::fromValue(document));
  }
  describeAll();
  bar_->setCurrentIndex(index);
  showTab(index);
  return document;
}

void EditorTabs::setCurrent(Document* document) {
  const int index = indexOf(document);
  if (index >= 0) bar_->setCurrentIndex(index);
}

void EditorTabs::showTab(int index) {
  Document* document = at(index);
  if (document) {
    stack_->setCurrentWidget(document);
    if (stepping_ == 0) {
      history_.removeOne(document);
      history_.prepend(document);
    }
  }
  findBar_->attach(document);
  Q_EMIT currentChanged(document);
}

void EditorTabs::close(Document* document) {
  const int index = indexOf(document);
  if (index < 0) return;
  if (!document->path().isEmpty()) {
    closed_.prepend({document->path(), document->editor()->viewState()});
    if (closed_.size() > kMostClosed) closed_.removeLast();
  }
  const bool wasCurrent = document == current();
  endStepBack();
  history_.removeOne(document);
  Document* next = history_.isEmpty() ? nullptr : history_.first();
  Q_EMIT closed(document);
  {
    const QSignalBlocker quiet(bar_);
    bar_->removeTab(index);
    if (wasCurrent && next) bar_->setCurrentIndex(indexOf(next));
  }
  stack_->removeWidget(document);
  if (wasCurrent) showTab(bar_->currentIndex());
  // The click or key that closes it may come from inside it. Nobody is told of it from now on: the
  // same file may be opened again before it is gone.
  document->tellClosed();
  document->hide();
  document->deleteLater();
  describeAll();
  if (wasCurrent && next) next->setFocus();
}

Document* EditorTabs::reopenClosed() {
  while (!closed_.isEmpty()) {
    const Closed last = closed_.takeFirst();
    if (documentAt(last.path)) continue;
    Document* document = openFile(last.path);
    if (document) document->editor()->setViewState(last.view);
    return document;
  }
  return nullptr;
}

void EditorTabs::step(int direction) {
  const int count = bar_->count();
  if (count == 0) return;
  bar_->setCurrentIndex((bar_->currentIndex() + direction + count) % count);
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
}

void EditorTabs::endStepBack() {
  if (stepping_ == 0) return;
  stepping_ = 0;
  qApp->removeEventFilter(this);
  if (Document* document = current()) {
    history_.removeOne(document);
    history_.prepend(document);
  }
}

bool EditorTabs::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyRelease &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Control) {
    endStepBack();
  }
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
  for (int i = 0; i < bar_->count(); ++i) {
    const Document* document = at(i);
    QString text = document->title();
    if (uses[text] > 1 && !document->path().isEmpty()) {
      text += QStringLiteral(" · ") + QFileInfo(document->path()).dir().dirName();
    }
    const QString tip =
        document->path().isEmpty() ? document->title() : QDir::toNativeSeparators(document->path());
    bar_->describeTab(i, text, tip, document->isModified());
  }
}

}  // namespace waferpair::gui

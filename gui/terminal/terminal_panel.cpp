// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_panel.h"

#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/kit/banner.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/kit/start_gate.h"
#include "gui/kit/tab_bar.h"
#include "gui/store/resource_paths.h"
#include "gui/store/settings.h"
#include "gui/terminal/terminal_find_bar.h"
#include "gui/terminal/terminal_outputs.h"
#include "gui/terminal/terminal_prompt.h"
#include "gui/terminal/terminal_view.h"
#include "gui/terminal/terminal_words.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {

using workbench::ShellProfile;
using workbench::TerminalSession;

namespace {

constexpr int kMostTitleShown = 32;             // characters of a tab
constexpr qsizetype kMostPasteShown = 100'000;  // characters of a question; more is counted

void showDockOf(QWidget* panel) {
  for (QWidget* each = panel->parentWidget(); each; each = each->parentWidget()) {
    auto* dock = qobject_cast<QDockWidget*>(each);
    if (!dock) continue;
    dock->show();
    dock->raise();
  }
}

}  // namespace

TerminalPanel::TerminalPanel(Parts parts, QWidget* parent)
    : QWidget(parent),
      parts_(std::move(parts)),
      memory_(parts_.stateDirectory + QStringLiteral("/terminals.json")),
      bar_(new TabBar(this)),
      stack_(new QStackedWidget(this)),
      findBar_(new TerminalFindBar(this)),
      words_(new TerminalWords({parts_.roster, parts_.gate,
                                parts_.stateDirectory + QStringLiteral("/terminal-words.json")},
                               this)),
      questions_(new BannerStack(this)) {
  setObjectName(QStringLiteral("terminalPanel"));
  setAccessibleName(tr("Terminal"));
  bar_->setObjectName(QStringLiteral("terminalTabs"));
  bar_->setAccessibleName(tr("Terminals"));
  questions_->setObjectName(QStringLiteral("terminalQuestions"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar_);
  column->addWidget(questions_);
  column->addWidget(stack_, 1);
  column->addWidget(words_);
  column->addWidget(findBar_);
  words_->setCodeFont(parts_.settings->editorFont());
  stack_->setMinimumHeight(60);
  bar_->hide();
  connect(bar_, &QTabBar::currentChanged, this, [this](int index) {
    if (QSplitter* shown = page(index)) stack_->setCurrentWidget(shown);
    // Who works in the text is not to type into what comes to the front here.
    if (current() && stack_->isAncestorOf(QApplication::focusWidget()))
      current()->setFocus(Qt::TabFocusReason);
    Q_EMIT currentChanged();
  });
  connect(bar_, &QTabBar::tabBarClicked, this, [this](int index) {
    if (index < 0) return;
    bar_->setCurrentIndex(index);
    if (current()) current()->setFocus(Qt::MouseFocusReason);
  });
  connect(bar_, &QTabBar::tabCloseRequested, this, [this](int index) {
    QSplitter* closed = page(index);
    for (int i = closed ? closed->count() - 1 : -1; i >= 0; --i)
      close(qobject_cast<TerminalView*>(closed->widget(i)));
  });
  connect(bar_, &QTabBar::tabBarDoubleClicked, this, [this] { rename(); });
  findBar_->find = [this](const QString& text, bool isCaseSensitive, int direction) {
    return current() && current()->find(text, isCaseSensitive, direction);
  };
  connect(findBar_, &TerminalFindBar::closed, this, [this] {
    if (!current()) return;
    current()->endFind();
    current()->setFocus(Qt::OtherFocusReason);
  });
  connect(parts_.settings, &Settings::changed, this, &TerminalPanel::applySettings);
  // What was asked for one terminal is not put into another.
  connect(this, &TerminalPanel::currentChanged, words_, [this] {
    if (words_->terminal() && words_->terminal() != current()) words_->dismiss();
  });
}

// What ends with the panel has nobody to tell.
TerminalPanel::~TerminalPanel() {
  bar_->disconnect(this);
  for (TerminalView* view : views()) view->disconnect(this);
}

QSplitter* TerminalPanel::page(int index) const {
  return index < 0 ? nullptr : bar_->tabData(index).value<QSplitter*>();
}

int TerminalPanel::indexOf(const QSplitter* page) const {
  for (int i = 0; i < bar_->count(); ++i)
    if (this->page(i) == page) return i;
  return -1;
}

TerminalView* TerminalPanel::current() const {
  const QSplitter* front = page(bar_->currentIndex());
  if (!front || front->count() == 0) return nullptr;
  if (last_ && front->isAncestorOf(last_)) return last_;
  return qobject_cast<TerminalView*>(front->widget(0));
}

QVector<TerminalView*> TerminalPanel::views() const {
  QVector<TerminalView*> all;
  for (int i = 0; i < bar_->count(); ++i)
    for (int j = 0; j < page(i)->count(); ++j)
      if (auto* view = qobject_cast<TerminalView*>(page(i)->widget(j))) all.append(view);
  return all;
}

// -- Opening

TerminalView* TerminalPanel::make(const QString& folder, const QString& profile) {
  const Preferences& preferences = parts_.settings->get();
  const QVector<ShellProfile> profiles =
      workbench::shellProfiles(preferences.terminalShell, preferences.terminalProfiles);
  const auto named = std::find_if(profiles.begin(), profiles.end(),
                                  [&](const ShellProfile& each) { return each.name == profile; });
  return makeFor(named == profiles.end() ? profiles.constFirst() : *named, folder);
}

TerminalView* TerminalPanel::makeFor(const ShellProfile& profile, const QString& folder) {
  const Preferences& preferences = parts_.settings->get();
  auto* session =
      new TerminalSession(profile, folder.isEmpty() ? place() : folder,
                          resourcePath(QStringLiteral("shell")), preferences.terminalScrollback);
  auto* view = new TerminalView(session, parts_.commands, this);
  view->setTerminalFont(parts_.settings->editorFont());
  view->setBell(preferences.terminalBell);
  view->setProject(folder_);
  connect(session, &TerminalSession::titleChanged, this, &TerminalPanel::showTitles);
  connect(session, &TerminalSession::runningChanged, this, &TerminalPanel::showTitles);
  connect(view, &TerminalView::focused, this, [this, view] {
    if (last_ == view) return;
    last_ = view;
    showTitles();
    Q_EMIT currentChanged();
  });
  connect(view, &TerminalView::pasteQuestion, this,
          [this, view](const QString& text) { askAboutPaste(view, text); });
  connect(view, &TerminalView::fileWanted, this, &TerminalPanel::fileWanted);
  connect(view, &TerminalView::addressWanted, this, &TerminalPanel::openAddress);
  connect(view, &TerminalView::menuWanted, this, &TerminalPanel::menuWanted);
  return view;
}

QSplitter* TerminalPanel::addPage(TerminalView* view) {
  auto* page = new QSplitter(Qt::Horizontal, stack_);
  page->setChildrenCollapsible(false);
  page->setHandleWidth(1);
  page->addWidget(view);
  stack_->addWidget(page);
  const QSignalBlocker quiet(bar_);  // until the tab knows its page
  const int index = bar_->addTab(QString());
  bar_->setTabData(index, QVariant::fromValue(page));
  bar_->setCurrentIndex(index);
  stack_->setCurrentWidget(page);
  return page;
}

bool TerminalPanel::mayOpenIn(const QString& folder) const {
  const QString in = folder.isEmpty() ? place() : folder;
  const auto holds = [&in](const QString& open) {
    return !open.isEmpty() && (in + u'/').startsWith(open + u'/');
  };
  const bool isProjects = holds(folder_) || std::any_of(folders_.cbegin(), folders_.cend(), holds);
  return !isProjects || parts_.gate->isTrusted(in);
}

void TerminalPanel::openWhenTrusted(const QString& folder, const QString& name,
                                    const std::function<void()>& go, const QString& profile) {
  if (mayOpenIn(folder)) return go();
  parts_.gate->start(
      {folder.isEmpty() ? place() : folder, programs::GivenStart::Kind::kTerminal, name, {}, {}},
      go,
      {.insteadName = QStringLiteral("terminalElsewhere"),
       .instead = tr("Open One in Your &Home"),
       .insteadRun = [this, profile] {
         showDockOf(this);
         openTrusted(QDir::homePath(), profile);
       }});
}

TerminalView* TerminalPanel::open(const QString& folder, const QString& profile) {
  if (mayOpenIn(folder)) return openTrusted(folder, profile);
  openWhenTrusted(
      folder, profile.isEmpty() ? tr("shell") : profile,
      [this, folder, profile] {
        showDockOf(this);
        openTrusted(folder, profile);
      },
      profile);
  if (bar_->count() == 0) Q_EMIT emptied();  // nothing is to be seen here
  return nullptr;
}

TerminalView* TerminalPanel::openTrusted(const QString& folder, const QString& profile) {
  isRestored_ = true;  // what the project had comes back no more
  TerminalView* view = make(folder, profile);
  addPage(view);
  startInFront(view);
  view->setFocus(Qt::OtherFocusReason);
  return view;
}

TerminalView* TerminalPanel::run(const ShellProfile& program, const QString& folder) {
  // What the project had would come when the panel is first seen, and then in front.
  if (!isRestored_) restore();
  const QVector<TerminalView*> before = views();
  TerminalView* view = makeFor(program, folder);
  const bool hadKeyboard = isAncestorOf(QApplication::focusWidget());
  addPage(view);
  startInFront(view);
  if (hadKeyboard) view->setFocus(Qt::OtherFocusReason);
  for (TerminalView* each : before) {
    const TerminalSession* session = each->session();
    const bool isSame = !session->profile().isShell && session->profile().name == program.name &&
                        session->folder() == folder;
    if (isSame && !session->isRunning()) remove(each);
  }
  return view;
}

void TerminalPanel::startInFront(TerminalView* view) {
  last_ = view;
  view->show();
  view->session()->start();
  showTitles();
  remember();
  Q_EMIT currentChanged();
}

TerminalView* TerminalPanel::split() {
  const TerminalView* beside = current();
  if (!beside) return open();
  if (!mayOpenIn(beside->session()->folder())) return open(beside->session()->folder());
  TerminalView* view = make(beside->session()->folder(), beside->session()->profile().name);
  QSplitter* front = page(bar_->currentIndex());
  front->addWidget(view);
  QList<int> equal;
  for (int i = 0; i < front->count(); ++i) equal.append(front->width() / front->count());
  front->setSizes(equal);
  startInFront(view);
  view->setFocus(Qt::OtherFocusReason);
  return view;
}

void TerminalPanel::enter() {
  if (!isRestored_) restore();
  if (!current()) {
    open();
    return;
  }
  current()->setFocus(Qt::ShortcutFocusReason);
}

void TerminalPanel::enterToType() {
  if (!isRestored_) restore();
  TerminalView* view = current();
  if (!view || !view->session()->isRunning()) view = lastRunning();
  if (!view) {
    open();
    return;
  }
  if (view != current()) bring(view);
  view->setFocus(Qt::ShortcutFocusReason);
}

// Null: in none does a program run.
TerminalView* TerminalPanel::lastRunning() const {
  const QVector<TerminalView*> all = views();
  for (auto each = all.crbegin(); each != all.crend(); ++each)
    if ((*each)->session()->isRunning()) return *each;
  return nullptr;
}

void TerminalPanel::bring(TerminalView* view) {
  last_ = view;
  bar_->setCurrentIndex(indexOf(qobject_cast<QSplitter*>(view->parentWidget())));
}

void TerminalPanel::chooseProfile() {
  const Preferences& preferences = parts_.settings->get();
  QList<PickerItem> items;
  for (const ShellProfile& profile :
       workbench::shellProfiles(preferences.terminalShell, preferences.terminalProfiles))
    items.append({.text = profile.name, .hint = profile.command.text(), .data = profile.name});
  parts_.picker->open(tr("Shells"), tr("New terminal with …"), items,
                      [this](const QVariant& name) { open({}, name.toString()); });
}

void TerminalPanel::restore() {
  if (!mayOpenIn({})) return;
  isRestored_ = true;
  if (bar_->count() > 0) return;
  for (const RememberedTerminal& each : memory_.load(folder_)) {
    if (!mayOpenIn(each.folder)) continue;
    TerminalView* view = make(each.folder, each.profile);
    view->session()->setName(each.name);
    QSplitter* front = page(bar_->currentIndex());
    if (each.isBeside && front) {
      front->addWidget(view);
    } else {
      addPage(view);
    }
    view->session()->start();
  }
  showTitles();
  Q_EMIT currentChanged();
}

void TerminalPanel::remember() const {
  // What was not looked at is as it was.
  if (!isRestored_) return;
  QVector<RememberedTerminal> terminals;
  for (int i = 0; i < bar_->count(); ++i) {
    bool isBeside = false;
    for (int j = 0; j < page(i)->count(); ++j) {
      const auto* view = qobject_cast<TerminalView*>(page(i)->widget(j));
      if (!view) continue;
      const TerminalSession* session = view->session();
      if (!session->profile().isShell) continue;  // it is not run again unasked
      terminals.append({session->profile().name, session->folder(), session->name(), isBeside});
      isBeside = true;
    }
  }
  memory_.save(folder_, terminals);
}

void TerminalPanel::setFolder(const QString& folder) {
  if (folder == folder_) return;
  remember();
  folder_ = folder;
  isRestored_ = bar_->count() > 0;
  words_->setProject(folder);
  for (TerminalView* view : views()) view->setProject(folder);
}

void TerminalPanel::setPlaces(const QStringList& folders, const QString& front) {
  folders_ = folders;
  place_ = front;
}

void TerminalPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  // Who shows it may be about to open one.
  QTimer::singleShot(0, this, &TerminalPanel::openIfShown);
}

void TerminalPanel::begin() {
  hasBegun_ = true;
  openIfShown();
}

void TerminalPanel::openIfShown() {
  if (!hasBegun_ || !isVisible() || isRestored_) return;
  const QPointer<QWidget> keyboard = window()->focusWidget();
  restore();
  if (!mayOpenIn({})) {
    parts_.gate->tellRestricted(place());
  } else if (!current()) {
    open();
  }
  if (keyboard) keyboard->setFocus(Qt::OtherFocusReason);
}

// -- Closing

void TerminalPanel::close(TerminalView* view) {
  if (!view) return;
  const QString program = view->session()->foreground();
  if (program.isEmpty()) return remove(view);
  const QPointer<TerminalView> asked = view;
  questions_
      ->show(QStringLiteral("terminalBusy"), Banner::Kind::kWarning,
             tr("%1 runs in this terminal. Closing ends it.").arg(program))
      .addButton(QStringLiteral("terminalEnd"), tr("&End It and Close"),
                 [this, asked] {
                   if (asked) remove(asked);
                 })
      .addButton(QStringLiteral("terminalKeep"), tr("&Keep It"), [asked] {
        if (asked) asked->setFocus(Qt::OtherFocusReason);
      });
}

void TerminalPanel::remove(TerminalView* view) {
  auto* page = qobject_cast<QSplitter*>(view->parentWidget());
  const bool hadKeyboard = isAncestorOf(QApplication::focusWidget());
  view->disconnect(this);
  view->session()->disconnect(this);
  view->session()->hangUp();
  view->hide();
  view->setParent(this);
  if (last_ == view) last_ = nullptr;
  // The shell has its moment to end in good order.
  constexpr int kMoment = 300;
  QTimer::singleShot(kMoment, view, &QObject::deleteLater);
  if (page && page->count() == 0) {
    bar_->removeTab(indexOf(page));
    stack_->removeWidget(page);
    page->deleteLater();
  }
  showTitles();
  remember();
  Q_EMIT currentChanged();
  if (bar_->count() == 0) {
    findBar_->hide();
    Q_EMIT emptied();
  } else if (hadKeyboard && current()) {
    current()->setFocus(Qt::OtherFocusReason);
  }
}

QStringList TerminalPanel::running() const {
  QStringList programs;
  for (const TerminalView* view : views()) {
    const QString program = view->session()->foreground();
    if (!program.isEmpty()) programs.append(program);
  }
  return programs;
}

void TerminalPanel::settle(const std::function<void(bool)>& done) {
  const QStringList programs = running();
  if (programs.isEmpty()) return done(true);
  if (isAsking_) return;
  isAsking_ = true;
  auto* box = new QMessageBox(
      QMessageBox::Warning, tr("Terminals"),
      tr("%n program(s) run in terminals: %1.", nullptr, static_cast<int>(programs.size()))
          .arg(programs.join(QStringLiteral(", "))),
      QMessageBox::NoButton, window());
  box->setObjectName(QStringLiteral("terminalsRun"));
  box->setInformativeText(tr("They end with the window."));
  box->setAttribute(Qt::WA_DeleteOnClose);
  QPushButton* end = box->addButton(tr("&End Them"), QMessageBox::AcceptRole);
  end->setObjectName(QStringLiteral("terminalsEnd"));
  QPushButton* stay = box->addButton(tr("&Stay"), QMessageBox::RejectRole);
  stay->setObjectName(QStringLiteral("terminalsStay"));
  box->setDefaultButton(stay);
  box->setEscapeButton(stay);
  connect(box, &QMessageBox::finished, this, [this, box, end, done] {
    isAsking_ = false;
    done(box->clickedButton() == end);
  });
  box->open();
}

// -- The rest

void TerminalPanel::step(int direction) {
  const QVector<TerminalView*> all = views();
  if (all.isEmpty()) return;
  const auto count = static_cast<int>(all.size());
  const auto index = static_cast<int>(all.indexOf(current()));
  TerminalView* next = all[(index + direction + count) % count];
  bring(next);
  next->setFocus(Qt::TabFocusReason);
}

void TerminalPanel::restart() {
  TerminalView* view = current();
  if (!view) return;
  const QString name = view->session()->profile().name;
  openWhenTrusted(
      view->session()->folder(), name,
      [view = QPointer(view)] {
        if (view) view->session()->start();
      },
      name);
}

void TerminalPanel::rename() {
  TerminalView* view = current();
  if (!view) return;
  const QString name = view->session()->title();
  parts_.prompt->open(
      tr("Name of the terminal; empty: as its program says"), name, name.size(),
      [](const QString&) { return QString(); },
      [view = QPointer<TerminalView>(view)](const QString& text) {
        if (view) view->session()->setName(text.trimmed());
      });
}

void TerminalPanel::find() {
  if (!current()) return;
  const QString selected = current()->selectedText();
  findBar_->open(selected.contains(u'\n') ? QString() : selected);
}

void TerminalPanel::askForCommand() {
  const QString notice = QStringLiteral("terminalNoPrompt");
  questions_->remove(notice);
  TerminalView* view = current();
  if (!view) return;
  const QString why = whyNoPrompt(*view->session());
  if (why.isEmpty()) return words_->open(view, terminalText(*this));
  questions_->show(notice, Banner::Kind::kInfo, why);
}

void TerminalPanel::applySettings() {
  const Preferences& preferences = parts_.settings->get();
  words_->setCodeFont(parts_.settings->editorFont());
  for (TerminalView* view : views()) {
    view->setTerminalFont(parts_.settings->editorFont());
    view->setBell(preferences.terminalBell);
    view->session()->screen().setScrollback(preferences.terminalScrollback);
  }
}

// A tab has the title of the terminal in front there, and tells of the others.
void TerminalPanel::showTitles() {
  for (int i = 0; i < bar_->count(); ++i) {
    QStringList titles;
    const QSplitter* splitter = page(i);
    for (int j = 0; j < splitter->count(); ++j)
      if (const auto* view = qobject_cast<TerminalView*>(splitter->widget(j)))
        titles.append(view->session()->title());
    QString title = titles.join(QStringLiteral(" | "));
    if (title.size() > kMostTitleShown) title = title.left(kMostTitleShown) + u'…';
    bar_->describeTab(i, title, titles.join(u'\n'), false);
  }
  // A single one needs no row of its own.
  bar_->setVisible(bar_->count() > 1);
}

void TerminalPanel::askAboutPaste(TerminalView* view, const QString& text) {
  const QString trimmed = text.trimmed();
  const auto lines = static_cast<int>(trimmed.count(u'\n')) + 1;
  const QString shown =
      trimmed.size() > kMostPasteShown
          ? trimmed.left(kMostPasteShown) + u'\n' +
                tr("… %1 more characters are not shown.").arg(trimmed.size() - kMostPasteShown)
          : trimmed;
  const QPointer<TerminalView> asked = view;
  const auto back = [asked] {
    if (asked) asked->setFocus(Qt::OtherFocusReason);
  };
  Banner& banner = questions_
                       ->show(QStringLiteral("terminalPaste"), Banner::Kind::kWarning,
                              tr("Paste %n line(s)? Each would be run at once:", nullptr, lines))
                       .showApproved(shown)
                       .addConsent(QStringLiteral("terminalPasteAll"), tr("&Paste"),
                                   [asked, text, back] {
                                     if (asked) asked->session()->paste(text);
                                     back();
                                   })
                       .addConsent(QStringLiteral("terminalPasteOne"), tr("As &One Line"),
                                   [asked, trimmed, back] {
                                     QString line = trimmed;
                                     line.replace(u'\n', u' ').remove(u'\r');
                                     if (asked) asked->session()->paste(line);
                                     back();
                                   })
                       .addButton(QStringLiteral("terminalPasteNo"), tr("&Cancel"), back);
  connect(&banner, &Banner::dismissed, view, back);
  if (auto* button = banner.findChild<QPushButton*>(QStringLiteral("terminalPasteNo")))
    button->setFocus(Qt::OtherFocusReason);
}

// Addresses come from programs: those that a browser shows are opened, and files here.
void TerminalPanel::openAddress(const QString& address) {
  const QUrl url(address, QUrl::StrictMode);
  if (url.isLocalFile()) {
    Q_EMIT fileWanted(url.toLocalFile(), 0, 0);
  } else if (url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https")) {
    QDesktopServices::openUrl(url);
  }
}

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/testing/test_book.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <chrono>

#include "gui/documents/editor_tabs.h"
#include "gui/project/file_index.h"
#include "gui/project/workspace.h"
#include "workbench/tasks/find_tasks.h"

namespace waferpair::gui {

using workbench::TestFile;
using workbench::TestId;
using workbench::TestItem;
using workbench::TestState;

namespace {

constexpr std::chrono::milliseconds kReadSoon(400);
constexpr std::chrono::milliseconds kTellSoon(60);

// What was configured last comes first.
QStringList buildsByTime(const QString& folder) {
  QStringList builds;
  for (const QString& build : workbench::cmakeBuildFolders(folder))
    builds.append(folder + u'/' + build);
  const auto changed = [](const QString& build) {
    return QFileInfo(build + QStringLiteral("/CMakeCache.txt")).lastModified();
  };
  std::stable_sort(builds.begin(), builds.end(),
                   [&](const QString& a, const QString& b) { return changed(a) > changed(b); });
  return builds;
}

}  // namespace

TestBook::TestBook(const TestParts& parts, QObject* parent)
    : QObject(parent), p_(parts), chosen_(parts.buildsFile) {
  thread_.setMaxThreadCount(1);
  thread_.setThreadPriority(QThread::LowPriority);
  soon_.setSingleShot(true);
  soon_.setInterval(kReadSoon);
  connect(&soon_, &QTimer::timeout, this, &TestBook::read);
  resultsSoon_.setSingleShot(true);
  resultsSoon_.setInterval(kTellSoon);
  connect(&resultsSoon_, &QTimer::timeout, this, &TestBook::resultsChanged);
  connect(parts.workspace, &Workspace::folderChanged, this, [this] {
    if (cancelled_) *cancelled_ = true;
    files_.clear();
    others_.clear();
    listed_.clear();
    builds_.clear();
    setup_ = {};
    then_.clear();
    results_.clear();
    isRead_ = isWanted_ = again_ = false;
    Q_EMIT filesChanged();
    Q_EMIT resultsChanged();
  });
  connect(parts.index, &FileIndex::changed, this, &TestBook::readAgain);
  connect(parts.tabs, &EditorTabs::opened, this, [this](Document* document) {
    connect(document, &Document::saved, this, &TestBook::readAgain);
  });
}

TestBook::~TestBook() {
  if (cancelled_) *cancelled_ = true;
  thread_.waitForDone();
}

QString TestBook::folder() const { return p_.workspace->folder(); }

void TestBook::whenRead(std::function<void()> then) {
  if (folder().isEmpty()) return;
  isWanted_ = true;
  if (isRead_) return then();
  then_.append(std::move(then));
  read();
}

void TestBook::readAgain() {
  if (isWanted_ && !soon_.isActive()) soon_.start();
}

void TestBook::read() {
  const QString folder = this->folder();
  // The first list of files comes a little later than the folder.
  if (folder.isEmpty() || !isWanted_ || (p_.index->isReading() && p_.index->files().isEmpty()))
    return;
  if (isReading_) {
    again_ = true;
    return;
  }
  isReading_ = true;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  // The thread ends before this object does.
  thread_.start([this, folder, files = p_.index->files(), cancelled = cancelled_] {
    const QVector<TestFile> found = scanner_.scan(folder, files, *cancelled);
    const QStringList builds = buildsByTime(folder);
    QMetaObject::invokeMethod(
        this, [this, folder, found, builds] { took(folder, found, builds); }, Qt::QueuedConnection);
  });
}

void TestBook::took(const QString& folder, const QVector<TestFile>& files,
                    const QStringList& builds) {
  isReading_ = false;
  if (folder != this->folder()) {
    // Another project has been opened meanwhile.
    if (isWanted_) read();
    return;
  }
  isRead_ = true;
  files_ = files;
  builds_ = builds;
  for (const QString& used : chosen_.entries()) {
    if (!builds_.contains(used)) continue;
    builds_.move(builds_.indexOf(used), 0);
    break;
  }
  setup_.folder = folder;
  if (setup_.build != builds_.value(0)) {
    setup_.build = builds_.value(0);
    setup_.entries.clear();
  }
  findOthers();
  Q_EMIT filesChanged();
  for (const auto& then : std::exchange(then_, {})) then();
  if (std::exchange(again_, false)) read();
}

void TestBook::useBuild(const QString& build) {
  chosen_.add(build);
  if (!builds_.contains(build)) return;
  builds_.move(builds_.indexOf(build), 0);
  setup_.build = build;
  setup_.entries.clear();
  others_.clear();
  Q_EMIT filesChanged();
}

void TestBook::setEntries(const QVector<workbench::CTestEntry>& entries) {
  if (setup_.entries == entries) return;
  setup_.entries = entries;
  findOthers();
  Q_EMIT filesChanged();
}

void TestBook::setListed(const QVector<TestId>& tests) {
  if (listed_ == tests) return;
  listed_ = tests;
  Q_EMIT filesChanged();
}

// A file's class or suite, and programs and tests that are called like the file, are that file's.
void TestBook::findOthers() {
  others_.clear();
  owners_.clear();
  QHash<QString, TestId> known;
  for (const TestFile& file : std::as_const(files_)) {
    const QString base = QFileInfo(file.path).completeBaseName();
    for (const TestItem& item : file.items) {
      if (!workbench::isCompiled(item.id.framework)) break;
      if (!known.contains(base)) known.insert(base, item.id);
      if (item.id.framework == workbench::TestFramework::kGoogleTest)
        known.insert(item.id.names.join(u'.'), item.id);
    }
  }
  // "Set/Suite.Test/0" is of Suite.Test.
  static const QRegularExpression around(QStringLiteral(R"(^.*/(?=\w+\.)|/[^.]*$)"));
  for (const workbench::CTestEntry& entry : std::as_const(setup_.entries)) {
    const QString program = QFileInfo(entry.command.value(0)).completeBaseName();
    QString name = entry.name;
    name.remove(around);
    QString owner;
    for (const QString& each : {name, entry.name, program})
      if (owner.isEmpty() && known.contains(each)) owner = each;
    if (owner.isEmpty()) {
      others_.append({workbench::TestFramework::kCTest, setup_.build, {entry.name}});
    } else {
      owners_.insert(entry.name, known.value(owner));
    }
  }
}

std::optional<TestId> TestBook::ownerOf(const TestId& id) const {
  const bool isOfCTest = id.framework == workbench::TestFramework::kCTest && !id.names.isEmpty();
  const auto owner = owners_.constFind(isOfCTest ? id.names.constFirst() : QString());
  return isOfCTest && owner != owners_.cend() ? std::optional(*owner) : std::nullopt;
}

QVector<TestId> TestBook::listed(const QString& path) const {
  const auto file = std::find_if(files_.cbegin(), files_.cend(),
                                 [&](const TestFile& each) { return each.path == path; });
  QVector<TestId> more;
  for (const TestId& id : listed_) {
    if (id.scope != path) continue;
    const bool isShown =
        file != files_.cend() && std::any_of(file->items.cbegin(), file->items.cend(),
                                             [&id](const TestItem& item) { return item.id == id; });
    if (!isShown) more.append(id);
  }
  return more;
}

void TestBook::setOpenFile(const TestFile& file) {
  const auto known = std::find_if(files_.begin(), files_.end(),
                                  [&](const TestFile& each) { return each.path == file.path; });
  if (known == files_.end()) {
    if (!isRead_ || file.items.isEmpty()) return;
    files_.append(file);
  } else if (*known == file) {
    return;
  } else {
    // Where only lines have moved, nothing that is listed is another.
    const bool isSame = std::equal(known->items.cbegin(), known->items.cend(), file.items.cbegin(),
                                   file.items.cend(), [](const TestItem& a, const TestItem& b) {
                                     return a.id == b.id && a.isGroup == b.isGroup;
                                   });
    *known = file;
    if (isSame) return;
  }
  if (isRead_) Q_EMIT filesChanged();
}

const TestItem* TestBook::find(const TestId& id, QString* path) const {
  for (const TestFile& file : files_) {
    for (const TestItem& item : file.items) {
      if (item.id != id) continue;
      if (path) *path = file.path;
      return &item;
    }
  }
  return nullptr;
}

QVector<TestId> TestBook::testsIn(const TestId& id) const {
  QVector<TestId> tests;
  for (const TestFile& file : files_)
    for (const TestItem& item : file.items)
      if (!item.isGroup && item.id.isIn(id)) tests.append(item.id);
  return tests;
}

TestState TestBook::state(const TestId& id) const {
  TestState state = results_.state(id);
  for (const TestId& each : testsIn(id)) state = workbench::worse(state, results_.state(each));
  return state;
}

void TestBook::resultsMayChange() {
  if (!resultsSoon_.isActive()) resultsSoon_.start();
}

}  // namespace waferpair::gui

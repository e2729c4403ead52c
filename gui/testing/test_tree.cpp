// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/testing/test_tree.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>

#include "gui/kit/icons.h"

namespace waferpair::gui {

using workbench::TestFile;
using workbench::TestId;
using workbench::TestItem;
using workbench::TestResult;
using workbench::TestState;

namespace {

enum PrivateRole {
  kTestRowRole = Qt::UserRole + 10,  // its number in rows_
  kTestNameRole,                     // without how long it took
};

QIcon stateIcon(TestState state) {
  switch (state) {
    case TestState::kNotRun:
      return icon(QStringLiteral("minus"));
    case TestState::kRunning:
      return icon(QStringLiteral("play"), IconTint::kAccent);
    case TestState::kPassed:
      return icon(QStringLiteral("check"), IconTint::kAccent);
    case TestState::kSkipped:
      return icon(QStringLiteral("pause"));
    case TestState::kFailed:
      return icon(QStringLiteral("error"), IconTint::kDanger);
  }
  Q_UNREACHABLE();
}

}  // namespace

QString stateWord(TestState state) {
  switch (state) {
    case TestState::kNotRun:
      return TestTree::tr("not run");
    case TestState::kRunning:
      return TestTree::tr("running");
    case TestState::kPassed:
      return TestTree::tr("passed");
    case TestState::kSkipped:
      return TestTree::tr("skipped");
    case TestState::kFailed:
      return TestTree::tr("failed");
  }
  Q_UNREACHABLE();
}

QString tookText(qint64 ms) {
  if (ms < 0) return {};
  return ms < 1000
             ? TestTree::tr("%1 ms").arg(ms)
             : TestTree::tr("%1 s").arg(QLocale().toString(static_cast<double>(ms) / 1000, 'f', 2));
}

TestTree::TestTree(TestBook* book, QObject* parent) : QStandardItemModel(parent), book_(book) {}

TestTree::Row TestTree::row(const QModelIndex& index) const {
  const int number = index.isValid() ? index.data(kTestRowRole).toInt() : -1;
  return number >= 0 && number < rows_.size() ? rows_[number] : Row();
}

QStandardItem* TestTree::add(QStandardItem* parent, const Row& row, const QString& text) {
  auto* item = new QStandardItem(text);
  item->setEditable(false);
  item->setData(static_cast<int>(rows_.size()), kTestRowRole);
  item->setData(text, kTestNameRole);
  rows_.append(row);
  if (row.id) items_.insert(row.id->key(), item);
  if (row.id && !row.isGroup) ++tests_;
  parent->appendRow(item);
  return item;
}

// The row of a group within a file; those around it are made where they are not there.
QStandardItem* TestTree::addGroup(QStandardItem* file, const Row& row) {
  if (!row.id || row.id->names.isEmpty()) return file;
  const TestId own{row.id->framework, row.id->scope, {}};
  const TestId of = this->row(file->index()).id.value_or(own);
  // What a file is in its crate is no row of it.
  if (row.id->names.size() <= of.names.size()) return file;
  if (QStandardItem* known = items_.value(row.id->key())) return known;
  Row outer = row;
  outer.id->names.removeLast();
  outer.isGroup = true;
  return add(addGroup(file, outer), row, row.id->names.constLast());
}

void TestTree::rebuild() {
  beginResetModel();
  {
    const QSignalBlocker quiet(this);
    clear();
    rows_.clear();
    items_.clear();
    tests_ = 0;
    QVector<TestFile> files = book_->files();
    std::sort(files.begin(), files.end(),
              [](const TestFile& a, const TestFile& b) { return a.path < b.path; });
    const QDir folder(book_->folder());
    for (const TestFile& file : std::as_const(files)) {
      if (file.items.isEmpty() || rows_.size() >= kMostRows) continue;
      Row row{file.path, std::nullopt, true};
      const QVector<workbench::WantedTest> whole = workbench::wantedOf(file);
      // A file that is a group itself, as pytest has it, may fail as one.
      if (whole.size() == 1 && whole.constFirst().id.names.isEmpty())
        row.id = whole.constFirst().id;
      QStandardItem* item = add(invisibleRootItem(), row, folder.relativeFilePath(file.path));
      for (const TestItem& each : file.items) {
        const Row own{file.path, each.id, each.isGroup};
        Row outer = own;
        outer.id->names.removeLast();
        outer.isGroup = true;
        if (items_.contains(each.id.key())) continue;
        add(addGroup(item, outer), own, each.id.names.constLast());
      }
      addResults(item, file);
    }
    const QVector<TestId> others = book_->otherTests();
    if (!others.isEmpty()) {
      QStandardItem* build =
          add(invisibleRootItem(), {{}, std::nullopt, true},
              tr("CTest: %1").arg(folder.relativeFilePath(others.constFirst().scope)));
      for (const TestId& id : others)
        if (rows_.size() < kMostRows) add(build, {{}, id, false}, id.names.constLast());
    }
  }
  endResetModel();
  Q_EMIT rebuilt();
  refreshStates();
}

// Tests that only running or listing them shows: made by loops, inherited.
void TestTree::addResults(QStandardItem* file, const TestFile& tests) {
  for (const TestId& id : book_->listed(tests.path)) {
    if (items_.contains(id.key())) continue;
    Row outer{tests.path, id, true};
    outer.id->names.removeLast();
    add(addGroup(file, outer), {tests.path, id, false}, id.names.constLast());
  }
}

TestState TestTree::refresh(QStandardItem* item) {
  const Row at = row(item->index());
  const TestResult* result = at.id ? book_->results().of(*at.id) : nullptr;
  TestState state = at.id ? book_->results().state(*at.id) : TestState::kNotRun;
  qint64 ms = result ? result->ms() : -1;
  // Of a group in which some were not run, what is known of the others is shown.
  bool isAnyOpen = false;
  for (int i = 0; i < item->rowCount(); ++i) {
    const TestState inner = refresh(item->child(i));
    isAnyOpen |= inner == TestState::kNotRun;
    state = workbench::worse(state, inner);
  }
  const bool isPartly = item->hasChildren() && isAnyOpen && state == TestState::kPassed;
  if (at.id && !at.isGroup) ++counts_[static_cast<int>(state)];
  const QString name = item->data(kTestNameRole).toString();
  const QString took = tookText(ms);
  const QString text = took.isEmpty() ? name : QStringLiteral("%1  %2").arg(name, took);
  if (item->text() != text) item->setText(text);
  // An icon is another each time that it is made, and what is set anew is painted anew.
  const QVariant before = item->data(kTestStateRole);
  if (!before.isValid() || before.toInt() != static_cast<int>(state))
    item->setIcon(stateIcon(state));
  const QString word = isPartly ? tr("passed as far as it was run") : stateWord(state);
  item->setData(static_cast<int>(state), kTestStateRole);
  item->setData(name + u' ' + at.path + u' ' + word, kTestWordsRole);
  item->setAccessibleText(tr("%1: %2").arg(text, word));
  item->setToolTip(result && !result->message().isEmpty() ? result->message().left(1000) : word);
  return state;
}

void TestTree::refreshStates() {
  counts_.clear();
  for (int i = 0; i < rowCount(); ++i) refresh(item(i));
}

}  // namespace waferpair::gui

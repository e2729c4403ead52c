// SPDX-License-Identifier: GPL-3.0-or-later
// Which tests the open project has, and what is known of them. Files are read by a thread, when
// somebody first asks; nothing is run. UI thread only.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "gui/store/text_history.h"
#include "gui/testing/test_parts.h"
#include "workbench/testing/test_plan.h"
#include "workbench/testing/test_results.h"
#include "workbench/testing/test_scanner.h"

namespace waferpair::gui {

class TestBook : public QObject {
  Q_OBJECT
 public:
  explicit TestBook(const TestParts& parts, QObject* parent = nullptr);
  // Waits for the thread.
  ~TestBook() override;

  // Calls `then` once the project's files have been read, at once where they have; again when they
  // change, from now on.
  void whenRead(std::function<void()> then);
  bool isRead() const { return isRead_; }
  // The files are looked at again.
  void readAgain();

  // -- What there is

  QString folder() const;
  const QVector<workbench::TestFile>& files() const { return files_; }
  // CTest's that no file is known for.
  QVector<workbench::TestId> otherTests() const { return others_; }
  // The class, suite or test that one of CTest's is of.
  std::optional<workbench::TestId> ownerOf(const workbench::TestId& id) const;
  // Those that pytest lists of a file, and the file itself does not show.
  QVector<workbench::TestId> listed(const QString& path) const;
  // A file as it is in its editor; it counts until the file is read again.
  void setOpenFile(const workbench::TestFile& file);
  // Null: no file has it.
  const workbench::TestItem* find(const workbench::TestId& id, QString* path) const;
  // The tests in `id`, itself included.
  QVector<workbench::TestId> testsIn(const workbench::TestId& id) const;

  // -- How they are run

  const workbench::TestSetup& setup() const { return setup_; }
  // Folders that CMake has configured, absolute; the one that is used first.
  QStringList builds() const { return builds_; }
  void useBuild(const QString& build);
  void setEntries(const QVector<workbench::CTestEntry>& entries);
  void setListed(const QVector<workbench::TestId>& tests);

  // -- What became of them

  workbench::TestResults& results() { return results_; }
  const workbench::TestResults& results() const { return results_; }
  // Of a test, or of all in a group: the worst; kNotRun only where none was run.
  workbench::TestState state(const workbench::TestId& id) const;
  // Tells of it a moment later: results come many at a time.
  void resultsMayChange();

 Q_SIGNALS:
  void filesChanged();
  void resultsChanged();

 private:
  void read();
  void took(const QString& folder, const QVector<workbench::TestFile>& files,
            const QStringList& builds);
  void findOthers();

  TestParts p_;
  TextHistory chosen_;  // build folders
  QVector<workbench::TestFile> files_;
  QVector<workbench::TestId> others_;
  QHash<QString, workbench::TestId> owners_;  // by the names of CTest's
  QVector<workbench::TestId> listed_;
  workbench::TestSetup setup_;
  QStringList builds_;
  workbench::TestResults results_;
  QVector<std::function<void()>> then_;
  bool isWanted_ = false;
  bool isRead_ = false;
  bool isReading_ = false;
  bool again_ = false;
  QTimer soon_{this};
  QTimer resultsSoon_{this};
  workbench::TestScanner scanner_;  // the thread's
  std::shared_ptr<std::atomic<bool>> cancelled_;
  QThreadPool thread_{this};
};

}  // namespace waferpair::gui

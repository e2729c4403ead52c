// SPDX-License-Identifier: GPL-3.0-or-later
// Marks the tests of open texts at their lines: a triangle that runs one, and how it went. Tests
// are found by a thread, as one types. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <functional>

#include "gui/testing/test_book.h"

namespace waferpair::gui {

class Document;
class TestRunner;

class TestMargin : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  TestMargin(const TestParts& parts, TestBook* book, TestRunner* runner, QObject* parent = nullptr);
  // Waits for the thread.
  ~TestMargin() override;

  // Calls `then` with the tests of the text as it is now. Not called where it is closed first.
  using Then = std::function<void(const workbench::TestFile& file)>;
  void whenFound(Document* document, Then then);

 private:
  struct Watched {
    QVector<workbench::TestItem> items;  // as they were found last
    qint64 version = -1;                 // of the text
    QTimer* soon = nullptr;
    bool isRunning = false;
    bool again = false;  // what runs is not up to date any more
    QVector<Then> then;
  };

  void watch(Document* document);
  void find(Document* document);
  void take(Document* document, qint64 version, const QVector<workbench::TestItem>& items);
  void draw(Document* document);
  void runAt(const Document* document, int line);

  TestParts p_;
  TestBook* book_;
  TestRunner* runner_;
  QHash<const Document*, Watched> watched_;
  QThreadPool thread_{this};
};

}  // namespace waferpair::gui

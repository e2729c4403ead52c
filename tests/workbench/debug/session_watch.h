// SPDX-License-Identifier: GPL-3.0-or-later
// A session in a test: what it says, and questions that wait for their answers.
#pragma once

#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "tests/support/paths.h"
#include "workbench/debug/debug_session.h"

namespace waferpair::workbench {

// With an event loop only.
class SessionWatch {
 public:
  SessionWatch(const DebugSession::Start& start, Breakpoints* breakpoints)
      : session_(std::make_unique<DebugSession>(start, breakpoints)) {
    QObject::connect(session_.get(), &DebugSession::said,
                     [this](const QString& category, const QString& text) {
                       said_ += category + u'|' + text;
                       if (category == u"stdout") printed_ += text;
                     });
  }

  DebugSession* operator->() const { return session_.get(); }
  DebugSession* get() const { return session_.get(); }
  // "stdout|text", one behind another.
  const QString& said() const { return said_; }
  // What the program wrote on standard output: an adapter may hand a line on in pieces.
  const QString& printed() const { return printed_; }

  // The line, from 1, at the top of the stack once it is known; 0: it does not stand.
  int topLine() const {
    const StackFrame* frame = session_->currentFrame();
    return frame ? frame->line + 1 : 0;
  }
  // The value of an expression, or "!" and why there is none.
  QString value(const QString& expression) const {
    QString got;
    bool isDone = false;
    session_->evaluate(expression, "watch", [&](const Variable& value, const QString& problem) {
      got = problem.isEmpty() ? value.value : u'!' + problem;
      isDone = true;
    });
    if (!QTest::qWaitFor([&] { return isDone; }, 20'000)) return "!no answer";
    return got;
  }
  QVector<Variable> variables(qint64 reference) const {
    QVector<Variable> got;
    bool isDone = false;
    session_->variables(reference, 0, 0, [&](const QVector<Variable>& all, const QString&) {
      got = all;
      isDone = true;
    });
    (void)QTest::qWaitFor([&] { return isDone; }, 20'000);
    return got;
  }

 private:
  QString said_;
  QString printed_;
  std::unique_ptr<DebugSession> session_;
};

}  // namespace waferpair::workbench

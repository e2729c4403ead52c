// SPDX-License-Identifier: GPL-3.0-or-later
// What debug adapters tell of a program that stands still, read from their messages: each text and
// list is held to a limit. Values.
#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QVector>

namespace waferpair::workbench {

inline constexpr qsizetype kMostThreads = 10'000;
inline constexpr qsizetype kMostFrames = 10'000;     // of an answer
inline constexpr qsizetype kMostVariables = 10'000;  // of an answer
inline constexpr qsizetype kMostOfValue = 1 << 20;   // UTF-16 units of a value, of an output
inline constexpr qsizetype kMostOfDapName = 10'000;  // of a name, a type

struct DebugThread {
  qint64 id = 0;
  QString name;

  bool operator==(const DebugThread&) const = default;
};
QVector<DebugThread> readThreads(const QJsonObject& body);

struct StackFrame {
  qint64 id = 0;
  QString name;
  QString path;           // absolute; empty: the source is no file
  QString shown;          // the source's name
  int line = 0;           // from 0
  bool isSubtle = false;  // of no interest, as the adapter thinks
  QString instruction;    // where it is in memory; empty: the adapter does not say

  bool operator==(const StackFrame&) const = default;
};
QVector<StackFrame> readFrames(const QJsonObject& body);

struct Variable {
  QString name;
  QString value;
  QString type;
  QString expression;    // that it can be asked for by; may be empty
  qint64 reference = 0;  // by which what is in it is asked for; 0: nothing is
  qint64 named = 0;      // in it, as far as the adapter says
  qint64 indexed = 0;
  bool isReadOnly = false;
  bool isExpensive = false;  // a scope that takes long
  QString memory;            // its address; may be empty

  bool operator==(const Variable&) const = default;
};
QVector<Variable> readVariables(const QJsonObject& body);
QVector<Variable> readScopes(const QJsonObject& body);
// Of an answer to "evaluate", "setVariable" or "setExpression"; `name` is the expression.
Variable readResult(const QJsonObject& body, const QString& name);

// What an adapter has to say of a breakpoint that it was told.
struct BoundBreakpoint {
  qint64 id = 0;  // the adapter's; 0: none
  bool isVerified = false;
  QString message;  // why not, or what else
  int line = -1;    // where it is by now, from 0; -1: the adapter does not say

  bool operator==(const BoundBreakpoint&) const = default;
};
BoundBreakpoint readBoundBreakpoint(const QJsonValue& value);
QVector<BoundBreakpoint> readBoundBreakpoints(const QJsonObject& body);

// Kinds of exceptions that a program may be stopped at.
struct ExceptionFilter {
  QString id;
  QString label;
  bool isOnAtFirst = false;

  bool operator==(const ExceptionFilter&) const = default;
};
QVector<ExceptionFilter> readExceptionFilters(const QJsonObject& capabilities);

struct Instruction {
  QString address;
  QString text;
  QString symbol;
  QString path;   // of the source; empty: as of the one before
  int line = -1;  // from 0; -1: unknown

  bool operator==(const Instruction&) const = default;
};
QVector<Instruction> readInstructions(const QJsonObject& body);

// Returns a text of JSON, at most so many UTF-16 units of it.
QString boundedText(const QJsonValue& value, qsizetype most);

}  // namespace waferpair::workbench

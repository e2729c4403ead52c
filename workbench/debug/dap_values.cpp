// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/dap_values.h"

#include <QDir>
#include <QJsonArray>
#include <QUrl>
#include <algorithm>
#include <limits>

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostFilters = 100;
constexpr qsizetype kMostInstructions = 10'000;

// Returns a line that counts from 1 as one that counts from 0; -1: there is none.
int lineFrom(const QJsonValue& value) {
  const qint64 line = value.toInteger(0);
  return line >= 1 && line <= std::numeric_limits<int>::max() ? static_cast<int>(line - 1) : -1;
}

// Returns the absolute path of a source; empty: it is no file.
QString pathOfSource(const QJsonValue& source) {
  QString path = boundedText(source[u"path"], kMostOfDapName);
  if (path.startsWith(QLatin1String("file:"))) path = QUrl(path).toLocalFile();
  if (!path.startsWith(u'/') || source[u"sourceReference"].toInteger(0) > 0) return {};
  return QDir::cleanPath(path);
}

qint64 countIn(const QJsonValue& value) { return std::max<qint64>(0, value.toInteger(0)); }

template <typename T, typename Read>
QVector<T> readList(const QJsonValue& value, qsizetype most, const Read& read) {
  const QJsonArray list = value.toArray();
  QVector<T> all;
  all.reserve(std::min(most, list.size()));
  for (const QJsonValue each : list) {
    if (all.size() >= most) break;
    all.append(read(each));
  }
  return all;
}

Variable readVariable(const QJsonValue& value) {
  Variable variable = readResult(value.toObject(), boundedText(value[u"name"], kMostOfDapName));
  variable.value = boundedText(value[u"value"], kMostOfValue);
  variable.expression = boundedText(value[u"evaluateName"], kMostOfDapName);
  return variable;
}

}  // namespace

QString boundedText(const QJsonValue& value, qsizetype most) {
  // Numbers are texts in places, too.
  const QString text = value.isString() ? value.toString() : value.toVariant().toString();
  return text.left(most);
}

QVector<DebugThread> readThreads(const QJsonObject& body) {
  return readList<DebugThread>(body[u"threads"], kMostThreads, [](const QJsonValue& value) {
    return DebugThread{value[u"id"].toInteger(0),
                       boundedText(value[u"name"], kMostOfDapName).simplified()};
  });
}

QVector<StackFrame> readFrames(const QJsonObject& body) {
  return readList<StackFrame>(body[u"stackFrames"], kMostFrames, [](const QJsonValue& value) {
    StackFrame frame;
    const QJsonValue source = value[u"source"];
    frame.id = value[u"id"].toInteger(0);
    frame.name = boundedText(value[u"name"], kMostOfDapName).simplified();
    frame.path = pathOfSource(source);
    frame.shown = boundedText(source[u"name"], kMostOfDapName);
    frame.line = std::max(0, lineFrom(value[u"line"]));
    const QString hint = value[u"presentationHint"].toString();
    frame.isSubtle = hint == QLatin1String("subtle") || hint == QLatin1String("label") ||
                     source[u"presentationHint"].toString() == QLatin1String("deemphasize");
    frame.instruction = boundedText(value[u"instructionPointerReference"], kMostOfDapName);
    return frame;
  });
}

QVector<Variable> readVariables(const QJsonObject& body) {
  return readList<Variable>(body[u"variables"], kMostVariables, readVariable);
}

QVector<Variable> readScopes(const QJsonObject& body) {
  return readList<Variable>(body[u"scopes"], kMostVariables, [](const QJsonValue& value) {
    Variable scope = readResult(value.toObject(), boundedText(value[u"name"], kMostOfDapName));
    scope.value.clear();
    scope.isReadOnly = true;
    scope.isExpensive = value[u"expensive"].toBool();
    return scope;
  });
}

Variable readResult(const QJsonObject& body, const QString& name) {
  Variable result;
  result.name = name;
  // "setVariable" calls it a value, "evaluate" a result.
  result.value =
      boundedText(body.contains(u"result") ? body[u"result"] : body[u"value"], kMostOfValue);
  result.type = boundedText(body[u"type"], kMostOfDapName);
  result.expression = name;
  result.reference = countIn(body[u"variablesReference"]);
  result.named = countIn(body[u"namedVariables"]);
  result.indexed = countIn(body[u"indexedVariables"]);
  result.memory = boundedText(body[u"memoryReference"], kMostOfDapName);
  const QJsonValue hint = body[u"presentationHint"];
  result.isReadOnly = hint[u"attributes"].toArray().contains(QStringLiteral("readOnly"));
  return result;
}

BoundBreakpoint readBoundBreakpoint(const QJsonValue& value) {
  return {value[u"id"].toInteger(0), value[u"verified"].toBool(),
          boundedText(value[u"message"], kMostOfDapName).simplified(), lineFrom(value[u"line"])};
}

QVector<BoundBreakpoint> readBoundBreakpoints(const QJsonObject& body) {
  return readList<BoundBreakpoint>(body[u"breakpoints"], kMostVariables, readBoundBreakpoint);
}

QVector<ExceptionFilter> readExceptionFilters(const QJsonObject& capabilities) {
  return readList<ExceptionFilter>(
      capabilities[u"exceptionBreakpointFilters"], kMostFilters, [](const QJsonValue& value) {
        return ExceptionFilter{boundedText(value[u"filter"], kMostOfDapName),
                               boundedText(value[u"label"], kMostOfDapName),
                               value[u"default"].toBool()};
      });
}

QVector<Instruction> readInstructions(const QJsonObject& body) {
  return readList<Instruction>(
      body[u"instructions"], kMostInstructions, [](const QJsonValue& value) {
        return Instruction{boundedText(value[u"address"], kMostOfDapName),
                           boundedText(value[u"instruction"], kMostOfDapName),
                           boundedText(value[u"symbol"], kMostOfDapName),
                           pathOfSource(value[u"location"]), lineFrom(value[u"line"])};
      });
}

}  // namespace waferpair::workbench

// SPDX-License-Identifier: GPL-3.0-or-later
// The tools with which a model works on the open project: what it is told of each, and what those
// do that only look. All that they give has passed the gate; what is kept from models is refused by
// its name, or not there. Values in, values out.
#pragma once

#include <QStringList>
#include <QVector>
#include <atomic>
#include <memory>

#include "pairing/context/gather_context.h"
#include "pairing/request/endpoint.h"
#include "pairing/tools/tool_arguments.h"

namespace waferpair::pairing {

// The project as it is when a tool is called.
struct ToolProject {
  QString root;       // absolute, without a trailing slash; empty: no folder is open
  QStringList files;  // relative to it
  QVector<OpenText> open;
  QVector<ReportedProblem> problems;
  std::shared_ptr<const ProjectPassages> passages;  // for symbols; may be null
  // Null: it is never called off.
  std::shared_ptr<const std::atomic<bool>> canceled = {};

  bool isCanceled() const { return canceled && *canceled; }
};

struct ToolResult {
  QString text;  // for the model
  bool isError = false;
  QString title;      // for the user, on one line; empty: as before the call
  QStringList paths;  // absolute: whose text it gives
  int line = 0;       // of the first of them, from 1; 0: none

  static ToolResult error(const QString& text) { return {text, true, {}, {}, 0}; }
};

struct ProjectTool {
  Tool tool;  // as the model is told of it
  enum class Does {
    kLooks,
    kProposes,  // a change, which the user decides about
    kRuns,      // a command, on the user's word
  };
  Does does = Does::kLooks;
  QString kind;  // as AgentStep has it
  // What the user is told while it runs.
  QString (*title)(const ToolArguments& arguments);
  // Of one that looks; else null. Reads the disk; any thread. The result has about `mostBytes`
  // bytes of UTF-8 at most, and says what is left out. One whose text has a secret in it is refused
  // by whoever calls this.
  ToolResult (*run)(const ToolProject& project, const ToolArguments& arguments,
                    qsizetype mostBytes);
};

// All of them.
const QVector<ProjectTool>& projectTools();

// Estimated tokens of what a model is told of them.
qint64 tokensOf(const QVector<Tool>& tools);

}  // namespace waferpair::pairing

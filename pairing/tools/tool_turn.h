// SPDX-License-Identifier: GPL-3.0-or-later
// A model's answer to one question with tools at hand: what it calls is run, and the model asked
// again with what came of it, until it answers. Each call is a step; the rounds, the calls of a
// round, the size of a result and the room for all of them are bounded. What goes wrong with a call
// is the model's to know and ends nothing. UI thread only; tools that read run on another.
#pragma once

#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>

#include "pairing/agents/agent_turn.h"
#include "pairing/tools/command_call.h"
#include "pairing/tools/project_tools.h"

namespace waferpair::pairing {

class ToolTurn : public WorkingReply {
  Q_OBJECT
 public:
  // A model that has looked so often is asked to answer with what it has.
  static constexpr int kMostRounds = 8;
  // Behind so many calls of a round no further one is waited for.
  static constexpr qsizetype kMostCalls = 16;
  // Bytes of a result.
  static constexpr qsizetype kMostResult = 16 << 10;

  struct Parts {
    // Null: the model is gone, or may not be asked any more. Asked before each request.
    std::function<Endpoint*()> endpoint;
    ModelRequest request;  // its tools are these here
    ModelRequest plain;    // the same for a model whose server takes no tools
    std::function<ToolProject()> project;
    qint64 room = 0;  // estimated tokens for calls and their results
    // Offers the change in the arguments of edit_file; null where that is no tool.
    std::function<ToolResult(const QString& json)> propose = nullptr;
    // Whether commands may be run at all; null where that is no tool.
    std::function<bool()> mayRun = nullptr;
  };
  // Asks; what comes of it is told later.
  explicit ToolTurn(Parts parts);
  ~ToolTurn() override;

  const QVector<AgentStep>& steps() const override { return steps_; }
  const AgentQuestion* question() const override;
  void answer(int question, const QString& optionId) override;
  // The command that runs; empty: none does.
  QString command() const;

 Q_SIGNALS:
  // The server has refused the tools: the model is asked without them.
  void refused();

 protected:
  void hangUp() override;

 private:
  void send();
  void failLater(const editor::Error& why);
  void takeText(const QString& delta);
  void takeCall(const ToolCall& call);
  void takeWait();
  void takeUsage(const TokenUsage& usage);
  void roundEnded(const ReplyDone& done);
  void roundFailed(const ReplyFailure& failure);
  void dropInner();
  void addStep(ToolCall call);
  void runNext();
  void look(const ProjectTool& tool, const ToolArguments& arguments);
  void runCommand();
  bool wasCalledBefore(const AgentStep& step) const;
  void finishStep(ToolResult result);
  void sendResults();
  qsizetype mostBytes() const;

  Parts parts_;
  std::unique_ptr<ModelReply> inner_;  // null: tools run
  QVector<ToolCall> calls_;            // of this round, as they come
  QVector<AgentStep> steps_;
  qsizetype running_ = 0;  // of the steps; those before are over
  int round_ = 0;
  qsizetype roundText_ = 0;       // where this round's text begins in text()
  bool beginsParagraph_ = false;  // what comes next is written behind calls
  TokenUsage usage_;
  std::unique_ptr<CommandCall> command_;  // the step that runs
  std::shared_ptr<std::atomic<bool>> canceled_ = std::make_shared<std::atomic<bool>>(false);
  QThreadPool pool_{this};
};

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/agents/agent_command.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

struct KnownAgent {
  const char* name;
  const char* maker;
  QStringList programs;  // the first that is there is taken
  QStringList arguments;
  QStringList environment;
};

// Each is started so that it asks before it changes a file or runs a command, where it can be told.
const QVector<KnownAgent>& knownAgents() {
  static const QVector<KnownAgent> agents = {
      {"Codex",
       "OpenAI",
       {"codex-acp"},
       {},
       {"INITIAL_AGENT_MODE=read-only", "OPENAI_API_KEY", "CODEX_API_KEY"}},
      {"Claude",
       "Anthropic",
       {"claude-agent-acp", "claude-code-acp"},
       {},
       {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"}},
      {"Gemini",
       "Google",
       {"gemini"},
       {"--experimental-acp"},
       {"GEMINI_API_KEY", "GOOGLE_API_KEY"}},
      {"Qwen", "Alibaba", {"qwen"}, {"--acp"}, {"OPENAI_API_KEY", "DASHSCOPE_API_KEY"}},
      {"opencode",
       "the provider that opencode is set up for",
       {"opencode"},
       {"acp"},
       {R"(OPENCODE_PERMISSION={"edit":"ask","bash":"ask"})", "OPENAI_API_KEY", "ANTHROPIC_API_KEY",
        "OPENCODE_API_KEY"}},
  };
  return agents;
}

}  // namespace

QString agentId(const AgentCommand& command) { return QStringLiteral("agent:") + command.line(); }

editor::Result<AgentCommand> agentCommandFrom(const QString& typed) {
  static const QRegularExpression assignment(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*="));
  AgentCommand command;
  QStringList words = QProcess::splitCommand(typed);
  while (!words.isEmpty() && assignment.match(words.constFirst()).hasMatch())
    command.environment.append(words.takeFirst());
  for (const QString& variable : std::as_const(command.environment))
    if (const QString name = variable.section(u'=', 0, 0); programs::isNamedAsSecret(name))
      return editor::fail(
          translate("%1 looks like a secret, which is kept in no file here.").arg(name),
          translate("Set it where the agent has its own settings."));
  if (words.isEmpty())
    return editor::fail(translate("The line names no program."),
                        translate("Type it as in a terminal: \"my-agent --acp\"."));
  command.program = words.takeFirst();
  command.arguments = words;
  return command;
}

QVector<FoundAgent> findAgents(const QProcessEnvironment& environment) {
  const QStringList path =
      environment.value(QStringLiteral("PATH")).split(u':', Qt::SkipEmptyParts);
  QVector<FoundAgent> found;
  if (path.isEmpty()) return found;
  for (const KnownAgent& agent : knownAgents()) {
    for (const QString& program : agent.programs) {
      const QString file = QStandardPaths::findExecutable(program, path);
      if (file.isEmpty()) continue;
      found.append({QLatin1String(agent.name),
                    QLatin1String(agent.maker),
                    {file, agent.arguments, agent.environment}});
      break;
    }
  }
  return found;
}

}  // namespace waferpair::pairing

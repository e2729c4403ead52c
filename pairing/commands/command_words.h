// SPDX-License-Identifier: GPL-3.0-or-later
// A command for a terminal, from words: what a model is asked, and the one line that its answer
// means. Nothing is run here. Values.
#pragma once

#include <QString>
#include <QVector>
#include <optional>

#include "editor/text/result.h"
#include "pairing/context/context_item.h"
#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

// Where the command is wanted.
struct CommandPlace {
  QString shell;                  // "bash"
  QString system;                 // "Debian GNU/Linux 12 (bookworm)"
  QString folder;                 // its name alone; empty: not known
  std::optional<int> lastStatus;  // of the command before, as its shell told it

  bool operator==(const CommandPlace&) const = default;
};

// `context`: what goes along, as the gate left it.
ModelRequest commandRequest(const QString& words, const CommandPlace& place,
                            const QVector<ContextItem>& context);

// A command as it may be put at a prompt: one line without characters that one does not see.
struct ReadCommand {
  QString text;
  QString note;  // what was changed of the answer to make it one, for the user; empty: nothing

  bool operator==(const ReadCommand&) const = default;
};

// UTF-16 units: nobody reads a longer one.
inline constexpr qsizetype kMostOfCommandLine = 4'000;

// Reads an answer with fences, prompts and prose around the command, or with several lines that can
// be told apart for sure, which && joins. Fails where there is no command, with what the model says
// instead, and where it is not one line.
editor::Result<ReadCommand> commandFromAnswer(const QString& answer);

// The same of a text that somebody typed or pasted: line ends become blanks.
ReadCommand asCommandLine(const QString& text);

}  // namespace waferpair::pairing

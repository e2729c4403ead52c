// SPDX-License-Identifier: GPL-3.0-or-later
// What a folder gives for something that is to be started, as one value: the user's word is asked
// for it and remembered by its hash, and what the question shows is made of the same object. So
// nothing is agreed to unseen, and whatever changes is asked about again. Values.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <functional>

#include "programs/program_command.h"

namespace waferpair::programs {

struct GivenStart {
  enum class Kind {
    kTask,
    kTests,
    kDebugging,
    kLanguageServer,
    kAgent,
    kCommand,
    kTerminal,
    kOther,
  };

  QString folder;  // whose files give it, and which has to be trusted; absolute
  Kind kind = Kind::kOther;
  QString name;    // for people: "build", "pylsp"
  QString source;  // for people: the file that says so, ".waferpair/tasks.json"; empty: none alone
  // All of it. Empty: the folder gives its code and no words of its own, for which trusting the
  // folder is enough.
  QJsonObject given = {};
  // For people: files whose words are run with it, whatever they say by then: "Makefile".
  QStringList decidedBy = {};

  // SHA-256 over folder, kind and `given`, in hexadecimal digits. The same object has the same key,
  // in whatever order its file had the fields.
  QString key() const;
  // A line for each value: "environment.LANG = C", as editor::oneLineForm() has it; nothing is left
  // out.
  QStringList shown() const;

  bool operator==(const GivenStart&) const = default;
};

// What the user's word about a start is.
enum class StartWord {
  kRestricted,  // the folder is not trusted: nothing of it is started
  kUnasked,     // the folder is, and nobody was asked about this
  kAgreed,
  kDeclined,
};
using StartRule = std::function<StartWord(const GivenStart& start)>;

// All of a command, as a part of what is given.
QJsonObject givenCommand(const ProgramCommand& command);

}  // namespace waferpair::programs

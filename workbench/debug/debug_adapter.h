// SPDX-License-Identifier: GPL-3.0-or-later
// The debug adapters that are known: for which languages, how each is found and started, and how it
// wants to be told what to debug. Read from a file (resources/debug_adapters.json). Values.
#pragma once

#include <QJsonObject>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

#include "programs/program_command.h"

namespace waferpair::workbench {

// What helps where an adapter says, as it fails, what has these words in it.
struct AdapterRemedy {
  QString words;   // in any case of letters
  QString remedy;  // a sentence
  bool operator==(const AdapterRemedy&) const = default;
};

struct DebugAdapter {
  QString id;             // "lldb"
  QString name;           // for people
  QStringList types;      // by which launch configurations name it
  QStringList languages;  // the editor's names
  // The first that is there is taken; of "lldb-dap-*" the one with the greatest number.
  QStringList programs;
  // "${address}" is where it is to connect to: it does not speak over its pipes then.
  QStringList arguments;
  // Arguments with which the program tells whether it can debug: it ends with status 0, and prints
  // a version of at least `leastVersion` where that is not 0. Empty: it can.
  QStringList probe;
  int leastVersion = 0;
  QString install;        // what to type where it is missing
  bool isNative = false;  // it debugs programs of machine code, and disassembles them

  QJsonObject launch;             // arguments of any launch
  QJsonObject terminal;           // where the program is to run in a terminal; empty: it cannot
  QJsonObject console;            // where it is not to
  bool runsInTerminal = false;    // where nobody says otherwise
  bool listsEnvironment = false;  // as ["NAME=value"], not as {"NAME": "value"}
  QString attachArgument;         // of a process's number; empty: it cannot attach
  QString coreArgument;           // of a core file's path; empty: it cannot read one
  QVector<AdapterRemedy> remedies;

  bool connects() const;
  // Returns the remedy for what the adapter said as it failed; empty: none is known.
  QString remedyFor(const QString& said) const;
  bool operator==(const DebugAdapter&) const = default;
};

struct DebugAdapters {
  QVector<DebugAdapter> adapters;
  QStringList problems;  // sentences; what is wrong is left out of `adapters`

  // Null: there is none. The pointer is good as long as this is not changed.
  const DebugAdapter* withId(const QString& id) const;
  // Those for a language, or a type of launch configurations, those to be preferred first.
  QVector<DebugAdapter> forLanguage(const QString& language) const;
  QVector<DebugAdapter> forType(const QString& type) const;
};

// `file`: its name, for problems.
DebugAdapters readDebugAdapters(const QByteArray& json, const QString& file);

struct FoundAdapter {
  DebugAdapter adapter;
  programs::ProgramCommand command;  // with the absolute path of its program
  QString problem;                   // a sentence with the remedy, where none can be used
  bool isFine() const { return problem.isEmpty(); }
};

// Returns the first of these adapters that is there, looked for in the PATH of `environment`.
// Runs programs and waits for them, so not for the UI thread.
FoundAdapter findAdapter(const QVector<DebugAdapter>& adapters,
                         const QProcessEnvironment& environment);

}  // namespace waferpair::workbench

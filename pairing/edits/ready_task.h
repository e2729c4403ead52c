// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions with a name, for what is asked of a model often. The user's own are in a JSON file:
//
//   {"tasks": [{"name": "Translate comments",
//               "instruction": "Translate the comments to English.",
//               "answer": "changes"}]}
//
// "answer" may be left out. Values.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVector>

namespace waferpair::pairing {

struct ReadyTask {
  // The instruction is answered with this.
  enum class Answer {
    kChanges,  // of the lines that it is about, offered in place
    kText,     // in the panel for questions
  };

  QString name;
  QString instruction;  // for the model
  Answer answer = Answer::kChanges;

  bool operator==(const ReadyTask&) const = default;
};

struct ReadyTasks {
  QVector<ReadyTask> tasks;
  QStringList problems;  // for the user, each with the remedy; tasks without one are there
};

// `file` is its name, for problems.
ReadyTasks readReadyTasks(const QByteArray& json, const QString& file);

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
// Which terminals a project had open, kept on disk: their shells, folders and names, not what ran
// in them. UI thread only.
#pragma once

#include <QString>
#include <QVector>

namespace waferpair::gui {

struct RememberedTerminal {
  QString profile;
  QString folder;
  QString name;           // that the user gave; empty: none
  bool isBeside = false;  // the one before, in the same tab

  bool operator==(const RememberedTerminal&) const = default;
};

class TerminalMemory {
 public:
  explicit TerminalMemory(QString file) : file_(std::move(file)) {}

  // A damaged file is as none.
  QVector<RememberedTerminal> load(const QString& project) const;
  // Of the projects the last 100 are kept. Returns an empty string, or what went wrong.
  QString save(const QString& project, const QVector<RememberedTerminal>& terminals) const;

 private:
  QString file_;
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// What a server can do: what it said at its start, and what it registers and takes back while it
// runs (client/registerCapability of LSP 3.17). Values.
#pragma once

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QVector>

#include "workbench/language/path_glob.h"

namespace waferpair::workbench {

// As the protocol numbers them.
enum class FileChange { kCreated = 1, kChanged = 2, kDeleted = 3 };

class ServerAbilities {
 public:
  static constexpr qsizetype kMostRegistrations = 500;
  static constexpr qsizetype kMostWatchers = 1000;  // of one registration

  ServerAbilities() = default;
  // "capabilities" of the answer to "initialize".
  explicit ServerAbilities(QJsonObject said);

  // By provider ("hoverProvider"), as at the start: true, or options.
  const QJsonObject& all() const { return all_; }

  // The parameters of client/registerCapability and client/unregisterCapability. Return whether
  // all() is another.
  bool add(const QJsonValue& registrations);
  bool remove(const QJsonValue& unregistrations);

  // It wants to be told of files; `root` is its project's folder.
  bool watchesFiles() const { return !watchers_.isEmpty(); }
  bool wantsFile(const QString& path, FileChange change, const QString& root) const;

 private:
  struct Watcher {
    PathGlob glob;
    QString folder;  // that the glob is relative to; empty: a whole path, or one below the root
    int kinds = 0;   // bits: 1 created, 2 changed, 4 deleted
  };

  void addWatchers(const QString& id, const QJsonValue& options);
  void refresh();

  QJsonObject said_;
  QJsonObject all_;
  struct Registration {
    QString id;
    QString provider;
    QJsonValue options;
  };
  QVector<Registration> registrations_;
  QHash<QString, QVector<Watcher>> watchers_;  // by the id of their registration
};

}  // namespace waferpair::workbench

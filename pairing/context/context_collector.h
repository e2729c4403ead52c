// SPDX-License-Identifier: GPL-3.0-or-later
// What goes along with a question, collected item by item: each is judged by the gate, left out
// where it was sent before and has not changed, and cut to the room that is left. Reads the disk;
// one thread.
#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <QVector>
#include <utility>

#include "pairing/context/context_item.h"
#include "pairing/retrieval/project_passages.h"
#include "runtime/exclusions/exclusions.h"

namespace waferpair::pairing {

// What is wrong with a text of a project: "it has a private key in it"; empty: nothing.
QString secretIn(QByteArrayView utf8);

class ContextCollector {
 public:
  // A shorter beginning of a text tells a model nothing. Estimated tokens.
  static constexpr qint64 kLeastPart = 64;

  // The project's folder (empty: none), its open texts and what the model has already; all outlive
  // this. `room`: estimated tokens.
  ContextCollector(const QString& root, const QVector<OpenText>& open,
                   const QVector<ContextItem>& known, qint64 room);

  using Kind = ContextItem::Kind;
  using Outcome = ContextItem::Outcome;

  // Adds a text, or why it does not go along. One of a name that is there is passed over.
  void add(Kind kind, const QString& name, const QString& path, const QByteArray& utf8);
  void leaveOut(Kind kind, const QString& name, const QString& path, const QString& why);
  // Another open folder: its paths are shown behind the label.
  void addFolder(const QString& root, const QString& label) { others_.append({root, label}); }
  // Nothing is said of what the gate or a lack of room leaves out.
  void setQuiet(bool quiet) { isQuiet_ = quiet; }
  // Items of these names are not sent, as the user has struck them.
  void setStruck(const QSet<QString>& names) { struck_ = names; }

  // Why the gate holds a file back; empty: it does not, or there is no path.
  QString reasonOf(const QString& path);
  // The file's text: the open one, else that on disk. Empty: there is none that can be read.
  QByteArray textOf(const QString& path) const;
  const OpenText* openAt(const QString& path) const { return open_.value(path); }
  // The path as the user and the model know it: below the folder, else `title`.
  QString shown(const QString& path, const QString& title) const;

  qint64 room() const { return room_; }
  void setRoom(qint64 tokens) { room_ = tokens; }
  const QVector<ContextItem>& items() const { return items_; }

 private:
  void append(const ContextItem& item);

  QString root_;
  QVector<std::pair<QString, QString>> others_;  // root and label
  const QVector<ContextItem>& known_;
  exclusions::Exclusions gate_;
  QHash<QString, const OpenText*> open_;
  qint64 room_;
  bool isQuiet_ = false;
  QSet<QString> struck_;
  QSet<QString> names_;
  QVector<ContextItem> items_;
};

// The bytes of a file of the project; empty where there is none, and where it is too large.
QByteArray projectBytes(const QString& path);

}  // namespace waferpair::pairing

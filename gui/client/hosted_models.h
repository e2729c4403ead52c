// SPDX-License-Identifier: GPL-3.0-or-later
// The model files that waferd offers beside its first model: each is in memory from the first
// request to it on, or when load() says so, and gives its memory back when nobody asks for it. None
// of this disturbs the first model.
//
// Should waferd end while one of them is being loaded (its file is bad, memory ran out), that one
// is withheld from the next waferd, which would end the same way, until load() says otherwise. UI
// thread only; every call returns at once.
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QVector>

#include "editor/text/result.h"
#include "gui/client/server_events.h"

namespace waferpair::gui {

class RuntimeServer;

class HostedModels : public QObject {
  Q_OBJECT
 public:
  // `server` outlives this.
  explicit HostedModels(RuntimeServer* server, QObject* parent = nullptr);

  // Has waferd offer these files, and no others that it was given here. Its first model may be
  // among them.
  void offer(const QStringList& files);

  // The same of one more: the model that suggests beside the first one. Empty: none does.
  void offerToSuggest(const QString& file);

  // The adapters of all models (model_adapters.h): one with others than before is read again.
  void setAdapters(const QStringList& adapters);

  // All that waferd offers, the first one first, as it told last; none while there is no waferd.
  const QVector<HostedModel>& all() const { return all_; }
  // Null where it is not offered, or not yet.
  const HostedModel* find(const QString& file) const;
  // Why it is withheld; an empty one where it is not.
  editor::Error withheld(const QString& file) const { return withheld_.value(file); }

  // Both are answered by changed(), or by refused(). A file that was withheld is offered again.
  void load(const QString& file);
  void unload(const QString& file);

 Q_SIGNALS:
  void changed();
  // The last load() or unload() could not be followed.
  void refused(const waferpair::editor::Error& problem);

 private:
  void followClient();
  void onStatus(const ServerStatus& status);
  void forgetAll();
  void onDeath(const editor::Error& problem);
  void onError(const ServerError& error);
  void tellWishes();
  void give(const QString& file, bool now);
  bool isFirst(const QString& file) const;
  QStringList allWanted() const;

  RuntimeServer* server_;
  QStringList wanted_;
  QString suggesting_;
  QStringList adapters_;
  QSet<QString> stale_;  // of given_, those that were given with other adapters
  QVector<HostedModel> all_;
  QSet<QString> given_;  // to the present waferd
  QSet<QString> asked_;  // of these, waferd has not told of yet
  QHash<QString, editor::Error> withheld_;
  bool hasWish_ = false;  // sent, and not answered yet
  QString loading_;       // the file that load() was for, until waferd tells of it
};

}  // namespace waferpair::gui

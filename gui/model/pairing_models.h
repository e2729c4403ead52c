// SPDX-License-Identifier: GPL-3.0-or-later
// Fills the roster: with the models that the user has set up, with the one that waferd serves for
// suggestions where it follows instructions, and with model files that have a role, which the same
// waferd loads when they are first asked (gui/client/hosted_models.h). What the user chose is
// remembered (models_file.h), keys in the desktop's secret store. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <functional>

#include "gui/model/models_file.h"
#include "gui/store/app_paths.h"
#include "gui/store/secret_store.h"

namespace waferpair::gui {

class RuntimeService;

class PairingModels : public QObject {
  Q_OBJECT
 public:
  using Role = pairing::ModelRoster::Role;
  using Routing = pairing::ModelRoster::Routing;

  // `runtime` may be null: no files are served then. Both outlive this.
  PairingModels(pairing::ModelRoster* roster, RuntimeService* runtime, const AppPaths& paths,
                QObject* parent = nullptr);

  // Begins to offer files and to fetch keys of models that have a role.
  void start();

  // The roster's ids of the model that waferd serves for suggestions, and of a file.
  static QString servedId() { return QStringLiteral("waferd"); }
  static QString fileId(const QString& path) { return QStringLiteral("file:") + path; }

  const pairing::ModelRoster* roster() const { return roster_; }
  const StoredModels& stored() const { return stored_; }
  // Why the model that waferd serves follows no instructions; empty where it does, or where none
  // is served.
  const QString& servedRefusal() const { return servedRefusal_; }

  // Adds an endpoint, or takes it for the one of the same id. The key of its address, if it has
  // one, goes to the secret store.
  void setUp(const pairing::ModelEntry& endpoint);
  void remove(const QString& id);
  // Finds the key of an address, in the secret store if need be; empty: there is none.
  void findKey(const QUrl& base, const std::function<void(const QByteArray& key)>& found);

  // `id` may be one that is not there just now: it has the role once it is. Empty: nobody has it.
  void setRole(Role role, const QString& id);
  // A file that follows instructions; `name` is what the user knows it by.
  void setFileRole(Role role, const QString& path, const QString& name);
  // Returns the id of the model that is to have the role, whether it is there or not.
  QString wanted(Role role) const;
  // Its name, and in what state it is unless it is ready; empty where nobody is to have the role.
  QString wantedText(Role role) const;
  // Where it is a file: whether it is in memory, or why it cannot be used and what to do.
  QString memoryText(Role role) const;
  // The file, among those that have a role, that loadOrUnload() is for: the deep model's, or else
  // the fast one's. Empty: neither is a file.
  QString ownFile() const;
  // Loads ownFile(), again if it had failed, or has it give its memory back. The outcome is told by
  // changed(), or by problem().
  void loadOrUnload();
  // By work, then the fast one for all, then the deep one, and around again.
  void nextRouting();
  void setRouting(Routing routing);

  void agree(const QString& host);
  // That a hub may be asked for models says nothing of text, which may not go there.
  void agreeToFetch(const QString& host);
  bool mayFetchFrom(const QString& host) const { return stored_.fetchHosts.contains(host); }
  // Takes back both.
  void withdraw(const QString& host);
  // The agent of this id may be started.
  void agreeToAgent(const QString& id);
  void withdrawAgent(const QString& id);

 Q_SIGNALS:
  // Anything that the above tells.
  void changed();
  // The file cannot be written, a key cannot be kept, a wish cannot be followed.
  void problem(const QString& text);
  // A file that has work cannot be loaded; with an empty text that is over.
  void loadFailed(const QString& file, const QString& text);

 private:
  void follow();
  void offerFiles();
  void tellFailures();
  void fetchKeys();
  void fill();
  void save();
  QString wantedFile(Role role) const;
  QString nameOf(const QString& file) const;
  // Why it cannot be used, or was not loaded when it was wanted; an empty one where there is none.
  editor::Error failureOf(const QString& file) const;

  pairing::ModelRoster* roster_;
  RuntimeService* runtime_;
  QString file_;
  StoredModels stored_;
  SecretStore secrets_;
  QHash<QString, QByteArray> keys_;         // by address, as far as they are known
  QSet<QString> awaited_;                   // addresses whose keys are being fetched
  QHash<QString, editor::Error> failures_;  // of files that have a role, as they were told
  QString servedRefusal_;
  bool started_ = false;
};

}  // namespace waferpair::gui

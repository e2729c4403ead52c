// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing the models for pairing: those that are set up, servers and files that are found on this
// computer, with what each is good for; then which work the chosen one does. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <memory>

#include "gui/kit/picker.h"
#include "gui/model/model_facts.h"
#include "pairing/endpoints/local_servers.h"
#include "pairing/models/model_files.h"
#include "pairing/models/model_roster.h"

class QThreadPool;
class QWidget;

namespace waferpair::gui {

class InputPrompt;
class ModelGetter;
class PairingModels;
class RuntimeService;

class ModelPicker : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    QWidget* window;  // for boxes and dialogs
    Picker* picker;
    PairingModels* models;
    RuntimeService* runtime;  // null: model files cannot be served
    QString inspector;        // waferctl
    InputPrompt* prompt;
    ModelGetter* getter;  // null: no models are fetched
  };
  // The parts outlive this.
  explicit ModelPicker(const Parts& parts);
  // Waits for the look at the disk, which is short.
  ~ModelPicker() override;

  // Sets where servers are looked for; the usual ports at first. For tests.
  void setPlaces(const QVector<pairing::LocalServers::Place>& places);

 public Q_SLOTS:
  // Opens the list, and begins to look for what is on this computer.
  void open();

 private:
  // A row of the list.
  struct Offer {
    enum class Kind {
      kEntry,    // of the roster, or to be set up
      kRefused,  // the model that waferd serves, which follows no instructions
      kFile,
      kLocked,  // a server that wants a key
      kGet,
      kAdd,
      kAddAgent,
      kAgreement,
    };
    Kind kind = Kind::kAdd;
    pairing::ModelEntry entry = {};  // kEntry; its base with kLocked
    pairing::ModelFile file = {};
    QString host = {};  // kAgreement to a host; else to the agent in `entry`
    QString title = {};
    QString details = {};  // dimmed
    QString hint = {};     // at the right

    QString key() const;
  };

  void look();
  void refresh();
  QList<Offer> offers() const;
  void addEntries(QList<Offer>& offers) const;
  void addServers(QList<Offer>& offers) const;
  void addFiles(QList<Offer>& offers) const;
  void addAgents(QList<Offer>& offers) const;
  QString rolesOf(const QString& id) const;
  QString fileHint(const QString& path) const;
  void take(const Offer& offer);
  void takeEntry(const pairing::ModelEntry& entry);
  void takeFile(const Offer& offer);
  void giveAgentRoles(const pairing::ModelEntry& entry);
  void askForAgent(const pairing::ModelEntry& entry, const std::function<void()>& agreed);
  void addAgent();
  bool isSetUp(const QString& id) const;
  void giveRoles(const pairing::ModelEntry& entry, const QString& what);
  void edit(const pairing::ModelEntry& endpoint);
  void replace(const pairing::ModelEntry& before, const pairing::ModelEntry& entry);
  // `asYouType`: what goes there needs no question.
  void askForHost(const pairing::ModelEntry& entry, bool asYouType,
                  const std::function<void()>& agreed);
  void tell(const QString& text, const QString& details);

  Parts parts_;
  std::unique_ptr<pairing::LocalServers> servers_;
  ModelInspection inspection_;
  QThreadPool* disk_;
  QVector<pairing::LocalServer> found_;
  pairing::ModelFiles files_;
  QVector<pairing::FoundAgent> agents_;
  QHash<QString, ModelFacts> facts_;  // by file
  bool readingDisk_ = false;
  bool isOurs_ = false;  // what the picker shows
  QList<Offer> shown_;
};

}  // namespace waferpair::gui

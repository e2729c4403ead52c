// SPDX-License-Identifier: GPL-3.0-or-later
// The models that the user has set up, and which of them does what work. Surfaces ask here for an
// endpoint; which protocol it speaks, and where, is nobody else's business. Nothing goes to another
// computer unless the user agreed to its host. One thread.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QVector>
#include <array>
#include <memory>
#include <unordered_map>

#include "pairing/agents/agent_command.h"
#include "pairing/endpoints/text_endpoint.h"
#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

class TaughtFormat;

enum class Protocol {
  kChat,
  kResponses,
  kResponsesSocket,
  kAgent,  // a program that works on the project by itself: it has a command, not an address
};

struct ModelEntry {
  QString id;    // unique in the roster, and the same in the next session
  QString name;  // for the user
  Protocol protocol = Protocol::kChat;
  EndpointAddress address;    // its key is kept apart from what else is known of the model
  qint64 contextTokens = -1;  // -1: unknown
  qint64 parameters = -1;     // that its file has, or its server tells; -1: unknown
  bool readsAhead = false;    // its server keeps what it has read, for what is asked next
  bool keepsForms = false;    // its server holds an answer to a grammar (ModelRequest::grammar)
  int outputTokens = -1;      // asked for where a request names no limit; -1: as the server has it
  AgentCommand agent;         // of an agent
  bool followsInstructions = true;  // else it has no role but kNextEdit

  // `parameters`, or those that its names tell.
  qint64 size() const;
  bool isAgent() const { return protocol == Protocol::kAgent; }
  // Where what is asked of it goes, for the user: as EndpointAddress::place().
  QString place() const;
  bool operator==(const ModelEntry&) const = default;
};

// The kind of work that a model is wanted for. Small work goes to the fast model, large work to the
// deep one.
enum class Work {
  kSmallEdit,  // in one place
  kLargeEdit,  // over several files, or long, or what a fast model failed at
  kQuestion,
  kLargeQuestion,  // about several files, or what a fast model failed at
  kPlan,
};

// The form of next edits that a model was taught, by the names that its entry has; null: none.
const TaughtFormat* taughtFormat(const ModelEntry& model);

class ModelRoster : public QObject {
  Q_OBJECT
 public:
  enum class Role {
    kFast,
    kDeep,
    kNextEdit,  // continues texts in the form that it was taught (pairing/taught)
  };

  // The rule that decides between the two.
  enum class Routing {
    kByWork,
    kFast,  // the user: the fast one does everything
    kDeep,  // the user: the deep one does everything
  };

  struct Choice {
    const ModelEntry* model = nullptr;  // null: there is none that could do it
    // Null: nothing can be asked of `model`, or there is none. Both live until changed().
    Endpoint* endpoint = nullptr;
    QString reason;        // why this one, or why none, for the user
    bool isAgent = false;  // `model` is one, and may be asked; pairing/agents does
  };

  struct NextEditChoice {
    const ModelEntry* model = nullptr;  // null: nobody has the role
    TextEndpoint* endpoint = nullptr;   // null: nothing can be asked of it. Both as in Choice
    const TaughtFormat* format = nullptr;
    QString reason;  // why nothing can be asked, for the user
  };

  explicit ModelRoster(QObject* parent = nullptr);
  ~ModelRoster() override;

  // Roles of models that are gone fall to nobody.
  void setModels(const QVector<ModelEntry>& models);
  const QVector<ModelEntry>& models() const { return models_; }

  // The id must be in the roster; empty: nobody has the role.
  void setRole(Role role, const QString& id);
  const ModelEntry* inRole(Role role) const;

  void setRouting(Routing routing);
  Routing routing() const { return routing_; }

  // Hosts other than this computer that text may go to.
  void setAgreedHosts(const QStringList& hosts);
  // Agents, by their ids, that may be started.
  void setAgreedAgents(const QStringList& ids);
  bool mayReach(const ModelEntry& model) const;

  // While `reason` is not empty no model is chosen for anything, and that is why.
  void setOff(const QString& reason);

  // The model for this work. Where one of the two roles is free the other one does all the work.
  // Agents answer questions and do nothing else.
  Choice choose(Work work);
  NextEditChoice chooseForNextEdits();
  // Null: the model is not there any more, or may not be reached.
  Endpoint* endpointFor(const QString& id);
  // The deep model, to be offered after the model `id` has failed; no model where that is it.
  Choice chooseAfterFailure(const QString& id);

 Q_SIGNALS:
  void changed();

 private:
  const ModelEntry* find(const QString& id) const;
  const ModelEntry* inRole(Role role, Work work) const;
  Choice offer(const ModelEntry& model, const QString& reason);
  Endpoint* endpointOf(const ModelEntry& model);

  QVector<ModelEntry> models_;
  std::array<QString, 3> holders_;  // ids, by role; empty: nobody
  Routing routing_ = Routing::kByWork;
  QString off_;
  QStringList agreedHosts_;
  QStringList agreedAgents_;
  std::unordered_map<std::string, std::unique_ptr<Endpoint>> endpoints_;  // made when asked for
  std::unique_ptr<TextEndpoint> nextEditEndpoint_;                        // likewise
};

}  // namespace waferpair::pairing

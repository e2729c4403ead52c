// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/model_picker.h"

#include <QDir>
#include <QFileInfo>
#include <QThreadPool>
#include <QTimer>
#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/client/runtime_service.h"
#include "gui/kit/input_prompt.h"
#include "gui/model/agreement.h"
#include "gui/model/endpoint_dialog.h"
#include "gui/model/model_getter.h"
#include "gui/model/pairing_models.h"
#include "pairing/request/edit_form.h"
#include "pairing/taught/taught_format.h"
#include "programs/given_start.h"

namespace waferpair::gui {

using pairing::ModelEntry;
using pairing::ModelRoster;
using Role = ModelRoster::Role;

namespace {

QString agentDetails(const ModelEntry& entry) {
  return ModelPicker::tr("agent: %1 · answers questions, works on files").arg(entry.agent.text());
}

// ", but for OPENAI_API_KEY"
QString keptVariables(const pairing::AgentCommand& command) {
  QStringList names;
  for (const QString& variable : command.environment)
    if (!variable.contains(u'=')) names.append(variable);
  if (names.isEmpty()) return {};
  return ModelPicker::tr(", but for %1").arg(names.join(QStringLiteral(", ")));
}

// All of what is run, with the variables that are set for it.
QString startLine(pairing::AgentCommand command) {
  command.environment.removeIf([](const QString& variable) { return !variable.contains(u'='); });
  return editor::oneLineForm(command.line());
}

// The name by which it is known what a model was taught.
QString taughtName(const ModelFacts& facts, const QStringList& names) {
  const QStringList all = names + QStringList{facts.name};
  const auto found = std::find_if(all.begin(), all.end(), [](const QString& name) {
    return pairing::taughtFormat(QStringList{name}) != nullptr;
  });
  return found == all.end() ? names.first() : *found;
}

}  // namespace

// The same when the list is made anew.
QString ModelPicker::Offer::key() const {
  return QString::number(static_cast<int>(kind)) + u' ' + title + u' ' + entry.id +
         entry.address.base.toString() + u' ' + file.path;
}

ModelPicker::ModelPicker(const Parts& parts)
    : QObject(parts.window),
      parts_(parts),
      inspection_(parts.inspector),
      disk_(new QThreadPool(this)) {
  setObjectName(QStringLiteral("modelPicker"));
  disk_->setMaxThreadCount(1);
  setPlaces(pairing::LocalServers::usualPlaces());
  connect(&inspection_, &ModelInspection::told, this, [this](const ModelFacts& facts) {
    facts_[facts.file] = facts;
    refresh();
  });
  connect(parts_.models, &PairingModels::changed, this, &ModelPicker::refresh);
  connect(parts_.picker, &Overlay::closed, this, [this] { isOurs_ = false; });
}

ModelPicker::~ModelPicker() { disk_->waitForDone(); }

void ModelPicker::setPlaces(const QVector<pairing::LocalServers::Place>& places) {
  servers_ = std::make_unique<pairing::LocalServers>(places);
  connect(servers_.get(), &pairing::LocalServers::found, this,
          [this](const pairing::LocalServer& server) {
            found_.append(server);
            refresh();
          });
  connect(servers_.get(), &pairing::LocalServers::done, this, &ModelPicker::refresh);
}

void ModelPicker::open() {
  found_.clear();
  parts_.picker->open(tr("Models for pairing"), tr("Choose a model for questions and edits"), {},
                      [this](const QVariant& data) {
                        const auto chosen = std::find_if(
                            shown_.cbegin(), shown_.cend(),
                            [&data](const Offer& offer) { return offer.key() == data.toString(); });
                        if (chosen != shown_.cend()) take(Offer(*chosen));
                      });
  isOurs_ = true;
  look();
  refresh();
}

void ModelPicker::look() {
  servers_->look();
  agents_ = pairing::findAgents(QProcessEnvironment::systemEnvironment());
  if (!parts_.runtime || readingDisk_) return;
  readingDisk_ = true;
  disk_->start([this] {
    const pairing::ModelFiles files =
        pairing::findModelFiles(QProcessEnvironment::systemEnvironment(), QDir::homePath());
    QMetaObject::invokeMethod(this, [this, files] {
      readingDisk_ = false;
      files_ = files;
      QStringList unknown;
      for (const pairing::ModelFile& file : files_.files) {
        const auto known = facts_.constFind(file.path);
        if (known == facts_.cend() || known->fileBytes != file.bytes) unknown.append(file.path);
      }
      inspection_.inspect(unknown);
      refresh();
    });
  });
}

void ModelPicker::refresh() {
  if (!isOurs_ || !parts_.picker->isOpen()) return;
  shown_ = offers();
  FuzzyNames names;
  for (const Offer& offer : std::as_const(shown_)) names.first.append(offer.details + offer.title);
  parts_.picker->setNames(names, [shown = shown_](qsizetype index) {
    const Offer& offer = shown[index];
    return PickerItem{offer.details + offer.title,
                      static_cast<int>(offer.details.size()),
                      offer.hint,
                      {},
                      offer.key()};
  });
  QStringList notes = files_.problems;
  const auto measured = std::find_if(facts_.cbegin(), facts_.cend(), [](const ModelFacts& facts) {
    return !facts.speedText().isEmpty();
  });
  if (measured != facts_.cend()) notes.append(measured->speedText());
  if (servers_->isLooking() || readingDisk_)
    notes.append(tr("Looking for models on this computer…"));
  parts_.picker->setNote(notes.join(u' '));
}

QList<ModelPicker::Offer> ModelPicker::offers() const {
  QList<Offer> all;
  addEntries(all);
  addServers(all);
  addFiles(all);
  addAgents(all);
  if (parts_.getter) {
    all.append({.kind = Offer::Kind::kGet,
                .title = tr("Get a Model…"),
                .details = tr("a short list of open models, fetched when you say so")});
  }
  all.append({.kind = Offer::Kind::kAdd,
              .title = tr("Add a Model Behind an Address…"),
              .details = tr("a server here or elsewhere, with a key or without")});
  all.append({.kind = Offer::Kind::kAddAgent,
              .title = tr("Add an Agent by Its Command Line…"),
              .details = tr("a program that speaks the Agent Client Protocol")});
  for (const ModelEntry& entry : parts_.models->stored().endpoints) {
    if (!entry.isAgent() || !parts_.models->roster()->mayReach(entry)) continue;
    all.append({.kind = Offer::Kind::kAgreement,
                .entry = entry,
                .title = tr("Start %1 No More").arg(entry.name),
                .details = tr("takes back that it may be started")});
  }
  for (const QString& host : parts_.models->stored().agreedHosts) {
    all.append({.kind = Offer::Kind::kAgreement,
                .host = host,
                .title = tr("Send Nothing More to %1").arg(host),
                .details = tr("takes back that text may go there")});
  }
  for (const QString& host : parts_.models->stored().fetchHosts) {
    all.append({.kind = Offer::Kind::kAgreement,
                .host = host,
                .title = tr("Ask %1 for No More Models").arg(host),
                .details = tr("takes back that it may be asked")});
  }
  return all;
}

void ModelPicker::addEntries(QList<Offer>& offers) const {
  QVector<ModelEntry> entries = parts_.models->roster()->models();
  // One whose key is still being fetched is not in the roster.
  for (const ModelEntry& endpoint : parts_.models->stored().endpoints) {
    const bool isThere = std::any_of(entries.cbegin(), entries.cend(),
                                     [&](const auto& other) { return other.id == endpoint.id; });
    if (!isThere) entries.append(endpoint);
  }
  for (const ModelEntry& entry : std::as_const(entries)) {
    QStringList details;
    if (entry.id == PairingModels::servedId()) {
      details.append(tr("loaded here"));
    } else if (entry.id.startsWith(PairingModels::fileId({}))) {
      continue;  // among the files
    } else if (entry.isAgent()) {
      offers.append({.kind = Offer::Kind::kEntry,
                     .entry = entry,
                     .title = entry.name,
                     .details = agentDetails(entry),
                     .hint = rolesOf(entry.id)});
      continue;
    } else {
      details.append(entry.address.place());
    }
    if (entry.contextTokens > 0)
      details.append(tr("%1 context").arg(contextText(entry.contextTokens)));
    if (entry.followsInstructions) details.append(tr("follows instructions"));
    if (const QString fit = sizeText(entry.size()); !fit.isEmpty() && entry.followsInstructions)
      details.append(fit);
    if (pairing::taughtFormat(entry)) details.append(tr("next edits"));
    offers.append({.kind = Offer::Kind::kEntry,
                   .entry = entry,
                   .title = entry.name,
                   .details = details.join(QStringLiteral(" · ")),
                   .hint = rolesOf(entry.id)});
  }
  if (!parts_.models->servedRefusal().isEmpty()) {
    offers.append({.kind = Offer::Kind::kRefused,
                   .title = parts_.runtime->modelName(),
                   .details = tr("loaded here · completes, follows no instructions")});
  }
}

void ModelPicker::addServers(QList<Offer>& offers) const {
  for (const pairing::LocalServer& server : found_) {
    if (server.wantsKey) {
      ModelEntry locked;
      locked.address.base = server.base;
      offers.append({.kind = Offer::Kind::kLocked,
                     .entry = locked,
                     .title = server.name,
                     .details = tr("%1 · wants a key").arg(locked.address.place())});
      continue;
    }
    for (const pairing::ListedModel& model : server.models) {
      ModelEntry entry;
      entry.name = model.id;
      entry.address.base = server.base;
      entry.address.model = model.id;
      entry.contextTokens = model.contextTokens;
      entry.parameters = model.parameters;
      entry.id = endpointId(entry.address);
      const bool isSetUp = std::any_of(offers.cbegin(), offers.cend(), [&](const Offer& other) {
        return other.entry.id == entry.id;
      });
      if (isSetUp) continue;
      QStringList details = {tr("%1, %2").arg(server.name, entry.address.place())};
      if (entry.contextTokens > 0)
        details.append(tr("%1 context").arg(contextText(entry.contextTokens)));
      if (const QString fit = sizeText(entry.size()); !fit.isEmpty()) details.append(fit);
      if (pairing::taughtFormat(entry)) details.append(tr("next edits"));
      offers.append({.kind = Offer::Kind::kEntry,
                     .entry = entry,
                     .title = entry.name,
                     .details = details.join(QStringLiteral(" · "))});
    }
  }
}

void ModelPicker::addFiles(QList<Offer>& offers) const {
  for (const pairing::ModelFile& file : files_.files) {
    const auto facts = facts_.constFind(file.path);
    offers.append(
        {.kind = Offer::Kind::kFile,
         .file = file,
         .title = file.names.join(QStringLiteral(", ")),
         .details = tr("%1 · %2").arg(
             file.store, facts == facts_.cend() ? tr("reading its header") : facts->text()),
         .hint = fileHint(file.path)});
  }
}

// "deep, idle"
QString ModelPicker::fileHint(const QString& path) const {
  const HostedModel* hosted = parts_.runtime ? parts_.runtime->hosted()->find(path) : nullptr;
  QStringList parts = {rolesOf(PairingModels::fileId(path))};
  if (parts_.runtime && parts_.runtime->modelPath() == path) parts.append(tr("suggests"));
  if (hosted && hosted->state == ModelState::kLoading) parts.append(tr("loading"));
  if (hosted && hosted->state == ModelState::kReady) parts.append(tr("in memory"));
  if (hosted && hosted->state == ModelState::kIdle) parts.append(tr("idle"));
  if (hosted && hosted->state == ModelState::kFailed) parts.append(tr("failed"));
  parts.removeAll(QString());
  return parts.join(QStringLiteral(", "));
}

void ModelPicker::addAgents(QList<Offer>& offers) const {
  for (const pairing::FoundAgent& agent : agents_) {
    ModelEntry entry;
    entry.id = pairing::agentId(agent.command);
    entry.name = agent.name;
    entry.protocol = pairing::Protocol::kAgent;
    entry.agent = agent.command;
    if (isSetUp(entry.id)) continue;
    offers.append({.kind = Offer::Kind::kEntry,
                   .entry = entry,
                   .title = entry.name,
                   .details = agentDetails(entry)});
  }
}

bool ModelPicker::isSetUp(const QString& id) const {
  const auto& endpoints = parts_.models->stored().endpoints;
  return std::any_of(endpoints.cbegin(), endpoints.cend(),
                     [&id](const auto& other) { return other.id == id; });
}

QString ModelPicker::rolesOf(const QString& id) const {
  const bool isFast = parts_.models->wanted(Role::kFast) == id;
  const bool isDeep = parts_.models->wanted(Role::kDeep) == id;
  // The model that suggests has this role where nobody else was given it, if it was taught that.
  const pairing::ModelEntry* taught = parts_.models->roster()->inRole(Role::kNextEdit);
  const bool isTaught = taught ? taught->id == id : parts_.models->stored().nextEdit == id;
  QStringList roles;
  if (isFast && isDeep) {
    roles.append(tr("fast and deep"));
  } else if (isFast || isDeep) {
    roles.append(isFast ? tr("fast") : tr("deep"));
  }
  if (isTaught && !id.isEmpty()) roles.append(tr("next edits"));
  return roles.join(QStringLiteral(", "));
}

void ModelPicker::take(const Offer& offer) {
  switch (offer.kind) {
    case Offer::Kind::kEntry:
      return takeEntry(offer.entry);
    case Offer::Kind::kRefused:
      return tell(parts_.models->servedRefusal(),
                  tr("It goes on suggesting while you type. For questions and edits choose a model "
                     "that follows instructions."));
    case Offer::Kind::kFile:
      return takeFile(offer);
    case Offer::Kind::kLocked:
    case Offer::Kind::kAdd:
      return edit(offer.entry);
    case Offer::Kind::kAddAgent:
      return addAgent();
    case Offer::Kind::kGet:
      return parts_.getter->open();
    case Offer::Kind::kAgreement:
      if (offer.host.isEmpty()) return parts_.models->withdrawAgent(offer.entry.id);
      return parts_.models->withdraw(offer.host);
  }
}

void ModelPicker::takeEntry(const ModelEntry& entry) {
  if (entry.isAgent()) return giveAgentRoles(entry);
  const bool isServed = entry.id == PairingModels::servedId();
  giveRoles(entry, isServed ? QString() : entry.address.place());
}

void ModelPicker::takeFile(const Offer& offer) {
  const auto facts = facts_.constFind(offer.file.path);
  if (facts == facts_.cend())
    return tell(tr("The header of %1 is still being read.").arg(offer.title),
                tr("Choose it again in a moment."));
  if (!facts->isUsable())
    return tell(tr("%1 cannot be used: %2").arg(offer.title, facts->problem.what),
                facts->problem.remedy);
  const bool isTaught = facts->predictsEdits(offer.file.names);
  if (!facts->followsInstructions && !isTaught)
    return tell(tr("%1 completes code and follows no instructions: its file has no chat template "
                   "that is known here.")
                    .arg(offer.title),
                tr("For suggestions while you type, choose it with Model > Choose Model."));
  ModelEntry entry;
  entry.id = PairingModels::fileId(offer.file.path);
  entry.name = offer.file.names.first();
  entry.address.model = offer.file.path;
  entry.followsInstructions = facts->followsInstructions;
  entry.parameters = facts->parameters;
  // A blob's own name says nothing, and its first name may be another's.
  if (isTaught && !pairing::taughtFormat(entry)) entry.name = taughtName(*facts, offer.file.names);
  giveRoles(entry, facts->fits() ? tr("served here, loaded when it is first asked")
                                 : tr("too large for the memory that is free"));
}

// An agent answers questions, which both roles can be asked; edits stay with models.
void ModelPicker::giveAgentRoles(const ModelEntry& entry) {
  enum Choice { kDeep, kFirst, kNeither, kRemove };
  const auto item = [](const QString& title, const QString& details, Choice choice) {
    return PickerItem{details + title, static_cast<int>(details.size()), {}, {}, choice};
  };
  QList<PickerItem> items = {
      item(tr("Deep"), tr("questions, where the deep model is asked"), kDeep),
      item(tr("Deep, Asked First"), tr("all questions; edits stay with the fast model"), kFirst)};
  if (!rolesOf(entry.id).isEmpty()) items.append(item(tr("Neither"), tr("no work"), kNeither));
  if (isSetUp(entry.id)) items.append(item(tr("Remove"), tr("from this list"), kRemove));
  parts_.picker->open(tr("Work for %1").arg(entry.name),
                      tr("What does %1 do? (%2)").arg(entry.name, entry.agent.text()), items,
                      [this, entry](const QVariant& data) {
                        const auto choice = static_cast<Choice>(data.toInt());
                        PairingModels* models = parts_.models;
                        if (choice == kRemove) return models->remove(entry.id);
                        if (choice == kNeither) return models->setRole(Role::kDeep, {});
                        askForAgent(entry, [this, models, entry, choice] {
                          if (!isSetUp(entry.id)) models->setUp(entry);
                          models->setRole(Role::kDeep, entry.id);
                          if (choice == kFirst) models->setRouting(ModelRoster::Routing::kDeep);
                        });
                      });
}

void ModelPicker::addAgent() {
  parts_.prompt->open(
      tr("Command line of an agent"), {}, 0,
      [](const QString& text) {
        const auto command = pairing::agentCommandFrom(text);
        return command ? QString() : command.error().message();
      },
      [this](const QString& text) {
        ModelEntry entry;
        entry.protocol = pairing::Protocol::kAgent;
        entry.agent = *pairing::agentCommandFrom(text);
        entry.id = pairing::agentId(entry.agent);
        entry.name = QFileInfo(entry.agent.program).fileName();
        giveAgentRoles(entry);
      });
}

// Nothing of it runs before the user has read what will, and what it may do.
void ModelPicker::askForAgent(const ModelEntry& entry, const std::function<void()>& agreed) {
  if (parts_.models->roster()->mayReach(entry)) return agreed();
  const auto known = std::find_if(agents_.cbegin(), agents_.cend(), [&entry](const auto& agent) {
    return agent.command == entry.agent;
  });
  const QString maker = known == agents_.cend() ? tr("its maker") : known->maker;
  const ConsentQuestion agreement{
      "agreeToAgent", tr("Models for Pairing"),
      tr("May %1 be started for your questions?").arg(entry.name),
      tr("This runs: %1\n\nIt is a program of its own, with your rights. It can read the project, "
         "change files and run commands, and may send what it reads to a service of %2. It gets "
         "this program's environment without variables that are named as secrets are%3.\n\nWhat "
         "it asks is shown to you, and what it changed can be taken back. It is started with the "
         "first question, never before.")
          .arg(startLine(entry.agent), maker, keptVariables(entry.agent)),
      tr("&Start %1").arg(entry.name)};
  askToAgree(agreement, parts_.window, this, [this, id = entry.id, agreed] {
    parts_.models->agreeToAgent(id);
    agreed();
  });
}

// `what` is said behind its name.
void ModelPicker::giveRoles(const ModelEntry& entry, const QString& what) {
  enum Choice {
    kFast,
    kDeep,
    kBoth,
    kNextEdits,
    kNeither,
    kEdit,
    kRemove,
    kSuggest,
    kLoad,
    kUnload
  };
  const QString now = rolesOf(entry.id);
  const auto item = [&what](const QString& title, const QString& details, Choice choice,
                            const QString& hint = {}) {
    const QString dimmed = details.isEmpty() ? what : details;
    return PickerItem{dimmed + title, static_cast<int>(dimmed.size()), hint, {}, choice};
  };
  const QStringList roles = now.split(QStringLiteral(", "));
  const auto hint = [&roles](const QString& role) {
    return roles.contains(role) ? tr("current") : QString();
  };
  QList<PickerItem> items;
  if (entry.followsInstructions) {
    items = {
        item(tr("Fast"),
             pairing::mayEdit(entry.size()) ? tr("small edits and questions")
                                            : tr("questions; it is too small for edits"),
             kFast, hint(tr("fast"))),
        item(tr("Deep"), tr("edits of many lines, and edits that the fast one failed at"), kDeep,
             hint(tr("deep"))),
        item(tr("Fast and Deep"), tr("all work"), kBoth, hint(tr("fast and deep"))),
    };
  }
  if (const pairing::TaughtFormat* format = pairing::taughtFormat(entry)) {
    const bool isHere = entry.address.base.isEmpty() || entry.address.isLoopback();
    const QString details =
        isHere ? tr("where no finder has one; in the form of %1")
               : tr("where no finder has one; in the form of %1, sent as you type");
    items.append(item(tr("Next Edits"), details.arg(QLatin1String(format->name())), kNextEdits,
                      hint(tr("next edits"))));
  }
  if (!now.isEmpty()) items.append(item(tr("Neither"), tr("no work"), kNeither));
  const bool isFile = entry.id.startsWith(PairingModels::fileId({}));
  const QString path = isFile ? entry.id.mid(PairingModels::fileId({}).size()) : QString();
  if (isFile && parts_.runtime->modelPath() != path) {
    items.append(item(tr("Suggestions"),
                      tr("while you type, instead of %1").arg(parts_.runtime->modelName()),
                      kSuggest));
  }
  const HostedModel* hosted = isFile ? parts_.runtime->hosted()->find(path) : nullptr;
  if (isFile && !now.isEmpty() && hosted && hosted->state == ModelState::kReady) {
    items.append(item(tr("Unload"), tr("gives its memory back until it is asked"), kUnload));
  } else if (isFile && !now.isEmpty()) {
    items.append(item(tr("Load"), tr("ahead of its first question"), kLoad));
  }
  const bool isSetUp = this->isSetUp(entry.id);
  if (isSetUp) {
    items.append(item(tr("Change…"), tr("address, protocol, key, name"), kEdit));
    items.append(item(tr("Remove"), tr("with its key"), kRemove));
  }
  parts_.picker->open(tr("Work for %1").arg(entry.name),
                      what.isEmpty() ? tr("What does %1 do?").arg(entry.name)
                                     : tr("What does %1 do? (%2)").arg(entry.name, what),
                      items, [this, entry, isSetUp, isFile, path](const QVariant& data) {
                        const auto choice = static_cast<Choice>(data.toInt());
                        PairingModels* models = parts_.models;
                        if (choice == kEdit) return edit(entry);
                        if (choice == kRemove) return models->remove(entry.id);
                        if (choice == kSuggest) return parts_.runtime->chooseModel(path);
                        if (choice == kLoad) return parts_.runtime->hosted()->load(path);
                        if (choice == kUnload) return parts_.runtime->hosted()->unload(path);
                        const auto give = [models, entry, isSetUp, choice, isFile, path] {
                          if (!isFile && !isSetUp && entry.id != PairingModels::servedId())
                            models->setUp(entry);
                          for (const Role role : {Role::kFast, Role::kDeep, Role::kNextEdit}) {
                            // What a model was taught is work beside the other.
                            const bool isOther =
                                (role == Role::kNextEdit) != (choice == kNextEdits);
                            if (isOther && choice != kNeither) continue;
                            const bool wanted = choice == kNextEdits ||
                                                (choice == kBoth && role != Role::kNextEdit) ||
                                                (choice == kFast && role == Role::kFast) ||
                                                (choice == kDeep && role == Role::kDeep);
                            if (!wanted && models->wanted(role) == entry.id)
                              models->setRole(role, {});
                            if (!wanted) continue;
                            if (isFile) {
                              models->setFileRole(role, path, entry.name);
                            } else {
                              models->setRole(role, entry.id);
                            }
                          }
                        };
                        if (choice == kNeither) return give();
                        askForHost(entry, choice == kNextEdits, give);
                      });
}

void ModelPicker::edit(const ModelEntry& endpoint) {
  auto* dialog = new EndpointDialog(
      endpoint,
      [models = parts_.models](const QUrl& base, const auto& found) {
        models->findKey(base, found);
      },
      parts_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &EndpointDialog::chosen, this, [this, endpoint](const ModelEntry& entry) {
    // Once the dialog has given the keyboard back.
    QTimer::singleShot(0, this, [this, endpoint, entry] { replace(endpoint, entry); });
  });
  dialog->open();
}

// Another address or model is another endpoint, which takes over the work of the one before.
void ModelPicker::replace(const ModelEntry& before, const ModelEntry& entry) {
  PairingModels* models = parts_.models;
  const bool wasFast = !before.id.isEmpty() && models->wanted(Role::kFast) == before.id;
  const bool wasDeep = !before.id.isEmpty() && models->wanted(Role::kDeep) == before.id;
  const bool wasTaught = !before.id.isEmpty() && models->wanted(Role::kNextEdit) == before.id;
  // In this order: the last model of an address takes its key along.
  models->setUp(entry);
  if (!before.id.isEmpty() && before.id != entry.id) models->remove(before.id);
  if (!wasFast && !wasDeep && !wasTaught) return takeEntry(entry);
  askForHost(entry, wasTaught, [models, entry, wasFast, wasDeep, wasTaught] {
    if (wasFast) models->setRole(Role::kFast, entry.id);
    if (wasDeep) models->setRole(Role::kDeep, entry.id);
    if (wasTaught) models->setRole(Role::kNextEdit, entry.id);
  });
}

void ModelPicker::askForHost(const ModelEntry& entry, bool asYouType,
                             const std::function<void()>& agreed) {
  const bool needsNone = entry.id == PairingModels::servedId() ||
                         entry.id.startsWith(PairingModels::fileId({})) ||
                         parts_.models->roster()->mayReach(entry);
  if (needsNone) return agreed();
  const QString host = entry.address.base.host();
  const ConsentQuestion agreement{
      "agreeToHost", tr("Models for Pairing"), tr("May text go to %1?").arg(host),
      (asYouType ? tr("The lines around the caret and your last edits leave this computer as you "
                      "type, for next edits by %1.")
                 : tr("What you ask %1, and the code that you select or that the question needs, "
                      "leaves this computer."))
              .arg(entry.name) +
          u' ' + tr("Files that hold secrets stay out. You can take this back in the same list."),
      tr("&Send to %1").arg(host)};
  askToAgree(agreement, parts_.window, this, [this, host, agreed] {
    parts_.models->agree(host);
    agreed();
  });
}

void ModelPicker::tell(const QString& text, const QString& details) {
  tellRefusal("modelRefused", tr("Models for Pairing"), {text, details}, parts_.window);
}

}  // namespace waferpair::gui

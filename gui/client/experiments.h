// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the model server what would be: figures of a model on wafers or GPUs, or of a program on the
// mesh (docs/experiments.md). An answer is remembered: the same question has the same one. UI
// thread only; every call returns at once.
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QVector>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "editor/text/result.h"
#include "gui/store/json_fields.h"

namespace waferpair::gui {

class RuntimeClient;
class RuntimeService;
struct ServerError;

struct ExperimentFigure {
  QString name;  // "tokens_per_second"
  QString label;
  double value = 0;
  QString unit;  // may be empty
};

// A part of the time of one token.
struct ExperimentShare {
  QString name;
  double seconds = 0;
};

struct ExperimentAnswer {
  QString nature;  // "emulated", "modelled", "simulated", "published"
  QString title;
  QString band;                             // in words; may be empty
  std::optional<double> worstErrorPercent;  // absent: unchecked
  QVector<ExperimentFigure> figures;
  QVector<ExperimentShare> shares;
  QStringList sources;

  // Null for a name that is not there.
  const ExperimentFigure* find(const QString& name) const;
};

using ExperimentResult = editor::Result<ExperimentAnswer>;
using HearExperiment = std::function<void(const ExperimentResult&)>;

class Experiments : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // The session that questions go to. Those that it has not answered are asked again in the next.
  void setClient(RuntimeClient* client);

  // `hear` is called once, later, unless `context` is gone by then. While there is no server the
  // question waits for one, unless none can be had.
  void ask(const QString& question, QObject* context, HearExperiment hear);

 private:
  struct Waiting {
    QString question;
    QPointer<QObject> context;
    HearExperiment hear;
  };

  void send(quint64 id) const;
  void sendAll() const;
  void hearEvent(const std::string& type, JsonFields event);
  void hearError(const ServerError& error);
  void answer(quint64 id, const ExperimentResult& result);

  QPointer<RuntimeClient> client_;
  std::map<quint64, Waiting> waiting_;  // by id, as asked
  QHash<QString, ExperimentAnswer> known_;
  QList<QString> order_;  // of the known ones, the oldest first
  quint64 lastId_ = 0;
};

// Returns those of a service, which follow it from one server to the next; it owns them.
Experiments* experimentsOf(RuntimeService* runtime);

}  // namespace waferpair::gui

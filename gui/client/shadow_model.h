// SPDX-License-Identifier: GPL-3.0-or-later
// The shadow: another model, of which only the shape is known, in place of the one that runs. It is
// chosen, placed by the server, and asked for again whenever a server is ready. UI thread only;
// every call returns at once.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <optional>
#include <string>

#include "editor/text/result.h"
#include "gui/client/runtime_figures.h"
#include "gui/store/json_fields.h"

namespace waferpair::gui {

class RuntimeClient;
struct ServerStatus;

// The user's choice: the name of a shape, or the path of a SHAPE.json, or no shadow when it is
// empty.
struct ShadowChoice {
  QString shape;
  ShadowPlacement placement;
  bool operator==(const ShadowChoice&) const = default;
};

class ShadowModel : public QObject {
  Q_OBJECT
 public:
  // `choice`: as it was chosen last.
  explicit ShadowModel(ShadowChoice choice, QObject* parent = nullptr);

  // The session that it is shown in.
  void setClient(RuntimeClient* client);
  // Sets why no shadow can be shown now; empty when one can.
  void setUnavailable(const QString& why) { unavailable_ = why; }
  // Takes over the shadow of a server that is ready. One that was chosen and is not shown is asked
  // for.
  void follow(const ServerStatus& status);

  // Answered by changed(), or by failed() and all stays as it was.
  void choose(const QString& shape);
  // Sets how the next shadow is placed, and at once the one that is shown; answered as choose() is.
  void setPlacement(const ShadowPlacement& placement);
  const QString& shape() const { return choice_.shape; }
  const ShadowPlacement& placement() const { return choice_.placement; }
  // Nothing: the model that runs is shown.
  const std::optional<ShadowFacts>& shown() const { return shown_; }
  // The catalog, the smallest first; empty until a server has been ready.
  const QList<ShadowShape>& shapes() const { return shapes_; }

 Q_SIGNALS:
  void changed();
  void failed(const waferpair::editor::Error& problem);
  // Sent for those who store the choice. A placement that could not be had is not among it.
  void chosen(const waferpair::gui::ShadowChoice& choice);

 private:
  void wish(const ShadowChoice& choice);
  void setChoice(const ShadowChoice& choice);
  void hear(const std::string& type, JsonFields event);
  void readShapes(JsonFields& event);
  void onFailed(const editor::Error& problem);
  void show(const std::optional<ShadowFacts>& shadow);

  QPointer<RuntimeClient> client_;
  QString unavailable_;
  ShadowChoice choice_;
  std::optional<ShadowChoice> wish_;  // sent, and not answered yet
  std::optional<ShadowFacts> shown_;
  QList<ShadowShape> shapes_;
};

}  // namespace waferpair::gui

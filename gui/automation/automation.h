// SPDX-License-Identifier: GPL-3.0-or-later
// The methods by which another program drives this one (docs/automation.md): commands by id, keys
// and mouse, the state, the accessible tree, waiting, pictures. Knows nothing of sockets. UI thread
// only.
#pragma once

#include <QMainWindow>
#include <functional>
#include <memory>
#include <optional>

#include "gui/automation/idle.h"
#include "gui/automation/rpc.h"

namespace waferpair::gui {

class MainWindow;
class RuntimeService;

class Automation : public QObject {
  Q_OBJECT
 public:
  // `runtime` may be null. Neither is owned, both outlive this.
  Automation(MainWindow* window, RuntimeService* runtime, QObject* parent = nullptr);
  ~Automation() override;

  // Drives this window from now on.
  void follow(MainWindow* window, RuntimeService* runtime);

  using Reply = std::function<void(const RpcResult& result)>;
  // Calls `reply` once, as a rule before it returns; "wait" does so later, or never if this is
  // gone first.
  void call(const RpcRequest& request, const Reply& reply);

 private:
  using Run = RpcResult (Automation::*)(JsonFields&);
  struct Method {
    const char* name;
    Run run;
    const char* help;
  };
  struct Waiting;
  struct Target;
  static const Method kMethods[];

  RpcResult methods(JsonFields& params);
  RpcResult commands(JsonFields& params);
  RpcResult run(JsonFields& params);
  RpcResult state(JsonFields& params);
  RpcResult text(JsonFields& params);
  RpcResult key(JsonFields& params);
  RpcResult type(JsonFields& params);
  RpcResult click(JsonFields& params);
  RpcResult doubleClick(JsonFields& params);
  RpcResult move(JsonFields& params);
  RpcResult drag(JsonFields& params);
  RpcResult wheel(JsonFields& params);
  RpcResult tree(JsonFields& params);
  RpcResult screenshot(JsonFields& params);
  RpcResult open(JsonFields& params);
  RpcResult resize(JsonFields& params);
  RpcResult quit(JsonFields& params);
  void wait(JsonFields& params, const Reply& reply);

  QWidget* keyWindow() const;
  std::optional<RpcError> bringToFront(QWidget* window);
  tl::expected<Target, RpcError> target(JsonFields& params, const base::Field& element,
                                        const base::Field& at);
  tl::expected<QWidget*, RpcError> widgetOf(JsonFields& params);
  void look(const std::shared_ptr<Waiting>& waiting);
  void press(const std::function<void()>& act);

  MainWindow* window_;
  RuntimeService* runtime_;
  std::unique_ptr<Idle> idle_;
  Reply underWay_;  // to the call that is under way; later ones are ignored
};

}  // namespace waferpair::gui

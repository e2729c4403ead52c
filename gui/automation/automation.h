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

  using Reply = std::function<void(const RpcResult& result)>;
  // Calls `reply` once, as a rule before it returns; "wait" does so later, or never if this is
  // gone first.
  void call(const RpcRequest& request, const Reply& reply);

 private:
  using Run = RpcResult (Automation::*)(RpcParams&);
  struct Method {
    const char* name;
    Run run;
    const char* help;
  };
  struct Waiting;
  struct Target;
  static const Method kMethods[];

  RpcResult methods(RpcParams& params);
  RpcResult commands(RpcParams& params);
  RpcResult run(RpcParams& params);
  RpcResult state(RpcParams& params);
  RpcResult text(RpcParams& params);
  RpcResult key(RpcParams& params);
  RpcResult type(RpcParams& params);
  RpcResult click(RpcParams& params);
  RpcResult doubleClick(RpcParams& params);
  RpcResult move(RpcParams& params);
  RpcResult drag(RpcParams& params);
  RpcResult wheel(RpcParams& params);
  RpcResult tree(RpcParams& params);
  RpcResult screenshot(RpcParams& params);
  RpcResult open(RpcParams& params);
  RpcResult resize(RpcParams& params);
  RpcResult quit(RpcParams& params);
  void wait(RpcParams& params, const Reply& reply);

  QWidget* keyWindow() const;
  std::optional<RpcError> bringToFront(QWidget* window);
  tl::expected<Target, RpcError> target(RpcParams& params, const char* element, const char* at);
  tl::expected<QWidget*, RpcError> widgetOf(RpcParams& params);
  void look(const std::shared_ptr<Waiting>& waiting);

  MainWindow* window_;
  RuntimeService* runtime_;
  Idle idle_;
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// A waferd, over one WebSocket session.
#pragma once

#include <memory>

#include "runtime/server/core/token_file.h"
#include "runtime/waferctl/source.h"

namespace waferpair::waferctl {

class RemoteSource final : public Source {
 public:
  // Waits until the server's model is ready; the error says why it never will be.
  static base::Result<std::unique_ptr<Source>> connect(const server::RunningServer& server);
  // The server's status event, whatever its state.
  static base::Result<Json> status(const server::RunningServer& server);
  ~RemoteSource() override;

  std::string name() const override;
  Json model() const override { return model_; }
  base::Result<Json> complete(const CursorPlace& place, const TokenLimits& limits,
                              const OnText& onText) override;
  base::Result<Json> generate(const std::string& prompt, const TokenLimits& limits,
                              const OnText& onText) override;
  base::Result<void> startTrace(const std::string& path) override;
  base::Result<Json> stopTrace() override;

 private:
  class Socket;
  RemoteSource();
  base::Result<void> awaitModel();
  base::Result<void> send(const Json& message);
  // The next event; an error event becomes an error.
  base::Result<Json> next();
  base::Result<Json> await(std::string_view type);

  std::unique_ptr<Socket> socket_;
  int port_ = 0;
  Json model_;
};

}  // namespace waferpair::waferctl

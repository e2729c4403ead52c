// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of what the wafer does: trace.start and trace.stop.
#pragma once

#include <memory>
#include <string>

#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/feature.h"

namespace waferpair::server {

class Traces : public Feature {
 public:
  Traces(Client& client, Dispatch& dispatch);

  void ended() override;  // a recording ends with its session at the latest

 private:
  struct Wish {
    std::string file;
    std::string model;  // empty: the first
  };
  static Wish readWish(JsonFields& fields);

  void start(const Wish& wish);
  void stop();
  base::Result<trace::Written> end();

  Client& client_;
  std::shared_ptr<void> recorded_;           // keeps the recorded model in memory
  std::shared_ptr<TraceRecorder> recorder_;  // that this session began and has not stopped
};

}  // namespace waferpair::server

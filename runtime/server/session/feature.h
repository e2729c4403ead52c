// SPDX-License-Identifier: GPL-3.0-or-later
// A part of what a session can do: it adds the messages that it understands to the session's
// dispatch when it is made, and hears what happens. One file each; features.cpp lists them.
#pragma once

#include "runtime/server/core/hosted_model.h"

namespace waferpair::server {

class Feature {
 public:
  virtual ~Feature() = default;

  // News of the server, as in Hub::Member.
  virtual void modelChanged(HostedModel& /*model*/) {}
  virtual void modelLoaded(HostedModel& /*model*/) {}
  virtual void modelLeaves(HostedModel& /*model*/) {}
  virtual void shadowChanged() {}
  virtual void workBegan(HostedModel& /*model*/) {}
  // The outbox has nothing left.
  virtual void drained() {}
  // Nothing more is told to the client; its jobs have been cancelled.
  virtual void closed() {}
  // The connection is gone. After closed(), unless the client left by itself.
  virtual void ended() {}
};

}  // namespace waferpair::server

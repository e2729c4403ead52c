// SPDX-License-Identifier: GPL-3.0-or-later
// Notices the end of another process, in whatever way it ends. No polling.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>

namespace waferpair::waferd {

class ParentWatch {
 public:
  // Calls `gone` once from the context's thread; soon, if there is no such process now.
  ParentWatch(boost::asio::io_context& context, int pid, std::function<void()> gone);

  // Lets the context run out of work.
  void stop();

 private:
  boost::asio::posix::stream_descriptor process_;
};

}  // namespace waferpair::waferd

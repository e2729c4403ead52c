// SPDX-License-Identifier: GPL-3.0-or-later
// Notices the end of another process, in whatever way it ends. No polling.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>

namespace waferpair::waferd {

class ParentWatch {
 public:
  // Calls `gone` once on the executor; soon, if there is no such process now.
  ParentWatch(const boost::asio::any_io_executor& executor, int pid, std::function<void()> gone);

  // Lets the context run out of work.
  void stop();

 private:
  boost::asio::posix::stream_descriptor process_;
};

}  // namespace waferpair::waferd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferd/parent_watch.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <cerrno>

namespace waferpair::waferd {

ParentWatch::ParentWatch(const boost::asio::any_io_executor& executor, int pid,
                         std::function<void()> gone)
    : process_(executor) {
  // A pidfd becomes readable when its process ends.
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (fd >= 0) {
    process_.assign(fd);
    process_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                        [gone = std::move(gone)](boost::system::error_code error) {
                          if (!error) gone();
                        });
    return;
  }
  if (errno == ENOSYS || errno == EPERM) {
    // Kernels before 5.3, or a sandbox: the signal comes when the thread that started us ends,
    // which is as good where that is the parent's main thread.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == pid) return;
  }
  boost::asio::post(executor, std::move(gone));
}

void ParentWatch::stop() {
  boost::system::error_code ignored;
  process_.close(ignored);
}

}  // namespace waferpair::waferd

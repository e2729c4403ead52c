// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/gguf/mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace waferpair::gguf {

File::Mapping::~Mapping() { munmap(address, size); }

base::Result<std::unique_ptr<File::Mapping>> File::Mapping::open(const std::string& path) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return base::fail(path + ": cannot be opened: " + std::strerror(errno) + ".",
                      "Check the path and its permissions.");
  }
  struct stat status = {};
  const bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  if (!regular || status.st_size == 0) {
    close(fd);
    return base::fail(path + (regular ? ": is empty." : ": is not a regular file."),
                      "Give the path of a GGUF model file.");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  const int error = errno;
  close(fd);  // the mapping stays
  if (address == MAP_FAILED) {
    return base::fail(path + ": cannot be mapped into memory: " + std::strerror(error) + ".",
                      "Free some memory or use a smaller model.");
  }
  return std::make_unique<Mapping>(address, size);
}

}  // namespace waferpair::gguf

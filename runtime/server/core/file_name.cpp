// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/file_name.h"

#include "runtime/base/percent.h"

namespace waferpair::server {

std::string fileNameOf(std::string_view uri) {
  const std::size_t slash = uri.rfind('/');
  return base::percentDecoded(slash == uri.npos ? uri : uri.substr(slash + 1));
}

}  // namespace waferpair::server

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/file_name.h"

namespace waferpair::server {
namespace {

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string fileNameOf(std::string_view uri) {
  const std::size_t slash = uri.rfind('/');
  const std::string_view last = slash == uri.npos ? uri : uri.substr(slash + 1);
  std::string name;
  for (std::size_t i = 0; i < last.size(); ++i) {
    const int high = last[i] == '%' && i + 2 < last.size() ? hexDigit(last[i + 1]) : -1;
    const int low = high >= 0 ? hexDigit(last[i + 2]) : -1;
    if (low < 0) {
      name += last[i];
      continue;
    }
    name += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return name;
}

}  // namespace waferpair::server

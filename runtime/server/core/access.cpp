// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/access.h"

#include <string>

namespace waferpair::server {
namespace {

bool removePrefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// "app://obsidian.md", "vscode-webview://1a2b": no page of the web has such an origin. A file may
// have come from anywhere, and says nothing of who wrote it.
bool isOfProgram(std::string_view origin) {
  const std::string_view scheme = origin.substr(0, origin.find("://"));
  if (scheme.empty() || scheme.size() == origin.size()) return false;
  constexpr std::string_view kElsewhere = " http https ws wss ftp file ";
  if (kElsewhere.find(" " + std::string(scheme) + " ") != kElsewhere.npos) return false;
  return scheme.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-.") == scheme.npos;
}

}  // namespace

bool isLocalOrigin(std::string_view origin) {
  if (isOfProgram(origin)) return true;
  if (!removePrefix(origin, "http://") && !removePrefix(origin, "https://")) return false;
  for (const std::string_view host : {"localhost", "127.0.0.1", "[::1]", "tauri.localhost"}) {
    std::string_view rest = origin;
    if (!removePrefix(rest, host)) continue;
    if (rest.empty()) return true;
    // Nothing but a port may follow: "localhost.evil.example" is another host.
    return removePrefix(rest, ":") && !rest.empty() && rest.size() <= 5 &&
           rest.find_first_not_of("0123456789") == rest.npos;
  }
  return false;
}

Access checkAccess(std::string_view origin, std::string_view authorization,
                   const std::function<bool(std::string_view shown)>& isToken) {
  if (!origin.empty() && !isLocalOrigin(origin)) return Access::kForeignOrigin;
  // The scheme's name is case-insensitive (RFC 9110, 11.1).
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() < kScheme.size()) return Access::kNoToken;
  for (size_t i = 0; i < kScheme.size(); ++i) {
    const char c = authorization[i];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != kScheme[i]) return Access::kNoToken;
  }
  authorization.remove_prefix(kScheme.size());
  return isToken(authorization) ? Access::kGranted : Access::kWrongToken;
}

}  // namespace waferpair::server

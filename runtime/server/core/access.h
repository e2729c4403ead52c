// SPDX-License-Identifier: GPL-3.0-or-later
// Decides who is let in: the bearer of the token, and no web page from another host.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace waferpair::server {

// True for http(s) origins at localhost, 127.0.0.1 or [::1], with any port, and for those of
// programs whose windows are pages of their own: tauri.localhost, and any scheme but those of the
// web ("app://", "tauri://").
bool isLocalOrigin(std::string_view origin);

enum class Access {
  kGranted,
  kForeignOrigin,  // 403
  kNoToken,        // 401
  kWrongToken,     // 401
};

// `origin` and `authorization` are the headers' values, empty when absent. `isToken` says whether a
// secret lets its bearer in.
Access checkAccess(std::string_view origin, std::string_view authorization,
                   const std::function<bool(std::string_view shown)>& isToken);

}  // namespace waferpair::server

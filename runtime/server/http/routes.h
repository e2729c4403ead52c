// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which requests are served. A path that is served is a row of the table in routes.cpp.
#pragma once

#include <boost/beast/http/verb.hpp>
#include <string_view>

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

// Where responses are asked for, by POST or over a WebSocket as OpenAI has it.
inline constexpr std::string_view kResponsesPath = "/v1/responses";

struct Route {
  boost::beast::http::verb method;
  std::string_view path;  // without a query; one that ends in / stands for all that
                          // go on behind it, but for / itself
  Handler answer;
  bool open = false;  // needs no token
};

// HEAD is served where GET is. Null where none has that path and method; `isPathKnown` then says
// whether another method has it.
const Route* findRoute(boost::beast::http::verb method, std::string_view path);
bool isPathKnown(std::string_view path);

}  // namespace waferpair::server

// SPDX-License-Identifier: GPL-3.0-or-later
// What stops a template. Thrown inside this room alone: Template's functions return it as a value.
#pragma once

#include <string>
#include <utility>

namespace waferpair::jinja {

struct Failure {
  std::string what;       // a sentence without its period
  int line = 0;           // 0: the one that is being evaluated
  bool isRaised = false;  // by the template itself, of what it is given
};

[[noreturn]] inline void stop(std::string what, int line = 0) {
  throw Failure{.what = std::move(what), .line = line};
}

}  // namespace waferpair::jinja

// SPDX-License-Identifier: GPL-3.0-or-later
// Jinja templates as chat templates use the language, rendered as transformers renders them: by
// jinja2's immutable sandbox with trim_blocks, lstrip_blocks and loop controls, `tojson` without
// escapes for HTML, {% generation %}, raise_exception() and strftime_now().
//
// Templates come with model files, so they are not trusted: their size, their nesting, the steps
// they take and the bytes they make are limited, and whatever is wrong is an error with its line.
#pragma once

#include <ctime>
#include <functional>
#include <memory>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/jinja/text.h"
#include "runtime/jinja/value.h"

namespace waferpair::jinja {

class Template {
 public:
  // The error names the line.
  static base::Result<Template> parse(std::string_view source);
  Template(Template&&) noexcept;
  Template& operator=(Template&&) noexcept;
  ~Template();

  // Each byte of what is rendered knows whether it came from the template or with a variable that
  // came from outside. `variables` makes these: values that are too large fail there. From any
  // thread. The error names the line, or is what the template itself says with raise_exception().
  base::Result<Text> render(const std::function<Dict()>& variables, const std::tm& now) const;

 private:
  struct Tree;
  explicit Template(std::unique_ptr<const Tree> tree);
  std::unique_ptr<const Tree> tree_;
};

}  // namespace waferpair::jinja

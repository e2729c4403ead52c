// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/template.h"

#include <string>
#include <utility>

#include "runtime/jinja/failure.h"
#include "runtime/jinja/interpreter.h"
#include "runtime/jinja/parser.h"

namespace waferpair::jinja {
namespace {

constexpr std::size_t kLongestSource = std::size_t{1} << 20;

tl::unexpected<base::Error> failed(const Failure& failure, int line) {
  if (failure.isRaised)
    return base::fail("The chat template refuses this conversation: " + failure.what,
                      "Order its messages as the template asks.");
  return base::fail("Line " + std::to_string(failure.line > 0 ? failure.line : line) +
                        " of the chat template: " + failure.what + ".",
                    "Use a file whose tokenizer.chat_template is as its model was published.");
}

}  // namespace

struct Template::Tree {
  Block block;
};

Template::Template(std::unique_ptr<const Tree> tree) : tree_(std::move(tree)) {}
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

base::Result<Template> Template::parse(std::string_view source) {
  try {
    if (source.size() > kLongestSource)
      stop("it is longer than " + std::to_string(kLongestSource >> 20) + " MiB", 1);
    return Template(std::make_unique<const Tree>(Tree{parseTemplate(source)}));
  } catch (const Failure& failure) {
    return failed(failure, 1);
  }
}

base::Result<Text> Template::render(const std::function<Dict()>& variables,
                                    const std::tm& now) const {
  Interpreter interpreter(now);
  try {
    return interpreter.render(tree_->block, variables());
  } catch (const Failure& failure) {
    return failed(failure, interpreter.line());
  }
}

}  // namespace waferpair::jinja

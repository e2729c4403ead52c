// SPDX-License-Identifier: GPL-3.0-or-later
// A model's own chat template, run as it was published. What it writes itself may become control
// tokens; what came with messages and tools is text always, so no message can hold a marker,
// whoever wrote it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/prompt/chat_template.h"
#include "runtime/jinja/template.h"

namespace waferpair::inference {

class ChatProgram {
 public:
  // Reads tokenizer.chat_template, and tries it on a small conversation. The error names the file
  // and says why it cannot be followed.
  static base::Result<std::shared_ptr<const ChatProgram>> read(const gguf::File& file);

  // The conversation and the beginning of the assistant's next message. The error is the
  // template's own where it refuses the order of the messages. From any thread.
  base::Result<std::vector<std::int32_t>> prompt(const tokenizer::Tokenizer& tokenizer,
                                                 std::optional<ToolStyle> toolStyle,
                                                 std::span<const ChatMessage> messages,
                                                 std::span<const Tool> tools,
                                                 std::span<const TemplateVariable> variables) const;

  // How it writes calls, where it writes these and results, and that can be told of what it
  // renders. Tools that it does not list are then told of in words.
  std::optional<DerivedCalls> derivedCalls() const;

  // Whether it opens the thinking of the assistant's next message itself. From any thread.
  bool opensThinking(const ThinkingTags& tags, std::span<const TemplateVariable> variables) const;

 private:
  ChatProgram(jinja::Template program, std::string source)
      : program_(std::move(program)), source_(std::move(source)) {}
  void tryTools();

  jinja::Template program_;
  std::string source_;
  bool listsTools_ = false;
  bool writesCalls_ = false;
  bool argumentsAsText_ = false;  // of calls: as JSON text, not as an object
};

}  // namespace waferpair::inference

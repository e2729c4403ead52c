// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/answer_reader.h"

#include <iterator>
#include <string>
#include <utility>

namespace waferpair::inference {

void AnswerReader::say(std::string_view text, std::vector<AnswerPart>& parts) {
  if (text.empty()) return;
  if (!calls_) return parts.push_back({AnswerPart::Kind::kText, std::string(text)});
  if (!bare_) return read(text, parts);
  BareCallReader::Told told = bare_->push(text);
  parts.insert(parts.end(), std::make_move_iterator(told.calls.begin()),
               std::make_move_iterator(told.calls.end()));
  read(told.text, parts);
}

void AnswerReader::read(std::string_view text, std::vector<AnswerPart>& parts) {
  if (text.empty()) return;
  std::vector<AnswerPart> said = calls_->push(text);
  parts.insert(parts.end(), std::make_move_iterator(said.begin()),
               std::make_move_iterator(said.end()));
}

void AnswerReader::add(const ThinkingReader::Told& told, std::vector<AnswerPart>& parts) {
  if (!told.thought.empty()) parts.push_back({AnswerPart::Kind::kThought, told.thought});
  say(told.said, parts);
}

std::vector<AnswerPart> AnswerReader::push(std::string_view text) {
  std::vector<AnswerPart> parts;
  if (thinking_)
    add(thinking_->push(text), parts);
  else
    say(text, parts);
  return parts;
}

std::vector<AnswerPart> AnswerReader::finish() {
  std::vector<AnswerPart> parts;
  if (thinking_) add(thinking_->finish(), parts);
  if (!calls_) return parts;
  if (bare_) read(bare_->finish().text, parts);
  std::vector<AnswerPart> rest = calls_->finish();
  parts.insert(parts.end(), std::make_move_iterator(rest.begin()),
               std::make_move_iterator(rest.end()));
  return parts;
}

}  // namespace waferpair::inference

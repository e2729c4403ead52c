// SPDX-License-Identifier: GPL-3.0-or-later
// Reads calls as Qwen3-Coder writes them, in XML, and tells their arguments as JSON.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/grammar/xml_parameters.h"
#include "runtime/inference/output/answer_part.h"
#include "runtime/inference/prompt/tools.h"

namespace waferpair::inference {

// Not thread-safe.
class XmlCallReader {
 public:
  // The schemas of these tell which values are texts; where they do not, a value is JSON if it can
  // be read as such.
  explicit XmlCallReader(std::span<const Tool> tools);

  // More of what follows the opening of the first call. Texts stream; other values are told once
  // they are whole.
  void push(std::string_view text, std::vector<AnswerPart>& parts);

 private:
  enum class Place {
    kOutside,     // of a call
    kParameters,  // between them
    kValue,
  };
  bool step();
  bool readTag();
  bool readValue();
  void tell(std::string json);
  void beginCall(const std::string& name);
  void beginValue(const std::string& name);
  void endValue(std::string_view text);

  using Parameters = std::map<std::string, grammar::XmlParameter, std::less<>>;
  std::map<std::string, Parameters, std::less<>> tools_;
  std::vector<AnswerPart>* parts_ = nullptr;  // of this push()
  Place place_ = Place::kOutside;
  std::string held_;                              // not told yet
  const Parameters* parameters_ = nullptr;        // of the call; null: not known
  const grammar::XmlParameter* value_ = nullptr;  // likewise
  bool streams_ = false;                          // the value is a text, and its quote was told
  bool atLineEnd_ = false;  // in front of the value's first line end, which is none of it
  bool isFirst_ = true;     // of the call's arguments
};

}  // namespace waferpair::inference

// SPDX-License-Identifier: GPL-3.0-or-later
// Reads calls as Qwen3-Coder and others write them, in tags, and tells their arguments as JSON.
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
  // Calls are kXml or kTagged. The schemas of these tools tell which values are texts; where they
  // do not, a value is JSON if it can be read as such.
  XmlCallReader(const grammar::CallSyntax& syntax, std::span<const Tool> tools);

  // More of the answer, from the opening of the first call on. Texts stream; other values are told
  // once they are whole.
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
  void beginValue(const std::string& name, const std::string& keyEnd);
  void endValue(std::string_view text);

  // What stands in front of a tool's name, and an argument's, as grammar::ArgumentTags has them;
  // what ends a call.
  struct Tags {
    std::string name, key, keyEnd, jsonKeyEnd, valueEnd, end;
  };
  static Tags tagsOf(const grammar::CallSyntax& syntax);

  using Parameters = std::map<std::string, grammar::XmlParameter, std::less<>>;
  const Tags tags_;
  std::map<std::string, Parameters, std::less<>> tools_;
  std::vector<AnswerPart>* parts_ = nullptr;  // of this push()
  Place place_ = Place::kOutside;
  std::string held_;                              // not told yet
  const Parameters* parameters_ = nullptr;        // of the call; null: not known
  const grammar::XmlParameter* value_ = nullptr;  // likewise
  bool streams_ = false;                          // the value is a text, and its quote was told
  bool isJson_ = false;                           // its tag says that it is one, and no text
  bool atLineEnd_ = false;  // in front of the value's first line end, which is none of it
  bool isFirst_ = true;     // of the call's arguments
};

}  // namespace waferpair::inference

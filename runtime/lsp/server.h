// SPDX-License-Identifier: GPL-3.0-or-later
// A language server that suggests: LSP 3.18's textDocument/inlineCompletion, and for editors that
// do not know it textDocument/completion with the suggestion as its one item. Messages come in one
// by one and answers go out through `send`; the process around it owns the streams. One thread.
//
// A request is never kept waiting for the model server: while that is not ready, or may not see the
// document, there is no suggestion.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/base/json_fields.h"
#include "runtime/lsp/documents.h"
#include "runtime/lsp/suggester.h"

namespace waferpair::lsp {

// What the editor may set as initializationOptions, and waferctl by its flags.
struct Options {
  int maxTokens = 64;
  int maxLines = 8;  // in place; items of lists have one line
  // How likely a suggestion must be right that nobody asked for; one in a list of completions
  // costs less where it is wrong. What is asked for by key comes however unsure it is.
  double minProbability = 0.75;
  double minProbabilityInLists = 0.3;
};

class Server {
 public:
  using Send = std::function<void(const Json&)>;

  Server(Suggester& suggester, const Options& options, Send send);

  // A message's body, from outside.
  void take(std::string_view body);

  // The suggester has begun anew and knows no documents.
  void suggesterReady();
  // It is gone; `why` is told to the user, where it is another reason than the last.
  void suggesterLost(const std::string& why);
  void suggested(std::uint64_t id, const Suggestion& suggestion);

  // After an "exit": the status that the process ends with.
  std::optional<int> exitStatus() const { return exitStatus_; }

 private:
  // A request of the editor that waits for suggestions.
  struct Waiting {
    Json id;
    std::string uri;
    std::int64_t version = 0;
    std::size_t offset = 0;
    bool list = false;           // of completions
    std::string mustBegin = {};  // the rest of what the editor's own list has chosen
    Wish wish = {};
    int alternatives = 1;  // to ask for, one after another
    std::vector<Suggestion> found = {};
  };

  void request(const Json& id, const std::string& method, const Json& params);
  void notification(const std::string& method, const Json& params);
  void initialize(const Json& id, const Json& params);
  void suggest(const Json& id, bool list, const Json& params);
  void cancel(const Json& id);
  void answer(const Waiting& waiting);
  void answerAllWithNothing();
  Json inlineItem(const Waiting& waiting, const Document& document, const Suggestion& found) const;
  // null where nothing would be inserted.
  Json listItem(const Waiting& waiting, const Document& document, const Suggestion& found) const;
  // How much of what follows the place in its line a suggestion says again at its end.
  std::size_t repeatedBytes(const Waiting& waiting, const Document& document,
                            std::string_view text) const;
  Json rangeOf(const Document& document, std::size_t start, std::size_t end) const;

  void reply(const Json& id, Json result);
  void refuse(const Json& id, int code, const base::Error& error);
  void tell(const char* method, Json params);
  void log(const std::string& text);

  Suggester& suggester_;
  Options options_;
  Send send_;
  std::unique_ptr<Documents> documents_;  // from initialize on
  bool shutDown_ = false;
  bool ready_ = false;
  bool tellsTimings_ = false;  // $/waferpair/timings behind each suggestion, where it is wanted
  std::string lastLoss_;
  std::optional<int> exitStatus_;
  std::map<std::uint64_t, Waiting> waiting_;
  std::uint64_t lastId_ = 0;
};

}  // namespace waferpair::lsp

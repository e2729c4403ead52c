// SPDX-License-Identifier: GPL-3.0-or-later
// The clients' open documents as a source of drafts, copies and names: an index of their tokens and
// a table of their names for each client, brought up to date in small pieces while there is nothing
// else to do.
//
// Of a document that was edited only the lines around the edit are tokenized again. Tokens of what
// was there before stay until they outnumber those in use: what comes from them does no harm.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/inference/drafts/draft_index.h"
#include "runtime/inference/ids.h"
#include "runtime/inference/sampling/name_check.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

class KnownDocuments {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // larger ones are left out
  // Of a client's documents together; what goes beyond is left out.
  static constexpr std::size_t kMostBytesOfAll = std::size_t{8} << 20;

  explicit KnownDocuments(const tokenizer::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // These from any thread; they only take notice. `text` is well-formed UTF-8.
  void changed(ClientId client, const std::string& document, std::string_view text);
  void closed(ClientId client, const std::string& document);
  void left(ClientId client);  // with all its documents

  // The rest from one thread.
  bool upToDate();
  // Does a piece of what is left to do, about a millisecond's work.
  void refresh();
  // Valid until the next refresh().
  const DraftIndex& of(ClientId client) const;
  const NameTable& namesOf(ClientId client) const;
  // Whose texts of that index are the document's; DraftIndex::kNobody: none are.
  int ownerOf(ClientId client, const std::string& document) const;

 private:
  using Key = std::pair<ClientId, std::string>;
  using News = std::map<Key, std::optional<std::string>>;  // the text, or none: closed
  struct Client {
    std::map<std::string, std::string> indexed;  // texts by document, as far as they were taken in
    std::size_t bytes = 0;                       // of these
    // By document, closed ones too: the index may still hold their texts.
    std::map<std::string, int> owners;
    DraftIndex index;
    NameTable names;
  };
  void take(News::iterator item);
  bool takePiece(Client& client, int owner, std::string& indexed, const std::string& text);
  void startAnew(ClientId id, Client& client);

  const tokenizer::Tokenizer& tokenizer_;
  std::mutex mutex_;
  News news_;                   // guarded by mutex_
  std::vector<ClientId> gone_;  // guarded by mutex_
  News work_;                   // news that is being taken in
  std::map<ClientId, Client> clients_;
};

}  // namespace waferpair::inference

// SPDX-License-Identifier: GPL-3.0-or-later
// The clients' open documents as a source of drafts, copies and names: an index of their tokens and
// a table of their names for each client, brought up to date in small pieces while there is nothing
// else to do.
//
// A key costs the edit, not the text: edits are noted as they are and made in a copy that the
// worker keeps. Only the lines around them are tokenized again. Tokens of replaced text stay until
// they outnumber those in use: drafts from them do no harm.
//
// Texts come into the index in the order in which they were told, whenever the worker finds time
// for them: what is copied, and which place counts as the latest, does not depend on timing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/inference/drafts/draft_index.h"
#include "runtime/inference/engine/document_edit.h"
#include "runtime/inference/engine/replaced_lines.h"
#include "runtime/inference/ids.h"
#include "runtime/inference/sampling/name_check.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

class KnownDocuments {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // larger ones are left out
  // The limit of a client's documents together; documents beyond it are left out.
  static constexpr std::size_t kMostBytesOfAll = std::size_t{8} << 20;

  explicit KnownDocuments(const tokenizer::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // These may be called from any thread; they only take notice. `text` is well-formed UTF-8.
  void changed(ClientId client, const std::string& document, std::string_view text);
  // Takes notice of a text as edits of what was told before. `text`, the whole after them, is
  // copied only if that was left out, or would be shorter than all the edits that wait for the
  // worker.
  void edited(ClientId client, const std::string& document, std::span<const DocumentEdit> edits,
              std::string_view text);
  void closed(ClientId client, const std::string& document);
  void left(ClientId client);  // with all its documents

  // The rest from one thread.
  bool upToDate();
  // Takes in what was told so far: the texts as they are, not what index and names know of them.
  void hear();
  // Does a piece of the work that is left, about a millisecond of it. Hears first.
  void refresh();
  // Valid until the next refresh().
  const DraftIndex& of(ClientId client) const;
  const NameTable& namesOf(ClientId client) const;
  // Returns the owner, in that index, of the document's texts; DraftIndex::kNobody if it has none.
  int ownerOf(ClientId client, const std::string& document) const;
  // Returns the lines that are gone where the document was edited last, as ReplacedLines does.
  std::vector<std::string> goneFrom(ClientId client, const std::string& document) const;

 private:
  using Key = std::pair<ClientId, std::string>;
  using Turn = std::uint64_t;  // in the order of telling; from 1 on
  static constexpr Turn kNoTurn = 0;
  // The news of a document since the worker last looked.
  struct News {
    Turn turn = kNoTurn;
    bool closed = false;                    // before what follows, if anything does
    std::optional<std::string> whole = {};  // then the text was this,
    std::vector<DocumentEdit> edits = {};   // and then it was edited so
    std::size_t editBytes = 0;              // in these
  };
  struct Document {
    std::string text;
    // Bytes [dirtyBegin, dirtyEnd) are not in the index as they are, and neither is what surrounds
    // that place, even if it is empty, while the document has a turn.
    std::size_t dirtyBegin = 0;
    std::size_t dirtyEnd = 0;
    Turn turn = kNoTurn;  // its place in work_
    ReplacedLines replaced = {};
  };
  struct Client {
    std::map<std::string, Document> documents;
    std::size_t bytes = 0;  // of their texts
    // The owners by document, closed ones too: the index may still hold their texts.
    std::map<std::string, int> owners;
    DraftIndex index;
    NameTable names;
  };
  News& newsOf(const Key& key) WAFERPAIR_REQUIRES(mutex_);
  void takeIn(const Key& key, News news);
  void replaceText(const Key& key, std::string text, Turn turn);
  void edit(const Key& key, const DocumentEdit& edit, Turn turn);
  void markDirty(const Key& key, std::size_t begin, std::size_t end, Turn turn);
  void finish(Document& document);
  void forget(const Key& key);
  void tokenize(const Key& key);
  void startAnew(ClientId id, Client& client);

  const tokenizer::Tokenizer& tokenizer_;
  base::Mutex mutex_;
  std::map<Key, News> news_ WAFERPAIR_GUARDED_BY(mutex_);
  // Open, but for want of room not known.
  std::set<Key> leftOut_ WAFERPAIR_GUARDED_BY(mutex_);
  std::vector<ClientId> gone_ WAFERPAIR_GUARDED_BY(mutex_);
  Turn lastTurn_ WAFERPAIR_GUARDED_BY(mutex_) = kNoTurn;
  // The worker's.
  std::map<Turn, Key> work_;  // documents with text that is not in the index
  std::map<ClientId, Client> clients_;
};

}  // namespace waferpair::inference

// SPDX-License-Identifier: GPL-3.0-or-later
// The editor's open documents, and which of them the model may see: neither files that are kept
// from it by their names or rules, nor texts with a secret in them (runtime/exclusions). The
// suggester is told of the others only, and as soon as a document may no longer be seen it is
// closed there.
#pragma once

#include <map>
#include <string>

#include "runtime/base/result.h"
#include "runtime/exclusions/exclusions.h"
#include "runtime/lsp/suggester.h"
#include "runtime/lsp/text.h"

namespace waferpair::lsp {

struct Document {
  std::string uri;
  std::string language;
  Text text;
  std::int64_t version = 1;  // ours, which grows with each change; the editor's may be missing
  std::string withheld;      // why the model may not see it; empty: it may
};

// A change by the editor: of a range, or of the whole text.
struct Change {
  bool whole = false;
  Position start, end;
  std::string text;
};

class Documents {
 public:
  // `project`: the folder that is open; empty: none is.
  Documents(Suggester& suggester, const std::string& project, PositionUnit unit);

  void open(const std::string& uri, const std::string& language, std::string text);
  // Fails, and makes nothing of the changes, where the document is not open or one has no place.
  base::Result<void> change(const std::string& uri, const std::vector<Change>& changes);
  void close(const std::string& uri);

  // Looks again at what the model may see, as rules may have changed. Null: not open.
  const Document* look(const std::string& uri);
  // The suggester has forgotten all, and can be told.
  void tellAll();
  // Nobody listens any more, until tellAll().
  void tellNobody() { told_ = false; }

  PositionUnit unit() const { return unit_; }

 private:
  void judge(Document& document);
  std::string reasonOf(const Document& document);

  Suggester& suggester_;
  exclusions::Exclusions exclusions_;
  const PositionUnit unit_;
  bool told_ = false;
  std::map<std::string, Document> all_;
};

// The path of a "file" URI of this computer; empty for any other.
std::string pathOf(std::string_view uri);

}  // namespace waferpair::lsp

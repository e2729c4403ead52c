// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/lsp/documents.h"

#include <algorithm>
#include <utility>

#include "runtime/base/percent.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::lsp {

std::string pathOf(std::string_view uri) {
  for (const std::string_view beginning : {"file:///", "file://localhost/"})
    if (uri.starts_with(beginning)) return base::percentDecoded(uri.substr(beginning.size() - 1));
  return {};
}

Documents::Documents(Suggester& suggester, const std::string& project, PositionUnit unit)
    : suggester_(suggester), exclusions_(project), unit_(unit) {}

void Documents::open(const std::string& uri, const std::string& language, std::string text) {
  close(uri);
  Document& document =
      all_.emplace(uri, Document{uri, language, Text(std::move(text)), 1, {}}).first->second;
  document.withheld = reasonOf(document);
  if (told_ && document.withheld.empty())
    suggester_.open(uri, language, document.version, document.text.utf8());
}

base::Result<void> Documents::change(const std::string& uri, const std::vector<Change>& changes) {
  const auto found = all_.find(uri);
  if (found == all_.end())
    return base::fail(uri + " is not open.", "Send textDocument/didOpen first.");
  Document& document = found->second;
  Text& text = document.text;
  std::optional<Text> before;
  if (changes.size() > 1) before = text;
  std::vector<Edit> edits;
  bool secret = false;
  for (const Change& change : changes) {
    std::optional<std::size_t> start = 0, end = text.utf8().size();
    if (!change.whole) {
      start = text.offsetOf(change.start, unit_);
      end = text.offsetOf(change.end, unit_);
    }
    if (!start || !end || *start > *end) {
      if (before) text = std::move(*before);
      return base::fail("A change of " + uri + " has a range that the text does not have.",
                        "Open the document anew.");
    }
    text.replace(*start, *end, change.text);
    edits.push_back({*start, *end, change.text});
    const std::size_t from = *start - std::min(*start, exclusions::kSecretReach);
    const std::size_t length = change.text.size() + 2 * exclusions::kSecretReach;
    secret = secret || exclusions::findSecret(std::string_view(text.utf8()).substr(from, length));
  }
  ++document.version;
  if (secret || !document.withheld.empty()) {
    judge(document);
  } else if (told_) {
    suggester_.change(uri, document.version, edits);
  }
  return {};
}

void Documents::close(const std::string& uri) {
  const auto found = all_.find(uri);
  if (found == all_.end()) return;
  if (told_ && found->second.withheld.empty()) suggester_.close(uri);
  all_.erase(found);
}

const Document* Documents::look(const std::string& uri) {
  const auto found = all_.find(uri);
  if (found == all_.end()) return nullptr;
  Document& document = found->second;
  // What the text alone says was judged when it changed.
  const std::string path = pathOf(uri);
  const bool excluded = !path.empty() && !exclusions_.reason(path).empty();
  if (excluded == document.withheld.empty()) judge(document);
  return &document;
}

void Documents::tellAll() {
  told_ = true;
  for (auto& [uri, document] : all_) {
    document.withheld = reasonOf(document);
    if (document.withheld.empty())
      suggester_.open(uri, document.language, document.version, document.text.utf8());
  }
}

void Documents::judge(Document& document) {
  const bool was = document.withheld.empty();
  document.withheld = reasonOf(document);
  if (!told_) return;
  if (was) suggester_.close(document.uri);
  if (document.withheld.empty())
    suggester_.open(document.uri, document.language, document.version, document.text.utf8());
}

std::string Documents::reasonOf(const Document& document) {
  const std::string path = pathOf(document.uri);
  std::string reason = path.empty() ? std::string() : exclusions_.reason(path);
  return reason.empty() ? exclusions::reasonOfText(document.text.utf8()) : reason;
}

}  // namespace waferpair::lsp

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/document_messages.h"

namespace waferpair::server {
namespace {

constexpr std::size_t kMaxLanguage = 256;
constexpr std::size_t kMaxEdits = 100'000;

}  // namespace

DocumentOpen readDocumentOpen(JsonFields& fields) {
  DocumentOpen open;
  open.uri = fields.text("uri", kMaxUri);
  open.language = fields.textOr("language", kMaxLanguage, "");
  open.version = fields.integer("version", 0, kMaxInteger);
  open.text = fields.text("text", kMaxMessageBytes);
  return open;
}

DocumentChange readDocumentChange(JsonFields& fields) {
  DocumentChange change;
  change.uri = fields.text("uri", kMaxUri);
  change.version = fields.integer("version", 0, kMaxInteger);
  const Json& edits = fields.array("edits");
  if (edits.size() > kMaxEdits)
    fields.fail("edits", "has " + std::to_string(edits.size()) + " entries.",
                "Send at most " + std::to_string(kMaxEdits) + " in one change.");
  for (std::size_t i = 0; i < edits.size() && !fields.problem(); ++i) {
    JsonFields edit(edits[i], "edits[" + std::to_string(i) + "].");
    DocumentEdit& read = change.edits.emplace_back();
    read.start = static_cast<std::size_t>(edit.integer("start", 0, kMaxInteger));
    read.end = static_cast<std::size_t>(edit.integer("end", 0, kMaxInteger));
    read.text = edit.text("text", kMaxMessageBytes);
    if (read.end < read.start)
      edit.fail("end", "is before start.", "Send the bytes [start, end) to replace.");
    fields.adopt(edit);
  }
  return change;
}

DocumentClose readDocumentClose(JsonFields& fields) { return {fields.text("uri", kMaxUri)}; }

}  // namespace waferpair::server

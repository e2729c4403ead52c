// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/document_messages.h"

#include "runtime/protocol/messages.h"

namespace waferpair::server {

namespace field = protocol::field;

DocumentOpen readDocumentOpen(JsonFields& fields) {
  DocumentOpen open;
  open.uri = fields.text(field::document_open::kUri);
  open.language = fields.text(field::document_open::kLanguage);
  open.version = fields.integer(field::document_open::kVersion);
  open.text = fields.text(field::document_open::kText);
  return open;
}

DocumentChange readDocumentChange(JsonFields& fields) {
  DocumentChange change;
  change.uri = fields.text(field::document_change::kUri);
  change.version = fields.integer(field::document_change::kVersion);
  const Json& edits = fields.list(field::document_change::kEdits);
  for (std::size_t i = 0; i < edits.size() && !fields.problem(); ++i) {
    JsonFields edit = fields.entry(field::document_change::kEdits, i);
    DocumentEdit& read = change.edits.emplace_back();
    read.start = static_cast<std::size_t>(edit.integer(field::edit::kStart));
    read.end = static_cast<std::size_t>(edit.integer(field::edit::kEnd));
    read.text = edit.text(field::edit::kText);
    if (read.end < read.start)
      edit.fail(field::edit::kEnd, "is before start.", "Send the bytes [start, end) to replace.");
    fields.adopt(edit);
  }
  return change;
}

DocumentClose readDocumentClose(JsonFields& fields) {
  return {fields.text(field::document_close::kUri)};
}

}  // namespace waferpair::server

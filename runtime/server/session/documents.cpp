// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/documents.h"

#include <vector>

#include "runtime/inference/prompt/prompt_window.h"
#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace code = protocol::error_code;
namespace field = protocol::field;

tl::unexpected<Problem> tooMuchText(std::size_t limit) {
  return reject(
      {code::kLimitExceeded,
       field::document_open::kText,
       {"The open documents would hold more than " + std::to_string(limit >> 20) + " MiB.",
        "Close documents that are not being edited."}});
}

}  // namespace

Checked<void> Documents::open(DocumentOpen message) {
  if (documents_.count(message.uri))
    return reject(
        {code::kInvalidField,
         field::document_open::kUri,
         {message.uri + " is open already.", "Send document.change, or document.close first."}});
  if (documents_.size() >= limits_.count)
    return reject({code::kLimitExceeded,
                   field::document_open::kUri,
                   {std::to_string(documents_.size()) + " documents are open.",
                    "Close some: a session may have " + std::to_string(limits_.count) + "."}});
  if (message.text.size() > limits_.bytes - bytes_) return tooMuchText(limits_.bytes);
  bytes_ += message.text.size();
  documents_.emplace(std::move(message.uri), Document{std::move(message.language), message.version,
                                                      std::move(message.text)});
  return {};
}

Checked<void> Documents::change(const DocumentChange& message) {
  const Checked<const Document*> found = find(message.uri);
  if (!found) return tl::unexpected(found.error());
  Document& document = documents_.at(message.uri);
  if (message.version <= document.version)
    return reject({code::kVersionConflict,
                   field::document_change::kVersion,
                   {"version " + std::to_string(message.version) + " of " + message.uri +
                        " does not follow " + std::to_string(document.version) + ".",
                    "Versions must grow; close and open the document if the two sides disagree."}});

  // Edits build on one another, so they are applied one by one; if a later one is bad those before
  // it are taken back in reverse order.
  struct Undo {
    std::size_t start;
    std::size_t length;
    std::string text;
  };
  std::vector<Undo> done;
  done.reserve(message.edits.size());
  const auto apply = [&]() -> Checked<void> {
    for (std::size_t i = 0; i < message.edits.size(); ++i) {
      const DocumentEdit& edit = message.edits[i];
      const std::string path =
          std::string(field::document_change::kEdits.name) + "[" + std::to_string(i) + "].";
      if (auto start =
              checkOffset(document, message.uri, edit.start, path + field::edit::kStart.name);
          !start)
        return start;
      if (auto end = checkOffset(document, message.uri, edit.end, path + field::edit::kEnd.name);
          !end)
        return end;
      const std::size_t removed = edit.end - edit.start;
      if (edit.text.size() > removed && edit.text.size() - removed > limits_.bytes - bytes_)
        return tooMuchText(limits_.bytes);
      done.push_back({edit.start, edit.text.size(), document.text.substr(edit.start, removed)});
      document.text.replace(edit.start, removed, edit.text);
      bytes_ += edit.text.size() - removed;
    }
    return {};
  };
  const Checked<void> applied = apply();
  if (applied) {
    document.version = message.version;
    return {};
  }
  for (auto undo = done.rbegin(); undo != done.rend(); ++undo) {
    document.text.replace(undo->start, undo->length, undo->text);
    bytes_ += undo->text.size() - undo->length;
  }
  return applied;
}

Checked<void> Documents::close(const DocumentClose& message) {
  const auto found = documents_.find(message.uri);
  if (found == documents_.end()) return tl::unexpected(find(message.uri).error());
  bytes_ -= found->second.text.size();
  documents_.erase(found);
  return {};
}

Checked<const Document*> Documents::find(const std::string& uri) const {
  const auto found = documents_.find(uri);
  if (found == documents_.end())
    return reject({code::kUnknownDocument,
                   field::document_open::kUri,
                   {uri + " is not open.", "Send document.open first."}});
  return &found->second;
}

Checked<void> Documents::checkOffset(const Document& document, const std::string& uri,
                                     std::size_t offset, const std::string& name) {
  if (offset > document.text.size())
    return reject({code::kInvalidField,
                   name,
                   {name + " is " + std::to_string(offset) + ", past the end of " + uri + " (" +
                        std::to_string(document.text.size()) + " bytes).",
                    "Send offsets in bytes of the UTF-8 text, after the edits before this one."}});
  if (!inference::isCharacterBoundary(document.text, offset))
    return reject({code::kInvalidField,
                   name,
                   {name + " is " + std::to_string(offset) + ", inside a character of " + uri + ".",
                    "Send offsets in bytes that lie between characters of the UTF-8 text."}});
  return {};
}

}  // namespace waferpair::server

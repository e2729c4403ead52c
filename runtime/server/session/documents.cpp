// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/documents.h"

#include <utility>

#include "runtime/inference/prompt/prompt_window.h"
#include "runtime/protocol/messages.h"
#include "runtime/server/session/edited_text.h"

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

bool isBoundary(const std::string& text, std::size_t offset) {
  return inference::isCharacterBoundary(text, offset);
}

bool isBoundary(const EditedText& text, std::size_t offset) {
  return text.isCharacterBoundary(offset);
}

template <typename Text>
Checked<void> checkPlace(const Text& text, const std::string& uri, std::size_t offset,
                         const std::string& name) {
  if (offset > text.size())
    return reject({code::kInvalidField,
                   name,
                   {name + " is " + std::to_string(offset) + ", past the end of " + uri + " (" +
                        std::to_string(text.size()) + " bytes).",
                    "Send offsets in bytes of the UTF-8 text, after the edits before this one."}});
  if (!isBoundary(text, offset))
    return reject({code::kInvalidField,
                   name,
                   {name + " is " + std::to_string(offset) + ", inside a character of " + uri + ".",
                    "Send offsets in bytes that lie between characters of the UTF-8 text."}});
  return {};
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

  if (message.edits.size() == 1) {
    const DocumentEdit& edit = message.edits.front();
    if (const auto fits = checkEdit(document.text, message, 0, bytes_); !fits) return fits;
    document.text.replace(edit.start, edit.end - edit.start, edit.text);
    bytes_ += edit.text.size() - (edit.end - edit.start);
  } else {
    // Edits build on one another; where a later one is bad those before it are not made either.
    EditedText text(document.text);
    std::size_t bytes = bytes_;
    for (std::size_t i = 0; i < message.edits.size(); ++i) {
      const DocumentEdit& edit = message.edits[i];
      if (const auto fits = checkEdit(text, message, i, bytes); !fits) return fits;
      text.replace(edit.start, edit.end, edit.text);
      bytes += edit.text.size() - (edit.end - edit.start);
    }
    document.text = text.whole();
    bytes_ = bytes;
  }
  document.version = message.version;
  return {};
}

template <typename Text>
Checked<void> Documents::checkEdit(const Text& text, const DocumentChange& message,
                                   std::size_t index, std::size_t bytes) const {
  const DocumentEdit& edit = message.edits[index];
  const std::string path =
      std::string(field::document_change::kEdits.name) + "[" + std::to_string(index) + "].";
  for (const auto& [offset, name] : {std::pair{edit.start, field::edit::kStart.name},
                                     std::pair{edit.end, field::edit::kEnd.name}})
    if (auto fits = checkPlace(text, message.uri, offset, path + name); !fits) return fits;
  const std::size_t removed = edit.end - edit.start;
  if (edit.text.size() > removed && edit.text.size() - removed > limits_.bytes - bytes)
    return tooMuchText(limits_.bytes);
  return {};
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
  return checkPlace(document.text, uri, offset, name);
}

}  // namespace waferpair::server

// SPDX-License-Identifier: GPL-3.0-or-later
// The open documents of a session: document.open, document.change and document.close.
#pragma once

#include <functional>
#include <string>

#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/documents.h"
#include "runtime/server/session/feature.h"

namespace waferpair::server {

class DocumentMirror : public Feature {
 public:
  DocumentMirror(Client& client, Dispatch& dispatch);

  const Documents& documents() const { return documents_; }
  // Called with the URI of a document that has been closed. There is an engine.
  void onClosed(std::function<void(const std::string& uri)> closed) { closed_ = std::move(closed); }

  void modelChanged() override;

 private:
  void open(DocumentOpen message);
  void change(const DocumentChange& message);
  void close(const DocumentClose& message);
  void tellEngine(const std::string& uri);  // what that document's text is

  Client& client_;
  Documents documents_;
  std::function<void(const std::string& uri)> closed_;
};

}  // namespace waferpair::server

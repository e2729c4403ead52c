// SPDX-License-Identifier: GPL-3.0-or-later
// The open documents of a session: document.open, document.change and document.close. The engine of
// the first model knows them at once, that of another one from the session's first request to it
// on: an engine keeps a copy of what it takes drafts from.
#pragma once

#include <functional>
#include <set>
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
  // Called with the URI of a document that has been closed.
  void onClosed(std::function<void(const std::string& uri)> closed) { closed_ = std::move(closed); }
  // The session asks something of the model, which is ready: it knows the documents from now on.
  void tell(HostedModel& model);

  void modelLoaded(HostedModel& model) override;
  void modelLeaves(HostedModel& model) override { knowing_.erase(&model); }

 private:
  void open(DocumentOpen message);
  void change(const DocumentChange& message);
  void close(const DocumentClose& message);

  Client& client_;
  std::set<HostedModel*> knowing_;  // those whose engines know the documents
  Documents documents_;
  std::function<void(const std::string& uri)> closed_;
};

}  // namespace waferpair::server

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/document_mirror.h"

#include <utility>

#include "runtime/protocol/messages.h"

namespace waferpair::server {

namespace request = protocol::request;

DocumentMirror::DocumentMirror(Client& client, Dispatch& dispatch) : client_(client) {
  if (client_.engine()) knowing_.insert(client_.models().first().get());
  dispatch.add(request::kDocumentChange, readDocumentChange,
               [this](const DocumentChange& message) { change(message); });
  dispatch.add(request::kDocumentOpen, readDocumentOpen,
               [this](DocumentOpen&& message) { open(std::move(message)); });
  dispatch.add(request::kDocumentClose, readDocumentClose,
               [this](const DocumentClose& message) { close(message); });
}

void DocumentMirror::open(DocumentOpen message) {
  const std::string uri = message.uri;
  if (const auto opened = documents_.open(std::move(message)); !opened)
    return client_.refuse(opened.error());
  for (HostedModel* model : knowing_)
    model->engine()->documentChanged(client_.id(), uri, documents_.all().at(uri).text);
}

void DocumentMirror::change(const DocumentChange& message) {
  if (const auto changed = documents_.change(message); !changed)
    return client_.refuse(changed.error());
  for (HostedModel* model : knowing_)
    model->engine()->documentEdited(client_.id(), message.uri, message.edits,
                                    documents_.all().at(message.uri).text);
}

void DocumentMirror::close(const DocumentClose& message) {
  if (const auto closed = documents_.close(message); !closed) return client_.refuse(closed.error());
  for (HostedModel* model : knowing_) model->engine()->documentClosed(client_.id(), message.uri);
  if (closed_) closed_(message.uri);
}

void DocumentMirror::tell(HostedModel& model) {
  if (!knowing_.insert(&model).second) return;
  for (const auto& [uri, document] : documents_.all())
    model.engine()->documentChanged(client_.id(), uri, document.text);
}

void DocumentMirror::modelLoaded(HostedModel& model) {
  if (&model == client_.models().first().get()) tell(model);
}

}  // namespace waferpair::server

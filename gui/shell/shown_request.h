// SPDX-License-Identifier: GPL-3.0-or-later
// A window shows what was asked for (open_request.h). UI thread only.
#pragma once

#include <QList>
#include <QPointer>
#include <QString>
#include <functional>
#include <memory>

namespace waferpair::gui {

class Document;
class MainWindow;
struct OpenRequest;

struct ShownRequest {
  // The documents that somebody waits for. Whoever keeps this takes out those that are closed.
  QList<Document*> awaited;
  QList<QPointer<Document>> beside;  // opened to be looked at with those
  QString problem;                   // what could not be shown; empty: nothing
  // What is merged was saved; null where nothing is merged.
  std::shared_ptr<bool> saved;

  // The exit status of who waits, once all is closed.
  int status() const { return saved && !*saved ? 1 : 0; }
};

// Opens it, brings the window to the front, and, where somebody waits, says so over each text.
// `then` is told: in a later turn of the event loop where large files are to be read first.
void showRequest(MainWindow* window, const OpenRequest& request,
                 const std::function<void(const ShownRequest& shown)>& then = {});

// Whoever waited for it is gone.
void sayThatNobodyWaits(Document* document);

// Closes what was opened beside, unless it was changed.
void closeBeside(MainWindow* window, const ShownRequest& shown);

}  // namespace waferpair::gui

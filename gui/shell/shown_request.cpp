// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/shown_request.h"

#include <algorithm>

#include "editor/text/path_on_disk.h"
#include "gui/documents/compare_commands.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/merge_commands.h"
#include "gui/kit/banner.h"
#include "gui/project/workspace.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/main_window.h"
#include "gui/shell/open_request.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

const char* const kWaitingNotice = "waitingNotice";

void bringToFront(MainWindow* window, const QString& activation) {
  // Qt hands it to a Wayland desktop with the next activation.
  if (!activation.isEmpty()) qputenv("XDG_ACTIVATION_TOKEN", activation.toUtf8());
  window->setWindowState(window->windowState() & ~Qt::WindowMinimized);
  window->show();
  window->raise();
  window->activateWindow();
}

void sayThatOneWaits(EditorTabs* tabs, Document* document) {
  document->banners()
      ->show(QLatin1String(kWaitingNotice), Banner::Kind::kInfo,
             tr("Another program waits until this file is closed."))
      .addButton(QStringLiteral("saveAndClose"), tr("Save and &Close"), [tabs, document] {
        if (!document->isModified() || document->save()) Q_EMIT tabs->closeRequested(document);
      });
}

ShownRequest openPlaces(MainWindow* window, const QList<FilePosition>& places) {
  ShownRequest shown;
  QList<FilePosition> files;
  QStringList folders;
  for (const FilePosition& place : places) {
    if (editor::isFolderAt(place.path)) {
      folders.append(editor::realPath(place.path));
    } else {
      files.append(place);
    }
  }
  const Workspace* workspace = window->parts().workspace;
  const auto isOpen = [workspace](const QString& folder) {
    return workspace->folders().contains(folder);
  };
  const auto addOthers = [window, folders, isOpen] {
    for (const QString& folder : folders)
      if (!isOpen(folder)) window->parts().folders->addNamed(folder);
  };
  if (!folders.isEmpty() && std::none_of(folders.cbegin(), folders.cend(), isOpen)) {
    // Unsaved texts are asked about first; the files follow.
    window->parts().folders->open(folders.constFirst(), [window, files, addOthers] {
      addOthers();
      for (const FilePosition& place : files) window->openPlace(place);
    });
    return shown;
  }
  addOthers();
  for (const FilePosition& place : files)
    if (Document* document = window->openPlace(place)) shown.awaited.append(document);
  return shown;
}

ShownRequest comparePlaces(MainWindow* window, const QList<FilePosition>& places) {
  EditorTabs* tabs = window->parts().tabs;
  const bool wasOpen = tabs->documentAt(places[0].path) != nullptr;
  ShownRequest shown;
  if (Document* document = compareFiles(tabs, places[0].path, places[1].path))
    shown.awaited.append(document);
  Document* other = tabs->documentAt(places[0].path);
  if (!wasOpen && other && !shown.awaited.contains(other)) shown.beside.append(other);
  return shown;
}

ShownRequest mergePlaces(MainWindow* window, const QList<FilePosition>& places) {
  ShownRequest shown;
  shown.saved = std::make_shared<bool>(false);
  Document* document = mergeFiles(window->parts().tabs,
                                  {places[0].path, places[1].path, places[2].path, places[3].path});
  if (!document) return shown;
  shown.awaited.append(document);
  QObject::connect(document, &Document::written, document,
                   [saved = shown.saved] { *saved = true; });
  return shown;
}

ShownRequest showNow(MainWindow* window, const OpenRequest& request) {
  EditorTabs* tabs = window->parts().tabs;
  QString problem;
  const auto listening = QObject::connect(tabs, &EditorTabs::problem, tabs,
                                          [&problem](const QString& text) { problem = text; });
  ShownRequest shown;
  switch (request.kind) {
    case OpenRequest::Kind::kOpen:
      shown = openPlaces(window, request.places);
      break;
    case OpenRequest::Kind::kDiff:
      shown = comparePlaces(window, request.places);
      break;
    case OpenRequest::Kind::kMerge:
      shown = mergePlaces(window, request.places);
      break;
  }
  QObject::disconnect(listening);
  shown.problem = problem;
  bringToFront(window, request.activation);
  if (!request.wait) {
    shown.awaited.clear();
    shown.beside.clear();
  }
  for (Document* document : std::as_const(shown.awaited)) sayThatOneWaits(tabs, document);
  return shown;
}

}  // namespace

void showRequest(MainWindow* window, const OpenRequest& request,
                 const std::function<void(const ShownRequest& shown)>& then) {
  QStringList paths;
  for (const FilePosition& place : request.places) paths.append(place.path);
  window->parts().tabs->readBeforehand(paths, [window, request, then] {
    const ShownRequest shown = showNow(window, request);
    if (then) then(shown);
  });
}

void sayThatNobodyWaits(Document* document) {
  document->banners()->remove(QLatin1String(kWaitingNotice));
}

void closeBeside(MainWindow* window, const ShownRequest& shown) {
  for (const QPointer<Document>& document : shown.beside)
    if (document && !document->isModified()) window->parts().tabs->close(document);
}

}  // namespace waferpair::gui

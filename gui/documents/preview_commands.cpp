// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/preview_commands.h"

#include <QDesktopServices>
#include <QTimer>
#include <algorithm>
#include <chrono>

#include "editor/text/path_on_disk.h"
#include "gui/documents/comparison.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/image_view.h"
#include "gui/documents/markdown_preview.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr std::chrono::milliseconds kPicturePause(200);

bool isSvg(const Document* document) {
  return document->path().endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
}

bool isMarkdown(const Document* document) {
  return document->editor()->language() == QLatin1String("Markdown") ||
         document->path().endsWith(QLatin1String(".md"), Qt::CaseInsensitive);
}

// A picture is looked at, as its bytes say nothing to anybody.
void showPicture(Document* document) {
  if (!document->textDocument()->isBinary() || !isImageName(document->path())) return;
  auto* view = new ImageView(document);
  document->setBeside(view);
  document->setCovered(view);
  const auto load = [document, view] {
    document->banners()->remove(QStringLiteral("bannerNotice"));
    view->showSoon([path = document->path()] { return loadImage(path); });
  };
  // It was read anew.
  QObject::connect(document, &Document::saved, view, load);
  load();
}

void showSvg(Document* document) {
  auto* view = new ImageView(document);
  auto* later = new QTimer(view);
  later->setSingleShot(true);
  later->setInterval(kPicturePause);
  const auto load = [document, view] {
    view->showSoon([text = document->text()] { return loadSvg(text.toByteArray()); });
  };
  QObject::connect(later, &QTimer::timeout, view, load);
  QObject::connect(document->editor(), &editor::CodeEditor::textChanged, later,
                   qOverload<>(&QTimer::start));
  document->setBeside(view, Qt::RightEdge);
  load();
}

void showMarkdown(EditorTabs* tabs, Document* document) {
  auto* preview = new MarkdownPreview(document);
  QObject::connect(
      preview, &MarkdownPreview::fileWanted, tabs,
      [tabs](const QString& path, int line, int column) {
        if (editor::isFolderAt(path)) {
          Q_EMIT tabs->problem(tr("The link leads to a folder, %1.").arg(path));
        } else {
          tabs->open(path, {.then = [line, column](Document* opened) {
                       if (opened && line > 0)
                         opened->editor()->goToLine(line - 1, std::max(0, column - 1));
                     }});
        }
      },
      Qt::QueuedConnection);
  QObject::connect(preview, &MarkdownPreview::addressWanted, tabs,
                   [](const QUrl& address) { QDesktopServices::openUrl(address); });
}

void togglePreview(EditorTabs* tabs) {
  Document* document = tabs->current();
  if (document->textDocument()->isBinary()) return;
  const bool isShown = qobject_cast<MarkdownPreview*>(document->beside()) ||
                       qobject_cast<ImageView*>(document->beside());
  if (Comparison::of(document)) Comparison::end(document);
  if (isShown) {
    document->setBeside(nullptr);
    document->setFocus();
  } else if (isSvg(document)) {
    showSvg(document);
  } else if (isMarkdown(document)) {
    showMarkdown(tabs, document);
  } else {
    Q_EMIT tabs->problem(
        tr("%1 has no preview: there are previews of Markdown and of SVG pictures.")
            .arg(document->title()));
  }
}

}  // namespace

void addPreviewCommands(CommandRegistry& commands, EditorTabs* tabs) {
  QObject::connect(tabs, &EditorTabs::opened, tabs, showPicture);
  commands.add({.id = "view.preview",
                .category = tr("View"),
                .text = tr("Pre&view"),
                .help = tr("Show Markdown or an SVG picture as it looks, beside its text."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_V},
                .icon = "eye",
                .when = Context::kDocumentOpen,
                .keysWhen = !Context::kTerminalFocused,
                .places = {{"view", 4}, {"tab", 3}},
                .run = [tabs] { togglePreview(tabs); }});
}

}  // namespace waferpair::gui

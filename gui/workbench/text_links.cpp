// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/text_links.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>
#include <chrono>

#include "gui/documents/editor_tabs.h"
#include "workbench/language/language_service.h"
#include "workbench/terminal/terminal_links.h"

namespace waferpair::gui {

using workbench::ByteRange;
using workbench::DocumentLink;
using workbench::LanguageAnswer;
using workbench::LanguageClient;
using workbench::RepeatedQuestion;

namespace {

constexpr std::chrono::milliseconds kLinksPause(500);
constexpr qsizetype kLongestLinkLine = 4000;  // bytes; of longer lines none is looked at

// An address that is written around this byte.
std::optional<DocumentLink> writtenAt(const editor::Snapshot& text, qint64 offset) {
  const qint64 line = text.lineAt(offset);
  const qint64 start = text.lineStart(line);
  if (text.lineEnd(line) - start > kLongestLinkLine) return {};
  const QString written = QString::fromUtf8(text.line(line));
  for (const workbench::TextLink& one : workbench::linksIn(written)) {
    if (one.address.isEmpty()) continue;
    const ByteRange range{start + written.left(one.start).toUtf8().size(),
                          start + written.left(one.end).toUtf8().size()};
    if (range.start <= offset && offset < range.end) return DocumentLink{range, one.address, {}};
  }
  return {};
}

}  // namespace

TextLinks::TextLinks(editor::DocumentSync* sync, const LanguageGuideParts& parts, QObject* parent)
    : QObject(parent),
      p_(parts),
      question_(sync, parts.service, QStringLiteral("documentLinkProvider"), kLinksPause,
                RepeatedQuestion::byMethod(QStringLiteral("textDocument/documentLink"))) {
  connect(p_.tabs, &EditorTabs::currentChanged, this, [this](Document* document) {
    if (document) question_.follow(document->id());
  });
  connect(&question_, &RepeatedQuestion::answered, this,
          [this](const QString& id, const LanguageAnswer& answer) {
            known_[id] = {answer,
                          workbench::readDocumentLinks(answer.result, answer.text, answer.unit)};
          });
  connect(&question_, &RepeatedQuestion::lost, this,
          [this](const QString& id) { known_.remove(id); });
}

std::optional<DocumentLink> TextLinks::at(const Document* document, qint64 offset) const {
  document->editor()->flushEdits();
  if (const auto found = known_.constFind(document->id()); found != known_.cend()) {
    for (DocumentLink link : found->links) {
      link.range = question_.now(document->id(), link.range, found->answer);
      if (link.range.start <= offset && offset < link.range.end) return link;
    }
  }
  return writtenAt(document->text(), offset);
}

void TextLinks::follow(Document* document, const DocumentLink& link) {
  if (!link.target.isEmpty()) return go(link.target);
  LanguageClient* client = p_.service->clientOf(document->id());
  if (!client) return;
  client->ask(QStringLiteral("documentLink/resolve"), link.told.toObject(),
              [this, at = QPointer<Document>(document)](const LanguageAnswer& answer) {
                if (!at || at != p_.tabs->current()) return;
                if (!answer.problem.isEmpty()) return sayOfLanguage(p_, answer.problem);
                const QString target = answer.result[u"target"].toString();
                if (target.isEmpty())
                  return sayOfLanguage(p_, tr("The language server does not know where that "
                                              "leads."));
                go(target);
              });
}

void TextLinks::followAtCaret() {
  Document* document = p_.tabs->current();
  if (!document) return;
  const qint64 caret = document->editor()->caret();
  // The caret may stand behind it.
  std::optional<DocumentLink> link = at(document, caret);
  if (!link && caret > 0) link = at(document, caret - 1);
  if (!link) return sayOfLanguage(p_, tr("Nothing at the caret leads to a file or an address."));
  follow(document, *link);
}

// A server may name anything, and so may a text: only what is read is opened.
void TextLinks::go(const QString& target) {
  const QUrl url(target);
  if (const QString path = workbench::pathOf(target); !path.isEmpty()) {
    if (QFileInfo(path).isDir())
      return sayOfLanguage(p_, tr("%1 is a folder. Open Folder… opens it as a project.").arg(path));
    p_.tabs->open(path);
  } else if (url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https")) {
    if (!QDesktopServices::openUrl(url))
      sayOfLanguage(p_, tr("No browser could be started for %1.").arg(target));
  } else {
    sayOfLanguage(p_, tr("%1 is not opened: only files here, and addresses of the web, are.")
                          .arg(target.left(200)));
  }
}

}  // namespace waferpair::gui

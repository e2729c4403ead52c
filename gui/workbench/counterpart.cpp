// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/counterpart.h"

#include <QFileInfo>
#include <QJsonObject>

#include "gui/documents/editor_tabs.h"
#include "gui/translate.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {
namespace {

using workbench::LanguageAnswer;

void openCounterpart(const LanguageGuideParts& parts, const QString& from, const QString& found) {
  const QString path = found.isEmpty() ? fileBeside(from) : found;
  if (path.isEmpty())
    return sayOfLanguage(parts, tr("No header or source is known that belongs to this file."));
  parts.tabs->open(path);
}

}  // namespace

QString fileBeside(const QString& path) {
  const QStringList headers{QStringLiteral("h"), QStringLiteral("hpp"), QStringLiteral("hh"),
                            QStringLiteral("hxx")};
  const QStringList sources{QStringLiteral("cpp"), QStringLiteral("cc"), QStringLiteral("c"),
                            QStringLiteral("cxx"), QStringLiteral("m"),  QStringLiteral("mm"),
                            QStringLiteral("cu")};
  const QFileInfo file(path);
  const bool isHeader = headers.contains(file.suffix());
  if (!isHeader && !sources.contains(file.suffix())) return {};
  const QString stem = file.path() + u'/' + file.completeBaseName() + u'.';
  for (const QString& suffix : isHeader ? sources : headers)
    if (QFileInfo(stem + suffix).isFile()) return stem + suffix;
  return {};
}

void goToCounterpart(const LanguageGuideParts& parts) {
  const Document* document = parts.tabs->current();
  if (!document || document->path().isEmpty()) return;
  const QString path = document->path();
  workbench::LanguageClient* client = parts.service->clientOf(document->id());
  const QJsonObject params{{QStringLiteral("uri"), workbench::uriOf(path)}};
  // It is an extension of clangd's, which others answer with an error.
  const qint64 question =
      client ? client->ask(QStringLiteral("textDocument/switchSourceHeader"), params,
                           [parts, path,
                            tabs = QPointer<EditorTabs>(parts.tabs)](const LanguageAnswer& answer) {
                             const Document* now = tabs ? tabs->current() : nullptr;
                             if (now && now->path() == path)
                               openCounterpart(parts, path,
                                               workbench::pathOf(answer.result.toString()));
                           })
             : 0;
  if (question == 0) openCounterpart(parts, path, {});
}

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/rename_reach.h"

#include <QSet>
#include <algorithm>
#include <utility>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/project/file_index.h"
#include "gui/project/project_choice.h"
#include "workbench/language/language_service.h"
#include "workbench/language/location.h"

namespace waferpair::gui {

using workbench::LanguageClient;
using workbench::ProjectReach;

namespace {

constexpr char kLeftBehind[] = "renameReach";
constexpr qsizetype kMostNamedFiles = 4;                      // files in the banner
constexpr qsizetype kMostFound = 1000;                        // files, after which nobody counts on
constexpr int kMethod = 6, kConstructor = 9, kFunction = 12;  // as the protocol numbers kinds

}  // namespace

RenameReach::RenameReach(const LanguageGuideParts& parts, const FileIndex* files, QObject* parent)
    : QObject(parent), p_(parts), files_(files) {
  pool_.setMaxThreadCount(1);
  connect(&finder_, &workbench::ProjectFinder::found, this,
          [this](const QVector<workbench::FoundFile>& found) {
            for (const workbench::FoundFile& file : found) found_.append(file.path);
            if (found_.size() < kMostFound) return;
            finder_.cancel();
            finish();
          });
  connect(&finder_, &workbench::ProjectFinder::finished, this, &RenameReach::finish);
}

RenameReach::~RenameReach() { pool_.waitForDone(); }

void RenameReach::check(LanguageClient* client, const Rename& rename,
                        const std::function<void()>& make) {
  finder_.cancel();
  disconnect(whenRead_);
  p_.notices->remove(QLatin1String(kLeftBehind));
  ++generation_;
  found_.clear();
  client_ = client;
  rename_ = rename;
  make_ = make;
  folder_ = p_.folderOf(client->root());
  const ProjectReach reach = client->reach();
  const bool reachesClosed = std::any_of(rename.changed.begin(), rename.changed.end(),
                                         [&](const QString& path) { return !client->has(path); });
  // Who knows of one closed file knows of the others, unless it is still reading or has none; and
  // clangd's index has the files that it was told how to compile, and those that these include.
  const bool isIndexed = reach == ProjectReach::kProject && workbench::isClangd(client->name());
  const bool isSure = (reach == ProjectReach::kProject && !isIndexed) ||
                      (reach == ProjectReach::kUnknown && reachesClosed);
  if (isSure || folder_.isEmpty()) return finish();
  if (files_->isReading()) {
    whenRead_ =
        connect(files_, &FileIndex::changed, this, [this, rename, make, at = QPointer(client)] {
          if (at) check(at, rename, make);
        });
    return;
  }
  const QString server = client->server().id;
  const QStringList files = others(client, rename.changed);
  if (isIndexed) {
    pool_.start([this, files, server, root = client->root(), number = generation_] {
      const auto known = workbench::namesInClangdIndex(root);
      QStringList unknown;
      for (const QString& file : files)
        if (known && !known->contains(file.mid(file.lastIndexOf(u'/') + 1))) unknown.append(file);
      QMetaObject::invokeMethod(
          this,
          [this, unknown, server, number] {
            if (number == generation_)
              lookInto(unknown,
                       tr("%1 has not indexed them: compile_commands.json does not say how "
                          "they are compiled.")
                           .arg(server));
          },
          Qt::QueuedConnection);
    });
    return;
  }
  const QString why = workbench::reachWords(reach, server, client->progress());
  lookInto(files,
           !why.isEmpty()
               ? why
               : tr("%1 changes open files only, and does not say whether it knows the others.")
                     .arg(server));
}

void RenameReach::lookInto(const QStringList& files, const QString& why) {
  found_.clear();
  why_ = why;
  const auto search = workbench::TextSearch::make(
      {.text = rename_.name, .caseSensitive = true, .wholeWord = true, .regex = false});
  if (files.isEmpty() || !search) return finish();
  workbench::ProjectQuery query;
  query.root = folder_;
  query.files = files;
  for (const Document* document : p_.tabs->documents())
    if (document->path().startsWith(query.root + u'/') && !document->textDocument()->isBinary())
      query.open.insert(document->path().mid(query.root.size() + 1), document->text());
  finder_.start(query, *search);
}

QStringList RenameReach::others(const LanguageClient* client, const QStringList& changed) const {
  const QSet<QString> known(changed.begin(), changed.end());
  const QHash<QString, QString>& languages = client->server().languages;
  const QString inFolder = folder_ + u'/';
  QStringList others;
  for (const QString& file : files_->filesOf(folder_)) {
    // These take long to look up, and are seldom a program's text.
    const bool isPlain =
        file.indexOf(u'.', file.lastIndexOf(u'/') + 1) < 0 || file.endsWith(QLatin1String(".txt"));
    if (!isPlain && languages.contains(languageOfName(file)) && !known.contains(inFolder + file))
      others.append(file);
  }
  return others;
}

void RenameReach::finish() {
  if (!make_) return;
  if (found_.isEmpty()) return std::exchange(make_, nullptr)();
  const bool isHere = rename_.changed == QStringList{rename_.document};
  // Others may count what is a field to the text among a function's names.
  if (isHere && client_ && workbench::isClangd(client_->name())) return askWhetherLocal();
  askUser();
}

void RenameReach::askWhetherLocal() {
  const qint64 asked = client_->askAt(
      QStringLiteral("textDocument/definition"), rename_.document, rename_.offset, {},
      [this, number = generation_](const workbench::LanguageAnswer& answer) {
        if (number != generation_) return;
        const auto places = workbench::readLocations(answer.result, answer.unit);
        const bool isThere = places.size() == 1 && places[0].path == rename_.document;
        if (!isThere || !client_) return askUser();
        const qint64 outlined = client_->ask(
            QStringLiteral("textDocument/documentSymbol"), rename_.document, {},
            [this, number, place = places[0]](const workbench::LanguageAnswer& told) {
              if (number != generation_) return;
              const qint64 at = offsetOf(told.text, place.start, place.unit);
              const QStringList bodies{workbench::symbolKindName(kMethod),
                                       workbench::symbolKindName(kConstructor),
                                       workbench::symbolKindName(kFunction)};
              const auto outline = workbench::readOutline(told.result, told.text, told.unit);
              const bool isLocal = std::any_of(
                  outline.begin(), outline.end(), [&](const workbench::OutlineSymbol& symbol) {
                    return bodies.contains(symbol.kind) && symbol.place.end < at &&
                           at < symbol.range.end;
                  });
              if (isLocal && make_) return std::exchange(make_, nullptr)();
              askUser();
            });
        if (outlined == 0) askUser();
      });
  if (asked == 0) askUser();
}

void RenameReach::askUser() {
  const auto make = std::exchange(make_, nullptr);
  if (!make) return;
  found_.sort();
  QString named = found_.mid(0, kMostNamedFiles).join(QStringLiteral(", "));
  if (found_.size() > kMostNamedFiles) named += QStringLiteral(", \u2026");
  const QString text = tr("Nothing was renamed yet. \u201c%1\u201d also stands in %n other "
                          "file(s), which would stay as "
                          "they are: %2.",
                          nullptr, static_cast<int>(found_.size()))
                           .arg(rename_.name, named);
  p_.notices->show(QLatin1String(kLeftBehind), Banner::Kind::kWarning, text + u' ' + why_)
      .addButton(QStringLiteral("renameAnyway"), tr("Rename Anyway"), make)
      .addButton(QStringLiteral("renameNot"), tr("Cancel"), [] {});
}

}  // namespace waferpair::gui

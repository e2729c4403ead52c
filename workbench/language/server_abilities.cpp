// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/server_abilities.h"

#include <algorithm>
#include <utility>

#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {
namespace {

constexpr char kInlayHints[] = "inlayHintProvider";
constexpr char kClangdInlayHints[] = "clangdInlayHintsProvider";
constexpr int kAllChanges = 7;

// The ability that a method is registered for; empty: one that is of no use here.
QString providerOf(const QString& method) {
  static const QHash<QString, QString> others{
      {QStringLiteral("textDocument/formatting"), QStringLiteral("documentFormattingProvider")},
      {QStringLiteral("textDocument/rangeFormatting"),
       QStringLiteral("documentRangeFormattingProvider")},
      {QStringLiteral("textDocument/onTypeFormatting"),
       QStringLiteral("documentOnTypeFormattingProvider")},
      {QStringLiteral("textDocument/prepareCallHierarchy"),
       QStringLiteral("callHierarchyProvider")},
      {QStringLiteral("textDocument/prepareTypeHierarchy"),
       QStringLiteral("typeHierarchyProvider")},
      {QStringLiteral("workspace/symbol"), QStringLiteral("workspaceSymbolProvider")},
      {QStringLiteral("workspace/executeCommand"), QStringLiteral("executeCommandProvider")},
  };
  if (const auto other = others.constFind(method); other != others.cend()) return *other;
  const QString inText = QStringLiteral("textDocument/");
  if (!method.startsWith(inText)) return {};
  return method.mid(inText.size()) + QStringLiteral("Provider");
}

}  // namespace

ServerAbilities::ServerAbilities(QJsonObject said) : said_(std::move(said)) {
  // clangd had hints before the protocol did, under names of its own.
  if (said_[QLatin1String(kClangdInlayHints)].toBool() &&
      !said_.contains(QLatin1String(kInlayHints)))
    said_.insert(QLatin1String(kInlayHints),
                 QJsonObject{{QStringLiteral("method"), QStringLiteral("clangd/inlayHints")}});
  all_ = said_;
}

void ServerAbilities::refresh() {
  all_ = said_;
  for (const Registration& one : std::as_const(registrations_))
    all_.insert(one.provider, one.options);
}

bool ServerAbilities::add(const QJsonValue& registrations) {
  const QJsonObject before = all_;
  const QJsonArray list = registrations.toArray();
  for (const QJsonValue one : list) {
    const QString id = one[u"id"].toString();
    const QString method = one[u"method"].toString();
    const QJsonValue options = one[u"registerOptions"];
    if (method == QLatin1String("workspace/didChangeWatchedFiles")) {
      addWatchers(id, options);
      continue;
    }
    const QString provider = providerOf(method);
    if (provider.isEmpty() || registrations_.size() >= kMostRegistrations) continue;
    registrations_.append({id, provider, options.isObject() ? options : QJsonValue(true)});
  }
  refresh();
  return all_ != before;
}

bool ServerAbilities::remove(const QJsonValue& unregistrations) {
  const QJsonObject before = all_;
  const QJsonArray list = unregistrations.toArray();
  for (const QJsonValue one : list) {
    const QString id = one[u"id"].toString();
    watchers_.remove(id);
    registrations_.removeIf([&](const Registration& known) { return known.id == id; });
  }
  refresh();
  return all_ != before;
}

void ServerAbilities::addWatchers(const QString& id, const QJsonValue& options) {
  if (watchers_.size() >= kMostRegistrations) return;
  QVector<Watcher>& watchers = watchers_[id];
  const QJsonArray list = options[u"watchers"].toArray();
  for (const QJsonValue one : list) {
    if (watchers.size() == kMostWatchers) return;
    const QJsonValue glob = one[u"globPattern"];
    Watcher watcher;
    watcher.kinds = one[u"kind"].toInt(kAllChanges);
    if (glob.isObject()) {
      const QJsonValue base = glob[u"baseUri"];
      watcher.folder = pathOf(base.isObject() ? base[u"uri"].toString() : base.toString());
      if (watcher.folder.isEmpty()) continue;
      watcher.glob = PathGlob(glob[u"pattern"].toString());
    } else {
      watcher.glob = PathGlob(glob.toString());
    }
    watchers.append(watcher);
  }
}

bool ServerAbilities::wantsFile(const QString& path, FileChange change, const QString& root) const {
  const int bit = 1 << (static_cast<int>(change) - 1);
  const auto below = [&](const QString& folder) {
    return path.startsWith(folder + u'/') ? path.mid(folder.size() + 1) : QString();
  };
  const auto wants = [&](const Watcher& watcher) {
    if ((watcher.kinds & bit) == 0) return false;
    if (!watcher.folder.isEmpty()) return watcher.glob.fits(below(watcher.folder));
    return watcher.glob.fits(path) || watcher.glob.fits(below(root));
  };
  return std::any_of(watchers_.begin(), watchers_.end(), [&](const QVector<Watcher>& watchers) {
    return std::any_of(watchers.begin(), watchers.end(), wants);
  });
}

}  // namespace waferpair::workbench

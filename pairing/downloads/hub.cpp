// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/downloads/hub.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <algorithm>

#include "editor/text/translate.h"
#include "pairing/request/endpoint.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kLongestPath = 512;
constexpr qsizetype kLongestLicense = 100;
constexpr double kMostFileBytes = 1e13;

bool isHex(const QString& text, qsizetype digits) {
  return text.size() == digits && std::all_of(text.cbegin(), text.cend(), [](QChar c) {
           return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f');
         });
}

// A path that stays in its folder on every system.
bool isPlainPath(const QString& path) {
  if (path.isEmpty() || path.size() > kLongestPath) return false;
  const bool isPrintable =
      std::all_of(path.cbegin(), path.cend(), [](QChar c) { return c.isPrint() && c != u'\\'; });
  const QStringList parts = path.split(u'/');
  return isPrintable && std::none_of(parts.cbegin(), parts.cend(), [](const QString& part) {
           return part.isEmpty() || part == u"." || part == u"..";
         });
}

std::optional<HubFile> hubFileFrom(const QJsonObject& sibling) {
  const QJsonObject lfs = sibling.value(u"lfs").toObject();
  HubFile file;
  file.path = sibling.value(u"rfilename").toString();
  const QString sum = lfs.value(u"sha256").toString();
  const double bytes = lfs.value(u"size").toDouble();
  if (!isPlainPath(file.path) || !file.path.endsWith(u".gguf", Qt::CaseInsensitive) ||
      !isHex(sum, 64) || bytes < 1 || bytes > kMostFileBytes) {
    return {};
  }
  file.bytes = static_cast<qint64>(bytes);
  file.sha256 = sum.toLatin1();
  return file;
}

QUrl below(const QUrl& base, const QString& path) {
  QUrl url = base;
  url.setPath(base.path() + path, QUrl::DecodedMode);
  return url;
}

}  // namespace

const HubFile* HubModel::find(const QString& path) const {
  const auto found = std::find_if(files.cbegin(), files.cend(),
                                  [&path](const HubFile& file) { return file.path == path; });
  return found == files.cend() ? nullptr : &*found;
}

const HubFile* HubModel::findLike(const QString& pattern) const {
  const auto like = QRegularExpression::fromWildcard(pattern, Qt::CaseInsensitive);
  static const QRegularExpression part(QStringLiteral("-\\d{5}-of-\\d{5}\\.gguf\\z"),
                                       QRegularExpression::CaseInsensitiveOption);
  const HubFile* found = nullptr;
  for (const HubFile& file : files) {
    const QString name = file.path.mid(file.path.lastIndexOf(u'/') + 1);
    if (!like.match(name).hasMatch() || part.match(name).hasMatch()) continue;
    if (!found || file.path > found->path) found = &file;
  }
  return found;
}

std::optional<HubModel> readHubModel(const QByteArray& json) {
  if (json.size() > kMostHubBytes) return {};
  const QJsonObject object = QJsonDocument::fromJson(json).object();
  HubModel model;
  model.commit = object.value(u"sha").toString();
  if (!isHex(model.commit, 40) || !object.value(u"siblings").isArray()) return {};
  model.license =
      object.value(u"cardData").toObject().value(u"license").toString().left(kLongestLicense);
  // false, "auto" or "manual"
  model.isGated = object.value(u"gated").isString();
  for (const QJsonValue& sibling : object.value(u"siblings").toArray()) {
    const auto file = hubFileFrom(sibling.toObject());
    if (!file || model.find(file->path)) continue;
    if (model.files.size() == kMostHubFiles) break;
    model.files.append(*file);
  }
  return model;
}

bool isRepository(const QString& name) {
  static const QRegularExpression allowed(
      QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}\\z"));
  return allowed.match(name).hasMatch() && !name.contains(QLatin1String("--")) &&
         !name.contains(QLatin1String(".."));
}

editor::Result<QUrl> hubBase(const QProcessEnvironment& environment) {
  const QString offline = environment.value(QStringLiteral("HF_HUB_OFFLINE")).toUpper();
  if (offline == u"1" || offline == u"ON" || offline == u"YES" || offline == u"TRUE") {
    return editor::fail(translate("Nothing is fetched: HF_HUB_OFFLINE is set."),
                        translate("Unset it and start the program again."));
  }
  QString text = environment.value(QStringLiteral("HF_ENDPOINT")).trimmed();
  while (text.endsWith(u'/')) text.chop(1);
  if (text.isEmpty()) return QUrl(QStringLiteral("https://huggingface.co"));
  const QUrl base(text, QUrl::StrictMode);
  if (!base.isValid() || base.host().isEmpty() || !base.userInfo().isEmpty() || base.hasQuery() ||
      base.hasFragment() || !isSafeAddress(base)) {
    return editor::fail(translate("HF_ENDPOINT does not begin with https:// and a host."),
                        translate("Correct it, or unset it to use huggingface.co."));
  }
  return base;
}

bool isSafeAddress(const QUrl& url) {
  if (url.scheme() == u"https") return !url.host().isEmpty();
  return url.scheme() == u"http" && isLoopback(url);
}

QUrl hubModelUrl(const QUrl& base, const QString& repository) {
  QUrl url = below(base, QStringLiteral("/api/models/") + repository);
  url.setQuery(QStringLiteral("blobs=true"));
  return url;
}

QUrl hubFileUrl(const QUrl& base, const QString& repository, const QString& commit,
                const QString& path) {
  return below(base, u'/' + repository + QStringLiteral("/resolve/") + commit + u'/' + path);
}

QUrl hubPageUrl(const QUrl& base, const QString& repository) {
  return below(base, u'/' + repository);
}

QString folderIn(const QProcessEnvironment& environment, const char* variable,
                 const QString& home) {
  QString value = environment.value(QLatin1String(variable));
  if (value == u"~" || value.startsWith(QLatin1String("~/"))) value.replace(0, 1, home);
  return QDir::isAbsolutePath(value) ? value : QString();
}

QString userCache(const QProcessEnvironment& environment, const QString& home) {
  const QString own = folderIn(environment, "XDG_CACHE_HOME", home);
  return own.isEmpty() ? home + QStringLiteral("/.cache") : own;
}

QString hubCache(const QProcessEnvironment& environment, const QString& home) {
  for (const char* variable : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}) {
    if (const QString root = folderIn(environment, variable, home); !root.isEmpty()) return root;
  }
  const QString hfHome = folderIn(environment, "HF_HOME", home);
  return hfHome.isEmpty() ? userCache(environment, home) + QStringLiteral("/huggingface/hub")
                          : hfHome + QStringLiteral("/hub");
}

}  // namespace waferpair::pairing

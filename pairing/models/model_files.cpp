// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/models/model_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <algorithm>
#include <functional>
#include <optional>

#include "editor/text/translate.h"
#include "pairing/downloads/hub.h"
#include "pairing/models/ollama_manifest.h"
#include "runtime/base/guest_file.h"

namespace waferpair::pairing {
namespace {

constexpr std::size_t kMostNoteBytes = 1 << 20;
constexpr int kMostDepth = 6;  // of folders below a store's root

QByteArray smallFile(const QString& path) {
  const auto bytes = base::readGuestFile(QFile::encodeName(path).toStdString(), kMostNoteBytes);
  return bytes && *bytes ? QByteArray::fromStdString(**bytes) : QByteArray();
}

// Files that go with a model and are none.
bool isModelName(const QString& name) {
  static const QStringList others = {QStringLiteral("mmproj"),  QStringLiteral("imatrix"),
                                     QStringLiteral("mtp-"),    QStringLiteral("eagle3-"),
                                     QStringLiteral("dflash-"), QStringLiteral("dspark-")};
  if (!name.endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive)) return false;
  const bool isOther = std::any_of(others.cbegin(), others.cend(), [&name](const QString& part) {
    return name.contains(part, Qt::CaseInsensitive);
  });
  if (isOther) return false;
  // The first part of a model in parts stands for all.
  static const QRegularExpression part(QStringLiteral("-(\\d{5})-of-\\d{5}\\.gguf\\z"),
                                       QRegularExpression::CaseInsensitiveOption);
  const auto match = part.match(name);
  return !match.hasMatch() || match.captured(1).toInt() == 1;
}

class FileFinder {
 public:
  FileFinder(const QProcessEnvironment& environment, QString home)
      : environment_(environment), home_(std::move(home)) {}

  void lookAtHub() {
    begin(QStringLiteral("Hugging Face"));
    lookAtHub(hubCache(environment_, home_));
  }

  // Its cache is a hub's, or a flat folder, or both.
  void lookAtLlamaCpp() {
    begin(QStringLiteral("llama.cpp"));
    const QString own = folderIn(environment_, "LLAMA_CACHE", home_);
    const QString root =
        own.isEmpty() ? userCache(environment_, home_) + QStringLiteral("/llama.cpp") : own;
    if (!own.isEmpty()) lookAtHub(own);
    if (!enter(root)) return;
    QHash<QString, QString> names;  // by file
    for (const QFileInfo& file : entries(root, QDir::Files)) {
      static const QRegularExpression manifest(
          QStringLiteral("\\Amanifest=([^=]+)=([^=]+)=([^=]+)\\.json\\z"));
      const auto match = manifest.match(file.fileName());
      if (!match.hasMatch()) continue;
      const QJsonObject note = QJsonDocument::fromJson(smallFile(file.filePath())).object();
      const QString in = note.value(u"ggufFile").toObject().value(u"rfilename").toString();
      const QString flat = match.captured(1) + u'_' + match.captured(2) + u'_' + in;
      names[QString(flat).replace(u'/', u'_')] =
          match.captured(1) + u'/' + match.captured(2) + u':' + match.captured(3);
    }
    for (const QFileInfo& file : entries(root, QDir::Files)) {
      if (isModelName(file.fileName())) add(file, names.value(file.fileName(), file.fileName()));
    }
  }

  void lookAtOllama(const QString& system) {
    begin(QStringLiteral("Ollama"));
    const QString own = folderIn(environment_, "OLLAMA_MODELS", home_);
    if (!own.isEmpty()) lookAtOllamaModels(own);
    lookAtOllamaModels(home_ + QStringLiteral("/.ollama/models"));
    // The service's own user, whose folder others often cannot enter.
    if (QFileInfo::exists(system) && !QFileInfo(system).isExecutable()) return unreadable(system);
    lookAtOllamaModels(system + QStringLiteral("/.ollama/models"));
  }

  void lookAtLmStudio() {
    begin(QStringLiteral("LM Studio"));
    QString root = home_ + QStringLiteral("/.lmstudio");
    const QString pointer = QString::fromUtf8(
        smallFile(home_ + QStringLiteral("/.lmstudio-home-pointer")).split('\n').first().trimmed());
    if (!pointer.isEmpty()) {
      root = pointer;
    } else if (!QFileInfo::exists(root)) {
      root = home_ + QStringLiteral("/.cache/lm-studio");
    }
    const QJsonObject settings =
        QJsonDocument::fromJson(smallFile(root + QStringLiteral("/settings.json"))).object();
    const QString models =
        settings.value(u"downloadsFolder").toString(root + QStringLiteral("/models"));
    if (!enter(models)) return;
    // PUBLISHER/REPOSITORY/FILE: what lies further up is not its own.
    for (const QFileInfo& publisher : entries(models, QDir::Dirs)) {
      for (const QFileInfo& repository : entries(publisher.filePath(), QDir::Dirs)) {
        addBelow(repository.filePath(), publisher.fileName() + u'/' + repository.fileName() + u'/',
                 0);
      }
    }
  }

  ModelFiles take() {
    std::sort(found_.files.begin(), found_.files.end(), [](const ModelFile& a, const ModelFile& b) {
      return QString::compare(a.names.first(), b.names.first(), Qt::CaseInsensitive) < 0;
    });
    return std::move(found_);
  }

 private:
  void begin(const QString& store) {
    store_ = store;
    left_ = kMostStoreEntries;
  }

  void unreadable(const QString& folder) {
    found_.problems.append(
        translate("You may not read the models of %1 in %2.").arg(store_, folder));
  }
  // Returns whether there is such a folder to look into.
  bool enter(const QString& folder) {
    const QFileInfo info(folder);
    if (!info.isDir()) return false;
    if (info.isReadable() && info.isExecutable()) return true;
    unreadable(folder);
    return false;
  }

  QFileInfoList entries(const QString& folder, QDir::Filters which) {
    QFileInfoList all =
        QDir(folder).entryInfoList(which | QDir::NoDotAndDotDot | QDir::Hidden, QDir::Name);
    if (all.size() > left_) all.resize(left_);
    left_ -= static_cast<int>(all.size());
    return all;
  }

  void lookAtHub(const QString& root) {
    if (!enter(root)) return;
    const QString prefix = QStringLiteral("models--");
    for (const QFileInfo& model : entries(root, QDir::Dirs)) {
      if (!model.fileName().startsWith(prefix)) continue;
      const QString name =
          model.fileName().mid(prefix.size()).replace(QLatin1String("--"), QLatin1String("/"));
      const QString snapshots = model.filePath() + QStringLiteral("/snapshots");
      const QString commit =
          QString::fromLatin1(smallFile(model.filePath() + QStringLiteral("/refs/main")).trimmed());
      static const QRegularExpression hash(QStringLiteral("\\A[0-9a-f]{40}\\z"));
      // A file of an older commit is listed where the newest that was fetched has none of its name.
      if (hash.match(commit).hasMatch() && QFileInfo(snapshots + u'/' + commit).isDir())
        addBelow(snapshots + u'/' + commit, name + u'/', 0);
      for (const QFileInfo& snapshot : entries(snapshots, QDir::Dirs)) {
        if (snapshot.fileName() != commit) addBelow(snapshot.filePath(), name + u'/', 0);
      }
    }
  }

  void addBelow(const QString& folder, const QString& name, int depth) {
    for (const QFileInfo& file : entries(folder, QDir::Files)) {
      if (isModelName(file.fileName())) add(file, name + file.fileName());
    }
    if (depth == kMostDepth) return;
    for (const QFileInfo& below : entries(folder, QDir::Dirs | QDir::NoSymLinks))
      addBelow(below.filePath(), name + below.fileName() + u'/', depth + 1);
  }

  void lookAtOllamaModels(const QString& root) {
    const QString manifests = root + QStringLiteral("/manifests");
    if (!enter(root) || !enter(manifests)) return;
    for (const QFileInfo& host : entries(manifests, QDir::Dirs)) {
      for (const QFileInfo& space : entries(host.filePath(), QDir::Dirs)) {
        for (const QFileInfo& model : entries(space.filePath(), QDir::Dirs)) {
          for (const QFileInfo& tag : entries(model.filePath(), QDir::Files)) {
            QString name = model.fileName() + u':' + tag.fileName();
            if (space.fileName() != u"library") name.prepend(space.fileName() + u'/');
            if (host.fileName() != u"registry.ollama.ai") name.prepend(host.fileName() + u'/');
            addOllama(root + QStringLiteral("/blobs/"), tag.filePath(), name);
          }
        }
      }
    }
  }

  void addOllama(const QString& blobs, const QString& manifestPath, const QString& name) {
    const auto manifest = readOllamaManifest(smallFile(manifestPath));
    if (!manifest) return;
    if (!manifest->configBlob.isEmpty() && isElsewhere(smallFile(blobs + manifest->configBlob)))
      return;
    const QFileInfo file(blobs + manifest->modelBlob);
    if (file.size() == manifest->modelBytes) add(file, name);  // else it is still being fetched
  }

  void add(const QFileInfo& file, const QString& name) {
    const QString path = file.canonicalFilePath();
    if (path.isEmpty() || !file.isFile()) return;  // a link to nothing
    const bool isOlder =
        std::any_of(found_.files.begin(), found_.files.end(), [&](const auto& known) {
          return known.path != path && known.store == store_ && known.names.contains(name);
        });
    if (isOlder) return;
    const auto same = std::find_if(found_.files.begin(), found_.files.end(),
                                   [&path](const ModelFile& known) { return known.path == path; });
    if (same == found_.files.end()) {
      found_.files.append({path, {name}, store_, file.size()});
    } else if (!same->names.contains(name)) {
      same->names.append(name);
    }
  }

  const QProcessEnvironment& environment_;
  const QString home_;
  QString store_;
  int left_ = 0;  // entries that may still be looked at in this store
  ModelFiles found_;
};

}  // namespace

ModelFiles findModelFiles(const QProcessEnvironment& environment, const QString& home,
                          const QString& systemOllama) {
  FileFinder finder(environment, home);
  finder.lookAtOllama(systemOllama);
  finder.lookAtLmStudio();
  finder.lookAtLlamaCpp();
  finder.lookAtHub();
  return finder.take();
}

}  // namespace waferpair::pairing

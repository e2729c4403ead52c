// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/read_imports.h"

#include <QFile>
#include <string>

namespace waferpair::pairing {
namespace {

std::shared_ptr<const FileImports> importsIn(const std::string& path,
                                             const LanguageFamily& family) {
  const auto bytes = exclusions::readSmallFile(path, static_cast<std::size_t>(kMostOfImporter),
                                               exclusions::Links::kRefuse);
  if (!bytes || !*bytes) return {};
  return std::make_shared<FileImports>(CodeText(QByteArray::fromStdString(**bytes), family));
}

}  // namespace

std::shared_ptr<const ReadImports> readImports(const QString& root, const QStringList& files,
                                               const QString& suffix, const LanguageFamily& family,
                                               const std::shared_ptr<const ReadImports>& before,
                                               const std::atomic<bool>& cancelled) {
  const bool isSame = before && before->root == root && before->suffix == suffix;
  auto read = std::make_shared<ReadImports>();
  read->root = root;
  read->suffix = suffix;
  auto imports = std::make_shared<ProjectImports>();
  qint64 bytes = 0;
  for (const QString& file : files) {
    if (cancelled) return {};
    if (!file.endsWith(u'.' + suffix)) continue;
    const std::string path = QFile::encodeName(root + u'/' + file).toStdString();
    const exclusions::FileStamp stamp = exclusions::FileStamp::of(path);
    bytes += stamp.bytes;
    if (bytes > kMostOfImporters) break;
    ReadImports::File known = isSame ? before->files.value(file) : ReadImports::File();
    if (!known.stamp.exists || !(known.stamp == stamp)) known = {stamp, importsIn(path, family)};
    if (known.imports) imports->set(file, known.imports);
    read->files.insert(file, std::move(known));
  }
  read->imports = std::move(imports);
  return read;
}

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/kept/kept_folder.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>

namespace waferpair::pairing {

QString keptFolder(const QString& directory, const QString& project) {
  const QByteArray name =
      QCryptographicHash::hash(project.toUtf8(), QCryptographicHash::Sha1).toHex().left(16);
  return directory + u'/' + QString::fromLatin1(name);
}

bool makeKeptFolder(const QString& folder) {
  return QDir().mkpath(folder) &&
         QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/session_token.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <algorithm>

#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kTokenDigits = 64;

bool isHexDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

SessionToken readSessionToken(const QString& path) {
  const QString remedy = tr("Restart the model; it makes a new token file.");
  const auto problem = [&](const QString& what) {
    return SessionToken{{}, {tr("The token file %1 %2.").arg(path, what), remedy}};
  };
  // Opened once and judged by descriptor: the name cannot be pointed elsewhere in between.
  QFile file;
  const int descriptor =
      ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return problem(tr("cannot be read: %1").arg(qt_error_string()));
  if (!file.open(descriptor, QFile::ReadOnly, QFile::AutoCloseHandle)) {
    ::close(descriptor);
    return problem(tr("cannot be read"));
  }
  struct stat info;
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
    return problem(tr("is not a regular file"));
  if (info.st_uid != ::geteuid()) return problem(tr("belongs to another user"));
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) return problem(tr("can be read by others"));
  const QByteArray token = file.read(kTokenDigits + 2).trimmed();
  if (token.size() != kTokenDigits || !std::all_of(token.begin(), token.end(), isHexDigit))
    return problem(tr("does not hold a token"));
  return {token, {}};
}

}  // namespace waferpair::gui

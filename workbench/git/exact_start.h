// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a program in a folder and with arguments that need not be UTF-8
// (editor/text/path_bytes.h). QProcess writes UTF-8 only: of such a name another one would become.
// So its child process makes itself the program.
#pragma once

#include <QByteArrayList>
#include <QProcessEnvironment>
#include <QStringList>
#include <vector>

namespace waferpair::workbench {

class ExactStart {
 public:
  // `program` is absolute.
  ExactStart(const QString& program, const QStringList& arguments, const QString& folder,
             const QProcessEnvironment& environment);
  ExactStart(const ExactStart&) = delete;
  ExactStart& operator=(const ExactStart&) = delete;

  // All of it is UTF-8, so that a QProcess can do it.
  bool isPlain() const { return isPlain_; }
  // For QProcess::setChildProcessModifier(): in the child process this does not return. Does what
  // is allowed between fork and exec only.
  [[noreturn]] void become() const;

 private:
  bool isPlain_;
  QByteArray program_, folder_;
  QByteArrayList arguments_, environment_;
  std::vector<char*> argv_, envp_;  // into those, with a null at the end
};

}  // namespace waferpair::workbench

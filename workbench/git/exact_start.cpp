// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/exact_start.h"

#include <unistd.h>

#include <algorithm>

#include "editor/text/path_bytes.h"

namespace waferpair::workbench {
namespace {

constexpr int kCannotStart = 127;  // as a shell says it

// They stay valid as long as `texts` is neither changed nor gone.
std::vector<char*> pointersTo(QByteArrayList& texts) {
  std::vector<char*> pointers;
  for (QByteArray& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

ExactStart::ExactStart(const QString& program, const QStringList& arguments, const QString& folder,
                       const QProcessEnvironment& environment)
    : isPlain_(editor::isUtf8Path(folder) &&
               std::all_of(arguments.begin(), arguments.end(), editor::isUtf8Path)),
      program_(editor::pathBytes(program)),
      folder_(editor::pathBytes(folder)) {
  arguments_.append(program_);
  for (const QString& argument : arguments) arguments_.append(editor::pathBytes(argument));
  for (const QString& variable : environment.toStringList())
    environment_.append(variable.toLocal8Bit());
  argv_ = pointersTo(arguments_);
  envp_ = pointersTo(environment_);
}

void ExactStart::become() const {
  if (::chdir(folder_.constData()) == 0) ::execve(program_.constData(), argv_.data(), envp_.data());
  ::_exit(kCannotStart);
}

}  // namespace waferpair::workbench

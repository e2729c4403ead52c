// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/program_list.h"

#include <elf.h>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <cstring>

#include "runtime/base/guest_file.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostPrograms = 500;
constexpr int kMostLooked = 50'000;  // files and folders
constexpr int kDeepest = 5;          // folders below that of the build
constexpr int kMostHeaders = 64;     // of a program

// Walks a build's folder.
class Walk {
 public:
  Walk(const QString& build, const QString& task) : build_(build), task_(task) {}

  void in(const QString& folder, int depth) {
    // What builds keep for themselves.
    static const QStringList others = {
        QStringLiteral("CMakeFiles"),    QStringLiteral("_deps"),
        QStringLiteral("meson-private"), QStringLiteral("deps"),
        QStringLiteral("build"),         QStringLiteral("incremental"),
        QStringLiteral("Testing"),       QStringLiteral("node_modules")};
    const QDir::Filters filters =
        QDir::Dirs | QDir::Files | QDir::NoDotAndDotDot | QDir::NoSymLinks;
    for (const QFileInfo& each : QDir(folder).entryInfoList(filters)) {
      if (++looked_ > kMostLooked || found_.size() >= kMostPrograms) return;
      if (each.isDir()) {
        if (depth < kDeepest && !others.contains(each.fileName()) &&
            !each.fileName().startsWith(u'.'))
          in(each.absoluteFilePath(), depth + 1);
      } else if (each.isExecutable() && isProgram(each.absoluteFilePath())) {
        found_.append({each.absoluteFilePath(), build_, task_});
      }
    }
  }
  const QVector<BuiltProgram>& found() const { return found_; }

 private:
  QString build_;
  QString task_;
  QVector<BuiltProgram> found_;
  int looked_ = 0;
};

}  // namespace

bool isProgram(const QString& path) {
  const auto opened = base::GuestFile::open(QFile::encodeName(path).toStdString());
  if (!opened || !*opened) return false;
  const auto reads = [&file = **opened](auto* part, std::size_t from) {
    return file.read(reinterpret_cast<char*>(part), sizeof *part, from).value_or(0) == sizeof *part;
  };
  Elf64_Ehdr head = {};
  if (!reads(&head, 0)) return false;
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  if (head.e_type == ET_EXEC) return true;
  // A program that may lie anywhere names what loads it, a library does not.
  if (head.e_type != ET_DYN || head.e_phentsize != sizeof(Elf64_Phdr)) return false;
  const std::size_t parts = head.e_phoff & 0x7fffffff;
  for (int i = 0; i < std::min<int>(head.e_phnum, kMostHeaders); ++i) {
    Elf64_Phdr part = {};
    if (!reads(&part, parts + static_cast<std::size_t>(i) * sizeof part)) return false;
    if (part.p_type == PT_INTERP) return true;
  }
  return false;
}

QVector<BuiltProgram> builtPrograms(const QString& folder) {
  QVector<BuiltProgram> all;
  const QDir top(folder);
  const auto look = [&](const QString& build) {
    QString task;
    if (top.exists(build + QStringLiteral("/CMakeCache.txt"))) {
      task = QStringLiteral("build ") + build;
    } else if (top.exists(build + QStringLiteral("/meson-private"))) {
      task = QStringLiteral("compile ") + build;
    } else if (build == QLatin1String("target/debug") && top.exists(QStringLiteral("Cargo.toml"))) {
      task = QStringLiteral("build");
    } else {
      return false;
    }
    Walk walk(build, task);
    walk.in(top.filePath(build), 0);
    all += walk.found();
    return true;
  };
  const QDir::Filters folders = QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks;
  for (const QString& outer : top.entryList(folders, QDir::Name)) {
    if (look(outer)) continue;
    const bool isAround = outer.contains(QLatin1String("build")) || outer == QLatin1String("out") ||
                          outer == QLatin1String("target");
    if (!isAround) continue;
    for (const QString& inner : QDir(top.filePath(outer)).entryList(folders, QDir::Name))
      look(outer + u'/' + inner);
  }
  std::stable_sort(all.begin(), all.end(), [](const BuiltProgram& a, const BuiltProgram& b) {
    return QFileInfo(a.path).lastModified() > QFileInfo(b.path).lastModified();
  });
  return all;
}

}  // namespace waferpair::workbench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/testing/find_tests.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <optional>

#include "editor/text/guest_file.h"

namespace waferpair::workbench {
namespace {

enum class FileKind { kNone, kCpp, kPython, kRust, kGo, kScript };

FileKind fileKindOf(const QString& path) {
  static const QRegularExpression script(
      QStringLiteral(R"((?:[._-](?:test|spec)|/__tests__/[^/]+)\.[cm]?[jt]sx?$)"));
  static const QRegularExpression python(
      QStringLiteral(R"((?:^|/)(?:test_[^/]*|[^/]*_test)\.py$)"));
  for (const char* end : {".cpp", ".cc", ".cxx"})
    if (path.endsWith(QLatin1String(end))) return FileKind::kCpp;
  if (path.endsWith(QLatin1String(".rs"))) return FileKind::kRust;
  if (path.endsWith(QLatin1String("_test.go"))) return FileKind::kGo;
  if (path.endsWith(QLatin1String(".py")) && python.match(path).hasMatch())
    return FileKind::kPython;
  return script.match(path).hasMatch() ? FileKind::kScript : FileKind::kNone;
}

// Which of them a package uses, as its package.json says; none: neither.
std::optional<TestFramework> scriptFramework(const QString& path, const QString& folder) {
  const QString at = folderWith(path, folder, {QStringLiteral("package.json")});
  if (at.isEmpty()) return std::nullopt;
  const QByteArray package =
      editor::guestBytes(at + QStringLiteral("/package.json"), kMostOfTestFile);
  if (package.contains("vitest")) return TestFramework::kVitest;
  if (package.contains("jest")) return TestFramework::kJest;
  return std::nullopt;
}

// A file of a crate by Cargo's custom: what it is compiled as a part of, and its modules there.
QVector<TestItem> testsOfCrate(const QString& path, const QByteArray& text, const QString& folder) {
  const QString package = folderWith(path, folder, {QStringLiteral("Cargo.toml")});
  if (package.isEmpty()) return {};
  QStringList parts = path.mid(package.size() + 1).split(u'/');
  const QString file = parts.takeLast();
  const QString name = QFileInfo(file).completeBaseName();
  const QString first = parts.value(0);
  const bool isInSource = first == QLatin1String("src") && parts.value(1) != QLatin1String("bin");
  // src/bin/x.rs and tests/x.rs are crates of their own.
  if (!isInSource) return rustTests(path, {}, text);
  if (parts.size() == 1 && (name == QLatin1String("lib") || name == QLatin1String("main")))
    return rustTests(path, {}, text);
  QStringList modules = parts.mid(1);
  if (name != QLatin1String("mod")) modules.append(name);
  const QString library = package + QStringLiteral("/src/lib.rs");
  return rustTests(QFileInfo::exists(library) ? library : package + QStringLiteral("/src/main.rs"),
                   modules, text);
}

}  // namespace

QString folderWith(const QString& path, const QString& folder, const QStringList& names) {
  for (QString at = QFileInfo(path).path(); at == folder || at.startsWith(folder + u'/');
       at = QFileInfo(at).path()) {
    for (const QString& name : names)
      if (QFileInfo::exists(at + u'/' + name)) return at;
  }
  return {};
}

bool mayHoldTests(const QString& path) { return fileKindOf(path) != FileKind::kNone; }

QVector<TestItem> findTests(const QString& path, const QByteArray& text, const QString& folder) {
  if (text.size() > kMostOfTestFile) return {};
  switch (fileKindOf(path)) {
    case FileKind::kNone:
      return {};
    case FileKind::kCpp: {
      // Read only where it may matter: it is one more file for each.
      const QFileInfo file(path);
      const QString header = file.completeBaseName() + QStringLiteral(".h");
      const bool isNamed =
          text.contains('"' + header.toUtf8() + '"') || text.contains('/' + header.toUtf8() + '"');
      const bool mayDeclare = isNamed && (text.contains("QTEST_") || text.contains("QTest"));
      return cppTests(text, mayDeclare
                                ? editor::guestBytes(file.path() + u'/' + header, kMostOfTestFile)
                                : QByteArray());
    }
    case FileKind::kPython:
      return pythonTests(path, text);
    case FileKind::kRust:
      return testsOfCrate(path, text, folder);
    case FileKind::kGo:
      return goTests(path, text);
    case FileKind::kScript: {
      const auto framework = scriptFramework(path, folder);
      return framework ? scriptTests(path, *framework, text) : QVector<TestItem>();
    }
  }
  Q_UNREACHABLE();
}

}  // namespace waferpair::workbench

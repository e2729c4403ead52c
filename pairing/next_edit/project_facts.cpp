// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/project_facts.h"

#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <utility>

namespace waferpair::pairing {
namespace {

// The families whose imports are known.
enum class Style { kNone, kPython, kScript, kGo, kJvm, kRust };

Style styleOf(const LanguageFamily& family) {
  static const std::array styles = {
      std::pair(&languageFamily(QStringLiteral("Python")), Style::kPython),
      std::pair(&languageFamily(QStringLiteral("JavaScript")), Style::kScript),
      std::pair(&languageFamily(QStringLiteral("Go")), Style::kGo),
      std::pair(&languageFamily(QStringLiteral("Java")), Style::kJvm),
      std::pair(&languageFamily(QStringLiteral("Rust")), Style::kRust)};
  const auto found = std::find_if(styles.begin(), styles.end(),
                                  [&](const auto& each) { return each.first == &family; });
  return found == styles.end() ? Style::kNone : found->second;
}

constexpr std::size_t kMostHaving = 50;
constexpr qsizetype kLongestImport = 400;  // bytes of a line

// "A as B" is known as B.
QByteArray boundName(const QByteArray& item) {
  const qsizetype as = item.lastIndexOf(" as ");
  return as < 0 ? item : item.mid(as + 4).trimmed();
}

// The names of "A, B as C", each with the line that `made` makes of it.
template <typename Made>
void takeList(const QByteArray& list, const QByteArray& module, const Made& made,
              std::vector<ImportedName>* names) {
  for (const QByteArray& piece : list.split(',')) {
    const QByteArray item = piece.trimmed();
    if (item.isEmpty()) continue;
    names->push_back({boundName(item), module, made(item), 0, true});
  }
}

void takePython(const QString& line, std::vector<ImportedName>* names) {
  static const QRegularExpression from(
      QStringLiteral(R"(^from\s+(\S+)\s+import\s+([\w\s,]+?)\s*$)"));
  static const QRegularExpression plain(
      QStringLiteral(R"(^import\s+([\w.]+)(\s+as\s+(\w+))?\s*$)"));
  if (const auto match = from.match(line); match.hasMatch()) {
    const QByteArray module = match.captured(1).toUtf8();
    const auto made = [&](const QByteArray& item) { return "from " + module + " import " + item; };
    takeList(match.captured(2).toUtf8(), module, made, names);
  } else if (const auto whole = plain.match(line); whole.hasMatch()) {
    const QString name =
        whole.captured(3).isEmpty() ? whole.captured(1).section(u'.', 0, 0) : whole.captured(3);
    names->push_back({name.toUtf8(), {}, line.toUtf8(), 0, false, true});
  }
}

void takeScript(const QString& line, std::vector<ImportedName>* names) {
  static const QRegularExpression from(QStringLiteral(
      R"(^import\s+(type\s+)?(?:(\w+)|\*\s+as\s+(\w+)|\{([^{}]*)\})\s+from\s+((["'])[^"']+\6);?$)"));
  static const QRegularExpression require(QStringLiteral(
      R"(^(?:const|let|var)\s+(\w+)\s*=\s*require\((["'])[^"']+\2\)(?:\.\w+)?[;,]?$)"));
  if (const auto match = from.match(line); match.hasMatch()) {
    const QByteArray whole = line.toUtf8();
    for (const int one : {2, 3})
      if (!match.captured(one).isEmpty())
        names->push_back({match.captured(one).toUtf8(), {}, whole});
    if (match.captured(4).isEmpty()) return;
    const QByteArray open = match.captured(4).startsWith(u' ') ? "{ " : "{";
    const QByteArray close = match.captured(4).endsWith(u' ') ? " }" : "}";
    const QByteArray type = match.captured(1).toUtf8();
    const QByteArray end = " from " + match.captured(5).toUtf8() + (line.endsWith(u';') ? ";" : "");
    const auto made = [&](const QByteArray& item) {
      return "import " + type + open + item + close + end;
    };
    takeList(match.captured(4).toUtf8(), type + match.captured(5).toUtf8(), made, names);
  } else if (const auto whole = require.match(line); whole.hasMatch()) {
    names->push_back({whole.captured(1).toUtf8(), {}, line.toUtf8()});
  }
}

void takeGo(const QString& line, std::vector<ImportedName>* names) {
  static const QRegularExpression path(QStringLiteral(R"re(^(?:(\w+)\s+)?"([\w./\-]+)"$)re"));
  static const QRegularExpression version(QStringLiteral(R"(^v\d+$)"));
  const auto match = path.match(line);
  if (!match.hasMatch()) return;
  QString name = match.captured(2).section(u'/', -1);
  if (version.match(name).hasMatch()) name = match.captured(2).section(u'/', -2, -2);
  if (!match.captured(1).isEmpty()) name = match.captured(1);
  names->push_back({name.toUtf8(), {}, line.toUtf8(), 0, false, true});
}

void takeJvm(const QString& line, std::vector<ImportedName>* names) {
  static const QRegularExpression import(
      QStringLiteral(R"(^import\s+(?:static\s+)?[\w.]+\.(\w+)(?:\s+as\s+(\w+))?;?$)"));
  const auto match = import.match(line);
  if (!match.hasMatch()) return;
  const QString name = match.captured(2).isEmpty() ? match.captured(1) : match.captured(2);
  names->push_back({name.toUtf8(), {}, line.toUtf8()});
}

void takeRust(const QString& line, std::vector<ImportedName>* names) {
  static const QRegularExpression use(
      QStringLiteral(R"(^use\s+((?:\w+::)+)(?:(\w+)(?:\s+as\s+(\w+))?|\{([\w\s,]+)\});$)"));
  const auto match = use.match(line);
  if (!match.hasMatch()) return;
  const QByteArray module = match.captured(1).toUtf8();
  if (match.captured(4).isEmpty()) {
    const QString name = match.captured(3).isEmpty() ? match.captured(2) : match.captured(3);
    names->push_back({name.toUtf8(), {}, line.toUtf8()});
    return;
  }
  const auto made = [&](const QByteArray& item) { return "use " + module + item + ';'; };
  takeList(match.captured(4).toUtf8(), module, made, names);
}

// Lines that cannot be imports are told at once.
bool mayImport(Style style, QByteArrayView line) {
  switch (style) {
    case Style::kPython:
      return line.startsWith("import ") || line.startsWith("from ");
    case Style::kScript:
      return line.startsWith("import ") || line.contains("require(");
    case Style::kGo:
      return line.endsWith('"');
    case Style::kJvm:
      return line.startsWith("import ");
    case Style::kRust:
      return line.startsWith("use ");
    case Style::kNone:
      break;
  }
  return false;
}

void take(Style style, const QString& line, std::vector<ImportedName>* names) {
  switch (style) {
    case Style::kPython:
      return takePython(line, names);
    case Style::kScript:
      return takeScript(line, names);
    case Style::kGo:
      return takeGo(line, names);
    case Style::kJvm:
      return takeJvm(line, names);
    case Style::kRust:
      return takeRust(line, names);
    case Style::kNone:
      break;
  }
}

void makeSet(std::vector<quint32>* hashes) {
  std::sort(hashes->begin(), hashes->end());
  hashes->erase(std::unique(hashes->begin(), hashes->end()), hashes->end());
  hashes->shrink_to_fit();
}

}  // namespace

bool mayImport(const LanguageFamily& family, QByteArrayView line) {
  return mayImport(styleOf(family), line.trimmed());
}

std::vector<ImportedName> importedNames(const CodeText& code) {
  const Style style = styleOf(code.family());
  std::vector<ImportedName> names;
  if (style == Style::kNone) return names;
  bool inBlock = false;  // of Go
  for (int at = 0; at < code.lineCount(); ++at) {
    QByteArrayView line = code.line(at);
    if (line.size() > kLongestImport) continue;
    if (style == Style::kGo) {
      if (line.startsWith("import (")) inBlock = true;
      if (line.startsWith(')')) inBlock = false;
      if (!inBlock) continue;
      line = line.trimmed();
    }
    if (line.endsWith('\r')) line.chop(1);
    if (!mayImport(style, line)) continue;
    const std::size_t before = names.size();
    take(style, QString::fromUtf8(line), &names);
    const bool isList = names.size() > before && names[before].joins;
    for (std::size_t i = before; i < names.size(); ++i) {
      names[i].at = at;
      names[i].joins = isList;
    }
  }
  return names;
}

bool isImportable(const CodeText& code, std::span<const Token> line, std::size_t index) {
  const Token& token = line[index];
  if (token.kind != TokenKind::kWord || token.region != Region::kCode || token.size < 2)
    return false;
  if (index > 0) {
    const QByteArrayView before = code.view(line[index - 1]);
    if (before == "." || before == "->" || before == "::" || before == "?.") return false;
    // Rust's paths are two marks.
    if (before == ":" && index > 1 && code.view(line[index - 2]) == ":") return false;
  }
  if (styleOf(code.family()) != Style::kGo) return true;
  return index + 1 < line.size() && code.view(line[index + 1]) == ".";
}

FileFacts::FileFacts(const CodeText& code) : family_(&code.family()), names_(importedNames(code)) {
  for (const Token& token : code.tokens())
    if (token.kind == TokenKind::kWord) words_.push_back(token.hash);
  makeSet(&words_);
  if (styleOf(*family_) == Style::kNone) return;
  std::vector<bool> isImport(static_cast<std::size_t>(code.lineCount()));
  for (const ImportedName& name : names_) isImport[static_cast<std::size_t>(name.at)] = true;
  for (int at = 0; at < code.lineCount(); ++at) {
    if (isImport[static_cast<std::size_t>(at)]) continue;
    const std::span<const Token> line = code.tokens(at);
    for (std::size_t i = 0; i < line.size(); ++i)
      if (isImportable(code, line, i)) used_.push_back(line[i].hash);
  }
  makeSet(&used_);
}

bool FileFacts::hasAll(std::span<const quint32> words) const {
  return std::all_of(words.begin(), words.end(), [&](quint32 word) {
    return std::binary_search(words_.begin(), words_.end(), word);
  });
}

bool FileFacts::uses(QByteArrayView word) const {
  return std::binary_search(used_.begin(), used_.end(), tokenHash(word));
}

void ProjectFacts::set(const QString& path, std::shared_ptr<const FileFacts> file) {
  files_.insert(path, std::move(file));
}

QStringList ProjectFacts::filesWith(std::span<const quint32> words, const LanguageFamily& family,
                                    qsizetype most) const {
  QStringList paths;
  for (const auto& [path, file] : files_.asKeyValueRange()) {
    if (&file->family() != &family || !file->hasAll(words)) continue;
    paths += path;
    if (paths.size() >= most) break;
  }
  paths.sort();
  return paths;
}

std::optional<ProjectFacts::Found> ProjectFacts::find(const QString& path,
                                                      const LanguageFamily& family,
                                                      QByteArrayView name) const {
  Found found;
  QHash<QByteArray, int> lines;
  QHash<QByteArray, const ImportedName*> imports;
  QHash<QByteArray, bool> near;
  QHash<QByteArray, std::vector<std::shared_ptr<const FileFacts>>> having;
  const QString suffix = path.section(u'.', -1);
  const QString folder = path.section(u'/', 0, -2);
  for (const auto& [other, file] : files_.asKeyValueRange()) {
    if (other == path || &file->family() != &family) continue;
    // Java and Kotlin end their lines otherwise.
    if (styleOf(family) == Style::kJvm && other.section(u'.', -1) != suffix) continue;
    const bool uses = file->uses(name);
    if (uses) ++found.use;
    for (const ImportedName& import : file->names()) {
      if (import.name != name) continue;
      if (uses) ++found.bring;
      ++lines[import.line];
      imports[import.line] = &import;
      if (auto& files = having[import.line]; files.size() < kMostHaving) files.push_back(file);
      if (other.section(u'/', 0, -2) == folder) near[import.line] = true;
      break;
    }
  }
  for (const auto& [line, count] : std::as_const(lines).asKeyValueRange()) {
    // Among lines that are as frequent the one in the same folder wins; then any, but always the
    // same.
    const auto rank = [&](const QByteArray& each, int files) {
      return std::tuple(files, near.value(each), each);
    };
    if (found.agree > 0 && rank(line, count) < rank(found.import.line, found.agree)) continue;
    found.agree = count;
    found.import = *imports.value(line);
    found.isNear = near.value(line);
  }
  if (found.agree == 0) return {};
  found.having = having.value(found.import.line);
  return found;
}

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/import_lines.h"

#include <QRegularExpression>
#include <QSet>

namespace waferpair::pairing {
namespace {

// How many brackets more are open behind the line than before it.
int depthOf(const CodeText& text, int line) {
  int depth = 0;
  for (const Token& token : text.tokens(line)) {
    if (token.region != Region::kCode || token.size != 1) continue;
    const char c = text.bytes()[token.start];
    depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
  }
  return depth;
}

bool isHead(const CodeText& text, int line) {
  if (text.tokens(line).front().region != Region::kCode) return true;
  const QByteArray here = text.line(line).trimmed().toByteArray();
  for (const char* word : {"package ", "#pragma", "#ifndef", "#define", "<?php", "#!"})
    if (here.startsWith(word)) return true;
  return false;
}

bool isOfGo(const LanguageFamily& family) { return family.rawQuotes[0] != '\0' && !family.dollars; }

struct Import {
  QString module;
  QSet<QString> names;
};

// What a line of these languages brings in; of others the line itself says all.
Import importIn(const QByteArray& line, const LanguageFamily& family) {
  static const QRegularExpression python(QStringLiteral(R"(^from\s+([\w.]+)\s+import\s+(.*)$)"));
  static const QRegularExpression script(QStringLiteral(
      R"re(^(?:import\s+(.*?)\s+from|(?:const|let|var)\s+(.*?)=\s*require\s*\()\s*['"]([^'"]+)['"])re"));
  static const QRegularExpression rust(
      QStringLiteral(R"(^(?:pub\s+)?use\s+(.*?)(\w+|\{[^}]*\});$)"));
  static const QRegularExpression go(QStringLiteral(R"(^import\b(.*)$)"));
  static const QRegularExpression word(QStringLiteral(R"([\w$]+)"));
  static const QRegularExpression quoted(QStringLiteral(R"("[^"]+")"));
  static const QSet<QString> kNoNames = {QStringLiteral("type"), QStringLiteral("as"),
                                         QStringLiteral("default"), QStringLiteral("self")};
  const QString text = QString::fromUtf8(line.simplified());
  Import found;
  QString names;
  if (const auto match = python.match(text); family.tripleQuotes && match.hasMatch()) {
    found.module = match.captured(1);
    names = match.captured(2);
  } else if (const auto script_ = script.match(text); family.dollars && script_.hasMatch()) {
    found.module = script_.captured(3);
    names = script_.captured(1) + script_.captured(2);
  } else if (const auto use = rust.match(text); family.lifetimes && use.hasMatch()) {
    found.module = use.captured(1);
    names = use.captured(2);
  } else if (const auto all = go.match(text); isOfGo(family) && all.hasMatch()) {
    for (auto each = quoted.globalMatch(all.captured(1)); each.hasNext();)
      found.names.insert(each.next().captured(0));
  } else {
    found.module = text;
  }
  for (auto each = word.globalMatch(names); each.hasNext();) {
    const QString name = each.next().captured(0);
    if (!kNoNames.contains(name)) found.names.insert(name);
  }
  return found;
}

}  // namespace

std::optional<ImportPlan> planImport(const CodeText& text, const QByteArray& line) {
  const QByteArray wanted = line.simplified();
  if (text.bytes().simplified().contains(wanted)) return ImportPlan{true, -1, -1};
  const Import mine = importIn(wanted, text.family());
  ImportPlan plan;
  for (int at = 0; at < text.lineCount(); ++at) {
    if (!isImportLine(text.line(at), text.family())) continue;
    const int behind = behindImport(text, at);
    QByteArray whole;
    for (int each = at; each < behind; ++each) whole += text.line(each).toByteArray() + ' ';
    const Import other = importIn(whole, text.family());
    const bool shares = other.names.intersects(mine.names);
    if (!shares) continue;
    // Two lines may not bring in one name: what has all of another's takes its place.
    const bool all =
        mine.names.contains(other.names) && (other.module == mine.module || text.family().dollars);
    if (!all || plan.instead >= 0) return {};
    plan.instead = at;
    plan.behind = behind;
  }
  return plan;
}

bool isImportLine(QByteArrayView line, const LanguageFamily& family) {
  static const QRegularExpression python(
      QStringLiteral(R"(^(import\s+[\w.]|from\s+[\w.]+\s+import\b))"));
  static const QRegularExpression ruby(QStringLiteral(R"(^require(_relative)?\b)"));
  static const QRegularExpression braces(QStringLiteral(
      R"(^(#\s*(include|import)\b|import\b(?!\s*\()|(pub(\([^)]*\))?\s+)?use\s|using\s+[\w.:]+(\s*=\s*[\w.:<>]+)?;|(const|let|var)\s.*=\s*require\s*\(|require\s*\(|extern\s+crate\s))"));
  const QString text = QString::fromUtf8(line);
  // Several of Go stand in parentheses.
  static const QRegularExpression several(QStringLiteral(R"(^import\s*\(\s*$)"));
  if (isOfGo(family) && several.match(text).hasMatch()) return true;
  if (!family.indented) return braces.match(text).hasMatch();
  return (family.tripleQuotes ? python : ruby).match(text).hasMatch();
}

int behindImport(const CodeText& text, int line) {
  int depth = depthOf(text, line);
  const auto goesOn = [&text](int at) { return text.line(at).trimmed().endsWith('\\'); };
  while ((depth > 0 || goesOn(line)) && line + 1 < text.lineCount()) depth += depthOf(text, ++line);
  return line + 1;
}

qint64 importPlace(const CodeText& text) {
  int behind = -1;
  int depth = 0;
  for (int line = 0; line < text.lineCount(); ++line) {
    const bool begins = depth == 0 && !text.tokens(line).empty() &&
                        text.tokens(line).front().region == Region::kCode &&
                        isImportLine(text.line(line), text.family());
    if (begins) {
      behind = behindImport(text, line);
      line = behind - 1;
    } else {
      depth += depthOf(text, line);
    }
  }
  if (behind >= 0) return behind;
  int head = 0;
  for (int line = 0; line < text.lineCount(); ++line) {
    if (text.tokens(line).empty()) continue;
    if (!isHead(text, line)) break;
    head = line + 1;
  }
  return head;
}

}  // namespace waferpair::pairing

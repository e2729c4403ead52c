// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/block_edits.h"

#include <QRegularExpression>
#include <algorithm>

#include "editor/text/indentation.h"
#include "editor/text/text_codec.h"
#include "pairing/placing/import_lines.h"

namespace waferpair::pairing {

using editor::Snapshot;
using editor::TextEdit;

namespace {

constexpr qint64 kIndentBytes = 64 << 10;  // tell how a text is indented

// -- Blocks

struct BlockFamily {
  const char* languages;  // between bars
  QVector<Block> blocks;
};

const QVector<BlockFamily>& blockFamilies() {
  static const Block braceIf{"if", "if (%1) {", "true", "}"};
  static const Block braceWhile{"while", "while (%1) {", "true", "}"};
  static const QVector<BlockFamily> families{
      {"|C|ISO C++|C++|Objective-C|Objective-C++|",
       {braceIf,
        {"for", "for (%1) {", "int i = 0; i < count; ++i", "}"},
        braceWhile,
        {"try", "try {", "", "} catch (const std::exception& error) {\n\tthrow;\n}"},
        {"block", "{", "", "}"}}},
      {"|Java|C#|Kotlin|Scala|Groovy|Dart|",
       {braceIf,
        {"for", "for (%1) {", "int i = 0; i < count; ++i", "}"},
        braceWhile,
        {"try", "try {", "", "} catch (Exception error) {\n\tthrow error;\n}"}}},
      {"|JavaScript|JavaScript React (JSX)|TypeScript|TypeScript React (TSX)|PHP|PHP/PHP|",
       {braceIf,
        {"for", "for (%1) {", "const item of items", "}"},
        braceWhile,
        {"try", "try {", "", "} catch (error) {\n\tthrow error;\n}"},
        {"function", "function %1() {", "name", "}"}}},
      {"|Go|",
       {{"if", "if %1 {", "true", "}"},
        {"for", "for %1 {", "i := 0; i < count; i++", "}"},
        {"func", "func %1() {", "name", "}"}}},
      {"|Rust|",
       {{"if", "if %1 {", "true", "}"},
        {"for", "for %1 {", "item in items", "}"},
        {"while", "while %1 {", "true", "}"},
        {"loop", "loop {", "", "}"},
        {"unsafe", "unsafe {", "", "}"}}},
      {"|Swift|",
       {{"if", "if %1 {", "true", "}"},
        {"for", "for %1 {", "item in items", "}"},
        {"while", "while %1 {", "true", "}"},
        {"do", "do {", "", "} catch {\n\tthrow error\n}"}}},
      {"|Python|",
       {{"if", "if %1:", "True", ""},
        {"for", "for %1:", "item in items", ""},
        {"while", "while %1:", "True", ""},
        {"with", "with %1:", "context", ""},
        {"try", "try:", "", "except Exception:\n\traise"},
        {"def", "def %1():", "name", ""}}},
      {"|Ruby|",
       {{"if", "if %1", "true", "end"},
        {"while", "while %1", "true", "end"},
        {"begin", "begin", "", "rescue StandardError\n\traise\nend"}}},
      {"|Lua|",
       {{"if", "if %1 then", "true", "end"},
        {"for", "for %1 do", "i = 1, count", "end"},
        {"while", "while %1 do", "true", "end"}}},
      {"|Bash|Zsh|",
       {{"if", "if %1; then", "true", "fi"},
        {"for", "for %1; do", "item in \"$@\"", "done"},
        {"while", "while %1; do", "true", "done"}}},
  };
  return families;
}

// -- Imports

struct ImportRow {
  const char* languages;
  const char* line;     // what is put in; %1 is the name
  const char* pattern;  // of the lines behind which it belongs
  // Where there is none of them, it belongs behind these, at the head of the file.
  const char* header;
};

constexpr char kSlashHeader[] =
    R"(^\s*(//|/\*|\*|#pragma|#ifndef|#define|package\b|'use strict'|"use strict"|$))";

constexpr ImportRow kImports[] = {
    {"|C|ISO C++|C++|Objective-C|Objective-C++|", "#include %1", R"(^\s*#\s*(include|import)\b)",
     kSlashHeader},
    {"|Python|", "import %1", R"(^(import|from)\s)", R"(^(#|$))"},
    {"|Java|Groovy|Dart|", "import %1;", R"(^\s*import\s)", kSlashHeader},
    {"|Kotlin|Scala|Swift|", "import %1", R"(^\s*import\s)", kSlashHeader},
    {"|Go|", "import %1", R"(^import\s)", kSlashHeader},
    {"|Rust|", "use %1;", R"(^\s*(pub\s+)?use\s)", R"(^\s*(//|#!\[|$))"},
    {"|C#|", "using %1;", R"(^\s*using\s)", kSlashHeader},
    {"|JavaScript|JavaScript React (JSX)|TypeScript|TypeScript React (TSX)|", "import %1",
     R"(^\s*(import\s|(const|let|var)\s.*=\s*require\())", kSlashHeader},
    {"|Ruby|", "require %1", R"(^\s*require(_relative)?\s)", R"(^(#|$))"},
    {"|PHP|PHP/PHP|", "use %1;", R"(^\s*use\s)", R"(^\s*(<\?php|namespace\b|//|/\*|\*|$))"},
};

bool isAmong(const QString& language, const char* languages) {
  return !language.isEmpty() && QString::fromLatin1(languages).contains(u'|' + language + u'|');
}

const ImportRow* importRow(const QString& language) {
  const auto* found = std::find_if(std::begin(kImports), std::end(kImports), [&](const auto& row) {
    return isAmong(language, row.languages);
  });
  return found == std::end(kImports) ? nullptr : found;
}

bool isQuoted(const QString& name) {
  return name.startsWith(u'"') || name.startsWith(u'\'') || name.startsWith(u'<');
}

// The line as the language writes it: names that are quoted there may be typed bare.
QString importLine(const ImportRow& row, QString name) {
  const QString line = QString::fromLatin1(row.line);
  if (line.startsWith(u'#')) {
    static const QRegularExpression project(QStringLiteral(R"(\.(h|hh|hpp|hxx|inc)$)"));
    if (!isQuoted(name)) {
      const bool isOfProject = name.contains(project);
      name = isOfProject ? u'"' + name + u'"' : u'<' + name + u'>';
    }
  } else if (isAmong(QStringLiteral("Go"), row.languages)) {
    if (!isQuoted(name)) name = u'"' + name + u'"';
  } else if (isAmong(QStringLiteral("Ruby"), row.languages)) {
    if (!isQuoted(name)) name = u'\'' + name + u'\'';
  } else if (isAmong(QStringLiteral("JavaScript"), row.languages)) {
    // "X from 'y'" stands as it is typed; a bare name is a module.
    if (!name.contains(u'\'') && !name.contains(u'"')) name = u'\'' + name + u'\'';
    if (!name.endsWith(u';')) name += u';';
  } else if (isAmong(QStringLiteral("Python"), row.languages) &&
             name.startsWith(QLatin1String("from "))) {
    return name;
  }
  return line.arg(name);
}

QByteArray firstLineEnd(const Snapshot& text) {
  if (text.lineCount() < 2) return "\n";
  return text.slice(text.lineEnd(0), text.lineStart(1));
}

}  // namespace

QVector<Block> blocksOf(const QString& language) {
  for (const BlockFamily& family : blockFamilies()) {
    if (isAmong(language, family.languages)) return family.blocks;
  }
  return {};
}

QVector<TextEdit> wrapped(const Block& block, const QString& condition, const PlainTask& task) {
  const Snapshot& text = task.text;
  LineRange lines = task.target;
  const auto isBlank = [&text](qint64 line) { return text.line(line).trimmed().isEmpty(); };
  while (lines.count > 1 && isBlank(lines.end() - 1)) --lines.count;
  while (lines.count > 1 && isBlank(lines.first)) ++lines.first, --lines.count;
  if (isBlank(lines.first)) return {};

  const editor::Indentation style = editor::detectIndentation(text.slice(0, kIndentBytes));
  const QByteArray level = editor::blanksFor(style.width, style);
  QByteArray indent = editor::leadingBlanks(text.line(lines.first));
  for (qint64 line = lines.first; line < lines.end(); ++line) {
    const QByteArray blanks = editor::leadingBlanks(text.line(line));
    if (!isBlank(line) &&
        editor::columnsOf(blanks, style.width) < editor::columnsOf(indent, style.width))
      indent = blanks;
  }
  const QString head = QString::fromLatin1(block.head);
  QByteArrayList made{
      indent + (head.contains(QLatin1String("%1"))
                    ? head.arg(condition.isEmpty() ? QString::fromLatin1(block.standIn) : condition)
                    : head)
                   .toUtf8()};
  for (qint64 line = lines.first; line < lines.end(); ++line)
    made += isBlank(line) ? text.line(line) : level + text.line(line);
  if (*block.tail != '\0') {
    for (QByteArray line : QByteArray(block.tail).split('\n')) {
      if (line.startsWith('\t')) line.replace(0, 1, level);
      made += indent + line;
    }
  }
  return {
      {text.lineStart(lines.first), text.lineEnd(lines.end() - 1), made.join(firstLineEnd(text))}};
}

bool hasImports(const QString& language) { return importRow(language) != nullptr; }

QVector<TextEdit> imported(const QString& name, const PlainTask& task) {
  const ImportRow* row = importRow(task.language);
  Q_ASSERT(row != nullptr && !name.isEmpty());
  const Snapshot& text = task.text;
  const QByteArray line = importLine(*row, name).toUtf8();
  const QRegularExpression isImport(QString::fromLatin1(row->pattern));
  const QRegularExpression isHeader(QString::fromLatin1(row->header));
  const CodeText code(text.toByteArray(), languageFamily(task.language));
  qint64 behind = -1;
  bool inBody = false;
  qint64 head = 0;
  for (qint64 at = 0; at < text.lineCount(); ++at) {
    const QByteArray here = text.line(at);
    if (here.trimmed() == line) return {};
    const QString shown = QString::fromUtf8(here);
    if (shown.contains(isImport)) {
      // It may go on over several lines.
      at = behindImport(code, static_cast<int>(at)) - 1;
      behind = at;
    } else if (!inBody && shown.contains(isHeader)) {
      // The text's last line, where it is empty, is no head to stand behind.
      if (at + 1 < text.lineCount()) head = at + 1;
    } else {
      inBody = true;
    }
  }
  const QByteArray lineEnd = firstLineEnd(text);
  const qint64 at = behind >= 0 ? behind + 1 : head;
  if (at >= text.lineCount()) {  // the last line is an import without an end
    return {{text.size(), text.size(), lineEnd + line}};
  }
  const qint64 offset = text.lineStart(at);
  return {{offset, offset, line + lineEnd}};
}

}  // namespace waferpair::pairing

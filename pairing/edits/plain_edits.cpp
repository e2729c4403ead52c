// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/plain_edits.h"

#include <algorithm>

#include "editor/text/translate.h"
#include "pairing/edits/block_edits.h"
#include "pairing/edits/line_edits.h"
#include "pairing/edits/rename_edits.h"

namespace waferpair::pairing {

using editor::TextEdit;

namespace {

constexpr qsizetype kFewestLetters = 2;  // less says nothing yet

// Words by which people call the same thing, each as it is written here.
QString plain(QString instruction) {
  instruction = instruction.simplified().toLower();
  static const std::pair<const char*, const char*> kSame[] = {
      {"whitespace", "blanks"},
      {"white space", "blanks"},
      {"trailing spaces", "trailing blanks"},
      {"uppercase", "upper case"},
      {"lowercase", "lower case"},
      {"empty lines", "blank lines"},
      {"descending", "backwards"},
      {"deduplicate", "remove duplicate lines"},
      {"delete ", "remove "},
      {"surround with ", "wrap in "},
      {"wrap with ", "wrap in "},
      {"snake_case", "snake case"},
      {"camelcase", "camel case"},
      {"pascalcase", "pascal case"},
      {"kebab-case", "kebab case"},
      {"titlecase", "title case"},
  };
  for (const auto& [said, meant] : kSame)
    instruction.replace(QLatin1String(said), QLatin1String(meant));
  for (const char* filler : {"convert to ", "change to ", "make it ", "make ", "to ", "the "}) {
    if (instruction.startsWith(QLatin1String(filler)))
      instruction.remove(0, static_cast<qsizetype>(qstrlen(filler)));
  }
  return instruction;
}

// `typed` begins the words, or is all of them.
bool begins(const QString& typed, const char* words) {
  return typed.size() >= kFewestLetters && QLatin1String(words).startsWith(typed);
}

// Returns what follows the words, as it was typed; none where they do not come first.
std::optional<QString> rest(const QString& instruction, const QString& words) {
  const QString text = instruction.simplified();
  if (text.compare(words, Qt::CaseInsensitive) == 0) return QString();
  if (!text.startsWith(words + u' ', Qt::CaseInsensitive)) return std::nullopt;
  return text.mid(words.size() + 1);
}

void addBlocks(const QString& instruction, const PlainTask& task, QVector<PlainEdit>* found) {
  for (const Block& block : blocksOf(task.language)) {
    const QString keyword = QString::fromLatin1(block.keyword);
    std::optional<QString> condition;
    for (const char* words : {"wrap in ", "wrap with ", "surround with "}) {
      if (!condition) condition = rest(instruction, QString::fromLatin1(words) + keyword);
    }
    const bool isTyped = begins(plain(instruction), ("wrap in " + keyword).toLatin1());
    if (!condition && !isTyped) continue;
    const QString title = condition && !condition->isEmpty()
                              ? translate("Wrap in %1 %2").arg(keyword, *condition)
                              : translate("Wrap in %1").arg(keyword);
    found->append({title, wrapped(block, condition.value_or(QString()), task)});
  }
}

void addImports(const QString& instruction, const PlainTask& task, QVector<PlainEdit>* found) {
  if (!hasImports(task.language)) return;
  for (const char* words : {"add include", "add import", "add use", "add using", "add require",
                            "#include", "include", "import"}) {
    const auto name = rest(instruction, QString::fromLatin1(words));
    if (!name || name->isEmpty()) continue;
    found->append({translate("Add import of %1").arg(*name), imported(*name, task)});
    return;
  }
}

}  // namespace

QVector<PlainEdit> plainEdits(const QString& instruction, const PlainTask& task) {
  QVector<PlainEdit> found = renames(instruction, task);
  const QString typed = plain(instruction);
  for (const LineOperation& operation : lineOperations()) {
    if (begins(typed, operation.words))
      found.append({translate(operation.title), applied(operation, task)});
  }
  for (const CaseOperation& operation : caseOperations()) {
    if (begins(typed, operation.words))
      found.append({translate(operation.title), applied(operation, task)});
  }
  addBlocks(instruction, task, &found);
  addImports(instruction, task, &found);
  return found;
}

QStringList plainInstructions(const QString& language) {
  QStringList all;
  for (const LineOperation& operation : lineOperations()) all += QLatin1String(operation.words);
  all += QStringLiteral("rename A to B");
  for (const Block& block : blocksOf(language)) {
    QString words = QStringLiteral("wrap in ") + QLatin1String(block.keyword);
    if (*block.standIn != '\0') words += u' ' + QLatin1String(block.standIn);
    all += words;
  }
  if (hasImports(language)) all += QStringLiteral("add import ");
  for (const CaseOperation& operation : caseOperations()) all += QLatin1String(operation.words);
  return all;
}

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/apply_code.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <optional>

#include "editor/assist/hunks.h"
#include "editor/text/line_diff.h"
#include "gui/documents/editor_tabs.h"
#include "gui/pairing/hunk_reveal.h"
#include "gui/translate.h"
#include "pairing/answers/answer_reader.h"
#include "pairing/answers/code_fence.h"
#include "pairing/edits/error_places.h"
#include "pairing/placing/answer_placement.h"
#include "pairing/placing/code_hints.h"
#include "pairing/placing/placement.h"

namespace waferpair::gui {
namespace {

using pairing::AnswerFormat;
using pairing::CodeTarget;
using pairing::ProposedChange;
using Kind = ProposedChange::Kind;

// Bytes of a text that is searched for what a block defines.
constexpr qint64 kMostSearchedForCode = 1 << 20;

std::optional<AnswerFormat> changeFormat(const QByteArray& code) {
  const auto format = pairing::guessAnswerFormat(code);
  if (!format || *format == AnswerFormat::kCode) return std::nullopt;
  return format;
}

QString inOtherFolder(const QString& path, const ApplyParts& parts) {
  return parts.inOther ? parts.inOther(path) : QString();
}

// Absolute; empty: the other folder has no such file.
Document* openInOther(const QString& path, const ApplyParts& parts) {
  return QFileInfo(path).isFile() ? parts.tabs->openFile(path) : nullptr;
}

Document* documentFor(const ProposedChange& change, const ApplyParts& parts) {
  if (change.path.isEmpty()) return parts.tabs->current();
  if (const QString other = inOtherFolder(change.path, parts); !other.isEmpty())
    return openInOther(other, parts);
  const QString path = QDir::cleanPath(parts.root + u'/' + change.path);
  const bool isInside = !parts.root.isEmpty() && path.startsWith(parts.root + u'/');
  return isInside && QFileInfo(path).isFile() ? parts.tabs->openFile(path) : nullptr;
}

// Empty: they are on offer.
QString offerHunks(Document* document, const QVector<editor::Hunk>& hunks,
                   const ApplyParts& parts) {
  if (hunks.isEmpty()) return tr("The text is already as the change would have it.");
  if (!document->hunks()->add(hunks))
    return tr("It changes lines that another change on offer changes. Accept that one first.");
  if (parts.prepare) parts.prepare(document);
  parts.tabs->setCurrent(document);
  const qint64 first = hunks.constFirst().range.start();
  document->editor()->goToLine(document->editor()->lineAt(first));
  document->editor()->setSelection(first, first);
  HunkReveal::of(document)->show(document->hunks()->at(first));
  return {};
}

QString offerChange(const ProposedChange& change, const ApplyParts& parts) {
  if (change.kind == Kind::kDelete || change.kind == Kind::kRename)
    return tr("Deleting and renaming is left to you: %1.").arg(change.path);
  Document* document = documentFor(change, parts);
  if (!document && change.path.isEmpty()) return tr("No text is open to put the change into.");
  const bool isOfOther = !inOtherFolder(change.path, parts).isEmpty();
  if (!document && change.kind == Kind::kCreate && parts.review && !isOfOther)
    return parts.review(tr("New file %1").arg(change.path), {change});
  if (!document) return tr("The folder has no file %1 to put the change into.").arg(change.path);
  const auto placed = pairing::place(document->text(), change);
  if (!placed) return placed.error().message();
  return offerHunks(document, editor::suggestionOf({}, placed->edits).hunks, parts);
}

// The file that the answer names for a block, as it is written: before it or in its fence, in a
// comment that is its first line, or as the one file of the folder that the sentence before it has
// between backticks. Empty: none.
QString fileNamedFor(const AnswerBlock& block, const ApplyParts& parts) {
  if (!block.path.isEmpty()) return block.path;
  const QString comment = pairing::fileNameInComment(block.text.section(u'\n', 0, 0).toUtf8());
  // What begins with # is a heading there.
  const bool isMarkdown = QStringList{"markdown", "md", "mdx"}.contains(block.language.toLower());
  if (comment.contains(u'/') && !isMarkdown) return comment;
  static const QRegularExpression quoted(QStringLiteral("`([^`\\s]+)`"));
  QString only;
  for (const auto& match : quoted.globalMatch(block.lead)) {
    const QString file = pairing::fileMeant(match.captured(1), parts.root, parts.files);
    if (file.isEmpty() || file == only) continue;
    if (!only.isEmpty()) return {};
    only = file;
  }
  return only;
}

ProposedChange codeOf(const AnswerBlock& block) {
  ProposedChange code;
  code.kind = Kind::kCode;
  code.newText = block.text.toUtf8();
  code.language = block.language.toLower().toUtf8();
  code.lead = block.lead.toUtf8();
  return code;
}

CodeTarget targetIn(const Document& document) {
  CodeTarget target{document.path().isEmpty() ? document.title() : document.path(), {}, {}};
  const editor::CodeEditor& editor = *document.editor();
  if (!editor.hasSelection()) return target;
  const auto start = static_cast<qint64>(editor.sci(editor::CodeEditor::SCI_GETSELECTIONSTART));
  const auto end = static_cast<qint64>(editor.sci(editor::CodeEditor::SCI_GETSELECTIONEND));
  qint64 behind = editor.lineAt(end);
  if (end > editor.lineStart(static_cast<int>(behind))) ++behind;
  target.lines = std::pair(static_cast<qint64>(editor.lineAt(start)), behind);
  return target;
}

QString offerCode(const ProposedChange& code, Document* document, const ApplyParts& parts) {
  const editor::Snapshot text = document->text();
  const CodeTarget target = targetIn(*document);
  const auto placed = pairing::placeCodes(text, {code}, target);
  if (!placed.isPlaced()) return placed.refused.constFirst().why.message();
  if (const auto broken = pairing::brokenBy(text, placed.text, target.path))
    return broken->message();
  return offerHunks(document, editor::suggestionOf({}, editor::lineEdits(text, placed.text)).hunks,
                    parts);
}

// The code takes the place of something that the text has.
bool replacesIn(const Document& document, const ProposedChange& code) {
  const editor::Snapshot text = document.text();
  if (text.size() > kMostSearchedForCode || text.isEmpty()) return false;
  const pairing::PutCode put = pairing::placeCode(text, code, targetIn(document));
  return put.outcome == pairing::PutCode::Outcome::kUnchanged ||
         (put.outcome == pairing::PutCode::Outcome::kPut && !put.replaced.isEmpty());
}

// Code that names no file: the text in front has the first word, unless what the code defines
// stands in another open one and not there.
QString offerAnywhere(const ProposedChange& code, const ApplyParts& parts) {
  Document* front = parts.tabs->current();
  if (!front)
    return tr("The answer does not say which file the code is for. Open it, and apply again.");
  if (replacesIn(*front, code)) return offerCode(code, front, parts);
  QVector<Document*> others;
  for (Document* document : parts.tabs->documents())
    if (document != front && document->editor()->language() == front->editor()->language() &&
        replacesIn(*document, code))
      others.append(document);
  if (others.size() > 1)
    return tr("%1 and %2 both have what the code defines. Go to the one that it is for, and apply "
              "again.")
        .arg(others[0]->title(), others[1]->title());
  return offerCode(code, others.isEmpty() ? front : others.constFirst(), parts);
}

QString offerNamed(ProposedChange code, const QString& named, const ApplyParts& parts) {
  // A text of no folder is known by its name.
  Document* front = parts.tabs->current();
  if (front && parts.root.isEmpty() && QFileInfo(named).fileName() == front->title())
    return offerCode(code, front, parts);
  if (const QString other = inOtherFolder(named, parts); !other.isEmpty()) {
    Document* document = openInOther(other, parts);
    if (!document) return tr("There is no file %1 to put the code into.").arg(named);
    return offerCode(code, document, parts);
  }
  const QString file = pairing::fileMeant(named, parts.root, parts.files);
  if (file.isEmpty() && (parts.root.isEmpty() || !parts.review))
    return tr("There is no file %1 to put the code into.").arg(named);
  const QString end = u'/' + QFileInfo(named).fileName();
  const bool isAnyAlike =
      std::any_of(parts.files.cbegin(), parts.files.cend(),
                  [&end](const QString& each) { return (u'/' + each).endsWith(end); });
  if (file.isEmpty() && isAnyAlike)
    return tr("Which file %1 is meant is not certain. Open it, and insert the code there.")
        .arg(named);
  if (file.isEmpty()) {
    code.kind = Kind::kCreate;
    code.path = named;
    return parts.review(tr("New file %1").arg(named), {code});
  }
  Document* document = parts.tabs->openFile(parts.root + u'/' + file);
  if (!document) return tr("%1 cannot be opened.").arg(file);
  return offerCode(code, document, parts);
}

}  // namespace

bool proposesChanges(const QString& code) { return changeFormat(code.toUtf8()).has_value(); }

bool mayBeApplied(const AnswerBlock& block) {
  if (proposesChanges(block.text)) return true;
  const bool isNamed = !block.path.isEmpty();
  return !block.text.trimmed().isEmpty() &&
         (isNamed || !pairing::isOfShell(block.language.toLower().toUtf8()));
}

QStringList offerChanges(const AnswerBlock& block, const ApplyParts& parts) {
  const QByteArray utf8 = block.text.toUtf8();
  const QString named = fileNamedFor(block, parts);
  const auto format = changeFormat(utf8);
  QStringList problems;
  const auto note = [&problems](const QString& problem) {
    if (!problem.isEmpty()) problems.append(problem);
  };
  if (!format) {
    note(named.isEmpty() ? offerAnywhere(codeOf(block), parts)
                         : offerNamed(codeOf(block), named, parts));
    return problems;
  }
  const pairing::Answer answer = pairing::readAnswer(*format, utf8);
  for (const pairing::AnswerProblem& problem : answer.problems) problems.append(problem.what);
  for (ProposedChange change : answer.changes()) {
    if (change.path.isEmpty() && !named.isEmpty()) {
      const QString file = inOtherFolder(named, parts).isEmpty()
                               ? pairing::fileMeant(named, parts.root, parts.files)
                               : QString();
      change.path = file.isEmpty() ? named : file;
    }
    note(offerChange(change, parts));
  }
  return problems;
}

}  // namespace waferpair::gui

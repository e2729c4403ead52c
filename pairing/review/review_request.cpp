// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/review/review_request.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

#include "pairing/answers/code_fence.h"
#include "pairing/answers/search_replace.h"
#include "pairing/forms/answer_forms.h"
#include "pairing/retrieval/test_files.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kMostTestsNamed = 40;

constexpr char kBlockIntroduction[] =
    "A change is a search/replace block behind a line with the file's path:\n"
    "\n"
    "src/name.ext\n";

constexpr char kRemarksInstructions[] =
    "You review changes of a software project. Answer with remarks, each beginning with its "
    "place:\n"
    "\n"
    "path/of/file.ext:LINE: what is wrong, and why it matters, in a sentence or two\n"
    "\n"
    "Where you know the remedy, the remark is followed by it.\n";

constexpr char kRemarksRules[] =
    "Rules:\n"
    "- Remark on what the changes break, miss or make worse: errors, cases that are not handled, "
    "secrets, tests that are missing. No praise, no summary, no matters of taste.\n"
    "- LINE is the number at the beginning of a line of the diff. Lines with \"-\" have none: name "
    "the line behind them.\n"
    "- The most important remark comes first.\n"
    "- SEARCH holds whole lines of the file as it is, without their numbers and without \"+\".\n"
    "- If nothing is wrong, answer: No remarks.";

constexpr char kTestsInstructions[] =
    "You write tests for code of a software project. Answer with changes of the project's test "
    "files. ";

constexpr char kTestsRules[] =
    "Rules:\n"
    "- Tests go into the file that tests the code already, where there is one, as one of its own "
    "cases. Otherwise into a new file, where the project's other tests are and named as they are.\n"
    "- A new file is one block whose SEARCH part is empty.\n"
    "- Use the test library and the style of the tests that you are shown.\n"
    "- Test what the code is for, its limits, and what it does with wrong input. Compare values.\n"
    "- SEARCH holds whole lines exactly as they stand in the file, as few as tell the place from "
    "every other.\n"
    "- Change nothing but tests, and the list of tests that builds them where you are shown it.\n"
    "- Explain in one sentence at most.";

// The form of changes stands between the two.
QString instructions(const char* task, const char* rules) {
  return QLatin1String(task) + QLatin1String(kBlockIntroduction) +
         QLatin1String(kSearchReplaceForm) + u'\n' + QLatin1String(rules);
}

qsizetype sharedFolders(const QString& a, const QString& b) {
  const QStringList of = a.split(u'/'), other = b.split(u'/');
  qsizetype shared = 0;
  for (const QString& folder : of.first(of.size() - 1)) shared += other.contains(folder) ? 1 : 0;
  return shared;
}

}  // namespace

QString numberedDiff(const QString& diff) {
  static const QRegularExpression hunk(QStringLiteral(R"(^@@ -\d+(?:,\d+)? \+(\d+))"));
  QString numbered;
  qint64 next = -1;  // before the first hunk there is none
  QStringList lines = diff.split(u'\n');
  if (lines.constLast().isEmpty()) lines.removeLast();
  for (const QString& line : std::as_const(lines)) {
    const auto match = hunk.match(line);
    if (match.hasMatch()) next = match.captured(1).toLongLong();
    const bool isOfFile = next >= 0 && !match.hasMatch();
    const bool hasNumber = isOfFile && (line.startsWith(u'+') || line.startsWith(u' '));
    if (hasNumber) {
      numbered += QStringLiteral("%1 ").arg(next++, 6);
    } else if (isOfFile) {
      numbered += QStringLiteral("       ");
    }
    numbered += line + u'\n';
  }
  return numbered;
}

ModelRequest remarksRequest(const QVector<ContextItem>& diffs, bool keepsForms) {
  return commitRemarksRequest(diffs, QStringLiteral("What changed since the last commit"), {},
                              keepsForms);
}

ModelRequest commitRemarksRequest(const QVector<ContextItem>& diffs, const QString& about,
                                  const QStringList& subjects, bool keepsForms) {
  QStringList shown;
  QString text = about + QStringLiteral(":\n");
  for (const QString& subject : subjects) text += QStringLiteral("- ") + subject + u'\n';
  for (const ContextItem& diff : diffs) {
    if (!diff.isSent()) continue;
    shown.append(diff.text);
    const QString numbered = numberedDiff(diff.text);
    const QString fence = fenceAround(numbered);
    text += u'\n' + diff.name + QStringLiteral(":\n") + fence + QStringLiteral("diff\n") +
            numbered + fence + u'\n';
  }
  text += QStringLiteral("\nWhat is to be remarked on these changes?");
  ModelRequest request = ModelRequest::of(instructions(kRemarksInstructions, kRemarksRules), text);
  if (keepsForms) request.grammar = remarksForm(shown);
  return request;
}

ModelRequest testsRequest(const TestTask& task, const QVector<ContextItem>& files,
                          const QStringList& testFiles) {
  const QString fence = fenceAround(task.lines);
  QString text = contextMarkdown(files);
  if (!testFiles.isEmpty()) {
    text += QStringLiteral("Tests that there are:\n");
    for (const QString& file : testFiles.first(std::min(kMostTestsNamed, testFiles.size())))
      text += QStringLiteral("- ") + file + u'\n';
    text += u'\n';
  }
  text += QStringLiteral("Write tests for this, which begins at line %1 of %2:\n\n%3\n%4\n%3\n")
              .arg(task.firstLine)
              .arg(task.path, fence, task.lines);
  return ModelRequest::of(instructions(kTestsInstructions, kTestsRules), text);
}

QStringList testFilesFor(const QString& path, const QStringList& files) {
  const QString suffix = QFileInfo(path).suffix();
  QStringList tests;
  for (const QString& file : files)
    if (file != path && isTestFile(file) && QFileInfo(file).suffix() == suffix) tests.append(file);
  const auto rank = [&path](const QString& test) {
    return std::pair(isTestOf(test, path) ? 0 : 1, -sharedFolders(path, test));
  };
  std::stable_sort(tests.begin(), tests.end(),
                   [&rank](const QString& a, const QString& b) { return rank(a) < rank(b); });
  return tests;
}

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
// Types functions of real files anew, key by key, each within the rest of its file, and counts the
// lines that stand as they stood: a line's blanks are the editor's, its letters are typed. Where a
// block of Python ends that nothing closes, Backspace is pressed, as one has to. Brackets and
// quotes are not closed by themselves. Beside it what keeping the blanks of the line before
// would get right.
//
//   bench_retyping [--show] FILE...
#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QMap>
#include <QtTest>
#include <algorithm>
#include <cstdio>

#include "editor/keys/auto_pairs.h"
#include "editor/modal/modal_motions.h"
#include "editor/text/indentation.h"
#include "editor/view/theme.h"
#include "editor/widget/code_editor.h"

namespace waferpair::editor {
namespace {

constexpr qsizetype kFewestLines = 5;
constexpr qsizetype kMostLines = 40;
constexpr int kMostOfFile = 3;
constexpr int kMostOfLanguage = 20;

struct Range {
  qsizetype first, end;  // lines
};

int blanksOf(const QByteArray& line) { return firstNonBlank(line); }
bool isBlankLine(const QByteArray& line) { return blanksOf(line) == line.size(); }

// A function: its head ends with a bracket or a colon, and the lines behind it stand deeper until
// one that closes it.
QVector<Range> functionsOf(const QByteArrayList& lines, bool isPython) {
  QVector<Range> functions;
  for (qsizetype first = 0; first < lines.size(); ++first) {
    QByteArray head = lines[first].trimmed();
    if (head.endsWith(')') && first + 1 < lines.size() && lines[first + 1].trimmed() == "{")
      head += '{';
    const bool isHead = isPython
                            ? head.startsWith("def ") || head.startsWith("async def ")
                            : head.endsWith('{') && head.contains('(') && !head.startsWith('}');
    if (!isHead) continue;
    qsizetype end = first + 1;
    while (end < lines.size() &&
           (isBlankLine(lines[end]) || blanksOf(lines[end]) > blanksOf(lines[first]) ||
            lines[end].trimmed() == "{"))
      ++end;
    if (!isPython) {
      if (end == lines.size() || !lines[end].trimmed().startsWith('}')) continue;
      ++end;
    }
    while (end > first && isBlankLine(lines[end - 1])) --end;
    if (end - first < kFewestLines || end - first > kMostLines) continue;
    functions.append({first, end});
    first = end;
  }
  return functions;
}

struct Score {
  int functions = 0, lines = 0, right = 0, kept = 0;
};

class Typist {
 public:
  explicit Typist(bool shows) : shows_(shows) {
    editor_.resize(800, 600);
    editor_.show();
    editor_.activateWindow();
    editor_.setFocus();
    editor_.pairs()->setOn(false);
  }

  void type(const QByteArrayList& lines, const Range& function, const QString& path, Score* score) {
    QByteArray before = lines.first(function.first).join('\n');
    if (function.first > 0) before += '\n';
    const QByteArray behind = '\n' + lines.mid(function.end).join('\n');
    editor_.setText(before + lines[function.first] + behind);
    editor_.setLanguage(languageForFile(path));
    const bool isPython = editor_.language() == QLatin1String("Python");
    editor_.setIndentation(detectIndentation(lines.join('\n'), editor_.indentation()));
    qint64 at = before.size() + lines[function.first].size();
    editor_.setSelection(at, at);
    ++score->functions;
    QByteArray above = lines[function.first];
    for (qsizetype line = function.first + 1; line < function.end; ++line) {
      const QByteArray& wanted = lines[line];
      QTest::keyClick(&editor_, Qt::Key_Return);
      if (isBlankLine(wanted)) continue;
      const auto row = static_cast<int>(line);
      if (isPython && !endsBySign(wanted)) leaveBlocks(row, blanksOf(wanted));
      for (const QChar c : QString::fromUtf8(wanted.trimmed().mid(signTyped(row, wanted))))
        QTest::sendKeyEvent(QTest::Click, &editor_, c == u'\t' ? Qt::Key_Tab : Qt::Key_unknown,
                            QString(c), Qt::NoModifier);
      const QByteArray made = editor_.textRange(editor_.lineStart(row), editor_.lineEnd(row));
      ++score->lines;
      score->kept += blanksOf(above) == blanksOf(wanted);
      above = wanted;
      if (made == wanted) {
        ++score->right;
        continue;
      }
      if (shows_)
        std::printf("%s:%lld\n  is   %s\n  made %s\n", qPrintable(path),
                    static_cast<long long>(line + 1), wanted.constData(), made.constData());
      editor_.replaceRange(editor_.lineStart(row), editor_.lineEnd(row), wanted);
      at = editor_.lineStart(row) + wanted.size();
      editor_.setSelection(at, at);
    }
  }

 private:
  // What a clause or a bracket at its beginning tells the editor.
  static bool endsBySign(const QByteArray& line) {
    const QByteArray content = line.trimmed();
    for (const char* sign : {"else", "elif", "except", "finally", ")", "]", "}"})
      if (content.startsWith(sign)) return true;
    return false;
  }

  // Of a comment's line the sign is there; the one that ends it takes the blank behind that.
  qsizetype signTyped(int row, const QByteArray& wanted) {
    const QByteArray content = editor_.lineText(row).trimmed();
    if (content != "*" || !wanted.trimmed().startsWith('*')) return 0;
    if (wanted.trimmed().startsWith("*/")) QTest::keyClick(&editor_, Qt::Key_Backspace);
    return wanted.trimmed().startsWith("* ") ? 2 : 1;
  }

  void leaveBlocks(int row, int wanted) {
    const auto column = [&] { return editor_.caret() - editor_.lineStart(row); };
    for (qint64 at = column(); at > wanted;) {
      QTest::keyClick(&editor_, Qt::Key_Backspace);
      if (editor_.caretLine() != row || column() >= at) return;
      at = column();
    }
  }

  CodeEditor editor_;
  bool shows_;
};

int run(const QStringList& arguments) {
  const bool shows = arguments.contains(QLatin1String("--show"));
  QMap<QString, Score> scores;
  Typist typist(shows);
  for (const QString& path : arguments) {
    QFile file(path);
    if (path.startsWith(u'-') || !file.open(QIODevice::ReadOnly)) continue;
    QByteArrayList lines = file.readAll().replace("\r\n", "\n").split('\n');
    for (QByteArray& line : lines)  // nobody means the blanks at a line's end
      while (!line.isEmpty() && (line.back() == ' ' || line.back() == '\t')) line.chop(1);
    const QString language = languageForFile(path);
    if (language.isEmpty()) continue;
    Score& score = scores[language];
    int taken = 0;
    for (const Range& function : functionsOf(lines, language == QLatin1String("Python"))) {
      if (score.functions >= kMostOfLanguage || ++taken > kMostOfFile) break;
      typist.type(lines, function, path, &score);
    }
  }
  Score all;
  std::printf("%-24s functions  lines  as they stood  blanks kept\n", "");
  const auto print = [](const char* name, const Score& score) {
    std::printf("%-24s %9d %6d %13.1f%% %11.1f%%\n", name, score.functions, score.lines,
                100.0 * score.right / std::max(1, score.lines),
                100.0 * score.kept / std::max(1, score.lines));
  };
  for (auto it = scores.cbegin(); it != scores.cend(); ++it) {
    print(qPrintable(it.key()), *it);
    all.functions += it->functions;
    all.lines += it->lines;
    all.right += it->right;
    all.kept += it->kept;
  }
  print("all", all);
  return 0;
}

}  // namespace
}  // namespace waferpair::editor

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  return waferpair::editor::run(QApplication::arguments().mid(1));
}

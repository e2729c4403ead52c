// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/gather_context.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QSet>
#include <algorithm>

#include "editor/text/path_bytes.h"
#include "editor/text/translate.h"
#include "pairing/context/change_items.h"
#include "pairing/context/context_collector.h"
#include "pairing/context/git_changes.h"
#include "pairing/context/mentions.h"
#include "pairing/context/unasked_context.h"
#include "runtime/base/guest_file.h"
#include "runtime/exclusions/exclusions.h"

namespace waferpair::pairing {
namespace {

constexpr std::size_t kMostOfMentioned = 4 << 20;
// This many of a folder's files that found no room are named one by one.
constexpr int kMostNamed = 20;
// UTF-16 units of a line that a diagnostic is about.
constexpr qsizetype kMostOfLine = 200;

class Gathering {
 public:
  explicit Gathering(const ContextRequest& request)
      : request_(request), made_(request.root, request.open, request.known, request.budget) {
    for (const OtherFolder& other : request.others) made_.addFolder(other.root, other.label);
  }

  QVector<ContextItem> run() {
    for (const Mention& mention : mentionsIn(request_.question)) take(mention);
    return made_.items();
  }

 private:
  using Kind = ContextItem::Kind;
  using Outcome = ContextItem::Outcome;

  void take(const Mention& mention) {
    switch (mention.kind) {
      case Mention::Kind::kSelection:
        return takeSelection();
      case Mention::Kind::kOpenFiles:
        return takeOpenTexts();
      case Mention::Kind::kDiff:
        return takeChanges();
      case Mention::Kind::kDiagnostics:
        return takeProblems();
      case Mention::Kind::kTerminal:
        return takeTerminal();
      case Mention::Kind::kName:
        return takeName(mention.name);
    }
  }

  void takeSelection() {
    if (!request_.selection)
      return leaveOut(Kind::kSelection, translate("selection"), {},
                      translate("nothing is selected in the text in front"));
    const SelectedText& selection = *request_.selection;
    // Part of a text with a secret is held back like all of it: it may hold a part of the secret.
    for (const OpenText& text : request_.open) {
      if (text.path != selection.path || text.title != selection.title) continue;
      const QString secret = secretIn(text.text.toByteArray());
      if (!secret.isEmpty())
        return leaveOut(Kind::kSelection, translate("selection"), selection.path, secret);
    }
    const QString name = QStringLiteral("%1:%2-%3")
                             .arg(shown(selection.path, selection.title))
                             .arg(selection.firstLine)
                             .arg(selection.lastLine);
    add(Kind::kSelection, name, selection.path, selection.text.toUtf8());
  }

  void takeOpenTexts() {
    if (request_.open.isEmpty())
      leaveOut(Kind::kFile, translate("open files"), {}, translate("no file is open"));
    for (const OpenText& text : request_.open)
      add(Kind::kFile, shown(text.path, text.title), text.path, text.text.toByteArray());
  }

  void takeChanges() {
    const QString name = translate("git diff");
    if (request_.root.isEmpty())
      return leaveOut(Kind::kDiff, name, {}, translate("no folder is open"));
    const auto changes = changesSinceHead(request_.root);
    if (!changes) return leaveOut(Kind::kDiff, name, {}, changes.error().message());
    if (changes->isEmpty())
      return leaveOut(Kind::kDiff, name, {}, translate("nothing changed since the last commit"));
    for (const FileChange& change : *changes) addChange(&made_, change);
  }

  // An item for each file, with the lines that they are about: their numbers are those of the
  // text in the window.
  void takeProblems() {
    if (request_.problems.isEmpty())
      leaveOut(Kind::kDiagnostics, translate("diagnostics"), {},
               translate("nothing was found to be wrong"));
    for (qsizetype from = 0; from < request_.problems.size();) {
      const QString path = request_.problems[from].path;
      qsizetype end = from;
      while (end < request_.problems.size() && request_.problems[end].path == path) ++end;
      const QString name = translate("diagnostics of %1").arg(shown(path, path));
      QString reason = reasonOf(path);
      const QByteArray text = reason.isEmpty() ? textOf(path) : QByteArray();
      if (reason.isEmpty()) reason = secretIn(text);
      if (reason.isEmpty()) {
        add(Kind::kDiagnostics, name, path,
            problemLines(path, request_.problems.sliced(from, end - from), text));
      } else {
        leaveOut(Kind::kDiagnostics, name, path, reason);
      }
      from = end;
    }
  }

  void takeTerminal() {
    const QString name = translate("terminal");
    if (!request_.terminal || request_.terminal->text.trimmed().isEmpty())
      return leaveOut(Kind::kTerminal, name, {}, translate("no terminal has an output"));
    const TerminalText& terminal = *request_.terminal;
    QString reason = secretIn(terminal.around.toUtf8());
    if (reason.isEmpty()) reason = heldBackNamed(terminal);
    if (!reason.isEmpty()) return leaveOut(Kind::kTerminal, name, {}, reason);
    const QString command = terminal.command.simplified().left(kMostOfLine);
    const QString title = terminal.isSelection ? translate("selection in the terminal")
                          : command.isEmpty()  ? translate("output in the terminal")
                                               : translate("output of %1").arg(command);
    QString text = terminal.text;
    if (!command.isEmpty() && !terminal.isSelection)
      text = QStringLiteral("$ ") + command + u'\n' + text;
    add(Kind::kTerminal, title, {}, text.toUtf8());
  }

  // Why a file may not go to a model that the command names, or a line of its output begins with.
  QString heldBackNamed(const TerminalText& terminal) {
    QSet<QString> names;
    for (const QString& word : QProcess::splitCommand(terminal.command)) names.insert(word);
    for (const QString& line : terminal.around.split(u'\n')) {
      const qsizetype colon = line.indexOf(u':');
      if (colon > 0 && colon < kMostOfLine) names.insert(line.left(colon));
    }
    for (const QString& name : std::as_const(names)) {
      const QFileInfo file(QDir(terminal.folder), name);
      if (!file.isFile()) continue;
      const QString reason = reasonOf(QDir::cleanPath(file.absoluteFilePath()));
      if (!reason.isEmpty()) return reason;
    }
    return {};
  }

  QByteArray problemLines(const QString& path, const QVector<ReportedProblem>& problems,
                          const QByteArray& text) const {
    const QList<QByteArray> lines = text.split('\n');
    QByteArray told;
    for (const ReportedProblem& problem : problems) {
      told += QStringLiteral("%1:%2: %3\n")
                  .arg(shown(path, path))
                  .arg(problem.line)
                  .arg(problem.text)
                  .toUtf8();
      if (problem.line < 1 || problem.line > lines.size()) continue;
      const QString line = QString::fromUtf8(lines[problem.line - 1]).trimmed();
      if (!line.isEmpty()) told += "    " + line.left(kMostOfLine).toUtf8() + '\n';
    }
    return told;
  }

  void takeName(const QString& name) {
    if (request_.root.isEmpty()) return takeSymbol(name, translate("no folder is open"));
    if (takeBelow(request_.root, request_.files, name, name)) return;
    for (const OtherFolder& other : request_.others) {
      const bool isIn = name == other.label || name.startsWith(other.label + u'/');
      if (isIn && takeBelow(other.root, other.files, name.mid(other.label.size() + 1), name))
        return;
    }
    takeSymbol(name, translate("the open folder has no file, folder or symbol of this name"));
  }

  // `place` is relative to the root, empty: all of it; false: nothing of this name lies there.
  bool takeBelow(const QString& root, const QStringList& files, const QString& place,
                 const QString& name) {
    const QString path = QDir::cleanPath(root + u'/' + place);
    if (path == root ? !place.isEmpty() : !path.startsWith(root + u'/')) return false;
    const QFileInfo info(path);
    if (info.isDir()) {
      takeFolder(name, path, root, files);
      return true;
    }
    if (path == root || (!info.exists() && !made_.openAt(path))) return false;
    takeFile(path);
    return true;
  }

  void takeFile(const QString& path) {
    const QString name = shown(path, path);
    if (const OpenText* open = made_.openAt(path))
      return add(Kind::kFile, name, path, open->text.toByteArray());
    // A file that is held back is not even read.
    const QString reason = reasonOf(path);
    if (!reason.isEmpty()) return leaveOut(Kind::kFile, name, path, reason);
    const auto text = base::readGuestFile(editor::nativePath(path), kMostOfMentioned);
    if (!text)
      return leaveOut(Kind::kFile, name, path, QString::fromStdString(text.error().message()));
    if (!*text) return leaveOut(Kind::kFile, name, path, translate("it is gone"));
    add(Kind::kFile, name, path, QByteArray::fromStdString(**text));
  }

  void takeFolder(const QString& name, const QString& path, const QString& root,
                  const QStringList& files) {
    const QString below = path == root ? QString() : path.mid(root.size() + 1) + u'/';
    const qsizetype before = made_.items().size();
    int unnamed = 0;
    for (const QString& file : files) {
      if (!file.startsWith(below)) continue;
      if (made_.room() < ContextCollector::kLeastPart &&
          made_.items().size() - before >= kMostNamed) {
        ++unnamed;
        continue;
      }
      takeFile(root + u'/' + file);
    }
    if (unnamed > 0)
      leaveOut(Kind::kFile, translate("%1 more files of %2").arg(unnamed).arg(name), {}, noRoom());
    if (made_.items().size() == before)
      leaveOut(Kind::kFile, name, path, translate("the folder has no files that are listed"));
  }

  void takeSymbol(const QString& name, const QString& otherwise) {
    const QVector<SymbolPlace> places =
        request_.passages ? request_.passages->definitionsOf(name) : QVector<SymbolPlace>();
    if (places.isEmpty()) return leaveOut(Kind::kSymbol, name, {}, otherwise);
    for (const SymbolPlace& place : places) {
      const QString path = request_.passages->root() + u'/' + place.path;
      add(Kind::kSymbol,
          QStringLiteral("%1:%2-%3").arg(place.path).arg(place.line).arg(place.lastLine), path,
          request_.passages->textOf(place.path, place.line, place.lastLine).toUtf8());
    }
  }

  void add(Kind kind, const QString& name, const QString& path, const QByteArray& utf8) {
    made_.add(kind, name, path, utf8);
  }
  void leaveOut(Kind kind, const QString& name, const QString& path, const QString& why) {
    made_.leaveOut(kind, name, path, why);
  }
  QString reasonOf(const QString& path) { return made_.reasonOf(path); }
  QByteArray textOf(const QString& path) const { return made_.textOf(path); }
  QString shown(const QString& path, const QString& title) const {
    return made_.shown(path, title);
  }

  static QString noRoom() { return translate("there is no room for it"); }

  const ContextRequest& request_;
  ContextCollector made_;
};

}  // namespace

QString heldBack(const QString& root, const QString& path, QByteArrayView utf8) {
  if (!path.isEmpty()) {
    exclusions::Exclusions gate(editor::nativePath(root));
    const std::string reason = gate.reason(editor::nativePath(path));
    if (!reason.empty()) return QString::fromStdString(reason);
  }
  return secretIn(utf8);
}

QSet<QString> heldBackAmong(const QString& root, const QVector<ContextItem>& items) {
  exclusions::Exclusions gate(editor::nativePath(root));
  QSet<QString> seen, held;
  for (const ContextItem& item : items) {
    if (item.path.isEmpty() || seen.contains(item.path)) continue;
    seen.insert(item.path);
    if (!gate.reason(editor::nativePath(item.path)).empty()) held.insert(item.path);
  }
  return held;
}

bool isAnyOf(const QVector<ContextItem>& items, const QSet<QString>& paths) {
  return std::any_of(items.begin(), items.end(),
                     [&](const ContextItem& item) { return paths.contains(item.path); });
}

QVector<ContextItem> gatherContext(const ContextRequest& request) {
  const QVector<ContextItem> mentioned = Gathering(request).run();
  if (request.unasked.budget <= 0) return mentioned;
  return unaskedContext(request, mentioned) + mentioned;
}

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/forms/answer_forms.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

#include "pairing/forms/gbnf.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kBeyondSubject = 16;

// A sentence begins with a letter, so that neither a list nor a fence does, and ends with its line.
// It has no limit: which tokens may come is found anew for each place that a limit tells apart, and
// a model that does not come to an end is ended as in a free answer.
constexpr char kSentence[] = "sentence ::= [A-Za-z\\u0080-\\U0010ffff] [^\\x00-\\x1f]{3,}\n";

QString bounded(const QString& grammar) {
  return grammar.toUtf8().size() <= gbnf::kMostBytes ? grammar : QString();
}

bool isPlain(const QString& path) {
  return std::none_of(path.cbegin(), path.cend(), [](QChar sign) {
    return sign < u' ' || sign == u'`' || sign == u',' || sign == u':';
  });
}

// Where a new file may be, with its "/", and what its name may end with.
QString newFile(const QStringList& files) {
  QStringList folders{QString()}, suffixes;
  for (const QString& file : files) {
    folders.append(file.first(file.lastIndexOf(u'/') + 1));
    const QString suffix = QFileInfo(file).suffix();
    if (!suffix.isEmpty()) suffixes.append(u'.' + suffix);
  }
  suffixes.append(QStringLiteral(".md"));
  return gbnf::oneOf(folders) + QLatin1String(" [A-Za-z0-9_] [A-Za-z0-9_-]{0,40} ") +
         gbnf::oneOf(suffixes);
}

// The lines of the file as it is that each hunk of the diff shows.
QVector<gbnf::NumberRange> shownLines(const QString& diff) {
  static const QRegularExpression hunk(QStringLiteral(R"(^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))?)"),
                                       QRegularExpression::MultilineOption);
  QVector<gbnf::NumberRange> ranges;
  auto found = hunk.globalMatch(diff);
  while (found.hasNext()) {
    const auto match = found.next();
    const qint64 first = match.captured(1).toLongLong();
    const qint64 count = match.capturedStart(2) < 0 ? 1 : match.captured(2).toLongLong();
    if (first >= 1 && count >= 1 && count < 1'000'000'000 && first < 1'000'000'000)
      ranges.append({first, first + count - 1});
  }
  return ranges;
}

}  // namespace

QStringList formFiles(const QStringList& files) {
  QStringList taken;
  qsizetype size = 0;
  for (const QString& file : files) {
    if (!isPlain(file) || taken.contains(file)) continue;
    size += file.size();
    if (taken.size() == kMostFormFiles || size > kMostFormNames) break;
    taken.append(file);
  }
  return taken;
}

// A small model that may create a file or run a command at each step does little else.
QString planForm(const QStringList& files, const QStringList& kept) {
  static_assert(kLeastPlanSteps == 3 && kMostPlanSteps == 8);
  QString rules = QStringLiteral(
      "create ::= \"- [ ] Create \" new \": \" sentence \"\\n\"\n"
      "run ::= \"- [ ] Run `\" [^\\x00-\\x1f`]{2,} \"`\\n\"\n");
  rules += QStringLiteral("new ::= %1\n").arg(newFile(files));
  rules += QLatin1String(kSentence);
  if (files.isEmpty()) {
    rules += QLatin1String("edit ::= create\n");
  } else {
    rules += QStringLiteral("file ::= %1\n").arg(gbnf::oneOf(files));
    rules += QLatin1String("edit ::= \"- [ ] In \" file \": \" sentence \"\\n\"\n");
  }
  if (kept.isEmpty()) {
    rules += QLatin1String(
        "root ::= (edit{2,7} | edit{1,3} create edit{0,3} | create edit{1,6}) (edit | run)\n");
  } else {
    rules += QStringLiteral("kept ::= %1 \"\\n\"\n").arg(gbnf::oneOf(kept));
    rules += QStringLiteral("root ::= (kept | edit | create | run){1,%1}\n")
                 .arg(kept.size() + kMostPlanSteps);
  }
  return bounded(rules);
}

QString remarksForm(const QStringList& diffs) {
  static const QRegularExpression file(QStringLiteral(R"(^\+\+\+ b/([^\t\n]+)\t?$)"),
                                       QRegularExpression::MultilineOption);
  QStringList places, paths;
  for (const QString& diff : diffs) {
    const QString path = file.match(diff).captured(1);
    const auto ranges = shownLines(diff);
    if (path.isEmpty() || !isPlain(path) || ranges.isEmpty()) continue;
    places.append(gbnf::literal(path + u':') + u' ' + gbnf::numberIn(ranges));
    paths.append(path);
  }
  if (places.isEmpty()) return {};
  QString rules = QStringLiteral("place ::= %1\n").arg(places.join(QLatin1String(" | ")));
  rules += QStringLiteral("path ::= %1\n").arg(gbnf::oneOf(paths));
  rules += QLatin1String(kSentence);
  rules += QStringLiteral(
      "line ::= [^\\x00-\\x08\\x0a-\\x1f]* \"\\n\"\n"
      "change ::= path \"\\n<<<<<<< SEARCH\\n\" line+ \"=======\\n\" line* \">>>>>>> REPLACE\\n\"\n"
      "remark ::= place \": \" sentence \"\\n\" change? \"\\n\"?\n");
  rules += QStringLiteral("root ::= \"No remarks.\" | remark{1,%1}\n").arg(kMostFormRemarks);
  return bounded(rules);
}

// One sentence, in which a full stop is within a name. It may be longer than a subject is, so that
// it ends with a word where it is cut: a model that comes to a limit writes on to the last letter.
QString commitForm() {
  return QStringLiteral(
             "root ::= subject \".\"? (\"\\n\\n\" line (\"\\n\" line){0,3})?\n"
             "subject ::= upper letter{2,%1}\n"
             "letter ::= [^\\x00-\\x1f.] | \".\" [^\\x00-\\x20.]\n"
             "line ::= upper [^\\x00-\\x1f]{3,}\n"
             "upper ::= [A-Z\\u0080-\\U0010ffff]\n")
      .arg(kMostOfSubject + kBeyondSubject);
}

QString fittedSubject(const QString& line) {
  QString subject = line.trimmed();
  while (subject.endsWith(u'.') || subject.endsWith(u' ')) subject.chop(1);
  if (subject.size() <= kMostOfSubject) return subject;
  qsizetype end = subject.lastIndexOf(u' ', kMostOfSubject);
  if (end <= 0) return subject.first(kMostOfSubject);
  // A sentence does not end with words that lead to others.
  static const QSet<QString> leading{
      QStringLiteral("a"),    QStringLiteral("an"),   QStringLiteral("and"),
      QStringLiteral("as"),   QStringLiteral("by"),   QStringLiteral("for"),
      QStringLiteral("from"), QStringLiteral("if"),   QStringLiteral("in"),
      QStringLiteral("of"),   QStringLiteral("on"),   QStringLiteral("or"),
      QStringLiteral("that"), QStringLiteral("the"),  QStringLiteral("to"),
      QStringLiteral("when"), QStringLiteral("with"), QStringLiteral("which")};
  for (;;) {
    subject.truncate(end);
    while (!subject.isEmpty() && QStringLiteral(" ,;:-(").contains(subject.back())) subject.chop(1);
    end = subject.lastIndexOf(u' ');
    if (end <= 0 || !leading.contains(subject.sliced(end + 1).toLower())) return subject;
  }
}

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/error_places.h"

#include <QDir>
#include <QRegularExpression>
#include <algorithm>
#include <optional>

namespace waferpair::pairing {
namespace {

constexpr qsizetype kMostPrinted = 1 << 20;  // UTF-16 units, from the end
constexpr qsizetype kMostErrorPlaces = 500;
constexpr qsizetype kMostOfExcerpt = 4'000;
constexpr qsizetype kLinesBefore = 12, kLinesBehind = 24;
constexpr qsizetype kMostOfMessage = 200;
constexpr qsizetype kMostOfPrintedLine = 2'000;

QString withoutColors(const QString& output) {
  static const QRegularExpression escape(QStringLiteral(R"(\x1b\[[0-9;?]*[A-Za-z])"));
  QString text = output.right(kMostPrinted);
  text.remove(escape);
  text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
  return text;
}

bool saysError(const QString& line) {
  static const QRegularExpression word(QStringLiteral(
      R"(\b(error|fatal|panicked|FAIL(ED|URE)?!?|\w*(Error|Exception))\b|^E\s|: \*\*\* )"));
  static const QRegularExpression mild(QStringLiteral(R"(\b(warning|note|info|hint)\s*[:\[])"));
  return word.match(line).hasMatch() && !mild.match(line).hasMatch();
}

bool saysWarning(const QString& line) {
  static const QRegularExpression word(QStringLiteral(R"(\bwarning\b\s*[:\[]|: warning\b)"));
  return word.match(line).hasMatch();
}

// Tools print places in these ways; each captures path, line, perhaps column and message by name.
struct PlaceForm {
  QRegularExpression pattern;
  // Where the message is; a tool's own form has it where it says so, and tells of errors only.
  enum class Says { kItself, kBefore, kBehind, kOwn } says;
};

QVector<PlaceForm> ownForms(const QVector<QRegularExpression>& patterns) {
  QVector<PlaceForm> forms;
  for (const QRegularExpression& pattern : patterns) forms.append({pattern, PlaceForm::Says::kOwn});
  return forms;
}

const QVector<PlaceForm>& placeForms() {
  using Says = PlaceForm::Says;
  static const QVector<PlaceForm> forms = {
      // Python: its message is below the last frame.
      {QRegularExpression(QStringLiteral(R"re(^\s*File "(?<path>[^"]+)", line (?<line>\d+))re")),
       Says::kBehind},
      // rustc, and eslint's and others' like
      {QRegularExpression(QStringLiteral(R"(^\s*--> (?<path>\S.*?):(?<line>\d+):(?<column>\d+))")),
       Says::kBefore},
      // Qt Test
      {QRegularExpression(QStringLiteral(R"(Loc: \[(?<path>.+?)\((?<line>\d+)\)\])")),
       Says::kBefore},
      // Frames of JavaScript and Java
      {QRegularExpression(QStringLiteral(
           R"(^\s+at (?:.*\()?(?:file://)?(?<path>[^\s():]+(?:\.\w+)):(?<line>\d+)(?::(?<column>\d+))?\)?$)")),
       Says::kBefore},
      // MSVC, TypeScript, C#
      {QRegularExpression(QStringLiteral(
           R"re(^\s*(?<path>[^\s()"':]+\.\w+)\((?<line>\d+)(?:,(?<column>\d+))?\)\s*:\s*(?<message>.*))re")),
       Says::kItself},
      // GCC, Clang, Go, pytest, make and most others
      {QRegularExpression(QStringLiteral(
           R"re((?:^|[\s\[("'`])(?<path>(?:[A-Za-z]:[\\/])?[^\s:()"'`\[\],]*[A-Za-z_][^\s:()"'`\[\],]*):(?<line>\d+)(?::(?<column>\d+))?(?=[:\s,.)\]"'`]|$):?\s*(?<message>.*))re")),
       Says::kItself},
  };
  return forms;
}

class PrintedLines {
 public:
  explicit PrintedLines(const QString& text) : lines_(text.split(u'\n')) {}

  qsizetype count() const { return lines_.size(); }
  const QString& at(qsizetype i) const { return lines_[i]; }

  // The nearest line above that says what is wrong, past frames and blank lines.
  QString above(qsizetype i) const {
    for (qsizetype line = i - 1; line >= std::max<qsizetype>(0, i - kLinesBefore * 2); --line)
      if (saysError(lines_[line]) || saysWarning(lines_[line])) return lines_[line];
    return lines_[i];
  }
  // Frames and their code are indented; what ends them is not.
  QString below(qsizetype i) const {
    for (qsizetype line = i + 1; line < lines_.size(); ++line)
      if (!lines_[line].isEmpty() && !lines_[line].front().isSpace()) return lines_[line];
    return lines_[i];
  }
  QString around(qsizetype i) const {
    const qsizetype first = std::max<qsizetype>(0, i - kLinesBefore);
    QString text = lines_.mid(first, i - first + kLinesBehind).join(u'\n');
    if (text.size() > kMostOfExcerpt) text = lines_.mid(i, kLinesBehind).join(u'\n');
    return text.left(kMostOfExcerpt).trimmed();
  }

 private:
  QStringList lines_;
};

std::optional<ErrorPlace> placeIn(const PrintedLines& lines, qsizetype i,
                                  const QVector<PlaceForm>& forms, bool* isFrame) {
  const QString& line = lines.at(i);
  if (line.size() > kMostOfPrintedLine) return std::nullopt;
  for (const PlaceForm& form : forms) {
    const auto match = form.pattern.match(line);
    if (!match.hasMatch()) continue;
    ErrorPlace place;
    place.path = match.captured(QStringLiteral("path"));
    place.line = match.captured(QStringLiteral("line")).toLongLong();
    if (place.line <= 0) continue;
    place.column = match.captured(QStringLiteral("column")).toLongLong();
    *isFrame = form.says == PlaceForm::Says::kBehind;
    switch (form.says) {
      case PlaceForm::Says::kItself:
        place.message = match.captured(QStringLiteral("message"));
        place.isError = saysError(line);
        place.isWarning = !place.isError && saysWarning(line);
        // Within a sentence, that says more than its end.
        if (!line.trimmed().startsWith(place.path)) place.message = line;
        if (place.message.isEmpty()) place.message = lines.above(i);
        break;
      case PlaceForm::Says::kBefore:
        place.message = lines.above(i);
        place.isError = saysError(place.message);
        place.isWarning = !place.isError && saysWarning(place.message);
        break;
      case PlaceForm::Says::kBehind:
        place.message = lines.below(i);
        place.isError = saysError(place.message);
        break;
      case PlaceForm::Says::kOwn:
        // A group that the form does not have captures nothing.
        place.message = match.captured(QStringLiteral("message"));
        if (place.message.isEmpty()) place.message = line;
        place.isWarning = line.contains(QLatin1String("warning"), Qt::CaseInsensitive);
        place.isError = !place.isWarning;
        break;
    }
    place.message = place.message.simplified().left(kMostOfMessage);
    place.excerpt = lines.around(i);
    return place;
  }
  return std::nullopt;
}

QVector<ErrorPlace> placesIn(const QString& output, const QVector<PlaceForm>& forms) {
  const PrintedLines lines(withoutColors(output));
  QVector<ErrorPlace> places;
  const bool isOwn = !forms.isEmpty() && forms.constFirst().says == PlaceForm::Says::kOwn;
  qsizetype traceback = 0;  // frames at the end of `places` that belong to one
  for (qsizetype i = 0; i < lines.count() && places.size() < kMostErrorPlaces; ++i) {
    bool isFrame = false;
    const auto place = placeIn(lines, i, forms, &isFrame);
    if (!place) {
      if (!lines.at(i).isEmpty() && !lines.at(i).front().isSpace()) traceback = 0;
      continue;
    }
    // A tool that is known finds several things in a line; else one thing is said in several ways.
    const bool isKnown = std::any_of(places.cbegin(), places.cend(), [&](const ErrorPlace& each) {
      return each.path == place->path && each.line == place->line &&
             (!isOwn || each.message == place->message);
    });
    if (isKnown) continue;
    places.insert(isFrame ? places.size() - traceback : places.size(), *place);
    traceback = isFrame ? traceback + 1 : 0;
  }
  std::stable_partition(places.begin(), places.end(),
                        [](const ErrorPlace& place) { return place.isError; });
  return places;
}

}  // namespace

QVector<ErrorPlace> errorPlaces(const QString& output) { return placesIn(output, placeForms()); }

QVector<ErrorPlace> errorPlaces(const QString& output, const QVector<QRegularExpression>& forms) {
  return placesIn(output, ownForms(forms));
}

QString fileMeant(const QString& printed, const QString& root, const QStringList& files) {
  QString path = QDir::cleanPath(QDir::fromNativeSeparators(printed));
  if (!root.isEmpty() && path.startsWith(root + u'/')) path = path.sliced(root.size() + 1);
  while (path.startsWith(QLatin1String("../"))) path = path.sliced(3);
  if (files.contains(path)) return path;
  if (path.isEmpty() || path.endsWith(u'/')) return {};
  // Printed from another folder, as "src/a.cpp" of "lib/src/a.cpp", or copied from another place,
  // as "/build/lib/src/a.cpp" of it: the longest end of the path that one file alone has.
  for (QString end = path; !end.isEmpty();) {
    QStringList meant;
    for (const QString& file : files)
      if (file == end || file.endsWith(u'/' + end)) meant.append(file);
    if (meant.size() == 1) return meant.constFirst();
    if (meant.size() > 1) return {};
    const qsizetype slash = end.indexOf(u'/');
    if (slash < 0) return {};
    end = end.sliced(slash + 1);
  }
  return {};
}

}  // namespace waferpair::pairing

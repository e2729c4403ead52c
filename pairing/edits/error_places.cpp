// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/error_places.h"

#include <QDir>
#include <QHash>
#include <QSet>
#include <algorithm>
#include <optional>

#include "editor/text/printed_places.h"
#include "pairing/edits/error_forms.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kMostPrinted = 1 << 20;  // UTF-16 units, from the end
constexpr qsizetype kMostErrorPlaces = 500;
constexpr qsizetype kMostOfExcerpt = 4'000;
constexpr qsizetype kLinesBefore = 12, kLinesBehind = 24;
constexpr qsizetype kMostOfErrorMessage = 4'000;
constexpr qsizetype kMostOfPrintedLine = 8'000;

QString withoutColors(const QString& output) {
  static const QRegularExpression escape(
      QStringLiteral(R"(\x1b(?:\[[0-9;:?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)))"));
  QString text = output.right(kMostPrinted);
  text.remove(escape);
  text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
  return text;
}

bool isIndented(const QString& line) { return !line.isEmpty() && line.front().isSpace(); }

class PrintedLines {
 public:
  explicit PrintedLines(const QString& text) : lines_(text.split(u'\n')) {}

  qsizetype count() const { return lines_.size(); }
  const QString& at(qsizetype i) const { return lines_[i]; }

  // The nearest line above that says what is wrong, past frames and blank lines; itself: none.
  qsizetype above(qsizetype i) const {
    for (qsizetype line = i - 1; line >= std::max<qsizetype>(0, i - kLinesBefore * 2); --line)
      if (saysError(lines_[line]) || saysWarning(lines_[line])) return line;
    return i;
  }
  // Frames and their code are indented, or numbered; what ends them is not. Itself: none.
  qsizetype below(qsizetype i) const {
    static const QRegularExpression code(QStringLiteral(R"(^\d+ \|)"));
    for (qsizetype line = i + 1; line < lines_.size(); ++line)
      if (!lines_[line].isEmpty() && !isIndented(lines_[line]) &&
          !code.match(lines_[line]).hasMatch())
        return line;
    return i;
  }
  // The indented lines that follow.
  QString indented(qsizetype i, qsizetype most) const {
    QStringList block;
    for (qsizetype line = i + 1; line < lines_.size() && block.size() < most; ++line) {
      if (!lines_[line].trimmed().isEmpty() && !isIndented(lines_[line])) break;
      block.append(lines_[line]);
    }
    return block.join(u'\n').simplified();
  }
  // The lines that follow, up to a blank one.
  QString following(qsizetype i, qsizetype most) const {
    QStringList block;
    for (qsizetype line = i + 1; line < lines_.size() && block.size() < most; ++line) {
      if (lines_[line].trimmed().isEmpty()) break;
      block.append(lines_[line]);
    }
    return block.join(u'\n').simplified();
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

// A place, and what its line tells of itself.
struct FoundPlace {
  ErrorPlace place;
  bool isFrame = false;     // of a traceback whose innermost frame is its last
  bool isOwnWords = false;  // its line begins with it and says what is wrong
};

// -- One reading of an output

class PlaceReader {
 public:
  PlaceReader(const QString& output, const PrintedFile& isFile)
      : lines_(withoutColors(output)), isFile_(isFile) {}

  QVector<ErrorPlace> read(const QVector<PlaceForm>* own) {
    for (qsizetype i = 0; i < lines_.count() && found_.size() < kMostErrorPlaces; ++i) {
      const QString& line = lines_.at(i);
      std::optional<FoundPlace> place;
      if (line.size() <= kMostOfPrintedLine) {
        followFolders(line);
        noteFunction(line);
        place = own ? inForms(i, *own) : anyPlace(i);
      }
      if (place) {
        finish(i, &place->place);
        add(*place, own != nullptr);
      } else if (!line.isEmpty() && !isIndented(line)) {
        traceback_ = 0;
      }
    }
    QVector<ErrorPlace> places;
    for (const FoundPlace& each : std::as_const(found_)) places.append(each.place);
    std::stable_partition(places.begin(), places.end(),
                          [](const ErrorPlace& place) { return place.isError; });
    return places;
  }

 private:
  // -- Folders and files

  void followFolders(const QString& line) {
    static const QRegularExpression told(QStringLiteral(
        R"(^\S*(?:make|ninja)(?:\[\d+\])?: (Entering|Leaving) directory [`'‘](.+)['’]$)"));
    const auto match = told.match(line);
    if (!match.hasMatch()) return;
    if (match.captured(1) == QLatin1String("Entering")) {
      folders_.append(match.captured(2));
    } else if (!folders_.isEmpty()) {
      folders_.removeLast();
    }
  }
  // Linkers name the function in a line of its own.
  void noteFunction(const QString& line) {
    static const QRegularExpression told(QStringLiteral(R"(: in function [`'‘](.+)['’]:)"));
    if (const auto match = told.match(line); match.hasMatch()) function_ = match.captured(1);
  }
  QString folder() const { return folders_.isEmpty() ? QString() : folders_.constLast(); }
  bool isFile(const QString& path) {
    const QString key = folder() + u'\n' + path;
    const auto known = known_.constFind(key);
    if (known != known_.cend()) return *known;
    const bool is = isFile_(path, folder());
    known_.insert(key, is);
    return is;
  }
  editor::IsFile asked() {
    if (!isFile_) return {};
    return [this](const QString& path) { return isFile(path); };
  }

  // -- The forms of a line

  std::optional<FoundPlace> anyPlace(qsizetype i) {
    const QString& line = lines_.at(i);
    if (line.trimmed().isEmpty()) heading_.clear();
    if (auto place = underHeading(i)) return place;
    noteHeading(line);
    if (auto place = inForms(i, placeForms())) return place;
    return plain(i);
  }

  // ESLint, stylelint and yamllint write the path once, above its lines.
  std::optional<FoundPlace> underHeading(qsizetype i) const {
    const QString& line = lines_.at(i);
    if (heading_.isEmpty() || !isIndented(line)) return {};
    static const QRegularExpression row(QStringLiteral(
        R"(^\s+(?<line>\d+):(?<column>\d+)\s+(?<word>error|warning|warn|✖|×|⚠|‼)\s+(?<message>\S.*)$)"));
    const auto match = row.match(line);
    if (!match.hasMatch()) return {};
    FoundPlace found;
    found.place.path = heading_;
    found.place.error = i;
    found.place.line = match.captured(QStringLiteral("line")).toLongLong();
    found.place.column = match.captured(QStringLiteral("column")).toLongLong();
    found.place.message = match.captured(QStringLiteral("message"));
    const QString word = match.captured(QStringLiteral("word"));
    found.place.isWarning = word.startsWith(QLatin1String("warn")) || word == u"⚠" || word == u"‼";
    found.place.isError = !found.place.isWarning;
    found.isOwnWords = true;
    return found.place.line > 0 ? std::optional(found) : std::nullopt;
  }
  void noteHeading(const QString& line) {
    if (line.isEmpty() || isIndented(line)) return;
    const QString path = line.trimmed();
    static const QRegularExpression oneWord(QStringLiteral(R"(^[^\s:()]*[^\s:()/.]$)"));
    if (isFile_ ? isFile(path) : oneWord.match(path).hasMatch() && path.contains(u'.'))
      heading_ = path;
  }

  std::optional<FoundPlace> inForms(qsizetype i, const QVector<PlaceForm>& forms) const {
    using Says = PlaceForm::Says;
    const QString& line = lines_.at(i);
    for (const PlaceForm& form : forms) {
      const auto match = form.pattern.match(line);
      if (!match.hasMatch()) continue;
      // A group that the form does not have captures nothing.
      FoundPlace found;
      ErrorPlace& place = found.place;
      place.path = match.captured(QStringLiteral("path"));
      place.symbol = match.captured(QStringLiteral("symbol"));
      place.line = match.captured(QStringLiteral("line")).toLongLong();
      place.column = match.captured(QStringLiteral("column")).toLongLong();
      place.message = match.captured(QStringLiteral("message"));
      place.error = i;
      if (form.says == Says::kIndented && !match.hasCaptured(QStringLiteral("line")))
        place.line = 1;
      if (place.line <= 0 && place.symbol.isEmpty()) continue;
      switch (form.says) {
        case Says::kItself:
          weigh(line, &place);
          found.isOwnWords = true;
          break;
        case Says::kBefore:
          place.error = lines_.above(i);
          place.message = lines_.at(place.error);
          place.isError = saysError(place.message);
          place.isWarning = !place.isError && saysWarning(place.message);
          break;
        case Says::kBehind:
          place.error = lines_.below(i);
          place.message = lines_.at(place.error);
          place.isError = saysError(place.message);
          place.isWarning = !place.isError && saysWarning(place.message);
          if (match.hasCaptured(QStringLiteral("column"))) ++place.column;
          found.isFrame = true;
          break;
        case Says::kIndented:
          place.message =
              lines_.indented(i, kLinesBehind).section(QStringLiteral(" Call Stack (most"), 0, 0);
          if (place.message.isEmpty()) place.message = line;
          place.isWarning = line.contains(QLatin1String("Warning"));
          place.isError = !place.isWarning;
          break;
        case Says::kNextLine:
          place.message = line + u' ' + lines_.following(i, 1);
          weigh(line, &place);
          break;
        case Says::kOwn:
          if (place.message.isEmpty()) place.message = line;
          place.isWarning = line.contains(QLatin1String("warning"), Qt::CaseInsensitive);
          place.isError = !place.isWarning;
          break;
      }
      return found;
    }
    return {};
  }

  static void weigh(const QString& line, ErrorPlace* place) {
    const Weight weight = weightOf(place->message, line);
    place->isError = weight == Weight::kError;
    place->isWarning = weight == Weight::kWarning;
  }

  // GCC, Clang, MSVC, TypeScript, Go, pytest, make and most others
  std::optional<FoundPlace> plain(qsizetype i) {
    const QString& line = lines_.at(i);
    for (const editor::PrintedPlace& at :
         editor::printedPlaces(line, asked(), editor::PrintedKind::kNumbered)) {
      if (at.line <= 0) continue;
      // "call(3)" is no place.
      const bool isColon = line.mid(at.start, at.end - at.start).contains(u':');
      if (!isColon && !at.isFile && !at.path.contains(u'.')) continue;
      return plainPlace(i, at);
    }
    return {};
  }

  FoundPlace plainPlace(qsizetype i, const editor::PrintedPlace& at) {
    const QString& line = lines_.at(i);
    FoundPlace found;
    ErrorPlace& place = found.place;
    place.path = at.path;
    place.line = at.line;
    place.column = at.column;
    place.error = i;
    // Words of a tool before the place are none of a sentence.
    static const QRegularExpression lead(QStringLiteral(
        R"(^\s*(?:\[(?:ERROR|WARNING|WARN|error|warning|warn)\]:? |ERROR in |ERROR: |[ew]: |vet: |\S*\bld(?:\.\w+)?: (?:\S+\.o: )?)?["'`(\[]?)"));
    const qsizetype begin = lead.match(line).capturedLength();
    const bool isStart = at.start <= begin;
    static const QRegularExpression sign(
        QStringLiteral(R"(^["'`\])]?(?:\s+-\s+|\s*[:,]\s*|\s+)?)"));
    const QString behind = line.mid(at.end);
    const QString between = sign.match(behind).captured();
    place.message = behind.mid(between.size());
    weigh(line, &place);
    if (isStart && !place.isError && !place.isWarning) {
      const QString tool = line.left(begin).trimmed().toLower();
      place.isError = tool.startsWith(QLatin1String("e:")) || tool.contains(QLatin1String("error"));
      place.isWarning =
          tool.startsWith(QLatin1String("w:")) || tool.contains(QLatin1String("warn"));
    }
    if (!isStart) {
      // Within a sentence, that says more than its end.
      place.message = line;
    } else if (isFailedGoTest(i)) {
      place.isError = true;
      if (place.message.isEmpty()) place.message = lines_.indented(i, kLinesBehind);
    } else if (place.message.trimmed().isEmpty()) {
      sayForBare(i, &place);
    } else {
      found.isOwnWords = true;
      completeMessage(i, &place);
      const bool isKnown = place.isError || place.isWarning;
      if (!isKnown && weightOf(place.message, line) == Weight::kUnknown &&
          isTold(at, line, between, place.message))
        place.isError = true;
    }
    return found;
  }

  // A compiler, as Go's, that prints no word for an error: "path:line:column: message".
  static bool isTold(const editor::PrintedPlace& at, const QString& line, const QString& between,
                     const QString& message) {
    static const QRegularExpression frame(
        QStringLiteral(R"(^(?:in|from|required|instantiated|see|at|by|here|included)\b)"));
    const bool isPlaced =
        at.column > 0 || line.mid(at.start, at.end - at.start).contains(QLatin1String(": line "));
    const bool isParted = between == QLatin1String(": ") || between == QLatin1String(" - ") ||
                          between == QLatin1String(", ");
    return isPlaced && isParted && !message.front().isSpace() && !frame.match(message).hasMatch();
  }

  // A place alone in its line: what is wrong is said above or below.
  void sayForBare(qsizetype i, ErrorPlace* place) const {
    qsizetype said = lines_.above(i);
    // esbuild has it above, compilers of Fortran and Node below.
    if (said == i || said < i - 3) {
      static const QRegularExpression own(QStringLiteral(R"(^\S+:\d+[:\s])"));
      for (qsizetype line = i + 1; line < std::min(lines_.count(), i + 10); ++line) {
        if (isIndented(lines_.at(line)) || !saysError(lines_.at(line))) continue;
        // That one has a place of its own.
        if (own.match(lines_.at(line)).hasMatch()) break;
        said = line;
        break;
      }
    }
    place->error = said;
    place->message = lines_.at(said);
    place->isError = saysError(place->message);
    place->isWarning = !place->isError && saysWarning(place->message);
  }

  // GHC and GoogleTest say only that something is wrong, and below what.
  void completeMessage(qsizetype i, ErrorPlace* place) const {
    static const QRegularExpression bare(QStringLiteral(
        R"(^(?:fatal )?(?:error|warning|Error|Failure|FAILED)\s*:?\s*(?:\[[^\]]*\]\s*)*:?$)"));
    if (!bare.match(place->message.trimmed()).hasMatch()) return;
    constexpr qsizetype kMost = 8;
    const QString below = i + 1 < lines_.count() && isIndented(lines_.at(i + 1))
                              ? lines_.indented(i, kMost)
                              : lines_.following(i, kMost);
    place->message = place->message.trimmed() + u' ' + below;
  }

  // Go prints what its tests say of themselves without a word for it, below the verdict, or above
  // it where it tells of each.
  bool isFailedGoTest(qsizetype i) const {
    static const QRegularExpression said(QStringLiteral(R"(^\s+\S+_test\.go:\d+:)"));
    static const QRegularExpression verdict(QStringLiteral(R"(^\s*--- (FAIL|PASS|SKIP|BENCH)\b)"));
    static const QRegularExpression begun(QStringLiteral(R"(^=== (RUN|CONT|NAME|PAUSE)\b)"));
    if (!said.match(lines_.at(i)).hasMatch()) return false;
    for (qsizetype line = i - 1; line >= 0; --line) {
      if (const auto match = verdict.match(lines_.at(line)); match.hasMatch())
        return match.captured(1) == QLatin1String("FAIL");
      if (begun.match(lines_.at(line)).hasMatch()) break;
    }
    for (qsizetype line = i + 1; line < lines_.count(); ++line)
      if (const auto match = verdict.match(lines_.at(line)); match.hasMatch())
        return match.captured(1) == QLatin1String("FAIL");
    return false;
  }

  // -- What is kept

  void finish(qsizetype i, ErrorPlace* place) const {
    place->message = place->message.simplified().left(kMostOfErrorMessage);
    if (place->message.startsWith(u'│')) place->message = place->message.mid(1).trimmed();
    place->excerpt = lines_.around(i);
    place->folder = folder();
    if (!place->symbol.isEmpty()) place->function = function_;
  }

  void add(const FoundPlace& one, bool isOwn) {
    const auto counts = [](const FoundPlace& each) {
      return each.place.isError || each.place.isWarning;
    };
    // One thing is said in several ways; a line has several errors where their messages say so.
    const auto known = std::find_if(found_.begin(), found_.end(), [&](const FoundPlace& each) {
      const bool areTwo =
          isOwn || (counts(each) && counts(one) && each.isOwnWords && one.isOwnWords);
      return each.place.path == one.place.path && each.place.line == one.place.line &&
             each.place.symbol == one.place.symbol && each.place.folder == one.place.folder &&
             (!areTwo || each.place.message == one.place.message);
    });
    if (known != found_.end()) {
      if (!counts(*known) && counts(one)) *known = one;
      return;
    }
    found_.insert(one.isFrame ? found_.size() - traceback_ : found_.size(), one);
    traceback_ = one.isFrame ? traceback_ + 1 : 0;
  }

  PrintedLines lines_;
  const PrintedFile& isFile_;
  QHash<QString, bool> known_;  // by folder and path
  QStringList folders_;         // that make is in, the innermost last
  QString function_;            // that a linker named last
  QString heading_;             // the path that the lines below tell of
  QVector<FoundPlace> found_;
  qsizetype traceback_ = 0;  // frames at the end of `found_` that belong to one
};

}  // namespace

QVector<ErrorPlace> errorPlaces(const QString& output, const PrintedFile& isFile) {
  return PlaceReader(output, isFile).read(nullptr);
}

QVector<ErrorPlace> errorPlaces(const QString& output, const QVector<QRegularExpression>& forms) {
  QVector<PlaceForm> own;
  for (const QRegularExpression& pattern : forms) own.append({pattern, PlaceForm::Says::kOwn});
  const PrintedFile none;
  return PlaceReader(output, none).read(&own);
}

PrintedFile amongFiles(const QString& root, const QStringList& files) {
  return [root, known = QSet<QString>(files.begin(), files.end())](const QString& path,
                                                                   const QString&) {
    QString clean = QDir::cleanPath(path);
    if (!root.isEmpty() && clean.startsWith(root + u'/')) clean = clean.sliced(root.size() + 1);
    return known.contains(clean);
  };
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

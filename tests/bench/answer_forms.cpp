// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/answer_forms.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <algorithm>

#include "editor/text/indentation.h"
#include "pairing/placing/outline.h"
#include "tests/bench/commit_texts.h"

namespace waferpair::bench {

namespace {

using editor::ChangedLines;
using Case = AnswerCase;

// -- Hunks: changes with lines around, those that meet as one

struct Hunk {
  qint64 oldStart = 0, oldEnd = 0;
  qint64 newStart = 0, newEnd = 0;
  QVector<ChangedLines> changes;
};

QVector<Hunk> hunksOf(const Case& one, qint64 around) {
  QVector<Hunk> hunks;
  for (const ChangedLines& change : one.changes) {
    const qint64 above = std::min(around, change.oldStart);
    const qint64 below =
        std::min<qint64>(around, one.oldLines.size() - change.oldStart - change.oldCount);
    Hunk hunk{change.oldStart - above,
              change.oldStart + change.oldCount + below,
              change.newStart - above,
              change.newStart + change.newCount + below,
              {change}};
    if (!hunks.isEmpty() && hunk.oldStart <= hunks.last().oldEnd) {
      hunks.last().oldEnd = hunk.oldEnd;
      hunks.last().newEnd = hunk.newEnd;
      hunks.last().changes.append(change);
    } else {
      hunks.append(hunk);
    }
  }
  return hunks;
}

QByteArrayList oldOf(const Case& one, const Hunk& hunk) {
  return one.oldLines.mid(hunk.oldStart, hunk.oldEnd - hunk.oldStart);
}
QByteArrayList newOf(const Case& one, const Hunk& hunk) {
  return one.newLines.mid(hunk.newStart, hunk.newEnd - hunk.newStart);
}

// With as many lines around, at least, as tell the place of each from every other.
QVector<Hunk> tellingHunks(const Case& one, qint64 least) {
  for (qint64 around = least; around < 20; ++around) {
    const QVector<Hunk> hunks = hunksOf(one, around);
    if (std::all_of(hunks.begin(), hunks.end(), [&](const Hunk& hunk) {
          return standsOnce('\n' + one.before, '\n' + oldOf(one, hunk).join());
        }))
      return hunks;
  }
  return {};
}

// -- What nobody can tell

using Doubt = std::function<QString(const Case&)>;

bool hasFenceLine(const QByteArrayList& lines) {
  return std::any_of(lines.cbegin(), lines.cend(), [](const QByteArray& line) {
    return line.trimmed().startsWith("```") || line.trimmed().startsWith("~~~");
  });
}

// Lines of the file that an answer quotes stand in it several times, or it quotes none.
Doubt quotes(qint64 around) {
  return [around](const Case& one) -> QString {
    for (const Hunk& hunk : hunksOf(one, around)) {
      if (hunk.oldStart == hunk.oldEnd) return QStringLiteral("a change quotes no line");
      if (!standsOnce('\n' + one.before, '\n' + oldOf(one, hunk).join()))
        return QStringLiteral("a quote stands in the file several times");
    }
    return {};
  };
}

bool isComment(const QByteArray& line) {
  for (const char* sign : {"//", "#", "*", "/*", "--", "\"\"\"", "<!--", ";"})
    if (line.trimmed().startsWith(sign)) return true;
  return false;
}

// Lines become others that the signs make the same.
bool changesSigns(const Case& one) {
  const auto plain = [](QByteArray line) {
    return line.replace("\u2019", "'").replace("\u00a0", " ");
  };
  for (const ChangedLines& change : one.changes) {
    const QByteArrayList old = one.oldLines.mid(change.oldStart, change.oldCount);
    // Nor would anybody know such a sign that is new from one that the answer makes of a plain one.
    for (const QByteArray& line : one.newLines.mid(change.newStart, change.newCount))
      if (plain(line) != line && !old.contains(line)) return true;
    QByteArrayList oldPlain;
    for (const QByteArray& line : old) oldPlain.append(plain(line));
    for (const QByteArray& line : one.newLines.mid(change.newStart, change.newCount))
      if (!old.contains(line) && oldPlain.contains(plain(line))) return true;
  }
  return false;
}

// No quote has the signs, and what is new has them in comments only, or the file is none of code.
Doubt signsIn(const char* pattern) {
  const QRegularExpression signs(QString::fromLatin1(pattern));
  return [signs](const Case& one) -> QString {
    const auto has = [&signs](const QByteArray& line) {
      return QString::fromUtf8(line).contains(signs);
    };
    for (const Hunk& hunk : tellingHunks(one, 2)) {
      const QByteArrayList old = oldOf(one, hunk);
      if (std::any_of(old.cbegin(), old.cend(), has)) return {};
    }
    const pairing::LanguageFamily& family = pairing::familyOfFile(one.path);
    const bool isCode = family.pairs || family.tripleQuotes || one.path.endsWith(".rb");
    for (const ChangedLines& change : one.changes)
      for (const QByteArray& line : one.newLines.mid(change.newStart, change.newCount))
        if (isCode && has(line) && !isComment(line)) return {};
    return QStringLiteral("nothing shows whether signs are meant");
  };
}

// Lines are inserted where the quote leaves empty ones out, and do not bring as many themselves.
QString besideEmptyLines(const Case& one) {
  const auto isEmpty = [](const QByteArray& line) { return line.trimmed().isEmpty(); };
  for (const ChangedLines& change : one.changes) {
    qint64 above = change.oldStart, below = change.oldStart + change.oldCount;
    while (above > 0 && isEmpty(one.oldLines[above - 1])) --above;
    while (below < one.oldLines.size() && isEmpty(one.oldLines[below])) ++below;
    const qint64 lost = below - above - change.oldCount;
    if (lost == 0) continue;
    const QByteArrayList fresh = one.newLines.mid(change.newStart, change.newCount);
    const QByteArrayList old = one.oldLines.mid(change.oldStart, change.oldCount);
    const bool isInserted = std::all_of(old.cbegin(), old.cend(), isEmpty);
    qint64 brought = 0;
    for (qsizetype i = 0; i < fresh.size() && isEmpty(fresh[i]); ++i) ++brought;
    for (qsizetype i = fresh.size() - 1; i >= 0 && isEmpty(fresh[i]); --i) ++brought;
    if (isInserted ? brought != lost : brought > 0 || change.newCount == 0)
      return QStringLiteral("where empty lines of the file go is not said");
  }
  return {};
}

// The changed lines behind the dots stand in the file several times.
QString elidedTwice(const Case& one) {
  for (const Hunk& hunk : tellingHunks(one, 6))
    if (!standsOnce('\n' + one.before, '\n' + oldOf(one, hunk).mid(5).join()))
      return QStringLiteral("the changed lines stand in the file several times");
  return {};
}

// What is left out may as well have gone: the lines around it stand several times, or a change
// takes away more lines than are shown. Or the block's end is not told.
QString leftOut(const Case& one) {
  const QVector<Hunk> hunks = tellingHunks(one, 4);
  for (const Hunk& hunk : hunks) {
    const QByteArrayList shown = newOf(one, hunk);
    if (hasFenceLine(shown)) return QStringLiteral("a line may be the end of the block");
    qint64 gone = 0;
    for (const ChangedLines& change : hunk.changes)
      gone = std::max(gone, change.oldCount - change.newCount);
    if (gone > shown.size()) return QStringLiteral("more goes than is shown");
    const qint64 above = hunk.changes.first().oldStart - hunk.oldStart;
    const ChangedLines& last = hunk.changes.last();
    const qint64 below = hunk.oldEnd - last.oldStart - last.oldCount;
    const QByteArrayList old = oldOf(one, hunk);
    const auto isTwice = [&one](const QByteArrayList& lines) {
      return !standsOnce('\n' + one.before, '\n' + lines.join());
    };
    if ((hunk.oldStart > 0 && isTwice(old.mid(0, above))) ||
        (hunk.oldEnd < one.oldLines.size() && isTwice(old.mid(old.size() - below))))
      return QStringLiteral("lines beside what is left out stand in the file several times");
  }
  return {};
}

QString mostlyNew(const Case& one) {
  qint64 gone = 0;
  for (const ChangedLines& change : one.changes) gone += change.oldCount;
  return 2 * gone > one.oldLines.size() ? QStringLiteral("less than half of the file stays")
                                        : QString();
}

// Lines of the change look like an end of the block: a fence, or a divider.
QString endLike(const Case& one) {
  static const QRegularExpression divider(QStringLiteral("^={5,9}\\s*$"));
  for (const Hunk& hunk : tellingHunks(one, 3)) {
    for (const QByteArrayList& lines : {oldOf(one, hunk), newOf(one, hunk)}) {
      if (hasFenceLine(lines)) return QStringLiteral("a line may be the end of the block");
      for (const QByteArray& line : lines)
        if (QString::fromUtf8(line).trimmed().contains(divider))
          return QStringLiteral("a line may be the middle of the block");
    }
  }
  return {};
}

Doubt either(const Doubt& one, const Doubt& other) {
  return [one, other](const Case& each) {
    const QString found = one(each);
    return found.isEmpty() ? other(each) : found;
  };
}

// -- Faults

using Lines = QByteArrayList;
using Fault = std::function<void(Lines* oldLines, Lines* newLines, const Case& one)>;

void eachLine(Lines* lines, const std::function<void(QByteArray*)>& change) {
  for (QByteArray& line : *lines)
    if (!line.trimmed().isEmpty()) change(&line);
}

qsizetype leastIndent(const Lines& lines) {
  qsizetype least = 1000;
  for (const QByteArray& line : lines)
    if (!line.trimmed().isEmpty()) least = std::min(least, editor::leadingBlanks(line).size());
  return least;
}

void dedent(Lines* oldLines, Lines* newLines, const Case&) {
  const qsizetype least = std::min(leastIndent(*oldLines), leastIndent(*newLines));
  for (Lines* lines : {oldLines, newLines})
    eachLine(lines, [least](QByteArray* line) { line->remove(0, least); });
}

void indent(Lines* oldLines, Lines* newLines, const Case& one) {
  const bool tabs = editor::detectIndentation(one.before, {false, 4}).tabs;
  for (Lines* lines : {oldLines, newLines})
    eachLine(lines, [tabs](QByteArray* line) { line->prepend(tabs ? "\t" : "    "); });
}

void otherBlanks(Lines* oldLines, Lines* newLines, const Case& one) {
  const editor::Indentation habit = editor::detectIndentation(one.before, {false, 4});
  for (Lines* lines : {oldLines, newLines})
    eachLine(lines, [habit](QByteArray* line) {
      const QByteArray blanks = editor::leadingBlanks(*line);
      *line =
          editor::blanksFor(editor::columnsOf(blanks, habit.width), {!habit.tabs, habit.width}) +
          line->mid(blanks.size());
    });
}

void firstLineFlat(Lines* oldLines, Lines* newLines, const Case&) {
  for (Lines* lines : {oldLines, newLines})
    if (!lines->isEmpty()) lines->first() = lines->first().trimmed() + '\n';
}

void trailingBlanks(Lines* oldLines, Lines*, const Case&) {
  eachLine(oldLines, [](QByteArray* line) { line->insert(line->size() - 1, "  "); });
}

void entities(Lines* oldLines, Lines* newLines, const Case&) {
  for (Lines* lines : {oldLines, newLines})
    eachLine(lines, [](QByteArray* line) {
      line->replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    });
}

void typographic(Lines* oldLines, Lines* newLines, const Case&) {
  for (Lines* lines : {oldLines, newLines})
    eachLine(lines, [](QByteArray* line) {
      line->replace("'", "\u2019").replace(" = ", "\u00a0=\u00a0");
    });
}

// -- Forms

QByteArray fence(const Case& one) {
  return one.path.endsWith(".py") ? "```python\n" : one.path.endsWith(".js") ? "```js\n" : "```\n";
}

QByteArray block(const Case& one, const QByteArray& old, const QByteArray& fresh,
                 const QByteArray& tail = ">>>>>>> REPLACE\n") {
  return one.path.toUtf8() + '\n' + fence(one) + "<<<<<<< SEARCH\n" + old + "=======\n" + fresh +
         tail + "```\n\n";
}

QByteArray blocks(const Case& one, qint64 around, const Fault& fault,
                  const QByteArray& tail = ">>>>>>> REPLACE\n") {
  const QVector<Hunk> hunks = tellingHunks(one, around);
  QByteArray answer = hunks.isEmpty() ? QByteArray() : QByteArray("I changed this:\n\n");
  for (const Hunk& hunk : hunks) {
    Lines old = oldOf(one, hunk), fresh = newOf(one, hunk);
    if (fault) fault(&old, &fresh, one);
    answer += block(one, old.join(), fresh.join(), tail);
  }
  return answer;
}

// Empty lines around what changes are left out of both texts.
QByteArray withoutEmptyLines(const Case& one) {
  const QVector<Hunk> hunks = tellingHunks(one, 3);
  QByteArray answer;
  for (const Hunk& hunk : hunks) {
    if (hunk.changes.size() != 1) return {};
    const ChangedLines& change = hunk.changes[0];
    const auto around = [&](qint64 from, qint64 to) {
      QByteArray lines;
      for (const QByteArray& line : one.oldLines.mid(from, to - from))
        if (!line.trimmed().isEmpty()) lines += line;
      return lines;
    };
    const QByteArray above = around(hunk.oldStart, change.oldStart);
    const QByteArray below = around(change.oldStart + change.oldCount, hunk.oldEnd);
    const QByteArray old = one.oldLines.mid(change.oldStart, change.oldCount).join();
    const QByteArray fresh = one.newLines.mid(change.newStart, change.newCount).join();
    answer += block(one, above + old + below, above + fresh + below);
  }
  return answer;
}

QByteArray numbered(const Case& one) {
  QByteArray answer;
  for (const Hunk& hunk : tellingHunks(one, 2)) {
    QByteArray old;
    for (qint64 i = hunk.oldStart; i < hunk.oldEnd; ++i)
      old += QByteArray::number(i + 1) + " | " + one.oldLines[i];
    answer += block(one, old, newOf(one, hunk).join());
  }
  return answer;
}

// Lines in the middle of what stays are left out of both texts.
QByteArray elided(const Case& one) {
  QByteArray answer;
  for (const Hunk& hunk : tellingHunks(one, 6)) {
    if (hunk.changes.size() != 1) return {};
    Lines old = oldOf(one, hunk), fresh = newOf(one, hunk);
    const qint64 above = hunk.changes[0].oldStart - hunk.oldStart;
    if (above < 6) return {};
    for (Lines* lines : {&old, &fresh}) {
      for (int i = 0; i < 3; ++i) lines->removeAt(2);
      lines->insert(2, "...\n");
    }
    answer += block(one, old.join(), fresh.join());
  }
  return answer;
}

QByteArray marked(const Case& one, const Hunk& hunk, bool losesBlanks) {
  QByteArray text;
  qint64 line = hunk.oldStart;
  const auto keepUpTo = [&](qint64 end) {
    for (; line < end; ++line) text += (losesBlanks ? "" : " ") + one.oldLines[line];
  };
  for (const ChangedLines& change : hunk.changes) {
    keepUpTo(change.oldStart);
    for (; line < change.oldStart + change.oldCount; ++line) text += '-' + one.oldLines[line];
    for (qint64 i = change.newStart; i < change.newStart + change.newCount; ++i)
      text += '+' + one.newLines[i];
  }
  keepUpTo(hunk.oldEnd);
  return text;
}

enum class Numbers { kRight, kWrong, kNone, kWrongCounts };

QByteArray diff(const Case& one, qint64 around, Numbers numbers, std::mt19937& random,
                bool fenced = true, bool losesBlanks = false) {
  QByteArray answer = fenced ? "```diff\n" : "";
  answer += "--- a/" + one.path.toUtf8() + "\n+++ b/" + one.path.toUtf8() + '\n';
  const qint64 off = 1 + static_cast<qint64>(random() % 40);
  for (const Hunk& hunk : hunksOf(one, around)) {
    const qint64 oldCount = hunk.oldEnd - hunk.oldStart, newCount = hunk.newEnd - hunk.newStart;
    qint64 oldLine = hunk.oldStart + (oldCount > 0), newLine = hunk.newStart + (newCount > 0);
    qint64 oldShown = oldCount, newShown = newCount;
    if (numbers == Numbers::kWrong) {
      oldLine += off;
      newLine += off;
    }
    if (numbers == Numbers::kWrongCounts) oldShown += 2, newShown += 1;
    if (numbers == Numbers::kNone) {
      answer += "@@ ... @@\n";
    } else {
      answer += "@@ -" + QByteArray::number(oldLine) + ',' + QByteArray::number(oldShown) + " +" +
                QByteArray::number(newLine) + ',' + QByteArray::number(newShown) + " @@\n";
    }
    answer += marked(one, hunk, losesBlanks);
  }
  return answer + (fenced ? "```\n" : "");
}

QByteArray patch(const Case& one) {
  const QVector<Hunk> hunks = tellingHunks(one, 3);
  if (hunks.isEmpty()) return {};
  QByteArray answer = "*** Begin Patch\n*** Update File: " + one.path.toUtf8() + '\n';
  for (const Hunk& hunk : hunks) answer += "@@\n" + marked(one, hunk, false);
  return answer + "*** End Patch\n";
}

QByteArray tags(const Case& one) {
  const QVector<Hunk> hunks = tellingHunks(one, 2);
  if (hunks.isEmpty()) return {};
  QByteArray answer = "<edits>\n";
  for (const Hunk& hunk : hunks)
    answer += "<old_text>\n" + oldOf(one, hunk).join() + "</old_text>\n<new_text>\n" +
              newOf(one, hunk).join() + "</new_text>\n";
  return answer + "</edits>\n";
}

QByteArray json(const Case& one) {
  const QVector<Hunk> hunks = tellingHunks(one, 2);
  if (hunks.isEmpty()) return {};
  QJsonArray edits;
  for (const Hunk& hunk : hunks) {
    edits.append(QJsonObject{{"old_string", QString::fromUtf8(oldOf(one, hunk).join())},
                             {"new_string", QString::fromUtf8(newOf(one, hunk).join())}});
  }
  return "```json\n" +
         QJsonDocument(QJsonObject{{"file_path", one.path}, {"edits", edits}}).toJson() + "```\n";
}

QByteArray whole(const Case& one) {
  const QByteArray longer = one.after.contains("```") ? "``" : "";
  return "Here is the file.\n\n" + longer + fence(one) + one.after + longer + "```\n";
}

QByteArray commentFor(const Case& one, const QByteArray& text) {
  for (const char* suffix : {".py", ".rb", ".sh", ".yml", ".yaml", ".toml", ".cmake", ".txt"})
    if (one.path.endsWith(suffix)) return "# " + text + '\n';
  if (one.path.endsWith(".md") || one.path.endsWith(".html")) return "<!-- " + text + " -->\n";
  return "// " + text + '\n';
}

QByteArray wholeElided(const Case& one) {
  const QVector<Hunk> hunks = tellingHunks(one, 4);
  if (hunks.isEmpty()) return {};
  QByteArray answer = fence(one);
  qint64 shown = 0;
  for (const Hunk& hunk : hunks) {
    if (hunk.oldStart > shown) {
      const QByteArray blanks = editor::leadingBlanks(one.oldLines[hunk.oldStart]);
      answer += blanks + commentFor(one, "... existing code ...");
    }
    answer += newOf(one, hunk).join();
    shown = hunk.oldEnd;
  }
  if (shown < one.oldLines.size()) answer += commentFor(one, "... rest of the file unchanged ...");
  return answer + "```\n";
}

// The functions in which all of the changes are, at column 0 as models write them.
QByteArray functions(const Case& one, bool flat) {
  using pairing::CodeText;
  using pairing::Outlined;
  const CodeText text(one.after, pairing::familyOfFile(one.path));
  const QVector<Outlined> outline = pairing::outlineOf(text);
  QByteArray answer = fence(one);
  qint64 shown = -1;
  for (const ChangedLines& change : one.changes) {
    const qint64 last = change.newStart + std::max<qint64>(change.newCount, 1) - 1;
    if (last <= shown) continue;
    const Outlined* within = nullptr;
    for (const Outlined& each : outline) {
      const bool holds = each.kind == Outlined::Kind::kFunction && each.hasBody &&
                         each.attributes <= change.newStart && last <= each.last &&
                         (change.newCount > 0 || change.newStart > each.attributes);
      if (holds && !within) within = &each;
    }
    if (!within) return {};
    // What goes above it is not shown.
    const QByteArrayList gone = one.oldLines.mid(change.oldStart, change.oldCount);
    const bool isAtHead = change.newStart <= within->head;
    if (isAtHead && std::any_of(gone.cbegin(), gone.cend(), isComment)) return {};
    // One whose name is there before, too.
    Lines lines = one.newLines.mid(within->attributes, within->last - within->attributes + 1);
    Lines none;
    if (flat) {
      const qsizetype least = leastIndent(lines);
      eachLine(&lines, [least](QByteArray* line) { line->remove(0, least); });
    }
    answer += lines.join() + '\n';
    shown = within->last;
  }
  return answer + "```\n";
}

}  // namespace

QVector<BenchedForm> answerForms() {
  const auto sr = [](qint64 around, const Fault& fault) {
    return [around, fault](const Case& one, std::mt19937&) { return blocks(one, around, fault); };
  };
  const auto ud = [](qint64 around, Numbers numbers, bool fenced, bool losesBlanks) {
    return [=](const Case& one, std::mt19937& random) {
      return diff(one, around, numbers, random, fenced, losesBlanks);
    };
  };
  return {
      {"blocks, three lines around", sr(3, {}), {}},
      {"blocks, one line around", sr(1, {}), {}},
      {"blocks, none around", sr(0, {}), {}},
      {"blocks, indentation lost", sr(2, dedent), {}},
      {"blocks, first line's lost", sr(2, firstLineFlat), {}},
      {"blocks, deeper", sr(2, indent), {}},
      {"blocks, tabs for spaces", sr(2, otherBlanks), {}},
      {"blocks, blanks at line ends", sr(2, trailingBlanks), {}},
      {"blocks, entities", sr(2, entities), signsIn("[&<>]")},
      {"blocks, typographic signs",
       [](const Case& one, std::mt19937&) {
         return changesSigns(one) ? QByteArray() : blocks(one, 2, typographic);
       },
       signsIn("'| = ")},
      {"blocks, text with CRLF", sr(2, {}), {}, true},
      {"blocks, flat, text with CRLF", sr(2, dedent), {}, true},
      {"blocks, empty lines lost",
       [](const Case& one, std::mt19937&) { return withoutEmptyLines(one); }, besideEmptyLines},
      {"blocks, numbered search", [](const Case& one, std::mt19937&) { return numbered(one); }, {}},
      {"blocks, elided", [](const Case& one, std::mt19937&) { return elided(one); }, elidedTwice},
      {"blocks, no last line",
       [](const Case& one, std::mt19937&) { return blocks(one, 2, {}, ""); }, endLike},
      {"diff", ud(3, Numbers::kRight, true, false), quotes(3)},
      {"diff, one line around", ud(1, Numbers::kRight, true, false), quotes(1)},
      {"diff, none around", ud(0, Numbers::kRight, true, false), quotes(0)},
      {"diff, bare", ud(3, Numbers::kRight, false, false), quotes(3)},
      {"diff, text with CRLF", ud(3, Numbers::kRight, true, false), quotes(3), true},
      {"diff, wrong numbers", ud(3, Numbers::kWrong, true, false), quotes(3)},
      {"diff, wrong, one around", ud(1, Numbers::kWrong, true, false), quotes(1)},
      {"diff, no numbers", ud(3, Numbers::kNone, true, false), quotes(3)},
      {"diff, wrong counts", ud(3, Numbers::kWrongCounts, true, false), quotes(3)},
      {"diff, lost blanks", ud(3, Numbers::kRight, true, true), either(quotes(3), endLike)},
      {"patch", [](const Case& one, std::mt19937&) { return patch(one); }, {}},
      {"tags", [](const Case& one, std::mt19937&) { return tags(one); }, {}},
      {"JSON", [](const Case& one, std::mt19937&) { return json(one); }, {}},
      {"whole file", [](const Case& one, std::mt19937&) { return whole(one); }, mostlyNew},
      {"whole file, text with CRLF", [](const Case& one, std::mt19937&) { return whole(one); },
       mostlyNew, true},
      {"whole file, elided", [](const Case& one, std::mt19937&) { return wholeElided(one); },
       leftOut},
      {"functions", [](const Case& one, std::mt19937&) { return functions(one, false); }, endLike},
      {"functions, flat", [](const Case& one, std::mt19937&) { return functions(one, true); },
       endLike},
  };
}

}  // namespace waferpair::bench

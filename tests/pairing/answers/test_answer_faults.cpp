// SPDX-License-Identifier: GPL-3.0-or-later
// Right answers (answer_rows.h) with the faults that models and what carries their answers make:
// whatever is done to one, the text is right afterwards or as it was, and never another one.
#include <QRegularExpression>
#include <QtTest>
#include <functional>

#include "pairing/answers/answer_reader.h"
#include "pairing/answers/thoughts.h"
#include "pairing/placing/answer_placement.h"
#include "tests/pairing/answers/answer_rows.h"

using namespace waferpair;
using pairing::AnsweredText;
using pairing::AnswerFormat;
using test::AnswerRow;

namespace {

using Fault = std::function<QByteArray(const QByteArray&)>;

QByteArray eachLine(const QByteArray& text, const std::function<QByteArray(QByteArray)>& change) {
  QByteArrayList lines = text.split('\n');
  const bool ends = lines.last().isEmpty();
  if (ends) lines.removeLast();
  for (QByteArray& line : lines) line = change(line);
  return lines.join('\n') + (ends ? "\n" : "");
}

bool isMarker(const QByteArray& line) {
  static const QRegularExpression marker(QStringLiteral(R"(^\s*([<>=+-])\1{4,8}(?!\1))"));
  return marker.match(QString::fromUtf8(line)).hasMatch();
}

// Lines of blocks and fences of code, as `change` writes them; all else stays.
QByteArray inChanges(const QByteArray& text, const std::function<QByteArray(QByteArray)>& change) {
  if (text.contains("````")) return text;  // fences within fences
  bool inside = false;
  return eachLine(text, [&](const QByteArray& line) {
    const QByteArray bare = line.trimmed();
    const bool isFence = bare.startsWith("```") || bare.startsWith("~~~");
    if (isFence) inside = !inside;
    return isFence || isMarker(line) || !inside ? line : change(line);
  });
}

QByteArray wordsInLowerCase(const QByteArray& text) {
  return eachLine(text,
                  [](const QByteArray& line) { return isMarker(line) ? line.toLower() : line; });
}

// The first line that is a marker with this sign goes.
Fault without(char sign, bool last) {
  return [sign, last](const QByteArray& text) {
    QByteArrayList lines = text.split('\n');
    qsizetype found = -1;
    for (qsizetype i = 0; i < lines.size(); ++i)
      if (isMarker(lines[i]) && lines[i].trimmed().startsWith(sign) && (last || found < 0))
        found = i;
    if (found >= 0) lines.removeAt(found);
    return lines.join('\n');
  };
}

QByteArray numbered(const QByteArray& text, const QByteArray& behind) {
  int number = 7;
  return inChanges(
      text, [&](const QByteArray& line) { return QByteArray::number(number++) + behind + line; });
}

// Where all is indented by fours.
QByteArray inTabs(const QByteArray& text) {
  bool byFours = true;
  QByteArray made = inChanges(text, [&](const QByteArray& line) {
    qsizetype blanks = 0;
    while (blanks < line.size() && line[blanks] == ' ') ++blanks;
    byFours = byFours && (blanks % 4 == 0 || line.trimmed().isEmpty());
    return QByteArray(blanks / 4, '\t') + line.sliced(blanks);
  });
  return byFours ? made : text;
}

struct NamedFault {
  const char* name;
  Fault make;
};

QVector<NamedFault> faults() {
  return {
      {"CRLF", [](QByteArray text) { return text.replace("\n", "\r\n"); }},
      {"words before",
       [](const QByteArray& text) {
         return "Sure! I had a look at it, and here is what I would change:\n\n" + text;
       }},
      {"words behind",
       [](const QByteArray& text) {
         return text + "\nThis keeps everything else as it is. Let me know if you need more!\n";
       }},
      {"a thought before",
       [](const QByteArray& text) {
         return "<think>\nLet me see.\n```python\ndef x():\n    pass\n```\n</think>\n\n" + text;
       }},
      {"a thought that only ends",
       [](const QByteArray& text) {
         return "Let me see. I change that line.\n</think>\n\n" + text;
       }},
      {"channels",
       [](const QByteArray& text) {
         return "<|channel|>analysis<|message|>Let me see.<|end|><|start|>assistant"
                "<|channel|>final<|message|>" +
                text + "<|return|>";
       }},
      {"deeper",
       [](const QByteArray& text) {
         return eachLine(text, [](const QByteArray& line) {
           return line.trimmed().isEmpty() ? line : "    " + line;
         });
       }},
      {"code deeper",
       [](const QByteArray& text) {
         return inChanges(text, [](const QByteArray& line) { return "    " + line; });
       }},
      {"tabs", inTabs},
      {"no indentation",
       [](const QByteArray& text) {
         return inChanges(text, [](const QByteArray& line) { return line.trimmed(); });
       }},
      {"blanks at line ends",
       [](const QByteArray& text) {
         return eachLine(text, [](const QByteArray& line) { return line + "  "; });
       }},
      {"empty lines doubled", [](QByteArray text) { return text.replace("\n\n", "\n\n\n"); }},
      {"empty lines lost",
       [](const QByteArray& text) {
         QByteArrayList kept;
         for (const QByteArray& line : text.split('\n'))
           if (!line.trimmed().isEmpty()) kept.append(line);
         return kept.join('\n') + '\n';
       }},
      {"lower case", wordsInLowerCase},
      {"no last marker", without('>', true)},
      {"no first marker", without('<', false)},
      {"no divider", without('=', false)},
      {"numbers and bars", [](const QByteArray& text) { return numbered(text, " | "); }},
      {"numbers and colons", [](const QByteArray& text) { return numbered(text, ": "); }},
      {"a fence around", [](const QByteArray& text) { return "```\n" + text + "```\n"; }},
      {"a longer fence around",
       [](const QByteArray& text) { return "`````markdown\n" + text + "`````\n"; }},
      {"a citation",
       [](const QByteArray& text) {
         return eachLine(text, [](const QByteArray& line) { return "> " + line; });
       }},
      {"entities",
       [](QByteArray text) {
         return inChanges(text, [](QByteArray line) {
           return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
         });
       }},
      {"printed quotes",
       [](QByteArray text) {
         return inChanges(text, [](QByteArray line) {
           bool open = false;
           QByteArray made;
           for (const char c : line) {
             if (c == '"') {
               open = !open;
               made += open ? "“" : "”";
             } else {
               made += c;
             }
           }
           return made;
         });
       }},
      {"blanks that do not break",
       [](QByteArray text) {
         return inChanges(text, [](QByteArray line) { return line.replace(" ", "\u00a0"); });
       }},
      {"backslashes",
       [](QByteArray text) {
         return inChanges(text, [](QByteArray line) { return line.replace("\\", "\\\\"); });
       }},
      {"twice", [](const QByteArray& text) { return text + '\n' + text; }},
      {"languages lost",
       [](QByteArray text) {
         return eachLine(text, [](QByteArray line) {
           return line.trimmed().startsWith("```") ? line.left(line.indexOf("```") + 3) : line;
         });
       }},
  };
}

qsizetype changesIn(const QByteArray& answer) {
  const QByteArray said = pairing::withoutThoughts(answer);
  const auto format = pairing::guessAnswerFormat(said);
  return format ? pairing::readAnswer(*format, said).changes().size() : 0;
}

// Only blanks at the ends of lines, and empty ones, are others: what carries an answer may bring or
// lose such, and nobody can tell.
bool isSame(const QByteArray& made, const QByteArray& right, bool butForEmptyLines) {
  if (made == right) return true;
  if (!butForEmptyLines) return false;
  const auto bare = [](const QByteArray& text) {
    QByteArrayList lines;
    for (QByteArray line : text.split('\n')) {
      while (line.endsWith(' ')) line.chop(1);
      if (!line.isEmpty()) lines.append(line);
    }
    return lines;
  };
  return bare(made) == bare(right);
}

bool hasThoughts(const AnswerRow& row) {
  return pairing::withoutThoughts(row.answer) != row.answer;
}

// With this fault it is not the same answer any more, and may be a better one.
bool isOtherAnswer(const AnswerRow& row, const QString& fault) {
  const bool wraps = fault.contains(u"fence");
  const bool thinks = fault.contains(u"thought") || fault == u"channels";
  return (wraps && row.isRefused) || ((wraps || thinks) && hasThoughts(row));
}

QString told(const AnswerRow& row, const QByteArray& answer, const QByteArray& made) {
  const QByteArray right = row.isRefused ? row.text : row.becomes;
  return row.name + "\n" +
         QString::fromUtf8(answer + "--- other than right:" + test::otherLines(right, made));
}

}  // namespace

class TestAnswerFaults : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void faultyAnswersMakeNoOtherText_data() {
    QTest::addColumn<QString>("fault");
    for (const NamedFault& fault : faults()) QTest::newRow(fault.name) << fault.name;
  }
  void faultyAnswersMakeNoOtherText() {
    QFETCH(QString, fault);
    const QVector<NamedFault> all = faults();
    const auto made = std::find_if(all.cbegin(), all.cend(),
                                   [&](const auto& each) { return each.name == fault; });
    const bool loses = fault.startsWith(u"empty lines") || fault == u"blanks at line ends";
    int right = 0, refused = 0;
    int wrong = 0;
    const QVector<AnswerRow> rows = test::answerRows();
    QVERIFY(!rows.isEmpty());
    for (const AnswerRow& row : rows) {
      const QByteArray answer = made->make(row.answer);
      // An empty file may become anything.
      if (answer == row.answer || row.text.isEmpty() || isOtherAnswer(row, fault)) continue;
      const AnsweredText put = pairing::answered(editor::Snapshot(row.text), answer, row.path);
      if (put.status != AnsweredText::Status::kPlaced) {
        ++refused;
        continue;
      }
      const QByteArray text = put.text.toByteArray();
      if (!row.isRefused && isSame(text, row.becomes, loses)) {
        ++right;
      } else {
        ++wrong;
        qWarning("%s", qPrintable(told(row, answer, text)));
      }
    }
    qInfo("%d right, %d refused, %d wrong", right, refused, wrong);
    QCOMPARE(wrong, 0);
    QVERIFY(right + refused > 0);
  }

  // An answer of one change that is cut at any line has that change or none.
  void answersThatAreCutMakeNoOtherText() {
    int wrong = 0;
    int right = 0, refused = 0;
    for (const AnswerRow& row : test::answerRows()) {
      if (row.isRefused || changesIn(row.answer) != 1 || row.text.isEmpty()) continue;
      if (hasThoughts(row)) continue;  // cut within a thought, it may be an answer
      const bool isMarked =
          row.answer.contains("```") || row.answer.contains("~~~") || !row.answer.contains("\n@@ ");
      if (!isMarked) continue;  // a diff that nothing ends may end anywhere
      for (qsizetype end = row.answer.indexOf('\n'); end >= 0 && end + 1 < row.answer.size();
           end = row.answer.indexOf('\n', end + 1)) {
        const QByteArray answer = row.answer.first(end + 1);
        const AnsweredText put = pairing::answered(editor::Snapshot(row.text), answer, row.path);
        if (put.status != AnsweredText::Status::kPlaced) {
          ++refused;
        } else if (put.text.toByteArray() == row.becomes) {
          ++right;
        } else {
          ++wrong;
          qWarning("%s", qPrintable(told(row, answer, put.text.toByteArray())));
        }
      }
    }
    qInfo("%d right, %d refused, %d wrong", right, refused, wrong);
    QCOMPARE(wrong, 0);
    QVERIFY(right + refused > 0);
  }
};

QTEST_GUILESS_MAIN(TestAnswerFaults)
#include "test_answer_faults.moc"

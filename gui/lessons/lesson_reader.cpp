// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of lessons: a line at a time, with every mistake told by its line.
#include <QSet>
#include <optional>

#include "gui/lessons/lesson.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostLessonSteps = 64, kMostBlocks = 512, kMostOptions = 16, kMostChoices = 4;

// "least", "greatest"; "number EXPRESSION".
QString firstWord(const QString& line) { return line.section(u' ', 0, 0); }
QString afterFirstWord(const QString& line) { return line.section(u' ', 1).trimmed(); }

class LessonReader {
 public:
  explicit LessonReader(const QString& text) : lines_(text.split(u'\n')) {}

  tl::expected<Lesson, LessonMistake> read(const QString& id) {
    lesson_.id = id;
    for (at_ = 0; at_ < lines_.size() && !mistake_; ++at_) readLine();
    flushText();
    if (!mistake_) checkWhole();
    if (mistake_) return tl::unexpected(*mistake_);
    return std::move(lesson_);
  }

 private:
  int lineNumber() const { return static_cast<int>(qMin(at_ + 1, lines_.size())); }
  void fail(const QString& text, int line = 0) {
    if (!mistake_) mistake_ = LessonMistake{line > 0 ? line : lineNumber(), text};
  }

  void readLine() {
    const QString& line = lines_[at_];
    const QString fence = line.trimmed();
    if (fence.startsWith(QLatin1String("```"))) {
      const QString head = fence.mid(3).trimmed();
      const QString word = firstWord(head);
      if (word == u"experiment") return readExperiment(afterFirstWord(head));
      if (word == u"command") return readCommand(afterFirstWord(head));
      if (word == u"question") return readQuestion(afterFirstWord(head));
      return keepFence();
    }
    if (line.startsWith(QLatin1String("# ")) && lesson_.title.isEmpty()) {
      lesson_.title = line.mid(2).trimmed();
    } else if (line.startsWith(QLatin1String("## "))) {
      flushText();
      lesson_.steps.append({line.mid(3).trimmed(), {}});
      if (lesson_.steps.size() > kMostLessonSteps) fail(tr("There are too many steps."));
    } else if (lesson_.steps.isEmpty() && line.startsWith(u'>')) {
      lesson_.summary +=
          (lesson_.summary.isEmpty() ? QString() : QStringLiteral(" ")) + line.mid(1).trimmed();
    } else if (!lesson_.steps.isEmpty()) {
      text_ += line + u'\n';
    } else if (!fence.isEmpty()) {
      fail(tr("Text stands before the first step: begin one with \"## Its title\"."));
    }
  }

  // Any other block of code is a part of the text.
  void keepFence() {
    if (lesson_.steps.isEmpty()) return fail(tr("A block stands before the first step."));
    const int begin = lineNumber();
    do {
      text_ += lines_[at_] + u'\n';
      if (++at_ >= lines_.size()) return fail(tr("A block is not closed with ```."), begin);
    } while (lines_[at_].trimmed() != u"```");
    text_ += lines_[at_] + u'\n';
  }

  void flushText() {
    const QString text = text_.trimmed();
    text_.clear();
    if (!text.isEmpty()) add(LessonText{text});
  }
  void add(LessonBlock block) {
    if (lesson_.steps.isEmpty()) return fail(tr("A block stands before the first step."));
    lesson_.steps.last().blocks.append(std::move(block));
    if (++blocks_ > kMostBlocks) fail(tr("There are too many blocks."));
  }

  // The lines within a fence, trimmed, without empty ones.
  QStringList fenced() {
    flushText();
    QStringList body;
    const int begin = lineNumber();
    for (++at_; at_ < lines_.size(); ++at_) {
      const QString line = lines_[at_].trimmed();
      if (line == u"```") return body;
      if (!line.isEmpty()) body.append(line);
    }
    fail(tr("A block is not closed with ```."), begin);
    return body;
  }

  bool takeId(const QString& id) {
    bool plain = !id.isEmpty() && id.size() <= 40 && !id[0].isDigit();
    for (const QChar c : id)
      plain = plain && c.unicode() < 128 && (c.isLetterOrNumber() || c == u'_');
    if (!plain) {
      fail(tr("\"%1\" is no name: use letters, digits and _.").arg(id.left(40)));
    } else if (ids_.contains(id)) {
      fail(tr("The name %1 is taken already.").arg(id));
    } else {
      ids_.insert(id);
      return true;
    }
    return false;
  }

  void readExperiment(const QString& id) {
    LessonExperiment made{id, {}, {}, {}, lineNumber()};
    const QStringList body = fenced();
    if (mistake_ || !takeId(id)) return;
    for (const QString& line : body) {
      const QString word = firstWord(line);
      if (word == u"choose") {
        QStringList words = afterFirstWord(line).split(u' ', Qt::SkipEmptyParts);
        if (words.size() < 3)
          return fail(tr("\"choose\" needs a setting and two values."), made.line);
        const QString key = words.takeFirst();
        made.choices.append({key, words});
        if (made.choices.size() > kMostChoices)
          return fail(tr("There are too many choices."), made.line);
      } else if (word == u"show") {
        made.shown += afterFirstWord(line).split(u' ', Qt::SkipEmptyParts);
      } else if (made.question.isEmpty()) {
        made.question = line;
      } else {
        return fail(tr("\"%1\" is neither \"choose\" nor \"show\".").arg(word.left(40)), made.line);
      }
    }
    if (made.question.isEmpty()) return fail(tr("The experiment asks nothing."), made.line);
    if (made.shown.isEmpty()) return fail(tr("The experiment shows nothing."), made.line);
    add(std::move(made));
  }

  void readCommand(const QString& id) {
    const int line = lineNumber();
    const QStringList body = fenced();
    if (mistake_) return;
    if (id.isEmpty() || body.isEmpty())
      return fail(tr("A command needs its id, and a line that says what it is for."), line);
    add(LessonCommand{id, body.join(u' '), line});
  }

  std::optional<Expression> expression(const QString& text, int line) {
    auto parsed = Expression::parse(text);
    if (parsed) return *std::move(parsed);
    fail(parsed.error().message(), line);
    return std::nullopt;
  }

  void readQuestion(const QString& id) {
    LessonQuestion made;
    made.id = id;
    made.line = lineNumber();
    const QStringList body = fenced();
    if (mistake_ || !takeId(id)) return;
    bool hasKind = false;
    for (const QString& line : body) {
      const QString word = firstWord(line), rest = afterFirstWord(line);
      if (word == u"number") {
        hasKind = true;
        made.answer = expression(rest, made.line);
      } else if (word == u"within") {
        bool isNumber = false;
        made.withinPercent = firstWord(rest).remove(u'%').toDouble(&isNumber);
        if (!isNumber || !(made.withinPercent >= 0 && made.withinPercent <= 1000))
          return fail(tr("\"within\" needs a percentage."), made.line);
      } else if (word == u"unit") {
        made.unit = rest;
      } else if (line == u"least" || line == u"greatest") {
        hasKind = true;
        made.kind =
            line == u"least" ? LessonQuestion::Kind::kLeast : LessonQuestion::Kind::kGreatest;
      } else if (word == u"-") {
        const qsizetype equals = rest.lastIndexOf(u'=');
        if (equals < 1) return fail(tr("An option is \"- label = formula\"."), made.line);
        auto value = expression(rest.mid(equals + 1), made.line);
        if (!value) return;
        made.options.append({rest.left(equals).trimmed(), *std::move(value)});
      } else if (word == u"hint") {
        made.hint = rest;
      } else if (!hasKind && made.options.isEmpty()) {
        made.text += (made.text.isEmpty() ? QString() : QStringLiteral(" ")) + line;
      } else {
        return fail(tr("\"%1\" is no part of a question.").arg(word.left(40)), made.line);
      }
      if (mistake_) return;
    }
    if (made.text.isEmpty()) return fail(tr("The question says nothing."), made.line);
    const bool isNumber = made.kind == LessonQuestion::Kind::kNumber;
    if (isNumber && (!made.answer || !made.options.isEmpty()))
      return fail(tr("The question has neither \"number FORMULA\" nor options with \"least\" or "
                     "\"greatest\"."),
                  made.line);
    if (!isNumber && (made.answer || made.options.size() < 2 || made.options.size() > kMostOptions))
      return fail(tr("The question needs 2 to %1 options.").arg(kMostOptions), made.line);
    add(std::move(made));
  }

  void checkWhole() {
    if (lesson_.title.isEmpty()) return fail(tr("There is no title: \"# Its title\"."), 1);
    if (lesson_.steps.isEmpty()) return fail(tr("There is no step: \"## Its title\"."), 1);
    bool asksInTheEnd = false;
    for (const LessonBlock& block : lesson_.steps.last().blocks)
      asksInTheEnd = asksInTheEnd || std::holds_alternative<LessonQuestion>(block);
    if (!asksInTheEnd) fail(tr("The last step has no question."));
    for (const LessonStep& step : lesson_.steps) {
      for (const LessonBlock& block : step.blocks) {
        const auto* question = std::get_if<LessonQuestion>(&block);
        if (!question) continue;
        for (const QString& name : question->experiments())
          if (!lesson_.experiment(name))
            fail(tr("There is no experiment \"%1\".").arg(name.left(40)), question->line);
      }
    }
  }

  const QStringList lines_;
  qsizetype at_ = 0;
  qsizetype blocks_ = 0;
  QString text_;  // not in a block yet
  QSet<QString> ids_;
  Lesson lesson_;
  std::optional<LessonMistake> mistake_;
};

}  // namespace

tl::expected<Lesson, LessonMistake> readLesson(const QByteArray& bytes, const QString& id) {
  if (bytes.size() > kMostLessonBytes)
    return tl::unexpected(LessonMistake{1, tr("The file is larger than 256 KiB.")});
  QString text = QString::fromUtf8(bytes);
  text.remove(u'\r');
  return LessonReader(text).read(id);
}

}  // namespace waferpair::gui

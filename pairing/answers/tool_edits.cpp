// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/tool_edits.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include "editor/text/translate.h"
#include "pairing/answers/code_fence.h"

namespace waferpair::pairing {
namespace {

constexpr int kMostNested = 8;

#define OLD_NAMES \
  "old_string|old_str|old_text|oldString|oldStr|oldText|old_code|search|find|original|old"
#define NEW_NAMES \
  "new_string|new_str|new_text|newString|newStr|newText|new_code|replacement|replace|updated|new"
#define PATH_NAMES "file_path|filePath|filepath|filename|target_file|path|file"
#define CONTENT_NAMES "file_text|content|contents|file_content"

// The value under the first of these keys that there is.
QJsonValue valueOf(const QJsonObject& object, const char* names) {
  for (const QString& name : QString::fromLatin1(names).split(u'|'))
    if (object.contains(name)) return object.value(name);
  return QJsonValue::Undefined;
}

// The end of the JSON value that begins at `begin`, and the value with line ends and tabs within
// strings written as JSON has them, without comments and commas behind the last of a list; -1: it
// does not end.
qsizetype endOfJson(const QByteArray& text, qsizetype begin, QByteArray* clean) {
  int depth = 0;
  bool inString = false;
  for (qsizetype i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\' && i + 1 < text.size()) {
        *clean += c;
        *clean += text[++i];
        continue;
      }
      if (c == '"') inString = false;
      if (c == '\n') *clean += "\\n";
      if (c == '\t') *clean += "\\t";
      if (c != '\n' && c != '\t') *clean += c;
      continue;
    }
    if (c == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      const qsizetype lineEnd = text.indexOf('\n', i);
      if (lineEnd < 0) return -1;
      i = lineEnd;
      continue;
    }
    if (c == '}' || c == ']') {
      const QByteArray before = clean->trimmed();
      if (before.endsWith(',')) *clean = before.chopped(1);
    }
    *clean += c;
    if (c == '"') inString = true;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return i + 1;
  }
  return -1;
}

QByteArray withoutCdata(QByteArray text) {
  const QByteArray inner = text.trimmed();
  if (inner.startsWith("<![CDATA[") && inner.endsWith("]]>"))
    return inner.sliced(9, inner.size() - 12);
  return text;
}

// What stands between two tags. Where that begins with a line end it is lines, else a run of
// characters.
struct Between {
  QByteArray text;
  bool isLines = false;
};

Between between(const QByteArray& raw) {
  Between found{withoutCdata(raw), false};
  if (!found.text.startsWith('\n')) return found;
  found.isLines = true;
  found.text = found.text.sliced(1);
  // The closing tag's own line may be indented.
  const qsizetype end = found.text.lastIndexOf('\n');
  if (end >= 0 && found.text.sliced(end + 1).trimmed().isEmpty()) found.text.truncate(end + 1);
  if (!found.text.isEmpty() && !found.text.endsWith('\n')) found.text += '\n';
  return found;
}

// Parameters as Qwen and GLM write them become those of Claude.
QString inOneSpelling(QString text) {
  static const QRegularExpression key(
      QStringLiteral(R"(<arg_key>\s*(\w+)\s*</arg_key>\s*<arg_value>)"));
  static const QRegularExpression parameter(QStringLiteral(R"(<parameter=(\w+)>)"));
  static const QString plain = QStringLiteral("<parameter name=\"\\1\">");
  if (text.contains(key))
    text.replace(key, plain).replace(QLatin1String("</arg_value>"), QLatin1String("</parameter>"));
  return text.replace(parameter, plain);
}

}  // namespace

bool ToolEditsReader::beginsEdit(const QByteArray& line) {
  static const QRegularExpression tag(QStringLiteral(
      R"(^\s*(<(old_text|old_string|old_str|oldText|old_code|edits|search|find|write_to_file|write_file|create_file|edit_file|tool_call|function_calls|invoke|str_replace)\b[^>]*>|<parameter name="(old|new|file|path|content)[^>]*>|<parameter=(old|new|file|path|content)\w*>|<function=|<arg_key>|<file\s[^>]*(path|name)="[^>]*>))"));
  static const QRegularExpression key(QStringLiteral(
      R"json(^\s*(?:(?:[\[{,]|<[|｜]).*)?"(old_string|old_str|old_text|oldString|oldStr|oldText|new_string|new_str|newString|search|file_text|apply_patch)"\s*:|^\s*[\[{].*"apply_patch"\s*,)json"));
  static const QRegularExpression patch(
      QStringLiteral(R"json(^\s*[\[{"].*\*\*\* Begin Patch\\n)json"));
  // The same within the text of arguments.
  static const QRegularExpression escaped(QStringLiteral(
      R"json(^\s*[\[{"].*\\"(old_string|old_str|old_text|oldString|oldStr|oldText|new_string|new_str|newString)\\"\s*:)json"));
  const QString text = QString::fromUtf8(line.left(4096));
  if (escaped.match(text).hasMatch()) return true;
  return tag.match(text).hasMatch() || key.match(text).hasMatch() || patch.match(text).hasMatch();
}

void ToolEditsReader::takeLine(const QByteArray& line) { text_ += line + '\n'; }

void ToolEditsReader::takeEnd() {
  readTags();
  if (found_ == 0) {
    readJson();
    // An edit whose JSON is broken is no reason to take the others alone.
    static const QRegularExpression key(QStringLiteral(
        R"json("(?:old_string|old_str|old_text|oldString|oldStr|oldText)\\*"\s*:)json"));
    if (found_ > 0 && QString::fromUtf8(text_).count(key) > found_)
      addProblem(0, translate("One of the edits could not be read."));
  }
  if (found_ == 0) readCode();
  if (found_ == 0) {
    addProblem(0, translate("What a tool for edits would be called with could not be read."));
  }
}

void ToolEditsReader::addReplacement(ProposedChange change) {
  ++found_;
  if (change.oldText == change.newText && change.kind == ProposedChange::Kind::kReplace) {
    addProblem(0, translate("An edit changes nothing."), true);
    return;
  }
  addChange(std::move(change));
}

void ToolEditsReader::readTags() {
  static const QRegularExpression tag(QStringLiteral("<(" OLD_NAMES "|" NEW_NAMES "|" PATH_NAMES
                                                     "|" CONTENT_NAMES ")(\\s[^>]*)?>|"
                                                     "<parameter name=\"(" OLD_NAMES "|" NEW_NAMES
                                                     "|" PATH_NAMES "|" CONTENT_NAMES ")\"[^>]*>"));
  static const QRegularExpression number(QStringLiteral("line=\"?(\\d+)"));
  static const QRegularExpression attribute(QStringLiteral("path=\"([^\"]+)\""));
  const auto isAmong = [](const QString& name, const char* names) {
    return QString::fromLatin1(names).split(u'|').contains(name);
  };
  // Offsets are of characters: what is found is UTF-8 again.
  const QString text = inOneSpelling(QString::fromUtf8(text_));
  QString path;
  std::optional<ProposedChange> open;  // its old text is there
  for (qsizetype at = 0;;) {
    const auto match = tag.match(text, at);
    if (!match.hasMatch()) break;
    const bool isParameter = !match.captured(3).isEmpty();
    const QString name = isParameter ? match.captured(3) : match.captured(1);
    const QString close =
        isParameter ? QStringLiteral("</parameter>") : QStringLiteral("</%1>").arg(name);
    if (const auto of = attribute.match(match.captured(2)); of.hasMatch()) path = of.captured(1);
    const qsizetype from = match.capturedEnd();
    const qsizetype end = text.indexOf(close, from);
    if (end < 0) {
      // "<file path=...>" around others has no text of its own; an edit that does not end is cut.
      if (isAmong(name, OLD_NAMES) || isAmong(name, NEW_NAMES) || isAmong(name, CONTENT_NAMES)) {
        addProblem(0, translate("The answer ends within an edit: it is left out."));
        ++found_;
        return;
      }
      at = from;
      continue;
    }
    const Between inner = between(text.sliced(from, end - from).toUtf8());
    at = end + close.size();
    if (isAmong(name, PATH_NAMES)) {
      if (inner.text.contains('<')) {
        at = from;  // it holds others
      } else {
        path = QString::fromUtf8(inner.text).trimmed();
      }
    } else if (isAmong(name, OLD_NAMES)) {
      open = ProposedChange{};
      open->path = path;
      open->oldText = inner.text;
      open->verbatim = !inner.isLines;
      if (const auto line = number.match(match.captured(2)); line.hasMatch())
        open->hintLine = std::max(0LL, line.captured(1).toLongLong() - 1);
    } else if (isAmong(name, NEW_NAMES)) {
      if (!open) {
        addProblem(0, translate("An edit has a new text, and no old one."));
        ++found_;
        continue;
      }
      open->newText = inner.text;
      if (open->oldText.isEmpty()) open->kind = ProposedChange::Kind::kCreate;
      addReplacement(*open);
      open.reset();
    } else {
      ProposedChange change;
      change.kind = ProposedChange::Kind::kCode;
      change.path = path;
      change.newText = inner.text;
      if (!change.newText.endsWith('\n')) change.newText += '\n';
      addReplacement(change);
    }
  }
  if (open) addProblem(0, translate("An edit has an old text, and no new one."));
}

void ToolEditsReader::readJson() {
  for (qsizetype at = 0; at < text_.size(); ++at) {
    if (text_[at] != '{' && text_[at] != '[') continue;
    QByteArray clean;
    const qsizetype end = endOfJson(text_, at, &clean);
    if (end < 0) continue;
    QJsonParseError error;
    const QJsonDocument json = QJsonDocument::fromJson(clean, &error);
    if (error.error != QJsonParseError::NoError) continue;
    if (json.isArray()) takeValue(json.array(), {});
    if (json.isObject()) takeObject(json.object(), {});
    at = end - 1;
  }
}

// What looked like a call may be of a file in a fence.
void ToolEditsReader::readCode() {
  const Answer answer = readAnswer(AnswerFormat::kCode, text_);
  for (const ProposedChange& change : answer.changes()) addReplacement(change);
  for (const AnswerProblem& problem : answer.problems)
    addProblem(problem.line, problem.what, problem.isHarmless);
}

void ToolEditsReader::takeValue(const QJsonValue& value, const QString& path) {
  if (value.isObject()) takeObject(value.toObject(), path);
  if (value.isString()) takeText(value.toString(), path);
  const QJsonArray array = value.toArray();
  for (const QJsonValue& each : array) takeValue(each, path);
}

void ToolEditsReader::takeObject(const QJsonObject& object, const QString& outerPath) {
  const QJsonValue named = valueOf(object, PATH_NAMES);
  const QString path = named.isString() ? named.toString() : outerPath;
  const QJsonValue old = valueOf(object, OLD_NAMES), fresh = valueOf(object, NEW_NAMES);
  const QJsonValue content = valueOf(object, CONTENT_NAMES);
  ProposedChange change;
  change.path = path;
  if (old.isString() && fresh.isString()) {
    change.oldText = old.toString().toUtf8().replace("\r\n", "\n");
    change.newText = fresh.toString().toUtf8().replace("\r\n", "\n");
    change.verbatim = true;
    change.everywhere = object.value(QStringLiteral("replace_all")).toBool() ||
                        object.value(QStringLiteral("replaceAll")).toBool() ||
                        object.value(QStringLiteral("allow_multiple")).toBool();
    if (change.oldText.isEmpty()) change.kind = ProposedChange::Kind::kCreate;
    addReplacement(change);
    return;
  }
  if (const QJsonValue line = object.value(QStringLiteral("insert_line"));
      line.isDouble() && (fresh.isString() || object.contains(QStringLiteral("insert_text")))) {
    change.newText = (fresh.isString() ? fresh : object.value(QStringLiteral("insert_text")))
                         .toString()
                         .toUtf8();
    if (!change.newText.endsWith('\n')) change.newText += '\n';
    change.hintLine = static_cast<qint64>(line.toDouble());
    addReplacement(change);
    return;
  }
  if (content.isString() && !path.isEmpty()) {
    change.kind = ProposedChange::Kind::kCode;
    change.newText = content.toString().toUtf8();
    if (!change.newText.endsWith('\n')) change.newText += '\n';
    addReplacement(change);
    return;
  }
  static thread_local int depth = 0;
  if (depth > kMostNested) return;
  ++depth;
  for (const QJsonValue& each : object)
    if (each.isObject() || each.isArray() || each.isString()) takeValue(each, path);
  --depth;
}

// A string may hold a patch, blocks, or JSON again.
void ToolEditsReader::takeText(const QString& text, const QString& path) {
  const QByteArray utf8 = text.toUtf8();
  const auto format = guessAnswerFormat(utf8);
  if (format && *format != AnswerFormat::kCode && *format != AnswerFormat::kToolEdits) {
    const Answer answer = readAnswer(*format, utf8);
    for (ProposedChange change : answer.changes()) {
      if (change.path.isEmpty()) change.path = path;
      ++found_;
      addChange(change);
    }
    for (const AnswerProblem& problem : answer.problems) {
      ++found_;
      addProblem(0, problem.what, problem.isHarmless);
    }
    return;
  }
  if (!utf8.trimmed().startsWith('{') && !utf8.trimmed().startsWith('[')) return;
  const QJsonDocument json = QJsonDocument::fromJson(utf8);
  static thread_local int depth = 0;
  if (depth > kMostNested) return;
  ++depth;
  if (json.isObject()) takeObject(json.object(), path);
  if (json.isArray()) takeValue(json.array(), path);
  --depth;
}

}  // namespace waferpair::pairing

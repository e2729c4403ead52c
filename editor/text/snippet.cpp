// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/snippet.h"

#include <QHash>
#include <algorithm>
#include <utility>
#include <vector>

#include "editor/text/snippet_syntax.h"

namespace waferpair::editor {

namespace {

QString capitalized(QString word) {
  if (!word.isEmpty()) word.front() = word.front().toUpper();
  return word;
}

// "some_words-here" is "SomeWordsHere".
QString pascal(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[^\\p{L}\\p{N}]+"));
  QString joined;
  for (const QString& word : text.split(between, Qt::SkipEmptyParts)) joined += capitalized(word);
  return joined;
}

QString inCase(const QString& text, SnippetFormat::Case letters) {
  using Case = SnippetFormat::Case;
  switch (letters) {
    case Case::kAsIs:
      return text;
    case Case::kUpper:
      return text.toUpper();
    case Case::kLower:
      return text.toLower();
    case Case::kCapitalized:
      return capitalized(text);
    case Case::kPascal:
      return pascal(text);
    case Case::kCamel: {
      QString camel = pascal(text);
      if (!camel.isEmpty()) camel.front() = camel.front().toLower();
      return camel;
    }
  }
  return text;
}

QString formatted(const QVector<SnippetFormat>& format, const QRegularExpressionMatch& match) {
  QString text;
  for (const SnippetFormat& part : format) {
    if (part.group < 0) {
      text += part.text;
      continue;
    }
    const QString group = match.captured(part.group);
    if (part.chooses) {
      const bool keepsGroup = part.whenMatched.isNull();
      text += group.isEmpty() ? part.whenNot : keepsGroup ? group : part.whenMatched;
    } else {
      text += inCase(group, part.letters);
    }
  }
  return text;
}

// Writes a snippet's nodes as text, and keeps account of the places.
class Expander {
 public:
  explicit Expander(const SnippetSurroundings& surroundings) : around_(surroundings) {}

  SnippetText expand(const QVector<SnippetNode>& nodes) {
    collectValues(nodes, 0);
    write(nodes, -1, 0);
    finish();
    return std::move(made_);
  }

 private:
  // What a stop that is written without a text gets: the text that another place of it has.
  void collectValues(const QVector<SnippetNode>& nodes, int depth) {
    if (depth > kMostSnippetDepth) return;
    for (const SnippetNode& node : nodes) {
      const bool says = !node.children.isEmpty() || !node.choices.isEmpty();
      if (node.kind == SnippetNode::Kind::kStop && says && !values_.contains(node.number))
        values_.insert(node.number, &node);
      collectValues(node.children, depth + 1);
    }
  }

  bool isFull() const { return made_.text.size() > kLongestSnippet; }

  void write(const QVector<SnippetNode>& nodes, int parent, int depth) {
    for (const SnippetNode& node : nodes) {
      if (isFull()) return;
      switch (node.kind) {
        case SnippetNode::Kind::kText:
          writeText(node.text);
          break;
        case SnippetNode::Kind::kStop:
          writeStop(node, parent, depth);
          break;
        case SnippetNode::Kind::kVariable:
          writeVariable(node, parent, depth);
          break;
      }
    }
  }

  void writeText(const QString& text) {
    const QByteArray utf8 = text.toUtf8();
    for (qsizetype at = 0; at < utf8.size() && !isFull(); ++at) {
      const char c = utf8[at];
      if (c == '\r' && at + 1 < utf8.size() && utf8[at + 1] == '\n') continue;
      if (c == '\n' || c == '\r') {
        made_.text += around_.lineEnd + around_.indent;
        inBlanks_ = true;
      } else if (c == '\t' && inBlanks_ && !around_.level.isEmpty()) {
        made_.text += around_.level;
      } else {
        made_.text += c;
        inBlanks_ = inBlanks_ && (c == ' ' || c == '\t');
      }
    }
  }

  void writeStop(const SnippetNode& node, int parent, int depth) {
    const auto place = static_cast<int>(made_.places.size());
    const int field = fieldOf(node.number);
    made_.places.append({made_.text.size(), made_.text.size(), field, parent, node.transform});
    made_.fields[field].places.append(place);
    const SnippetNode* said = values_.value(node.number);
    const bool deep = depth >= kMostSnippetDepth || open_.contains(node.number);
    if (said && !deep) {
      if (!said->choices.isEmpty() && made_.fields[field].choices.isEmpty())
        for (const QString& choice : said->choices)
          made_.fields[field].choices.append(choice.toUtf8());
      open_.append(node.number);
      if (said == &node && !node.transform) {
        if (node.choices.isEmpty()) write(node.children, place, depth + 1);
        if (!node.choices.isEmpty()) writeText(node.choices.front());
      } else {
        // A mirror has the text alone, not the places in it.
        const QString value = plainTextOf(*said, depth + 1);
        writeText(node.transform ? node.transform->apply(value) : value);
      }
      open_.removeLast();
    }
    made_.places[place].end = made_.text.size();
  }

  void writeVariable(const SnippetNode& node, int parent, int depth) {
    const std::optional<QString> value =
        around_.variable ? around_.variable(node.text) : std::nullopt;
    const bool is = value && !value->isEmpty();
    if (node.transform) return writeText(node.transform->apply(value.value_or(QString())));
    if (is) return writeText(*value);
    if (!node.children.isEmpty()) {
      if (depth < kMostSnippetDepth) write(node.children, parent, depth + 1);
      return;
    }
    if (value) return;
    // An unknown variable is a place to fill in, as the protocol has it. It is visited last.
    const auto place = static_cast<int>(made_.places.size());
    made_.fields.append(SnippetField{kUnknown, {place}});
    made_.places.append({made_.text.size(), 0, static_cast<int>(made_.fields.size()) - 1, parent});
    writeText(node.text);
    made_.places[place].end = made_.text.size();
  }

  QString plainTextOf(const SnippetNode& node, int depth) {
    if (!node.choices.isEmpty()) return node.choices.front();
    QString text;
    if (depth > kMostSnippetDepth) return text;
    for (const SnippetNode& child : node.children) {
      if (text.size() > kLongestSnippet) break;
      if (child.kind == SnippetNode::Kind::kText) {
        text += child.text;
      } else if (child.kind == SnippetNode::Kind::kVariable) {
        const auto value = around_.variable ? around_.variable(child.text) : std::nullopt;
        const QString known = value.value_or(QString());
        if (child.transform) {
          text += child.transform->apply(known);
        } else if (!known.isEmpty()) {
          text += known;
        } else {
          text += child.children.isEmpty() && !value ? child.text : plainTextOf(child, depth + 1);
        }
      } else if (const SnippetNode* said = values_.value(child.number);
                 said && !open_.contains(child.number)) {
        open_.append(child.number);
        const QString value = plainTextOf(*said, depth + 1);
        text += child.transform ? child.transform->apply(value) : value;
        open_.removeLast();
      }
    }
    return text;
  }

  int fieldOf(int number) {
    for (int i = 0; i < made_.fields.size(); ++i)
      if (made_.fields[i].number == number) return i;
    made_.fields.append(SnippetField{number});
    return static_cast<int>(made_.fields.size()) - 1;
  }

  // Puts the fields into the order of their visits, $0 last; there always is one.
  void finish() {
    const bool hasEnd = std::any_of(made_.fields.cbegin(), made_.fields.cend(),
                                    [](const SnippetField& field) { return field.number == 0; });
    if (!hasEnd) {
      made_.fields.append(SnippetField{0, {static_cast<int>(made_.places.size())}});
      made_.places.append(
          {made_.text.size(), made_.text.size(), static_cast<int>(made_.fields.size()) - 1, -1});
    }
    QVector<int> order;
    for (int i = 0; i < made_.fields.size(); ++i) order.append(i);
    const auto rank = [this](int i) {
      const int number = made_.fields[i].number;
      return number == 0          ? std::pair(2, 0)
             : number == kUnknown ? std::pair(1, 0)
                                  : std::pair(0, number);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
    QVector<SnippetField> fields;
    for (const int old : std::as_const(order)) {
      for (const int place : std::as_const(made_.fields[old].places))
        made_.places[place].field = static_cast<int>(fields.size());
      fields.append(made_.fields[old]);
    }
    made_.fields = fields;
  }

  static constexpr int kUnknown = -1;

  const SnippetSurroundings& around_;
  SnippetText made_;
  QHash<int, const SnippetNode*> values_;  // by number: where a stop says its text
  QVector<int> open_;                      // the numbers of the stops that are being written
  bool inBlanks_ = false;                  // of a line after the first
};

}  // namespace

QString SnippetTransform::apply(const QString& value) const {
  QString text;
  qsizetype at = 0;
  QRegularExpressionMatchIterator matches = expression.globalMatch(value);
  while (matches.hasNext()) {
    const QRegularExpressionMatch match = matches.next();
    text += QStringView(value).mid(at, match.capturedStart() - at);
    text += formatted(format, match);
    at = match.capturedEnd();
    if (!everywhere || text.size() > kLongestSnippet) break;
  }
  text += QStringView(value).mid(at);
  return text;
}

bool SnippetText::isPlain() const {
  return fields.size() == 1 && places.size() == 1 && places[0].start == text.size() &&
         places[0].end == text.size();
}

SnippetText expandSnippet(const QString& snippet, const SnippetSurroundings& surroundings) {
  return Expander(surroundings).expand(readSnippet(snippet));
}

QString snippetOf(QString text) {
  static const QRegularExpression special(QStringLiteral(R"(([\\$}]))"));
  return text.replace(special, QStringLiteral(R"(\\1)"));
}

}  // namespace waferpair::editor

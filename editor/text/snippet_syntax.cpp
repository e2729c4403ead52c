// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/snippet_syntax.h"

#include <utility>

namespace waferpair::editor {

namespace {

constexpr int kMostDigits = 6;

bool beginsName(QChar c) { return c == u'_' || (c.unicode() < 0x80 && c.isLetter()); }
bool isDigit(QChar c) { return c >= u'0' && c <= u'9'; }

class SnippetReader {
 public:
  explicit SnippetReader(const QString& text) : text_(text) {}

  QVector<SnippetNode> readAll() { return nodes(0, false); }

 private:
  bool atEnd() const { return at_ >= text_.size(); }
  QChar peek(qsizetype by = 0) const { return at_ + by < text_.size() ? text_[at_ + by] : QChar(); }
  bool take(QChar c) {
    if (atEnd() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // Reads up to the brace that closes the node they are in, which stays; or to the end.
  QVector<SnippetNode> nodes(int depth, bool isInside) {
    QVector<SnippetNode> read;
    QString plain;
    const auto endPlain = [&] {
      if (!plain.isEmpty()) read.append({.text = std::exchange(plain, {})});
    };
    while (!atEnd()) {
      const QChar c = peek();
      if (isInside && c == u'}') break;
      if (c == u'\\' && (peek(1) == u'$' || peek(1) == u'}' || peek(1) == u'\\')) {
        plain += peek(1);
        at_ += 2;
        continue;
      }
      if (c == u'$') {
        const qsizetype begin = at_;
        SnippetNode node;
        if (readNode(&node, depth)) {
          endPlain();
          read.append(std::move(node));
          continue;
        }
        at_ = begin;
      }
      plain += c;
      ++at_;
    }
    endPlain();
    return read;
  }

  // False: it is text after all.
  bool readNode(SnippetNode* node, int depth) {
    if (!take(u'$')) return false;
    if (readHead(node)) return true;
    if (depth >= kMostSnippetDepth || !take(u'{') || !readHead(node)) return false;
    if (take(u'}')) return true;
    if (take(u':')) {
      node->children = nodes(depth + 1, true);
      return take(u'}');
    }
    const bool isStop = node->kind == SnippetNode::Kind::kStop;
    if (isStop && take(u'|')) return readChoices(node);
    if (take(u'/')) return readTransform(node);
    return false;
  }

  // A number or a name.
  bool readHead(SnippetNode* node) {
    const qsizetype begin = at_;
    while (isDigit(peek()) && at_ - begin < kMostDigits) ++at_;
    if (at_ > begin) {
      node->kind = SnippetNode::Kind::kStop;
      node->number = QStringView(text_).mid(begin, at_ - begin).toInt();
      return true;
    }
    if (!beginsName(peek())) return false;
    while (beginsName(peek()) || isDigit(peek())) ++at_;
    node->kind = SnippetNode::Kind::kVariable;
    node->text = text_.mid(begin, at_ - begin);
    return true;
  }

  bool readChoices(SnippetNode* node) {
    QString choice;
    while (!atEnd()) {
      const QChar c = peek();
      if (c == u'\\' && (peek(1) == u',' || peek(1) == u'|' || peek(1) == u'\\')) {
        choice += peek(1);
        at_ += 2;
      } else if (c == u'|' && peek(1) == u'}') {
        at_ += 2;
        node->choices.append(choice);
        return true;
      } else if (c == u',') {
        ++at_;
        node->choices.append(std::exchange(choice, {}));
      } else {
        choice += c;
        ++at_;
      }
    }
    return false;
  }

  bool readTransform(SnippetNode* node) {
    auto transform = std::make_shared<SnippetTransform>();
    QString pattern;
    while (peek() != u'/') {
      if (atEnd()) return false;
      if (peek() == u'\\' && peek(1) == u'/') {
        ++at_;  // a slash needs no escape in the expression itself
      } else if (peek() == u'\\') {
        pattern += peek();
        ++at_;
        if (atEnd()) return false;
      }
      pattern += peek();
      ++at_;
    }
    ++at_;
    if (!readFormat(&transform->format)) return false;
    QRegularExpression::PatternOptions options = QRegularExpression::UseUnicodePropertiesOption;
    while (!atEnd() && peek() != u'}') {
      if (peek() == u'g') transform->everywhere = true;
      if (peek() == u'i') options |= QRegularExpression::CaseInsensitiveOption;
      if (peek() == u'm') options |= QRegularExpression::MultilineOption;
      if (peek() == u's') options |= QRegularExpression::DotMatchesEverythingOption;
      ++at_;
    }
    if (!take(u'}')) return false;
    transform->expression = QRegularExpression(pattern, options);
    if (!transform->expression.isValid()) return false;
    node->transform = std::move(transform);
    return true;
  }

  // Up to the slash that ends it.
  bool readFormat(QVector<SnippetFormat>* format) {
    QString plain;
    const auto endPlain = [&] {
      if (!plain.isEmpty()) format->append({.text = std::exchange(plain, {})});
    };
    while (!atEnd()) {
      const QChar c = peek();
      if (c == u'/') {
        endPlain();
        ++at_;
        return true;
      }
      if (c == u'\\' && at_ + 1 < text_.size()) {
        const QChar escaped = peek(1);
        if (escaped == u'n') {
          plain += u'\n';
        } else if (escaped == u't') {
          plain += u'\t';
        } else if (QStringView(u"\\$}/").contains(escaped)) {
          plain += escaped;
        } else {
          plain += c;
          plain += escaped;
        }
        at_ += 2;
        continue;
      }
      if (c == u'$') {
        const qsizetype begin = at_;
        SnippetFormat part;
        if (readGroup(&part)) {
          endPlain();
          format->append(part);
          continue;
        }
        at_ = begin;
      }
      plain += c;
      ++at_;
    }
    return false;
  }

  bool readGroup(SnippetFormat* part) {
    ++at_;
    SnippetNode head;
    const bool inBraces = take(u'{');
    if (!readHead(&head) || head.kind != SnippetNode::Kind::kStop) return false;
    part->group = head.number;
    if (!inBraces || take(u'}')) return true;
    if (!take(u':')) return false;
    if (take(u'/')) {
      const qsizetype begin = at_;
      while (peek().isLetter()) ++at_;
      using Case = SnippetFormat::Case;
      const QStringView name = QStringView(text_).mid(begin, at_ - begin);
      part->letters = name == u"upcase"       ? Case::kUpper
                      : name == u"downcase"   ? Case::kLower
                      : name == u"capitalize" ? Case::kCapitalized
                      : name == u"pascalcase" ? Case::kPascal
                      : name == u"camelcase"  ? Case::kCamel
                                              : Case::kAsIs;
      return take(u'}');
    }
    part->chooses = true;
    if (take(u'+')) {
      part->whenMatched = until(u"}", true);
    } else if (take(u'?')) {
      part->whenMatched = until(u":", true);
      if (!take(u':')) return false;
      part->whenNot = until(u"}", false);
    } else {
      take(u'-');
      part->whenNot = until(u"}", false);
    }
    return take(u'}');
  }

  // Never null where `marks` says so.
  QString until(QStringView end, bool marks) {
    QString read = marks ? QStringLiteral("") : QString();
    while (!atEnd() && !end.contains(peek())) {
      if (peek() == u'\\' && at_ + 1 < text_.size()) ++at_;
      read += peek();
      ++at_;
    }
    return read;
  }

  const QString& text_;
  qsizetype at_ = 0;
};

}  // namespace

QVector<SnippetNode> readSnippet(const QString& snippet) {
  if (snippet.size() > kLongestSnippet) return {{.text = snippet.left(kLongestSnippet)}};
  return SnippetReader(snippet).readAll();
}

}  // namespace waferpair::editor

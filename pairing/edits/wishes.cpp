// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/wishes.h"

#include <QRegularExpression>
#include <QStringList>
#include <utility>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

constexpr auto kAnyCase = QRegularExpression::CaseInsensitiveOption;

// Words in front of a name that say what it is a name of.
constexpr char kOf[] =
    R"((?:(?:the|a|an|this|its|local|parameter|argument|variable|function|method|class|field|member|constant|name|all|every|any|old|new)\s+)*)";

// Of these words, together: as it was and as it is.
std::pair<int, int> countsOf(const QStringList& words, const Rewriting& code) {
  std::pair<int, int> count;
  for (const QString& word : words) {
    count.first += code.before.count(word);
    count.second += code.after.count(word);
  }
  return count;
}

// Lines that begin with one of these words.
int headsOf(const QStringList& words, const CodeText& text) {
  int heads = 0;
  for (int line = 0; line < text.lineCount(); ++line) {
    const QByteArray here = text.line(line).trimmed().toByteArray();
    for (const QString& word : words) {
      const QByteArray name = word.toUtf8();
      heads += here.startsWith(name + ' ') || here.startsWith(name + '(');
    }
  }
  return heads;
}

QString stillThere(const QString& name) { return translate("“%1” is still there").arg(name); }
QString notThere(const QString& name) { return translate("“%1” is not there").arg(name); }

// Words of which none is meant to stay where another is to be used.
bool isAlwaysAll(const QString& word) {
  static const QStringList words = {QStringLiteral("var"),  QStringLiteral("let"),
                                    QStringLiteral("NULL"), QStringLiteral("goto"),
                                    QStringLiteral("auto"), QStringLiteral("malloc")};
  return words.contains(word);
}

// Words that are written as they are said.
bool isKeyword(const QString& word) {
  static const QStringList words = {QStringLiteral("const"),   QStringLiteral("let"),
                                    QStringLiteral("while"),   QStringLiteral("for"),
                                    QStringLiteral("switch"),  QStringLiteral("auto"),
                                    QStringLiteral("nullptr"), QStringLiteral("constexpr"),
                                    QStringLiteral("await"),   QStringLiteral("yield")};
  return words.contains(word);
}

QString unmetRenaming(const QString& instruction, const Rewriting& code) {
  static const QRegularExpression form(
      QStringLiteral(R"(\brename\s+%1[`'"]?([\w$]+)[`'"]?\s+(?:to|as|into)\s+[`'"]?([\w$]+))")
          .arg(QLatin1String(kOf)),
      kAnyCase | QRegularExpression::UseUnicodePropertiesOption);
  const auto match = form.match(instruction);
  if (!match.hasMatch() || code.before.count(match.captured(1)) == 0) return {};
  if (code.after.count(match.captured(1)) > 0) return stillThere(match.captured(1));
  return code.after.count(match.captured(2)) == 0 ? notThere(match.captured(2)) : QString();
}

// One thing for another: what goes is named last ("use A instead of B") or first ("replace B by A",
// "convert B to A").
QString unmetReplacement(const QString& instruction, const Rewriting& code) {
  static const QRegularExpression insteadOf(
      QStringLiteral(R"(([\w$.:]+)\s+instead\s+of\s+%1([\w$]+)(?:\s+(loops?))?)")
          .arg(QLatin1String(kOf)),
      kAnyCase);
  static const QRegularExpression by(
      QStringLiteral(
          R"(\b(replace|convert|turn|change|rewrite)\s+%1([\w$]+)(?:\s+(loops?))?(?:\s+here)?\s+(?:by|with|to|into|as)\s+%1([\w$.:-]+))")
          .arg(QLatin1String(kOf)),
      kAnyCase);
  QString gone, loop, come;
  if (const auto match = insteadOf.match(instruction); match.hasMatch()) {
    come = match.captured(1);
    gone = match.captured(2);
    loop = match.captured(3);
  } else if (const auto other = by.match(instruction); other.hasMatch()) {
    gone = other.captured(2);
    loop = other.captured(3);
    come = other.captured(4);
    // "convert name to lower case" is about what the name stands for.
    const bool isReplaced = other.captured(1).compare(u"replace", Qt::CaseInsensitive) == 0;
    if (!isReplaced && loop.isEmpty() && gone.compare(u"loop", Qt::CaseInsensitive) != 0) return {};
  } else {
    return {};
  }
  const bool isLoop = gone.compare(u"loop", Qt::CaseInsensitive) == 0;
  const QStringList going =
      isLoop ? QStringList{QStringLiteral("for"), QStringLiteral("while")} : QStringList{gone};
  const auto [was, is] = countsOf(going, code);
  if (was == 0) return {};
  // Of several loops one may be meant; a comprehension has a word of them, too.
  const bool isOne = isLoop || !loop.isEmpty();
  if (isOne) {
    const int headsBefore = headsOf(going, code.before.text);
    const int heads = headsOf(going, code.after.text);
    if (headsBefore > 0 && heads >= headsBefore && come != u"range-based")
      return stillThere(isLoop ? translate("loop") : gone);
  } else if (is >= was || (is > 0 && isAlwaysAll(gone))) {
    return stillThere(gone);
  }
  return isKeyword(come) && code.after.count(come) == 0 ? notThere(come) : QString();
}

// Names that the instruction has as they stand in code: "logging.debug", "current_indent",
// "TypeError", what is in backticks or quotes.
QString unmetName(const QString& instruction, const Rewriting& code) {
  static const QRegularExpression name(QStringLiteral(
      R"(`([^`]+)`|((?:[A-Za-z_$][\w$]*(?:\.|::|->))+[A-Za-z_$][\w$]*)|\b([A-Za-z$]*[a-z][A-Z][\w$]*|[A-Z][a-z]+[A-Z]\w*|\w*_\w+|\w+_)(?!\w))"));
  static const QRegularExpression removal(
      QStringLiteral(
          R"(\b(remove|delete|drop|without|rename|replace|instead|no longer|inline|get rid|convert|not)\b)"),
      kAnyCase);
  if (removal.match(instruction).hasMatch()) return {};
  const QByteArray there = code.after.text.bytes();
  for (auto each = name.globalMatch(instruction); each.hasNext();) {
    const auto match = each.next();
    QString wanted = match.captured(0);
    wanted.remove(u'`');
    if (wanted.contains(u' ') || wanted.contains(u'(')) continue;
    // A sentence that ends in a file's name or an abbreviation is none of code.
    static const QRegularExpression other(
        QStringLiteral(R"(^(e\.g|i\.e|.*\.(py|js|ts|cc|cpp|h|hpp|go|rs|md|txt|json))$)"), kAnyCase);
    if (other.match(wanted).hasMatch()) continue;
    // "JavaScript", "GitHub": words in capitals are names where the code has them, or errors.
    static const QRegularExpression error(QStringLiteral(R"((Error|Exception|Warning)$)"));
    const bool isPlain = !wanted.contains(QRegularExpression(QStringLiteral(R"([._:>`])"))) &&
                         match.captured(1).isEmpty();
    if (isPlain && !error.match(wanted).hasMatch() &&
        !code.before.text.bytes().contains(wanted.toUtf8()))
      continue;
    if (!there.contains(wanted.toUtf8())) return notThere(wanted);
  }
  return {};
}

// What is done by a word of the language, which stands there once more then.
QString unmetVerb(const QString& instruction, const Rewriting& code) {
  static const QRegularExpression negation(
      QStringLiteral(
          R"(\b(not|never|no|don't|remove|delete|drop|instead|without|replace|rather|stop|catch|before|after|convert)\b.*\b(throw|raise|assert)|\b(throw|raise|assert)\w*\b.*\b(instead|rather)\b)"),
      kAnyCase);
  static const QRegularExpression verb(
      QStringLiteral(
          R"((?:^|[,;.:]\s*|\b(?:and|then|also|must|should|to)\s+)(throw|raise|assert)\b)"),
      kAnyCase);
  const auto match = verb.match(instruction);
  if (!match.hasMatch() || negation.match(instruction).hasMatch()) return {};
  const QString word = match.captured(1).toLower();
  const QByteArray name = word.toUtf8();
  // "ASSERT_TRUE", "console.assert", "errors.New" are how others say it.
  if (word == u"assert") {
    const auto said = [](const CodeText& text) { return text.bytes().toLower().count("assert"); };
    return said(code.after.text) <= said(code.before.text) ? notThere(word) : QString();
  }
  const QStringList words = {QStringLiteral("throw"), QStringLiteral("raise")};
  const bool known = code.before.text.family().pairs || code.before.text.family().indented;
  const auto [was, is] = countsOf(words, code);
  return known && is <= was ? notThere(word) : QString();
}

// What throws now and did not, though nobody spoke of that.
QString unaskedError(const QString& instruction, const Rewriting& code) {
  static const QRegularExpression spoken(
      QStringLiteral(
          R"(\b(throw|rais|error|exception|fail|reject|refus|abort|valid|check|assert|guard|panic|crash|handl|invalid|illegal|require|body|implement|write)\w*)"),
      kAnyCase);
  if (spoken.match(instruction).hasMatch()) return {};
  for (const char* word : {"throw", "raise"})
    if (code.after.counts.value(word) > code.before.counts.value(word))
      return translate("“%1” was not spoken of").arg(QLatin1String(word));
  return {};
}

// "return 0 if it is negative, too": what was compared is compared still, be it with "<=".
QString lostCondition(const QString& instruction, const Rewriting& code) {
  static const QRegularExpression too(QStringLiteral(R"(\b(too|also|as well|additionally)\b)"),
                                      kAnyCase);
  if (!too.match(instruction).hasMatch()) return {};
  const auto comparisons = [](const CodeText& text) {
    qsizetype found = 0;
    for (const char* sign : {"==", "<=", ">=", "!=", " is "}) found += text.bytes().count(sign);
    return found;
  };
  static const QRegularExpression fewer(QStringLiteral(R"(\b(simplif|remove|drop|merge)\w*)"),
                                        kAnyCase);
  return !fewer.match(instruction).hasMatch() &&
                 comparisons(code.after.text) < comparisons(code.before.text)
             ? translate("a condition that was there is gone")
             : QString();
}

}  // namespace

bool onlyAdds(const QString& instruction) {
  static const QRegularExpression adds(
      QStringLiteral(
          R"(^\s*(?:please\s+)?(?:also\s+)?(add|log|assert|throw|raise|document|print|reserve|warn|count)\b|^\s*also\b)"),
      kAnyCase);
  static const QRegularExpression changes(
      QStringLiteral(
          R"(\b(instead|replace|remove|delete|drop|rename|convert|simplify|rewrite|refactor|move|extract|inline|rather|don't|do not|no longer|only|parameter|argument|return)\b)"),
      kAnyCase);
  return adds.match(instruction).hasMatch() && !changes.match(instruction).hasMatch();
}

QString unmetWish(const QString& instruction, const Rewriting& code) {
  for (const auto unmet :
       {unmetRenaming, unmetReplacement, unmetName, unmetVerb, unaskedError, lostCondition})
    if (QString why = unmet(instruction, code); !why.isEmpty()) return why;
  return {};
}

}  // namespace waferpair::pairing

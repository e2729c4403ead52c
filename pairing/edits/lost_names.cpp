// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/lost_names.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include "pairing/edits/wishes.h"

namespace waferpair::pairing {
namespace {

constexpr auto kEitherCase = QRegularExpression::CaseInsensitiveOption;

bool isWord(const QByteArray& token) {
  const char first = token.isEmpty() ? '\0' : token.front();
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' ||
         first == '$';
}

// Words of languages, which name nothing.
const QSet<QByteArray>& ownWords() {
  static const QSet<QByteArray> words = {
      "if",     "else",       "for",      "while",  "do",     "switch", "case",    "catch",
      "return", "sizeof",     "new",      "delete", "throw",  "await",  "yield",   "and",
      "or",     "not",        "in",       "is",     "elif",   "except", "finally", "with",
      "as",     "lambda",     "assert",   "raise",  "import", "from",   "const",   "let",
      "var",    "auto",       "function", "class",  "struct", "this",   "self",    "super",
      "null",   "None",       "true",     "false",  "True",   "False",  "nullptr", "undefined",
      "typeof", "instanceof", "of",       "try",    "def",    "static"};
  return words;
}

// What Python and JavaScript bring along.
const QSet<QByteArray>& languageNames() {
  static const QSet<QByteArray> names = [] {
    static constexpr char kNames[] =
        "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr "
        "classmethod "
        "compile complex delattr dict dir divmod enumerate eval exec filter float format frozenset "
        "getattr globals hasattr hash help hex id input int isinstance issubclass iter len list "
        "locals map max memoryview min next object oct open ord pow print property range repr "
        "reversed round set setattr slice sorted staticmethod str sum tuple type vars zip "
        "NotImplemented Ellipsis __name__ __file__ __import__ __debug__ BaseException Exception "
        "ArithmeticError AssertionError AttributeError BlockingIOError BufferError BytesWarning "
        "ConnectionError DeprecationWarning EOFError FileExistsError FileNotFoundError "
        "FloatingPointError FutureWarning GeneratorExit IOError ImportError IndentationError "
        "IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError "
        "MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError "
        "OverflowError PermissionError RecursionError ReferenceError ResourceWarning RuntimeError "
        "RuntimeWarning StopAsyncIteration StopIteration SyntaxError SystemError SystemExit "
        "TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError "
        "UnicodeError "
        "UserWarning ValueError Warning ZeroDivisionError async break continue del except finally "
        "global nonlocal pass match case Array ArrayBuffer BigInt Boolean Buffer DataView Date "
        "Error "
        "EvalError Function Infinity Intl JSON Map Math NaN Number Object Promise Proxy RangeError "
        "Reflect RegExp Set String Symbol SyntaxError URIError URL URLSearchParams Uint8Array "
        "Int32Array Float64Array WeakMap WeakSet WeakRef arguments atob btoa clearImmediate "
        "clearInterval clearTimeout console decodeURI decodeURIComponent document encodeURI "
        "encodeURIComponent escape eval exports fetch global globalThis isFinite isNaN "
        "localStorage "
        "module navigator parseFloat parseInt performance process queueMicrotask require "
        "sessionStorage setImmediate setInterval setTimeout structuredClone unescape window void "
        "default export extends debugger enum get set static async TextDecoder TextEncoder "
        "AbortController any string number boolean unknown never interface type keyof readonly "
        "declare implements private protected public namespace abstract React JSX HTMLElement "
        "Event "
        "EventTarget Node Element Record Partial Readonly Pick Omit ReadonlyArray Iterable "
        "satisfies";
    QSet<QByteArray> all;
    for (const QByteArray& name : QByteArray(kNames).split(' ')) all.insert(name);
    return all;
  }();
  return names;
}

// What goes and comes with the form of a loop.
const QSet<QByteArray>& loopWords() {
  static const QSet<QByteArray> words = {
      "append", "push",   "push_back", "emplace_back", "add",    "insert", "extend",
      "size",   "length", "begin",     "end",          "len",    "range",  "enumerate",
      "at",     "list",   "forEach",   "map",          "cbegin", "cend",   "iter",
      "next",   "items",  "keys",      "values"};
  return words;
}

// Names that are set by "x =", "for x, y in", "for (T x : ...)", "T x(...)" and the like.
QSet<QByteArray> setIn(const QByteArrayList& code) {
  QSet<QByteArray> names;
  for (qsizetype i = 0; i < code.size(); ++i) {
    const QByteArray& next = code.value(i + 1);
    const bool isMember = i > 0 && (code[i - 1] == "." || code[i - 1] == ">");
    if (!isWord(code[i]) || ownWords().contains(code[i]) || isMember) continue;
    const bool isAssigned = next == "=" && code.value(i + 2) != "=";
    const bool isTyped = i > 0 && isWord(code[i - 1]) && !ownWords().contains(code[i - 1]);
    const bool isDeclared =
        i > 0 && (code[i - 1] == "var" || code[i - 1] == "let" || code[i - 1] == "const" ||
                  code[i - 1] == "auto" || code[i - 1] == "as" || code[i - 1] == "for" || isTyped ||
                  code[i - 1] == "*" || code[i - 1] == "&");
    if (isAssigned || isDeclared || next == "in" || next == ":") names.insert(code[i]);
    if (next == "," || next == ")" || next == ";" || next == "[")
      if (isDeclared) names.insert(code[i]);
  }
  // All names between "for" and "in", and in a head's parentheses.
  for (qsizetype i = 0; i < code.size(); ++i) {
    if (code[i] != "for") continue;
    for (qsizetype at = i + 1; at < code.size() && at < i + 12 && code[at] != "in"; ++at)
      if (isWord(code[at])) names.insert(code[at]);
  }
  return names;
}

// Names in parentheses that are a function's: "(a, b) =>", "function (a)", "def f(a):", "lambda
// a:".
QSet<QByteArray> boundIn(const QByteArrayList& code) {
  QSet<QByteArray> names;
  for (qsizetype i = 0; i < code.size(); ++i) {
    if (code[i] == "lambda")
      for (qsizetype at = i + 1; at < code.size() && code[at] != ":"; ++at) names.insert(code[at]);
    if (code[i] == "=" && code.value(i + 1) == ">" && i > 0) {
      qsizetype at = i - 1;
      if (code[at] != ")") names.insert(code[at]);
      for (int depth = 0; at >= 0 && code[i - 1] == ")"; --at) {
        depth += (code[at] == ")") - (code[at] == "(");
        names.insert(code[at]);
        if (depth == 0) break;
      }
    }
    const bool isHead = code[i] == "function" || code[i] == "def" || code[i] == "catch";
    if (isHead) {
      for (qsizetype at = i + 1; at < code.size() && code[at] != ")"; ++at) names.insert(code[at]);
    }
    const bool isDeclared = code[i] == "const" || code[i] == "let" || code[i] == "var";
    if (isDeclared && (code.value(i + 1) == "{" || code.value(i + 1) == "["))
      for (qsizetype at = i + 1; at < code.size() && code[at] != "="; ++at) names.insert(code[at]);
    if (code[i] == "import" || code[i] == "global" || code[i] == "nonlocal")
      for (qsizetype at = i + 1; at < code.size() && at < i + 8; ++at) names.insert(code[at]);
  }
  return names;
}

bool isUsed(const QByteArrayList& code, const QByteArray& name) {
  for (qsizetype i = 0; i < code.size(); ++i)
    if (code[i] == name && (i == 0 || (code[i - 1] != "." && code[i - 1] != ">")) &&
        code.value(i + 1) != ":")
      return true;
  return false;
}

}  // namespace

QByteArray unsetName(const Rewriting& code) {
  const QByteArrayList& old = code.before.words;
  const QByteArrayList& fresh = code.after.words;
  const QSet<QByteArray> now = setIn(fresh);
  for (qsizetype i = 0; i + 1 < old.size(); ++i) {
    const QByteArray& name = old[i];
    const bool isLocal = isWord(name) && old[i + 1] == "=" && old.value(i + 2) != "=" &&
                         (i == 0 || (old[i - 1] != "." && old[i - 1] != ">" && old[i - 1] != "(" &&
                                     old[i - 1] != ","));
    if (!isLocal || ownWords().contains(name) || now.contains(name)) continue;
    // A parameter of the new function is set by who calls it.
    static const QByteArray open = "(";
    const qsizetype head = fresh.indexOf(open);
    const qsizetype tail = head < 0 ? -1 : fresh.indexOf(")", head);
    const bool isParameter = head >= 0 && fresh.mid(head, tail - head).contains(name);
    if (!isParameter && isUsed(fresh, name)) return name;
  }
  return {};
}

QByteArray unknownName(const QByteArray& text, const Rewriting& code) {
  const LanguageFamily& family = code.after.text.family();
  const bool isPython = family.indented && family.tripleQuotes;
  if (!isPython && !family.dollars) return {};
  const QByteArrayList& fresh = code.after.words;
  const QByteArrayList all = ReadCode(text, family).words;
  QSet<QByteArray> known(code.before.words.cbegin(), code.before.words.cend());
  known += setIn(fresh);
  known += boundIn(fresh);
  // Elsewhere in the file it has to be more than a member of something.
  QHash<QByteArray, int> here, everywhere;
  const auto count = [](const QByteArrayList& words, QHash<QByteArray, int>* counts) {
    for (qsizetype i = 0; i < words.size(); ++i)
      if (i == 0 || words[i - 1] != ".") ++(*counts)[words[i]];
  };
  count(fresh, &here);
  count(all, &everywhere);
  for (qsizetype i = 0; i < fresh.size(); ++i) {
    const QByteArray& name = fresh[i];
    const bool isMember = i > 0 && fresh[i - 1] == ".";
    const bool isKey = fresh.value(i + 1) == "=" || fresh.value(i + 1) == ":";
    if (!isWord(name) || isMember || isKey || known.contains(name)) continue;
    if (ownWords().contains(name) || languageNames().contains(name)) continue;
    if (everywhere.value(name) <= here.value(name)) return name;
  }
  return {};
}

QByteArray lostUse(const QString& instruction, const Rewriting& code) {
  static const QRegularExpression sameWork(
      QStringLiteral(
          R"(\b(simpl\w*|refactor\w*|clean\s*up|shorten|tidy|convert|comprehension|loops?|arrow|const|rename|format|reorder|early return|readable)\b)"),
      kEitherCase);
  static const QRegularExpression otherWork(
      QStringLiteral(R"(\b(remove|delete|drop|unused|fix|add|no longer|stop|without)\b)"),
      kEitherCase);
  if (!sameWork.match(instruction).hasMatch() || otherWork.match(instruction).hasMatch()) return {};
  const QByteArrayList& old = code.before.words;
  const QByteArrayList& fresh = code.after.words;
  for (qsizetype i = 1; i < old.size(); ++i) {
    const QByteArray& name = old[i];
    const bool isUse = isWord(name) && (old[i - 1] == "." || old.value(i + 1) == "(");
    const bool isDefined = old[i - 1] == "function" || old[i - 1] == "def";
    if (!isUse || isDefined || ownWords().contains(name) || loopWords().contains(name)) continue;
    if (instruction.contains(QString::fromUtf8(name))) continue;
    bool isThere = false;
    for (qsizetype at = 0; at < fresh.size() && !isThere; ++at)
      isThere = fresh[at] == name && ((at > 0 && fresh[at - 1] == old[i - 1]) ||
                                      fresh.value(at + 1) == old.value(i + 1));
    if (!isThere) return name;
  }
  return {};
}

QByteArray unusedName(const QString& instruction, const Rewriting& code) {
  if (!onlyAdds(instruction)) return {};
  // What follows these says where or when.
  static const QRegularExpression place(
      QStringLiteral(
          R"(\b(before|after|behind|when|while|unless|inside|where|at|on|in front)\b.*$)"),
      kEitherCase);
  const QString what = QString(instruction).remove(place);
  const CodeText& before = code.before.text;
  const CodeText& after = code.after.text;
  QSet<QByteArray> stayed, added;
  for (int i = 0; i < before.lineCount(); ++i)
    stayed.insert(before.line(i).toByteArray().simplified());
  for (int i = 0; i < after.lineCount(); ++i) {
    if (stayed.contains(after.line(i).toByteArray().simplified())) continue;
    for (const Token& token : after.tokens(i)) added.insert(after.view(token).toByteArray());
  }
  static const QRegularExpression word(QStringLiteral(R"([A-Za-z_$][\w$]*)"));
  for (auto each = word.globalMatch(what); each.hasNext();) {
    const QByteArray name = each.next().captured().toUtf8();
    const bool isPlain = name.size() < 3 || ownWords().contains(name);
    if (!isPlain && code.before.counts.contains(name) && !added.contains(name)) return name;
  }
  return {};
}

}  // namespace waferpair::pairing

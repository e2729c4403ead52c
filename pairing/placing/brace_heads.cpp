// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/brace_heads.h"

#include <algorithm>

namespace waferpair::pairing {

bool BraceHeads::isMacro(int i) const {
  const QByteArrayView word = view(i);
  return isWord(i) && word.size() > 3 && beginsLine(i) &&
         std::all_of(word.begin(), word.end(), [](char c) {
           return c == '_' || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

bool BraceHeads::isTypeBrace(int i, int at) const {
  if (!text().family().dollars) return false;
  int head = i;
  const int first = afterModifiers(i, at, &head);
  if (!isWord(first) || !isAmongWords(view(first), kValues)) return false;
  bool typed = false;
  for (int k = first; k < at; ++k) {
    if (mark(k) == '=') return false;
    if ((mark(k) == '{' || mark(k) == '(' || mark(k) == '[') && partner(k) > 0) k = partner(k);
    typed = typed || mark(k) == ':';
  }
  return typed;
}

int BraceHeads::afterModifiers(int i, int end, int* head) const {
  int at = i;
  while (at < end) {
    if (mark(at) == '@' && at + 1 < end && isWord(at + 1)) {  // @Override, @Get("/x")
      at += 2;
      while (at + 1 < end && mark(at) == '.' && isWord(at + 1)) at += 2;
      if (at < end && mark(at) == '(' && partner(at) > 0) at = partner(at) + 1;
    } else if (mark(at) == '#' && at + 1 < end && mark(at + 1) == '[' && partner(at + 1) > 0) {
      at = partner(at + 1) + 1;  // #[derive(Debug)]
    } else if (mark(at) == '[' && partner(at) > 0 && at == *head) {
      at = partner(at) + 1;  // [[nodiscard]], [Attribute]
    } else if (isWord(at) && (view(at) == "__attribute__" || view(at) == "__declspec") &&
               mark(at + 1) == '(' && partner(at + 1) > 0 && partner(at + 1) < end) {
      at = partner(at + 1) + 1;  // __attribute__((noinline))
    } else if (at + 1 < end && isMacro(at) && isWord(at + 1) && line(at + 1) != line(at)) {
      ++at;  // a macro on a line of its own, which stands for attributes
    } else if (isWord(at) && view(at) == "template") {
      int depth = 0;
      for (++at; at < end; ++at) {
        if (mark(at) == '<') ++depth;
        if (mark(at) == '>' && --depth == 0) break;
      }
      ++at;
    } else {
      break;
    }
    *head = at;
  }
  while (at < end && isWord(at) && isAmongWords(view(at), kModifiers)) {
    // "default(" and "export(" are names.
    if (at + 1 < end && mark(at + 1) == '(' && view(at) != "pub") break;
    ++at;
    if (at < end && mark(at) == '(' && view(at - 1) == "pub" && partner(at) > 0)
      at = partner(at) + 1;
  }
  return at;
}

bool BraceHeads::describe(int i, int open, int last, int parent, StatementPlace where,
                          Outlined* entry) const {
  const int end = open >= 0 ? open : last + 1;
  int head = i;
  const int at = afterModifiers(i, end, &head);
  if (at >= end) return false;
  const bool named = type(at, end, open, entry) || functionByWord(at, end, open, entry) ||
                     value(at, end, where, entry) || member(at, end, open, where, entry) ||
                     functionByShape(at, end, open, where, entry) ||
                     (open < 0 && memberByArrow(at, end, where, entry));
  if (!named || entry->name.isEmpty()) return false;
  entry->parent = parent;
  entry->attributes = line(i);
  entry->head = line(std::min(head, end - 1));
  entry->last = line(last);
  entry->body = line(open >= 0 ? open : last);
  entry->hasBody = open >= 0 && entry->last > entry->body;
  entry->alone = beginsLine(i) && (last + 1 >= count() || line(last + 1) != line(last));
  entry->headText = textOf(head, end);
  return true;
}

bool BraceHeads::type(int at, int end, int open, Outlined* entry) const {
  if (!isWord(at) || !isAmongWords(view(at), kTypes) || at + 1 >= end) return false;
  entry->kind = Outlined::Kind::kType;
  if (view(at) == "impl" || view(at) == "extension") {
    entry->name = textOf(at, end);
    return open >= 0;
  }
  if (view(at) == "type") {  // "type X = ..." and "type X struct {"
    if (!isWord(at + 1)) return false;
    entry->name = view(at + 1).toByteArray();
    return true;
  }
  // A class of Kotlin may be all that its head says.
  const bool isBare = open < 0 && text().family().tripleQuotes && view(at) == "class" &&
                      isWord(at + 1) && (mark(at + 2) == '(' || mark(at + 2) == '<');
  if (open < 0 && !isBare) return false;
  int name = -1;
  for (int k = at + 1; k < end; ++k) {
    const char c = mark(k);
    if (c == '(') {
      // "struct x* make(" is a function; "class A(val x: Int)" is none.
      if (k - at > 2 && !isAmongWords(view(k - 2), kTypes)) return false;
      break;
    }
    if (c == '[' && partner(k) > 0) {
      k = partner(k);
      continue;
    }
    if (c == ':' || c == '<' || c == '{') {
      if (c == ':' && k + 1 < end && mark(k + 1) == ':') {
        ++k;
        continue;
      }
      break;
    }
    if (c == '*' || c == '=') return false;
    if (!isWord(k)) continue;
    static constexpr std::array<Word, 6> kStops = {"final", "extends", "implements",
                                                   "where", "for",     "permits"};
    if (isAmongWords(view(k), kStops)) break;
    if (!isAmongWords(view(k), kTypes)) name = k;
  }
  if (name < 0) return false;
  entry->name = view(name).toByteArray();
  return true;
}

bool BraceHeads::functionByWord(int at, int end, int open, Outlined* entry) const {
  int word = -1;
  for (int k = at; k < std::min(end, at + 3); ++k)
    if (isWord(k) && isAmongWords(view(k), kFunctions)) {
      word = k;
      break;
    } else if (!isWord(k) || (k > at && !isAmongWords(view(k), kModifiers))) {
      break;
    }
  if (word < 0) return false;
  int name = word + 1;
  if (name < end && mark(name) == '*') ++name;
  if (name < end && mark(name) == '<') {  // fun <T> f(
    int depth = 0;
    for (; name < end; ++name) {
      if (mark(name) == '<') ++depth;
      if (mark(name) == '>' && --depth == 0) break;
    }
    ++name;
  }
  if (name < end && mark(name) == '(' && partner(name) > 0) {  // a receiver of Go
    for (int k = name + 1; k < partner(name); ++k)
      if (isWord(k)) entry->owner = view(k).toByteArray();
    name = partner(name) + 1;
  }
  while (name + 2 < end && isWord(name) && mark(name + 1) == '.' && isWord(name + 2)) {
    entry->owner = view(name).toByteArray();
    name += 2;
  }
  if (name >= end || !isWord(name)) return false;
  entry->kind = Outlined::Kind::kFunction;
  entry->name = view(name).toByteArray();
  return open >= 0 || (name + 1 < end && mark(name + 1) == '(');
}

// A function or a class is assigned, as far as tokens [from, end) tell.
bool BraceHeads::isFunction(int from, int end) const {
  if (from < end && isWord(from) && (view(from) == "function" || view(from) == "async"))
    return true;
  for (int k = from; k + 1 < end; ++k) {
    if (mark(k) == '=' && mark(k + 1) == '>') return true;
    if ((mark(k) == '(' || mark(k) == '[') && partner(k) > 0) k = partner(k);
    if (k > from + 24) break;
  }
  return false;
}

int BraceHeads::assignment(int at, int end) const {
  for (int k = at; k < end; ++k) {
    if ((mark(k) == '(' || mark(k) == '[') && partner(k) > 0) {
      k = partner(k);
      continue;
    }
    if (mark(k) == '{' && partner(k) > 0 && isTypeBrace(at, k)) {
      k = partner(k);
      continue;
    }
    if (mark(k) == '{') return -1;
    if (mark(k) != '=') continue;
    const bool compares = k + 1 < end && (mark(k + 1) == '=' || mark(k + 1) == '>');
    return compares ? -1 : k;
  }
  return -1;
}

bool BraceHeads::value(int at, int end, StatementPlace where, Outlined* entry) const {
  const int equals = assignment(at, end);
  if (equals <= at) return false;
  const bool byWord = isWord(at) && isAmongWords(view(at), kValues);
  const bool function = isFunction(equals + 1, end);
  if (function) {
    // The name stands before "=" or, with its type, before ":".
    int name = equals - 1;
    for (int k = at; k < equals; ++k)
      if (mark(k) == ':') {
        name = k - 1;
        break;
      }
    if (name < at || !isWord(name)) return false;
    entry->kind = Outlined::Kind::kFunction;
    entry->name = view(name).toByteArray();
    if (!byWord && name - 2 >= at && mark(name - 1) == '.')
      entry->owner = textOf(at, name - 1).replace(" ", "");
    return true;
  }
  if (where == StatementPlace::kFunction) return false;
  int name = -1;
  if (byWord) {
    name = at + 1;
    while (name < equals && isWord(name) && isAmongWords(view(name), kModifiers)) ++name;
  }
  // "constexpr int kMost = 3;"
  const bool typed = !text().family().dollars && equals - 1 > at && isWord(equals - 1);
  if (typed) name = equals - 1;
  if (text().family().dollars && byWord && name + 1 < equals && mark(name + 1) != ':') return false;
  if (name < 0 || !isWord(name)) return false;
  entry->kind = Outlined::Kind::kValue;
  entry->name = view(name).toByteArray();
  return true;
}

// "name: function (", "name: {" of an object.
bool BraceHeads::member(int at, int end, int open, StatementPlace where, Outlined* entry) const {
  if (where != StatementPlace::kType || !text().family().dollars || at + 1 >= end) return false;
  if (!isWord(at) || mark(at + 1) != ':') return false;
  entry->name = view(at).toByteArray();
  const bool function = isFunction(at + 2, end);
  if (!function && open < 0) return false;
  entry->kind = function ? Outlined::Kind::kFunction : Outlined::Kind::kValue;
  return true;
}

// Members of C# that are an expression: "int Count => list.Count;", "int Sum() => a + b;".
bool BraceHeads::memberByArrow(int at, int end, StatementPlace where, Outlined* entry) const {
  const LanguageFamily& family = text().family();
  const bool isSharp =
      !family.dollars && !family.tripleQuotes && !family.lifetimes && family.rawQuotes[0] == '\0';
  if (!isSharp || where == StatementPlace::kFunction) return false;
  for (int k = at + 1; k < end; ++k) {
    const bool isCall = mark(k) == '(' && partner(k) > 0;
    const int behind = isCall ? partner(k) + 1 : k;
    if (isArrow(behind) && isWord(k - 1) && k - 1 > at) {
      entry->kind = Outlined::Kind::kFunction;
      entry->name = view(k - 1).toByteArray();
      return true;
    }
    if (isCall || mark(k) == '=') return false;
  }
  return false;
}

bool BraceHeads::functionByShape(int at, int end, int open, StatementPlace where,
                                 Outlined* entry) const {
  if (open < 0 || where == StatementPlace::kFunction) return false;
  for (int k = at; k < end; ++k) {
    if (mark(k) == '=' && !(k > at && view(k - 1) == "operator")) return false;
    if (mark(k) != '(') continue;
    int name = k - 1;
    // "operator==(", "operator()("
    int word = name;
    while (word > at && word > k - 4 && view(word) != "operator") --word;
    if (word >= at && view(word) == "operator") {
      const int close = partner(k);
      const bool call = word == k - 1 && close == k + 1 && close + 1 < end;
      entry->name = "operator" + (call ? QByteArray("()") : textOf(word + 1, k).replace(" ", ""));
      name = word;
    } else {
      if (mark(name) == '>') {  // f<T>(
        int depth = 0;
        for (; name > at; --name) {
          if (mark(name) == '>') ++depth;
          if (mark(name) == '<' && --depth == 0) break;
        }
        --name;
      }
      if (name < at || !isWord(name) || isAmongWords(view(name), kControl)) return false;
      entry->name = view(name).toByteArray();
    }
    if (name > at && mark(name - 1) == '~') {
      entry->name.prepend('~');
      --name;
    }
    if (name - 3 >= at && mark(name - 1) == ':' && mark(name - 2) == ':') {
      int owner = name - 3;
      if (mark(owner) == '>') {
        int depth = 0;
        for (; owner > at; --owner) {
          if (mark(owner) == '>') ++depth;
          if (mark(owner) == '<' && --depth == 0) break;
        }
        --owner;
      }
      if (owner >= at && isWord(owner)) entry->owner = view(owner).toByteArray();
    }
    // Getters and setters of one name are two.
    if (name > at && isWord(name - 1) && (view(name - 1) == "get" || view(name - 1) == "set"))
      entry->name.prepend(view(name - 1).toByteArray() + ' ');
    entry->kind = Outlined::Kind::kFunction;
    return true;
  }
  return false;
}

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
// A call, or the head of a function, got an argument more or less or another one: the other calls.
// Only those that stand whole in their line.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "pairing/next_edit/search.h"

namespace waferpair::pairing {

namespace {

constexpr int kOldestCall = 6;  // edits ago
constexpr int kMostCalls = 100;

struct Call {
  QByteArray name;
  std::vector<ByteRange> arguments;  // bytes of the text, trimmed
  qint64 inside = 0;                 // where the first argument would begin
  bool definition = false;
};

std::vector<Call> callsIn(const CodeText& text, int line) {
  std::vector<Call> calls;
  const std::span<const Token> tokens = text.tokens(line);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (text.view(tokens[i]) != "(" || tokens[i - 1].kind != TokenKind::kWord ||
        tokens[i].region != Region::kCode)
      continue;
    Call call{text.view(tokens[i - 1]).toByteArray(), {}, tokens[i].end()};
    if (i >= 2) {
      const QByteArrayView before = text.view(tokens[i - 2]);
      call.definition = before == "def" || before == "func" || before == "fn" ||
                        before == "function" || before == "fun";
    }
    int depth = 0;
    std::size_t first = i + 1;
    bool closed = false;
    for (std::size_t j = i; j < tokens.size() && !closed; ++j) {
      if (tokens[j].region == Region::kString && j > i) continue;
      const QByteArrayView mark = text.view(tokens[j]);
      if (mark == "(" || mark == "[" || mark == "{") ++depth;
      const bool closes = mark == ")" || mark == "]" || mark == "}";
      if (closes) --depth;
      const bool ends = depth == 0 && closes;
      if ((depth == 1 && mark == ",") || ends) {
        if (first < j) call.arguments.push_back({tokens[first].start, tokens[j - 1].end()});
        first = j + 1;
      }
      closed = ends;
    }
    if (closed) calls.push_back(std::move(call));
  }
  return calls;
}

// Argument `index` came, went, or became another.
struct ArgumentChange {
  QByteArray name;      // of what is called
  qsizetype count = 0;  // of arguments before
  qsizetype index = 0;
  QByteArray was, is;  // one may be null: it came, or it went
  bool definition = false;
};

QByteArrayList argumentsOf(const CodeText& text, const Call& call) {
  QByteArrayList all;
  for (const ByteRange& range : call.arguments)
    all += text.bytes().mid(range.start, range.end - range.start);
  return all;
}

// "int count = 0" and "count: int" are called with `count`; empty where that is not plain.
QByteArray parameterName(const QByteArray& parameter) {
  if (parameter.contains('=')) return {};  // calls may leave it out
  const CodeText text(parameter, languageFamily({}));
  const std::span<const Token> tokens = text.tokens();
  QByteArray name;
  for (const Token& token : tokens) {
    if (text.view(token) == ":") break;
    if (token.kind == TokenKind::kWord) name = text.view(token).toByteArray();
  }
  return name;
}

std::optional<ArgumentChange> argumentChange(const ChangedLine& change) {
  for (const Call& was : callsIn(change.before(), 0)) {
    for (const Call& is : callsIn(change.after(), 0)) {
      if (was.name != is.name) continue;
      const QByteArrayList before = argumentsOf(change.before(), was);
      const QByteArrayList after = argumentsOf(change.after(), is);
      if (before == after || std::abs(before.size() - after.size()) > 1) continue;
      qsizetype head = 0;
      while (head < std::min(before.size(), after.size()) && before[head] == after[head]) ++head;
      qsizetype tail = 0;
      while (tail < std::min(before.size(), after.size()) - head &&
             before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
      const qsizetype gone = before.size() - head - tail, come = after.size() - head - tail;
      if (gone > 1 || come > 1) continue;
      ArgumentChange result{was.name, before.size(), head, {}, {}, was.definition || is.definition};
      if (gone == 1) result.was = before[head];
      if (come == 1) result.is = after[head];
      if (result.definition && gone == 1 && come == 1) continue;  // that is a name's matter
      if (result.definition && come == 1) {
        result.is = parameterName(result.is);
        if (result.is.isEmpty()) continue;
      }
      return result;
    }
  }
  return {};
}

// The line with the change made in the call; null: it is not such a call.
QByteArray changedCall(const CodeText& text, int line, const Call& call,
                       const ArgumentChange& change) {
  if (call.name != change.name) return {};
  const QByteArrayList arguments = argumentsOf(text, call);
  qsizetype index = change.index;
  qsizetype count = change.count;
  // Methods are called without the receiver that their head names.
  if (change.definition && arguments.size() == count - 1 && index > 0) {
    --index;
    --count;
  }
  if (arguments.size() != count) return {};
  qint64 from = 0, to = 0;
  QByteArray put = change.is;
  if (!change.was.isNull()) {
    if (!change.definition && arguments[index] != change.was) return {};
    from = call.arguments[index].start;
    to = call.arguments[index].end;
    if (change.is.isNull()) {  // with the comma before it or behind it
      if (index > 0) {
        from = call.arguments[index - 1].end;
      } else if (count > 1) {
        to = call.arguments[1].start;
      }
    }
  } else if (arguments.contains(change.is)) {
    return {};
  } else if (count == 0) {
    from = to = call.inside;
  } else if (index < count) {
    from = to = call.arguments[index].start;
    put += ", ";
  } else {
    from = to = call.arguments[count - 1].end;
    put.prepend(", ");
  }
  QByteArray result = text.line(line).toByteArray();
  return result.replace(from - text.lineStart(line), to - from, put);
}

}  // namespace

void findCalls(Search& search) {
  for (std::size_t s = 0; s < search.sources().size(); ++s) {
    const SourceLine& source = search.sources()[s];
    if (source.age > kOldestCall || search.isCancelled()) return;
    const std::optional<ArgumentChange> change = argumentChange(source.change);
    if (!change) continue;
    const quint32 hash = tokenHash(change->name);
    const ChangedSpan whole = source.change.whole();
    std::vector<Candidate> found;
    for (int t = 0; t < search.situation().texts.size(); ++t) {
      const CodeText& text = search.code(t);
      int lastLine = -1;
      for (const Token& token : text.tokens()) {
        if (!text.is(token, change->name, hash)) continue;
        const int line = text.lineOf(token);
        if (std::exchange(lastLine, line) == line) continue;
        if (t == source.text && line == source.edit.line) continue;
        for (const Call& call : callsIn(text, line)) {
          const QByteArray result = changedCall(text, line, call, *change);
          if (result.isNull()) continue;
          Candidate candidate;
          candidate.text = t;
          candidate.line = line;
          candidate.lines = {result};
          candidate.finder = Finder::kCall;
          candidate.change = changeName(source.change, whole);
          candidate.source = static_cast<int>(s);
          Features& f = candidate.features;
          f.flag(Feature::kDefinition, change->definition);
          f.flag(Feature::kDefinedThere, call.definition);
          f.flag(Feature::kOnlyChange, source.change.spans().size() == 1);
          f.flag(Feature::kRemoves, change->is.isNull());
          f.flag(Feature::kInserts, change->was.isNull());
          found.push_back(std::move(candidate));
          break;
        }
        if (found.size() > kMostCalls) return;
      }
    }
    search.addAll(std::move(found));
  }
}

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/secret_values.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <optional>
#include <string>

#include "runtime/exclusions/characters.h"

namespace waferpair::exclusions {
namespace {

std::size_t distinctOf(std::string_view text) {
  std::bitset<256> seen;
  for (const char c : text) seen.set(static_cast<unsigned char>(c));
  return seen.count();
}

bool hasOneMostly(std::string_view text) {
  std::array<std::size_t, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  return 2 * *std::max_element(counts.begin(), counts.end()) > text.size();
}

// Shannon's, in bits a character.
double entropyOf(std::string_view text) {
  std::array<int, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    const double part = static_cast<double>(count) / static_cast<double>(text.size());
    bits -= part * std::log2(part);
  }
  return bits;
}

// How often a capital follows a small letter.
std::size_t capitalsWithin(std::string_view text) {
  std::size_t capitals = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    capitals += isLower(text[i]) && isUpper(text[i + 1]);
  return capitals;
}

// How often a letter and a digit stand side by side.
int turnsOf(std::string_view text) {
  int turns = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    turns +=
        (isDigit(text[i]) && isLetter(text[i + 1])) || (isLetter(text[i]) && isDigit(text[i + 1]));
  return turns;
}

// Behind these in a value, it stands for another one.
constexpr std::string_view kStandIns[] = {
    "example", "changeme", "change_me", "change-me", "placeholder", "your",    "xxxx", "****",
    "....",    "dummy",    "insert",    "replace",   "redacted",    "<",       ">",    "${",
    "{{",      "%(",       "$(",        "#{",        "todo",        "notreal", "fake", "not-a-",
    "not_a_",  "sample",   "foobar",    "invalid",   "bogus",       "____",    "----"};

// Passwords of tests and documentation are made of these; longer ones first.
constexpr std::string_view kWords[] = {"administrator",
                                       "production",
                                       "correcthorse",
                                       "development",
                                       "localhost",
                                       "mypassword",
                                       "passphrase",
                                       "database",
                                       "password",
                                       "postgres",
                                       "rabbitmq",
                                       "swordfish",
                                       "username",
                                       "welcome",
                                       "letmein",
                                       "default",
                                       "minioadmin",
                                       "staging",
                                       "testing",
                                       "another",
                                       "account",
                                       "battery",
                                       "correct",
                                       "mongodb",
                                       "monkey",
                                       "dragon",
                                       "qwerty",
                                       "secret",
                                       "server",
                                       "access",
                                       "strong",
                                       "string",
                                       "change",
                                       "passwd",
                                       "staple",
                                       "foobar",
                                       "client",
                                       "invalid",
                                       "private",
                                       "public",
                                       "bearer",
                                       "random",
                                       "master",
                                       "hunter",
                                       "wrong",
                                       "admin",
                                       "guest",
                                       "horse",
                                       "hello",
                                       "world",
                                       "login",
                                       "token",
                                       "super",
                                       "value",
                                       "valid",
                                       "mysql",
                                       "redis",
                                       "some",
                                       "user",
                                       "pass",
                                       "pswd",
                                       "word",
                                       "test",
                                       "root",
                                       "demo",
                                       "mock",
                                       "fake",
                                       "temp",
                                       "this",
                                       "that",
                                       "very",
                                       "long",
                                       "real",
                                       "safe",
                                       "good",
                                       "your",
                                       "with",
                                       "auth",
                                       "hash",
                                       "salt",
                                       "data",
                                       "name",
                                       "text",
                                       "abcdef",
                                       "abcd",
                                       "asdf",
                                       "new",
                                       "old",
                                       "the",
                                       "bad",
                                       "not",
                                       "abc",
                                       "foo",
                                       "bar",
                                       "baz",
                                       "qux",
                                       "key",
                                       "pwd",
                                       "api",
                                       "app",
                                       "dev",
                                       "one",
                                       "two",
                                       "for",
                                       "you",
                                       "my",
                                       "me",
                                       "is",
                                       "of",
                                       "to",
                                       "in",
                                       "no",
                                       "an",
                                       "it",
                                       "db",
                                       "pw",
                                       "id",
                                       "ok",
                                       "a",
                                       "x",
                                       "i",
                                       "uri",
                                       "url",
                                       "aws",
                                       "seed",
                                       "sooper",
                                       "postgresql",
                                       "host",
                                       "local",
                                       "bucket",
                                       "sa",
                                       "pas"};

// In "p4$$w0rd" letters stand as digits and signs; what stands for none is left out.
std::string wordsIn(std::string_view lower) {
  std::string words;
  for (const char c : lower) {
    switch (c) {
      case '0':
        words += 'o';
        break;
      case '1':
      case '!':
        words += 'i';
        break;
      case '3':
        words += 'e';
        break;
      case '4':
      case '@':
        words += 'a';
        break;
      case '5':
      case '$':
        words += 's';
        break;
      default:
        if (isLower(c)) words += c;
    }
  }
  return words;
}

// Nothing is left of it when words are taken from its front.
bool isMadeOfWords(std::string_view text) {
  std::bitset<129> reached;
  if (text.size() >= reached.size()) return false;
  reached.set(0);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!reached.test(at)) continue;
    for (const std::string_view word : kWords)
      if (text.substr(at).starts_with(word)) reached.set(at + word.size());
  }
  return reached.test(text.size());
}

// "dXNlcm5hbWU6cGFzc3dvcmQ=", where it is of text.
std::optional<std::string> textInBase64(std::string_view value) {
  if (value.size() < 8 || value.size() % 4 != 0) return std::nullopt;
  auto decoded = fromBase64(value);
  const auto isText = [](char c) { return c >= ' ' && c <= '~'; };
  if (!decoded || !std::all_of(decoded->begin(), decoded->end(), isText)) return std::nullopt;
  return decoded;
}

}  // namespace

std::optional<std::string> fromBase64(std::string_view text) {
  std::string bytes;
  unsigned bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t value =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            .find(c == '-'   ? '+'
                  : c == '_' ? '/'
                             : c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<unsigned>(value);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes += static_cast<char>(bits >> have & 0xff);
  }
  return bytes;
}

bool hasDigit(std::string_view text) { return std::any_of(text.begin(), text.end(), isDigit); }

bool beginsWord(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const char before = text[at - 1];
  if (!isLetter(before) && !isDigit(before) && before != '_' && before != '-') return true;
  // "\n" as it is written in a string, and "%3D" as in an address.
  if (at >= 2 && text[at - 2] == '\\' && (before == 'n' || before == 't' || before == 'r'))
    return true;
  return at >= 3 && text[at - 3] == '%' && isDigit(text[at - 2]);
}

bool isInOrder(std::string_view body) {
  std::size_t steps = 0;
  for (std::size_t i = 0; i + 1 < body.size(); ++i) steps += body[i + 1] - body[i] == 1 ? 1 : 0;
  if (3 * steps > body.size()) return true;
  for (std::size_t period = 1; period <= 16 && 2 * period <= body.size(); ++period)
    if (body.substr(period) == body.substr(0, body.size() - period)) return true;
  return false;
}

bool looksRandom(std::string_view body) {
  const std::size_t least = std::clamp<std::size_t>(body.size() / 4, 1, 8);
  if (distinctOf(body) < least || hasOneMostly(body)) return false;
  const std::string lower = lowered(body);
  for (const std::string_view word : {"example", "xxxxx", "placeholder", "your_", "your-", "fake"})
    if (lower.find(word) != lower.npos) return false;
  // Long names without a digit are found in code, of one case as a rule.
  return body.size() < 20 || hasDigit(body) ||
         (std::any_of(body.begin(), body.end(), isLower) &&
          std::any_of(body.begin(), body.end(), isUpper));
}

bool isPlaceholder(std::string_view value) {
  // "{name}", "%name%", "@name@"
  const std::size_t brace = value.find('{');
  if (brace != value.npos && value.find('}', brace) != value.npos) return true;
  if (value.size() > 2 && (value[0] == '%' || value[0] == '@') && value[0] == value.back())
    return true;
  const std::string lower = lowered(value);
  return std::any_of(std::begin(kStandIns), std::end(kStandIns),
                     [&lower](std::string_view word) { return lower.find(word) != lower.npos; });
}

bool isOfTestWords(std::string_view value) {
  if (const auto decoded = textInBase64(value); decoded && isOfTestWords(*decoded)) return true;
  const std::string lower = lowered(value);
  if (isMadeOfWords(wordsIn(lower))) return true;
  std::string letters;
  for (const char c : lower)
    if (isLower(c)) letters += c;
  return isMadeOfWords(letters);
}

bool looksLikePassword(std::string_view value) {
  if (value.size() < 8 || value.size() > 128 || isPlaceholder(value)) return false;
  bool lower = false, upper = false, digit = false, sign = false;
  for (const char c : value) {
    if (static_cast<unsigned char>(c) <= ' ') return false;
    lower |= isLower(c);
    upper |= isUpper(c);
    digit |= isDigit(c);
    sign |= !isLetter(c) && !isDigit(c) && c != '_' && c != '-' && c != '.' && c != '/';
  }
  const int kinds = lower + upper + digit + sign;
  if (!(lower || upper) || !(digit || sign) || kinds < 2) return false;
  if (kinds < 3 && (value.size() < 12 || turnsOf(value) < 3)) return false;
  if (distinctOf(value) < 6 || isInOrder(value)) return false;
  return !isOfTestWords(value);
}

bool looksLikeKey(std::string_view value) {
  if (value.size() < 20 || value.size() > 512) return false;
  // "=" fills up base64, and is nowhere else.
  const std::string_view body = value.substr(0, value.find_last_not_of('=') + 1);
  if (value.size() - body.size() > 2) return false;
  bool isHex = true;
  for (const char c : body) {
    const bool known =
        isAlnum(c) || c == '_' || c == '-' || c == '+' || c == '/' || c == '.' || c == '~';
    if (!known) return false;
    isHex = isHex && (isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
  }
  if (isPlaceholder(value) || !looksRandom(value) || isInOrder(value)) return false;
  const int turns = turnsOf(value);
  if (turns < 3 && (turns == 0 || 8 * capitalsWithin(value) < value.size())) return false;
  if (entropyOf(value) < (isHex ? 3.0 : 3.5)) return false;
  return !isOfTestWords(value);
}

}  // namespace waferpair::exclusions

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/secret_text.h"

#include <string.h>  // memmem

#include <algorithm>
#include <bitset>

namespace waferpair::exclusions {
namespace {

bool isAlnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool isUpperAlnum(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool isWord(char c) { return isAlnum(c) || c == '_' || c == '-'; }

// "xxxxxxxx" and "EXAMPLE" stand in documentation. Of n random characters few are the same.
bool looksRandom(std::string_view body) {
  std::bitset<256> seen;
  for (const char c : body) seen.set(static_cast<unsigned char>(c));
  return seen.count() >= 10 && body.find("EXAMPLE") == body.npos;
}

struct Shape {
  std::string_view prefix;
  std::size_t least;  // characters behind the prefix
  bool (*belongs)(char);
  std::string_view kind;
};
constexpr Shape kShapes[] = {
    {"AKIA", 16, isUpperAlnum, "an AWS access key"},
    {"ASIA", 16, isUpperAlnum, "an AWS access key"},
    {"ghp_", 36, isAlnum, "a GitHub token"},
    {"gho_", 36, isAlnum, "a GitHub token"},
    {"ghs_", 36, isAlnum, "a GitHub token"},
    {"ghu_", 36, isAlnum, "a GitHub token"},
    {"ghr_", 36, isAlnum, "a GitHub token"},
    {"github_pat_", 60, isWord, "a GitHub token"},
    {"glpat-", 20, isWord, "a GitLab token"},
    {"xoxb-", 30, isWord, "a Slack token"},
    {"xoxp-", 30, isWord, "a Slack token"},
    {"sk_live_", 24, isAlnum, "a Stripe key"},
    {"rk_live_", 24, isAlnum, "a Stripe key"},
    {"AIza", 35, isWord, "a Google API key"},
    {"npm_", 36, isAlnum, "an npm token"},
    {"pypi-AgEIcHlwaS5vcmc", 40, isWord, "a PyPI token"},
    {"sk-ant-", 40, isWord, "an Anthropic key"},
    {"sk-proj-", 40, isWord, "an OpenAI key"},
    {"hf_", 34, isAlnum, "a Hugging Face token"},
    {"AGE-SECRET-KEY-1", 58, isUpperAlnum, "an age key"},
};

std::size_t findWord(std::string_view text, std::string_view word, std::size_t from) {
  if (from >= text.size()) return text.npos;
  const void* found = ::memmem(text.data() + from, text.size() - from, word.data(), word.size());
  return found == nullptr ? text.npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// "-----BEGIN RSA PRIVATE KEY-----" and its kin: of OpenSSL, OpenSSH and PGP.
std::size_t findPemHeader(std::string_view text) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::size_t kLongestName = 64;
  for (std::size_t at = findWord(text, kBegin, 0); at != text.npos; at = findWord(text, kBegin, at + 1)) {
    const std::string_view rest = text.substr(at + kBegin.size(), kLongestName);
    const std::string_view name = rest.substr(0, rest.find("-----"));
    if (name.size() < rest.size() && (name.ends_with("PRIVATE KEY") ||
                                      name.ends_with("PRIVATE KEY BLOCK")))
      return at;
  }
  return text.npos;
}

std::size_t findShape(std::string_view text, const Shape& shape) {
  for (std::size_t at = findWord(text, shape.prefix, 0); at != text.npos;
       at = findWord(text, shape.prefix, at + 1)) {
    if (at > 0 && isWord(text[at - 1])) continue;
    const std::string_view rest = text.substr(at + shape.prefix.size());
    const auto end = std::find_if_not(rest.begin(), rest.end(), shape.belongs);
    const std::string_view body = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    if (body.size() >= shape.least && looksRandom(body)) return at;
  }
  return text.npos;
}

}  // namespace

std::optional<SecretText> findSecret(std::string_view utf8) {
  if (const std::size_t at = findPemHeader(utf8); at != utf8.npos)
    return SecretText{"a private key", at};
  if (const std::size_t at = findWord(utf8, "PuTTY-User-Key-File-", 0); at != utf8.npos)
    return SecretText{"a private key of PuTTY", at};
  for (const Shape& shape : kShapes)
    if (const std::size_t at = findShape(utf8, shape); at != utf8.npos)
      return SecretText{shape.kind, at};
  return std::nullopt;
}

}  // namespace waferpair::exclusions

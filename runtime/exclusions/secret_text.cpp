// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/secret_text.h"

#include <algorithm>
#include <bitset>

namespace waferpair::exclusions {
namespace {

bool isAlnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool isUpperAlnum(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool isWord(char c) { return isAlnum(c) || c == '_' || c == '-'; }

// "xxxxxxxx" and "EXAMPLE" stand in documentation. Few of n random characters are the same.
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

// "BEGIN RSA PRIVATE KEY" between dashes, and its kin: of OpenSSL, OpenSSH and PGP.
bool isPemHeader(std::string_view text) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::size_t kLongestName = 64;
  if (!text.starts_with(kBegin)) return false;
  text = text.substr(kBegin.size(), kLongestName);
  const auto belongs = [](char c) { return isUpperAlnum(c) || c == ' '; };
  const auto end = std::find_if_not(text.begin(), text.end(), belongs);
  const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  return text.substr(name.size()).starts_with("-----") &&
         (name.ends_with("PRIVATE KEY") || name.ends_with("PRIVATE KEY BLOCK"));
}

// "PuTTY-User-Key-File-" with its version behind it.
bool isPuttyHeader(std::string_view text) {
  constexpr std::string_view kBegin = "PuTTY-User-Key-File-";
  return text.starts_with(kBegin) && text.size() > kBegin.size() + 1 &&
         text[kBegin.size() + 1] == ':';
}

// `text` is not empty.
bool hasShape(std::string_view text, const Shape& shape) {
  if (text[0] != shape.prefix[0] || !text.starts_with(shape.prefix)) return false;
  text.remove_prefix(shape.prefix.size());
  const auto end = std::find_if_not(text.begin(), text.end(), shape.belongs);
  const std::string_view body = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  return body.size() >= shape.least && looksRandom(body);
}

// The first bytes of all that is looked for.
std::bitset<256> makeStarts() {
  std::bitset<256> starts;
  starts.set('-').set('P');
  for (const Shape& shape : kShapes) starts.set(static_cast<unsigned char>(shape.prefix[0]));
  return starts;
}

}  // namespace

std::optional<SecretText> findSecret(std::string_view utf8) {
  static const std::bitset<256> starts = makeStarts();
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    if (!starts.test(static_cast<unsigned char>(utf8[at]))) continue;
    const std::string_view here = utf8.substr(at);
    if (here[0] == '-') {
      if (isPemHeader(here)) return SecretText{"a private key", at};
      continue;
    }
    if (at > 0 && isWord(utf8[at - 1])) continue;
    if (isPuttyHeader(here)) return SecretText{"a private key of PuTTY", at};
    for (const Shape& shape : kShapes)
      if (hasShape(here, shape)) return SecretText{shape.kind, at};
  }
  return std::nullopt;
}

std::string reasonOfText(std::string_view utf8) {
  const auto secret = findSecret(utf8);
  if (!secret) return {};
  return "the text has " + std::string(secret->kind) +
         " in it: the model is never shown such a text";
}

}  // namespace waferpair::exclusions

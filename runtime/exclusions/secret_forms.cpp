// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/secret_forms.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "runtime/exclusions/assignment.h"
#include "runtime/exclusions/characters.h"
#include "runtime/exclusions/secret_text.h"
#include "runtime/exclusions/secret_values.h"

namespace waferpair::exclusions {
namespace {

bool hasAny(std::string_view text, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [text](std::string_view word) { return text.find(word) != text.npos; });
}

// The rest of a line, of what is looked at beyond a place.
std::string_view lineFrom(std::string_view text, std::size_t at) {
  text = text.substr(at, kSecretReach);
  return text.substr(0, std::min(text.find('\n'), text.size()));
}
std::string_view lineBefore(std::string_view text, std::size_t at) {
  const std::size_t from = at - std::min(at, kSecretReach);
  text = text.substr(from, at - from);
  const std::size_t end = text.rfind('\n');
  return end == text.npos ? text : text.substr(end + 1);
}

std::string_view wordFrom(std::string_view text) {
  while (!text.empty() && isBlank(text[0])) text.remove_prefix(1);
  if (!text.empty() && (text[0] == '"' || text[0] == '\'')) {
    const std::size_t end = text.find(text[0], 1);
    return end == text.npos ? std::string_view() : text.substr(1, end - 1);
  }
  const auto end = std::find_if(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\'' || c == '`' || c == '\\';
  });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

// "user:password" in base64, of which the password is none of a test's.
bool isBasicLogin(std::string_view base64) {
  if (base64.size() < 8 || base64.size() > kSecretReach) return false;
  const auto login = fromBase64(base64);
  if (!login) return false;
  const std::size_t colon = login->find(':');
  if (colon == login->npos || colon == 0) return false;
  for (const char c : *login)
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') return false;
  const std::string_view password = std::string_view(*login).substr(colon + 1);
  return looksLikePassword(password) || looksLikeKey(password);
}

// -- Keys

// "BEGIN RSA PRIVATE KEY" between dashes, and its kin: of OpenSSL, OpenSSH, PGP and OpenVPN.
std::string_view pemAt(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestName = 64;
  constexpr std::string_view kBegin = "-----BEGIN ";
  text = text.substr(at);
  if (!text.starts_with(kBegin)) return {};
  text = text.substr(kBegin.size(), kLongestName);
  const auto belongs = [](char c) { return isAlnum(c) || c == ' '; };
  const auto end = std::find_if_not(text.begin(), text.end(), belongs);
  const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  if (!text.substr(name.size()).starts_with("-----")) return {};
  if (name.starts_with("OpenVPN Static key") || name.starts_with("OpenVPN tls-crypt"))
    return "a key of OpenVPN";
  return name.ends_with("PRIVATE KEY") || name.ends_with("PRIVATE KEY BLOCK") ? "a private key"
                                                                              : std::string_view();
}

std::string_view ssh2At(std::string_view text, std::size_t at) {
  constexpr std::string_view kBegin = "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY";
  text = text.substr(at);
  return text.starts_with(kBegin) && text.substr(kBegin.size()).starts_with(" ----")
             ? "a private key"
             : "";
}

// With its version behind it.
std::string_view puttyAt(std::string_view text, std::size_t at) {
  constexpr std::string_view kBegin = "PuTTY-User-Key-File-";
  text = text.substr(at);
  const bool is = text.starts_with(kBegin) && text.size() > kBegin.size() + 1 &&
                  isDigit(text[kBegin.size()]) && text[kBegin.size() + 1] == ':';
  return is ? "a private key of PuTTY" : "";
}

// A line of comment, and the key in the next one.
std::string_view minisignAt(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at, kSecretReach);
  const std::size_t end = rest.find('\n');
  if (end == rest.npos || end > 120 || !lineBefore(text, at).starts_with("untrusted comment:"))
    return {};
  return rest.substr(end + 1).starts_with("RW") ? "a private key of minisign" : "";
}

std::string_view torAt(std::string_view text, std::size_t at) {
  return lineFrom(text, at).find("0 ==") != std::string_view::npos ? "a private key of Tor" : "";
}

std::string_view ansibleAt(std::string_view text, std::size_t at) {
  const std::string_view line = lineFrom(text, at + std::string_view("$ansible_vault;").size());
  return line.size() >= 10 && isDigit(line[0]) && line.find(";AES") != line.npos
             ? "a vault of Ansible"
             : "";
}

// "d" of a key in JSON whose "kty" stands near.
std::string_view jwkAt(std::string_view text, std::size_t at) {
  const auto given = assignmentAround(text, text.substr(at + 1, 1));
  if (!given || !given->isQuoted || given->value.size() < 40 || !looksRandom(given->value))
    return {};
  const std::string_view near = text.substr(at - std::min(at, kSecretReach), 2 * kSecretReach);
  return near.find("\"kty\"") != near.npos ? "a private key in JSON" : "";
}

// -- Passwords in addresses

constexpr std::string_view kOpenHosts[] = {"example.", ".example", "localhost", "127.0.0.1",
                                           "[::1]",    "host",     ".test",     ".invalid",
                                           "0.0.0.0",  "hostname", "domain.",   "server"};

// Without each "%40".
std::string withoutEscapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%')
      i += 2;
    else
      plain += text[i];
  }
  return plain;
}

// "scheme://user:password@host". Those that are the same everywhere are none.
std::string_view addressAt(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 256;
  if (at == 0 || !isAlnum(text[at - 1])) return {};
  const std::string_view rest = text.substr(at + 3, kLongest);
  std::size_t colon = rest.npos;
  std::size_t i = 0;
  for (; i < rest.size(); ++i) {
    const char c = rest[i];
    if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' ||
        c == '>' || c == '\\' || c == '(' || c == ')' || c == '{' || c == '[' || c == '|')
      return {};
    if (c == '@') break;
    if ((c == '/' || c == '?' || c == '#') && colon == rest.npos) return {};
    if (c == ':' && colon == rest.npos) colon = i;
  }
  if (i == rest.size() || colon == rest.npos) return {};
  const std::string_view user = rest.substr(0, colon);
  const std::string_view password = rest.substr(colon + 1, i - colon - 1);
  const std::string_view host = wordFrom(rest.substr(i + 1));
  // A port and a path with an "@" in it.
  const std::size_t slash = password.find('/');
  if (slash != password.npos && slash > 0 &&
      std::all_of(password.begin(), password.begin() + static_cast<std::ptrdiff_t>(slash), isDigit))
    return {};
  if (password.size() < 4 || password == user || password[0] == '$' || password[0] == '%' ||
      host.empty() || isPlaceholder(password) || isPlaceholder(user))
    return {};
  const bool isOpen = hasAny(lowered(host).substr(0, 24), kOpenHosts);
  const std::string plain = withoutEscapes(password);
  const bool isStrong = looksLikePassword(plain) || looksLikeKey(plain);
  const bool isSome = plain.size() >= 6 && !isOfTestWords(plain);
  if (!isStrong && (isOpen || !isSome)) return {};
  return "an address with a password";
}

// -- Files for passwords

bool startsHash(std::string_view text, std::size_t at) {
  if (at < 2 || text[at - 1] != ':') return false;
  const std::string_view user = lineBefore(text, at - 1);
  return !user.empty() && user.size() <= 64 && std::all_of(user.begin(), user.end(), [](char c) {
    return isAlnum(c) || c == '_' || c == '-' || c == '.' || c == '@' || c == '$';
  });
}

// "root:$6$salt$hash:", "user:$apr1$salt$hash".
std::string_view hashAt(std::string_view text, std::size_t at) {
  if (!startsHash(text, at)) return {};
  const std::string_view hash = wordFrom(text.substr(at, kSecretReach));
  const std::string_view own = hash.substr(0, hash.find(':'));
  return own.size() >= 30 && looksRandom(own) ? "the hash of a password" : "";
}
std::string_view ldapHashAt(std::string_view text, std::size_t at) {
  if (!startsHash(text, at)) return {};
  const std::string_view line = lineFrom(text, at);
  const std::string_view own = wordFrom(line.substr(line.find('}') + 1));
  return own.size() >= 27 && looksRandom(own) ? "the hash of a password" : "";
}

// "machine host login user password secret", also over lines.
std::string_view netrcAt(std::string_view text, std::size_t at) {
  if (!beginsWord(text, at)) return {};
  std::string_view rest = text.substr(at, kSecretReach);
  const auto next = [&rest] {
    while (!rest.empty() && static_cast<unsigned char>(rest[0]) <= ' ') rest.remove_prefix(1);
    const std::string_view word = wordFrom(rest);
    rest.remove_prefix(std::min(rest.size(), word.size()));
    return word;
  };
  next();  // "machine"
  next();  // its name
  for (int pairs = 0; pairs < 3; ++pairs) {
    const std::string_view name = next();
    const std::string_view value = next();
    if (name == "password")
      return value.size() >= 5 && !isPlaceholder(value) && !isOfTestWords(value)
                 ? "a password for a machine"
                 : "";
    if (name != "login" && name != "account" && name != "port") return {};
  }
  return {};
}

// "host:5432:database:user:password", which is all of its line.
std::string_view pgpassAt(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestField = 64;
  std::string_view rest = text.substr(at + 6, 4 * kLongestField);
  const std::size_t end = rest.find_first_of(" \t\r\n\"'/=({");
  if (end != rest.npos && rest[end] != '\n' && rest[end] != '\r') return {};
  rest = rest.substr(0, end);
  for (int field = 0; field < 2; ++field) {  // database, user
    const std::size_t colon = rest.find(':');
    if (colon == rest.npos || colon == 0 || colon > kLongestField) return {};
    rest.remove_prefix(colon + 1);
  }
  if (rest.size() < 5 || rest.size() > kLongestField || rest.find(':') != rest.npos) return {};
  const std::string_view host = lineBefore(text, at);
  if (host.empty() || host.find_first_of(" \t\"'/=({:") != host.npos) return {};
  return !isPlaceholder(rest) && !isOfTestWords(rest) ? "a line of .pgpass" : "";
}

// "auth": "dXNlcjpwYXNz", of Docker.
std::string_view dockerAt(std::string_view text, std::size_t at) {
  const auto given = assignmentAround(text, text.substr(at + 1, 4));
  return given && given->isQuoted && isBasicLogin(given->value) ? "a login for a registry" : "";
}

// The state of a project as Terraform keeps it, with all that it was given.
std::string_view terraformAt(std::string_view text, std::size_t at) {
  const auto given = assignmentAround(text, text.substr(at + 1, 7));
  const std::string_view near = text.substr(at - std::min(at, kSecretReach), 2 * kSecretReach);
  return given && given->value.size() == 36 && near.find("\"serial\"") != near.npos
             ? "the state of Terraform"
             : "";
}

// A manifest of Kubernetes with what its secret has.
std::string_view manifestAt(std::string_view text, std::size_t at) {
  if (!lineBefore(text, at).empty()) return {};
  std::string_view rest = text.substr(at, kSecretReach);
  const std::string_view first = lineFrom(text, at);
  if (first.substr(0, first.find_last_not_of(" \r") + 1) != "kind: Secret") return {};
  for (const std::string_view data : {"\ndata:\n", "\nstringData:\n"}) {
    const std::size_t found = rest.find(data);
    if (found == rest.npos || rest.substr(0, found).find("\n---") != rest.npos) continue;
    std::string_view line = rest.substr(found + data.size());
    for (int values = 0; values < 8 && line.starts_with("  "); ++values) {
      const std::string_view own = line.substr(0, std::min(line.find('\n'), line.size()));
      line.remove_prefix(std::min(own.size() + 1, line.size()));
      const std::size_t colon = own.find(": ");
      if (colon == own.npos) continue;
      const std::string_view value = wordFrom(own.substr(colon + 2));
      const auto decoded = fromBase64(value);
      if (looksLikePassword(value) || looksLikeKey(value) ||
          (decoded && looksLikePassword(*decoded) && !isOfTestWords(value)))
        return "a secret of Kubernetes";
    }
  }
  return {};
}

std::string_view filezillaAt(std::string_view text, std::size_t at) {
  const std::string_view line = lineFrom(text, at);
  const std::size_t end = line.find('>');
  if (end == line.npos) return {};
  const std::string_view value = line.substr(end + 1, line.find('<', end) - end - 1);
  const auto password = fromBase64(value);
  return value.size() >= 8 && password && !password->empty() ? "a password for a server" : "";
}

std::string_view rdpAt(std::string_view text, std::size_t at) {
  return lineFrom(text, at).size() >= 60 ? "a password for a desktop" : "";
}

// "otpauth://totp/NAME?secret=BASE32"
std::string_view otpAt(std::string_view text, std::size_t at) {
  const std::string_view line = wordFrom(lineFrom(text, at));
  const std::size_t found = line.find("secret=");
  if (found == line.npos) return {};
  const std::string_view secret = line.substr(found + 7, line.find('&', found) - found - 7);
  return secret.size() >= 16 && looksRandom(secret) && !isPlaceholder(line)
             ? "the secret of two-factor codes"
             : "";
}

// -- Command lines

// Behind " -u " or "--user ", of a program that takes logins there.
std::string_view userOptionAt(std::string_view text, std::size_t at) {
  const std::string_view line = lineFrom(text, at);
  const std::string_view login = wordFrom(line.substr(line.find_first_of(" =", 1) + 1));
  const std::size_t colon = login.find(':');
  if (colon == login.npos || colon == 0) return {};
  const std::string_view before = lineBefore(text, at);
  if (!hasAny(before, std::array<std::string_view, 3>{"curl", "http", "wget"})) return {};
  const std::string_view password = login.substr(colon + 1);
  return looksLikePassword(password) || looksLikeKey(password) ? "a password in a command" : "";
}

// "mysql -uroot -pSECRET", "sshpass -p SECRET", "redis-cli -a SECRET", "ldapsearch -w SECRET".
std::string_view passwordOptionIn(std::string_view line, std::string_view option, bool joined) {
  const std::size_t found = line.find(option);
  if (found == line.npos) return {};
  const std::string_view rest = line.substr(found + option.size());
  if (rest.empty() || (joined == isBlank(rest[0]))) return {};
  const std::string_view password = wordFrom(rest);
  const bool is = password.size() >= 6 && password[0] != '$' && password[0] != '-' &&
                  !isPlaceholder(password) && !isOfTestWords(password);
  return is ? "a password in a command" : "";
}
std::string_view mysqlAt(std::string_view text, std::size_t at) {
  return passwordOptionIn(lineFrom(text, at), " -p", true);
}
std::string_view sshpassAt(std::string_view text, std::size_t at) {
  const std::string_view line = lineFrom(text, at);
  const std::string_view apart = passwordOptionIn(line, " -p", false);
  return apart.empty() ? passwordOptionIn(line, " -p", true) : apart;
}
std::string_view redisAt(std::string_view text, std::size_t at) {
  return passwordOptionIn(lineFrom(text, at), " -a", false);
}
std::string_view ldapAt(std::string_view text, std::size_t at) {
  return passwordOptionIn(lineFrom(text, at), " -w", false);
}
std::string_view dockerLoginAt(std::string_view text, std::size_t at) {
  return passwordOptionIn(lineFrom(text, at), " -p", false);
}
std::string_view passinAt(std::string_view text, std::size_t at) {
  const std::string_view before =
      text.substr(at - std::min<std::size_t>(at, 12), std::min<std::size_t>(at, 12));
  if (!before.ends_with("-passin ") && !before.ends_with("-passout ")) return {};
  const std::string_view line = lineFrom(text, at + 5);
  const std::string_view password = wordFrom(line);
  return password.size() >= 6 && !isPlaceholder(password) && !isOfTestWords(password)
             ? "a password in a command"
             : "";
}
// SQL: IDENTIFIED BY 'secret', PASSWORD 'secret'.
std::string_view identifiedAt(std::string_view text, std::size_t at) {
  const std::string_view line = lineFrom(text, at);
  const std::size_t quote = line.find('\'');
  if (quote == line.npos || quote > 40) return {};
  const std::string_view password = wordFrom(line.substr(quote));
  return looksLikePassword(password) ? "a password in SQL" : "";
}

// -- Values of names

constexpr std::string_view kNoSecretTails[] = {
    "url",    "uri",    "path",     "file",   "field",   "name",     "type",    "label",    "hint",
    "length", "regex",  "pattern",  "policy", "class",   "expir",    "ttl",     "count",    "limit",
    "prompt", "holder", "format",   "algo",   "digest",  "checksum", "version", "endpoint", "sha",
    "hash",   "column", "selector", "header", "message", "error",    "size",    "index",    "pos",
    "range",  "kind",   "ref",      "arn",    "link",    "host",     "info",    "timeout"};
constexpr std::string_view kNoSecretHeads[] = {
    "public", "pub_",    "csrf",    "xsrf",  "cancel",  "continu",  "page",  "partial",
    "sort",   "primary", "foreign", "cache", "idempot", "expected", "wrong", "invalid",
    "fake",   "dummy",   "mock",    "bad",   "test_",   "example"};

bool isNameOfSecret(const Assignment& given) {
  // A file that is named for it, with its checksum.
  if (given.tail.find('.') != given.tail.npos) return false;
  const std::string tail = lowered(given.tail);
  if (hasAny(tail, kNoSecretTails) || tail.ends_with("_id") || given.tail.ends_with("Id") ||
      given.tail.ends_with("ID"))
    return false;
  const std::string head = lowered(given.head);
  return head != "next" && head != "next_" && !hasAny(head, kNoSecretHeads);
}

std::string_view passwordAt(std::string_view text, std::size_t at, std::size_t length) {
  const auto given = assignmentAround(text, text.substr(at, length));
  if (!given || !isNameOfSecret(*given)) return {};
  // "a forward pass: Llama-3.2" is no assignment.
  if (length == 4 && !given->isQuoted && given->head.empty() && isLower(text[at])) return {};
  return looksLikePassword(given->value) || looksLikeKey(given->value) ? "a password" : "";
}

// "pass" is in "passed", "pass_through" and "compass", too.
std::string_view passAt(std::string_view text, std::size_t at) {
  const std::string lower = lowered(text.substr(at, 10));
  for (const std::string_view word :
       {"passwords", "password", "passwort", "passwd", "passphrase", "passcode", "passkey"})
    if (lower.starts_with(word.substr(0, 10))) return passwordAt(text, at, word.size());
  const bool begins =
      at == 0 || !isAlnum(text[at - 1]) || (isLower(text[at - 1]) && isUpper(text[at]));
  const bool ends = at + 4 >= text.size() || !isAlnum(text[at + 4]);
  return begins && ends ? passwordAt(text, at, 4) : "";
}
std::string_view pwdAt(std::string_view text, std::size_t at) {
  const bool ends = at + 3 >= text.size() || !isAlnum(text[at + 3]);
  return ends ? passwordAt(text, at, 3) : "";
}

std::string_view keyValue(const std::optional<Assignment>& given, std::string_view kind) {
  if (!given || !isNameOfSecret(*given)) return {};
  return looksLikeKey(given->value) ? kind : "";
}
std::string_view secretAt(std::string_view text, std::size_t at) {
  const auto given = assignmentAround(text, text.substr(at, 6));
  if (!given || !isNameOfSecret(*given)) return {};
  const bool is =
      looksLikeKey(given->value) || (given->value.size() >= 12 && looksLikePassword(given->value));
  return is ? "a secret" : "";
}
std::string_view tokenAt(std::string_view text, std::size_t at) {
  if (at + 5 < text.size() && isLower(text[at + 5]) && text[at + 5] != 's') return {};
  return keyValue(assignmentAround(text, text.substr(at, 5)), "a token");
}
std::string_view authAt(std::string_view text, std::size_t at) {
  const auto given = assignmentAround(text, text.substr(at, 5));
  if (!given || !given->tail.empty()) return {};
  return isBasicLogin(given->value) || looksLikeKey(given->value) ? "a login for a registry" : "";
}
std::string_view credentialAt(std::string_view text, std::size_t at) {
  return keyValue(assignmentAround(text, text.substr(at, 10)), "a credential");
}

constexpr std::string_view kKeyHeads[] = {
    "api",     "access",  "auth",   "sign",   "encr",   "private",  "master", "account", "license",
    "storage", "session", "app_",   "hmac",   "jwt",    "consumer", "client", "subscr",  "service",
    "deploy",  "webhook", "shared", "crypt",  "logged", "nonce",    "secure", "admin",   "root",
    "licence", "host",    "write",  "ingest", "server", "database", "bot"};

// "key" behind what makes it one of locks: API_KEY, accessKey, encryption-key.
std::string_view keyAt(std::string_view text, std::size_t at) {
  const bool ends = at + 3 >= text.size() || !isLower(text[at + 3]);
  if (!ends || at < 3) return {};
  const auto given = assignmentAround(text, text.substr(at, 3));
  if (!given || given->head.empty() || !hasAny(lowered(given->head), kKeyHeads)) return {};
  return keyValue(given, "a key");
}
std::string_view saltAt(std::string_view text, std::size_t at) {
  const auto given = assignmentAround(text, text.substr(at, 5));
  if (!given || given->head.empty() || !given->tail.empty() || given->value.size() < 40) return {};
  return looksLikePassword(given->value) ? "a salt" : "";
}

// "Bearer", "Basic" and "Token", as in a header.
std::string_view bearerAt(std::string_view text, std::size_t at) {
  if (!beginsWord(text, at)) return {};
  const std::string_view value = wordFrom(lineFrom(text, at + 7));
  return looksLikeKey(value) ? "a token in a header" : "";
}
std::string_view basicAt(std::string_view text, std::size_t at) {
  if (!beginsWord(text, at)) return {};
  return isBasicLogin(wordFrom(lineFrom(text, at + 6))) ? "a login in a header" : "";
}

constexpr SecretForm kForms[] = {
    {"-----begin ", pemAt},
    {"---- begin ssh2 encrypted", ssh2At},
    {"putty-user-key-file-", puttyAt},
    {"minisign encrypted secret key", minisignAt},
    {"signify secret key", minisignAt},
    {"== ed25519v1-secret: type", torAt},
    {"$ansible_vault;", ansibleAt},
    {"\"d\"", jwkAt},
    {"://", addressAt},
    {"$apr1$", hashAt},
    {"$2a$", hashAt},
    {"$2b$", hashAt},
    {"$2y$", hashAt},
    {"$1$", hashAt},
    {"$5$", hashAt},
    {"$6$", hashAt},
    {"$y$", hashAt},
    {"$7$", hashAt},
    {"$argon2", hashAt},
    {"{sha}", ldapHashAt},
    {"{ssha}", ldapHashAt},
    {"machine ", netrcAt},
    {":5432:", pgpassAt},
    {"\"auth\"", dockerAt},
    {"\"lineage\"", terraformAt},
    {"kind: secret", manifestAt},
    {"<pass encoding=", filezillaAt},
    {"password 51:b:", rdpAt},
    {"otpauth://", otpAt},
    {" -u ", userOptionAt},
    {" --user ", userOptionAt},
    {" --user=", userOptionAt},
    {"mysql ", mysqlAt},
    {"mysqldump ", mysqlAt},
    {"mysqladmin ", mysqlAt},
    {"mariadb ", mysqlAt},
    {"sshpass ", sshpassAt},
    {"redis-cli ", redisAt},
    {"ldapsearch ", ldapAt},
    {"docker login ", dockerLoginAt},
    {"podman login ", dockerLoginAt},
    {"az login ", dockerLoginAt},
    {"pass:", passinAt},
    {"identified by", identifiedAt},
    {"with password '", identifiedAt},
    {"pass", passAt},
    {"pwd", pwdAt},
    {"psk", pwdAt},
    {"secret", secretAt},
    {"token", tokenAt},
    {"_auth", authAt},
    {"credential", credentialAt},
    {"key", keyAt},
    {"_salt", saltAt},
    {"bearer ", bearerAt},
    {"basic ", basicAt},
};

}  // namespace

std::span<const SecretForm> secretForms() { return kForms; }

std::string_view kindOfFile(std::string_view text) {
  using namespace std::string_view_literals;
  for (const std::string_view magic : {"\xfe\xed\xfe\xed"sv, "\xce\xce\xce\xce"sv})
    if (text.starts_with(magic)) return "a store of keys of Java";
  if (text.starts_with("\x03\xd9\xa2\x9a"sv)) return "passwords of KeePass";
  if (text.starts_with("Salted__"sv)) return "what OpenSSL encrypted";
  // PKCS#12: a sequence that begins with version 3 and another sequence.
  if (text.size() > 8 && text.starts_with("\x30\x82"sv) &&
      text.substr(4, 4) == "\x02\x01\x03\x30"sv)
    return "a store of keys";
  return {};
}

}  // namespace waferpair::exclusions

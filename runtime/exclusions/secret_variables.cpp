// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/secret_variables.h"

#include <algorithm>
#include <string>

#include "runtime/exclusions/characters.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::exclusions {
namespace {

// Between two "_", or at either end.
constexpr std::string_view kParts[] = {"TOKEN",
                                       "TOKENS",
                                       "SECRET",
                                       "SECRETS",
                                       "PASSWORD",
                                       "PASSWORDS",
                                       "PASSWD",
                                       "PASS",
                                       "PASSPHRASE",
                                       "PASSCODE",
                                       "PASSWORT",
                                       "PWD",
                                       "PW",
                                       "PSK",
                                       "KEY",
                                       "KEYS",
                                       "APIKEY",
                                       "KEYID",
                                       "PAT",
                                       "JWT",
                                       "SALT",
                                       "CREDENTIAL",
                                       "CREDENTIALS",
                                       "CREDS",
                                       "CRED",
                                       "DSN",
                                       "COOKIE",
                                       "OTP",
                                       "TOTP",
                                       "LICENSE",
                                       "HMAC",
                                       "BEARER",
                                       "SAS",
                                       "WEBHOOK",
                                       "PASSFILE",
                                       "CONNECTIONSTRING",
                                       "CONNECTIONSTRINGS"};
// At the end, written together with what is before.
constexpr std::string_view kEnds[] = {"PASSWORD", "PASSWD", "PASSPHRASE", "TOKEN",
                                      "SECRET",   "APIKEY", "ACCESSKEY",  "SECRETKEY"};
// Addresses of services, which have their passwords in them.
constexpr std::string_view kAddresses[] = {
    "DATABASE",      "DB",      "POSTGRES", "POSTGRESQL", "PG",         "MYSQL",  "MARIADB",
    "MONGO",         "MONGODB", "REDIS",    "AMQP",       "RABBITMQ",   "BROKER", "CELERY",
    "CLOUDAMQP",     "SMTP",    "MAIL",     "EMAIL",      "SQLALCHEMY", "JDBC",   "CLICKHOUSE",
    "ELASTICSEARCH", "KAFKA",   "NATS",     "MEMCACHED",  "CLOUDINARY", "NEO4J",  "COCKROACH",
    "SQLSERVER",     "MSSQL",   "ORACLE",   "CACHE",      "QUEUE",      "HOOK",   "PRISMA",
    "TURSO",         "LIBSQL",  "SUPABASE", "INFLUX",     "DIRECT",     "SHADOW"};
constexpr std::string_view kAddressEnds[] = {"URL",        "URI",     "CONN",
                                             "CONNECTION", "CONNSTR", "CONNECTIONSTRING"};
constexpr std::string_view kNames[] = {"PGPASSWORD",
                                       "PGPASSFILE",
                                       "MYSQL_PWD",
                                       "REDISCLI_AUTH",
                                       "SSHPASS",
                                       "RSYNC_PASSWORD",
                                       "LDAPPASSWORD",
                                       "SNOWSQL_PWD",
                                       "MONGO_INITDB_ROOT_PASSWORD",
                                       "NETRC",
                                       "DOCKER_AUTH_CONFIG",
                                       "COMPOSER_AUTH",
                                       "NPM_CONFIG__AUTH",
                                       "NPM_CONFIG__AUTHTOKEN",
                                       "PIP_INDEX_URL",
                                       "PIP_EXTRA_INDEX_URL",
                                       "UV_INDEX_URL",
                                       "UV_EXTRA_INDEX_URL",
                                       "GOAUTH",
                                       "KUBECONFIG_DATA",
                                       "BORG_PASSCOMMAND",
                                       "VAULT_AUTH",
                                       "HTTP_PROXY_AUTH",
                                       "CURL_USERPWD",
                                       "GIT_CREDENTIALS",
                                       "SENTRY_DSN",
                                       "AUTH",
                                       "BASIC_AUTH",
                                       "HTTP_AUTH",
                                       "REGISTRY_AUTH",
                                       "PROXY_AUTH"};
// These name a place, a program or a way, and are needed to find the user's own.
constexpr std::string_view kNone[] = {"PWD",         "OLDPWD",         "SSH_AUTH_SOCK",
                                      "XAUTHORITY",  "SSH_ASKPASS",    "GIT_ASKPASS",
                                      "KEY_TIMEOUT", "GPG_KEY_SERVER", "DBUS_COOKIE_SHA1"};

bool isOneOf(std::string_view word, const auto& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace

bool isSecretVariable(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) {
    if (isLower(c)) c = static_cast<char>(c - 'a' + 'A');
    if (c == '-' || c == '.') c = '_';
  }
  if (isOneOf(upper, kNone)) return false;
  if (isOneOf(upper, kNames) || upper.ends_with("CONNECTION_STRING")) return true;
  bool isOfService = false;
  std::string_view rest = upper;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('_'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (isOneOf(part, kParts)) return true;
    for (const std::string_view last : kEnds)
      if (part.ends_with(last)) return true;
    if (isOfService && isOneOf(part, kAddressEnds)) return true;
    isOfService = isOfService || isOneOf(part, kAddresses);
  }
  // "MONGOURI", "DATABASEURL"
  return std::any_of(std::begin(kAddressEnds), std::end(kAddressEnds), [&](std::string_view end) {
    const std::string_view whole = upper;
    return whole.ends_with(end) && isOneOf(whole.substr(0, whole.size() - end.size()), kAddresses);
  });
}

bool isSecretVariable(std::string_view name, std::string_view value) {
  if (isSecretVariable(name)) return true;
  if (name.ends_with("_PROXY") || name.ends_with("_proxy")) return false;
  std::string line(name);
  line.append("=").append(value);
  return findSecret(line).has_value();
}

}  // namespace waferpair::exclusions

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/secret_names.h"

#include <algorithm>
#include <string>

#include "runtime/exclusions/characters.h"
#include "runtime/exclusions/ignore_rules.h"

namespace waferpair::exclusions {
namespace {

// The names are in lower case, since paths are compared so.
constexpr std::string_view kFiles[] = {
    // Settings of programs, where passwords and tokens are kept
    "*.env", ".env*", ".dev.vars", "secret.json", "secret.yml", "secret.yaml", "secret.toml",
    "secret.txt", ".secrets*", "*.secrets", ".credentials*", "*_credentials.json",
    "*-credentials.json", "service-account*.json", "service_account*.json", "serviceaccount*.json",
    "*-service-account.json", "*firebase-adminsdk*.json", "gcp-key*.json", "client_secret*.json",
    "client-secret*.json", "oauth_creds.json", "token.json", "tokens.json", "token.pickle",
    "token.txt", "api_key*.txt", "api-key*.txt", "apikey*.txt", "password.txt", "passwords.txt",
    "passwords.csv", ".passwords", ".passwd", "local.properties", "keystore.properties",
    "key.properties", "signing.properties", "local.settings.json", "*.tfvars", "*.tfvars.json",
    "*.tfstate*", ".terraformrc", "terraform.rc", "*.pulumi-passphrase", ".htpasswd", "htpasswd",
    ".htdigest", ".pgpass", "pgpass.conf", ".pg_service.conf", ".my.cnf", ".mylogin.cnf",
    ".mysqlpass", "odbc.ini", ".odbc.ini", "cwallet.sso", ".netrc", "_netrc", ".authinfo*",
    ".npmrc", ".pypirc", "pip.conf", "pip.ini", ".git-credentials", ".gitcookies", ".gitrobrc",
    ".boto", ".boto.cfg", ".s3cfg", ".s3curl", ".s3ql/authinfo2", ".passwd-s3fs", "passwd-s3fs",
    "rclone.conf", ".rclone.conf", ".dockercfg", ".dockerconfigjson", ".vault-token",
    ".vault_pass*", "vault_pass*", ".vault-pass*", "vault-pass*", "ansible-vault-pass*",
    "*.kubeconfig", "settings-security.xml", "**/.docker/config.json", "**/.kube/config",
    "**/.m2/settings.xml", "**/.gradle/gradle.properties", "**/.composer/auth.json",
    "**/.codex/auth.json", "**/opencode/auth.json", "**/.config/gh/hosts.yml", "**/.config/hub",
    "**/.config/glab-cli/config.yml", "**/github-copilot/hosts.json", "**/github-copilot/apps.json",
    "**/.mc/config.json", "**/huggingface/token", "**/.huggingface/token", "kaggle.json",
    "ngrok.yml", "**/.fly/config.yml", "**/.railway/config.json", "**/.snowsql/config",
    ".databrickscfg", ".vultr-cli.yaml", ".linode-cli", ".sentryclirc", "sentry.properties",
    ".arcrc", ".erlang.cookie", "hudson.util.secret", "secret_token.rb", "wp-config.php",
    "localsettings.php", "config.inc.php", "sftp-config.json", "sftp.json", ".ftpconfig",
    ".ftppass", ".remote-sync.json", "ftpsync.settings", "filezilla.xml", "sitemanager.xml",
    "recentservers.xml", "winscp.ini", "proftpdpasswd", "ventrilo_srv.ini", "datasources.local.xml",
    "webservers.xml", "robomongo.json", ".cvspass", ".p4tickets", ".trc", ".tugboat", ".esmtprc",
    ".msmtprc", ".fetchmailrc", ".muttrc", "**/.purple/accounts.xml", "**/.irssi/config",
    "wpa_supplicant*.conf", "*.nmconnection", "chap-secrets", "pap-secrets", "ipsec.secrets",
    "wg[0-9]*.conf", "*.rdp", "shadow", "shadow-", "gshadow", "gshadow-", "master.passwd",
    "opasswd", "ntds.dit", "unattend.xml", "sysprep.inf", ".smbcredentials", ".xauthority",
    "bitcoin.conf", "wallet.dat", "utc--*",
    // What was typed, with the passwords among it
    ".bash_history", ".zsh_history", ".zhistory", ".sh_history", ".ksh_history", ".histfile",
    ".history", "fish_history", "consolehost_history.txt", ".psql_history", ".mysql_history",
    ".mariadb_history", ".sqlite_history", ".rediscli_history", ".python_history",
    ".node_repl_history", ".irb_history", ".pry_history", ".mongosh_history", ".dbshell",
    // Keys, certificates and stores of them
    "*_rsa", "*_ed25519", "*_ecdsa", "*_dsa", "id_rsa*", "id_ed25519*", "id_ecdsa*", "id_dsa*",
    "id_xmss*", "ssh_host_*_key", "*.pem", "*.key", "*.crt", "*.cert", "*.ppk", "*.p12", "*.pfx",
    "*.pkcs12", "*.p8", "*.pk8", "*.pvk", "*.jks", "*.jceks", "*.bks", "*.keystore", "*.jwk",
    "*.kdbx", "*.kdb", "*.psafe3", "*.1pif", "*.enpassdb", "*.kwallet", "*.keychain",
    "*.keychain-db", "*.gpg", "*.pgp", "secring.*", "*.agekey", "**/sops/age/keys.txt", "*.ovpn",
    "*.tblk", "*.keytab", "krb5cc_*", "*.bek", "otr.private_key", "key3.db", "key4.db",
    "logins.json", "cookies.sqlite", "login data", "*.minisign.sec"};
// Those of a program's parts that deal with secrets, too: of sources and pages the content decides.
// Not of sketches for small computers (".h", ".lua"), where the key to a network stands in it, and
// is a plain word as often as not.
constexpr std::string_view kUnlessSources[] = {"secrets.*", "credentials*", "kubeconfig*"};
constexpr std::string_view kSources[] = {
    "c",    "cc",  "clj", "cpp", "cs",  "cxx",   "dart",   "ex",    "fs",  "go",  "hpp", "hs",
    "java", "jl",  "js",  "jsx", "kt",  "md",    "mjs",    "ml",    "mts", "pl",  "pm",  "py",
    "pyi",  "pyx", "rb",  "rs",  "rst", "scala", "svelte", "swift", "ts",  "tsx", "vue", "zig"};
// The folders are secret with all that is in them.
constexpr std::string_view kFolders[] = {".aws/",
                                         ".azure/",
                                         ".ssh/",
                                         ".gnupg/",
                                         ".password-store/",
                                         "**/.config/gcloud/",
                                         ".oci/",
                                         ".bluemix/",
                                         ".doppler/",
                                         ".cloudflared/",
                                         ".terraform.d/",
                                         ".minikube/",
                                         ".chef/",
                                         "**/.config/doctl/",
                                         "**/.config/hcloud/",
                                         "**/.config/op/",
                                         "**/.local/share/keyrings/",
                                         "private-keys-v1.d/",
                                         "*.opvault/",
                                         "*.agilekeychain/",
                                         "**/.subversion/auth/",
                                         ".secrets.d/",
                                         "**/waferpair/access/"};

IgnoreRules rulesOf(const auto& patterns) {
  std::string text;
  for (const std::string_view pattern : patterns) text.append(pattern) += '\n';
  return IgnoreRules(text);
}

bool isSource(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos) return false;
  const std::string_view extension = path.substr(dot + 1);
  return std::find(std::begin(kSources), std::end(kSources), extension) != std::end(kSources);
}

}  // namespace

std::string_view secretPatternOf(std::string_view path) {
  static const IgnoreRules files = rulesOf(kFiles);
  static const IgnoreRules folders = rulesOf(kFolders);
  const std::string lower = lowered(path);
  const std::string_view relative = std::string_view(lower).substr(lower.starts_with('/') ? 1 : 0);
  for (std::size_t end = relative.find('/'); end != relative.npos;
       end = relative.find('/', end + 1)) {
    if (const auto match = folders.match(relative.substr(0, end), true)) return match->pattern;
  }
  if (const auto match = files.match(relative, false)) return match->pattern;
  static const IgnoreRules unlessSources = rulesOf(kUnlessSources);
  const auto match = unlessSources.match(relative, false);
  return match && !isSource(lower) ? match->pattern : std::string_view();
}

const std::vector<std::string_view>& secretPatterns() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> patterns(std::begin(kFiles), std::end(kFiles));
    patterns.insert(patterns.end(), std::begin(kUnlessSources), std::end(kUnlessSources));
    patterns.insert(patterns.end(), std::begin(kFolders), std::end(kFolders));
    return patterns;
  }();
  return all;
}

}  // namespace waferpair::exclusions

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/secret_names.h"

#include <string>

#include "runtime/exclusions/ignore_rules.h"

namespace waferpair::exclusions {
namespace {

// The names are in lower case, since paths are compared so.
constexpr std::string_view kFiles[] = {
    // Settings of programs, where passwords and tokens are kept
    "*.env", ".env*", ".dev.vars", "secrets.*", ".secrets", "credentials*", "service-account*.json",
    "local.properties", "*.tfvars", "*.tfvars.json", "*.tfstate*", ".terraformrc", "terraform.rc",
    ".htpasswd", ".pgpass", ".my.cnf", ".mylogin.cnf", ".netrc", "_netrc", ".npmrc", ".pypirc",
    ".git-credentials", ".boto", ".s3cfg", ".dockercfg", ".vault-token", "kubeconfig",
    "settings-security.xml", "**/.docker/config.json", "**/.kube/config",
    // Keys, certificates and stores of them
    "id_rsa*", "id_ed25519*", "id_ecdsa*", "id_dsa*", "*.pem", "*.key", "*.crt", "*.cert", "*.ppk",
    "*.p12", "*.pfx", "*.p8", "*.jks", "*.keystore", "*.kdbx", "*.kdb", "*.gpg", "*.agekey",
    "*.ovpn"};
// The folders are secret with all that is in them.
constexpr std::string_view kFolders[] = {".aws/",   ".azure/",          ".ssh/",
                                         ".gnupg/", ".password-store/", "**/.config/gcloud/"};

IgnoreRules rulesOf(const auto& patterns) {
  std::string text;
  for (const std::string_view pattern : patterns) text.append(pattern) += '\n';
  return IgnoreRules(text);
}

}  // namespace

std::string_view secretPatternOf(std::string_view path) {
  static const IgnoreRules files = rulesOf(kFiles);
  static const IgnoreRules folders = rulesOf(kFolders);
  std::string lower(path);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const std::string_view relative = std::string_view(lower).substr(lower.starts_with('/') ? 1 : 0);
  for (std::size_t end = relative.find('/'); end != relative.npos;
       end = relative.find('/', end + 1)) {
    if (const auto match = folders.match(relative.substr(0, end), true)) return match->pattern;
  }
  const auto match = files.match(relative, false);
  return match ? match->pattern : std::string_view();
}

const std::vector<std::string_view>& secretPatterns() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> patterns(std::begin(kFiles), std::end(kFiles));
    patterns.insert(patterns.end(), std::begin(kFolders), std::end(kFolders));
    return patterns;
  }();
  return all;
}

}  // namespace waferpair::exclusions

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/connect_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "runtime/base/output_file.h"

namespace waferpair::waferctl {
namespace {

namespace fs = std::filesystem;
using Settings = nlohmann::ordered_json;

constexpr const char* kBegin = ">>> waferpair >>>";
constexpr const char* kEnd = "<<< waferpair <<<";

// Members that are objects are put together, others replaced.
void merge(Settings& into, const Settings& from) {
  if (!into.is_object() || !from.is_object()) {
    into = from;
    return;
  }
  for (const auto& [name, value] : from.items()) merge(into[name], value);
}

base::Result<std::string> withJson(const ClientSetup& setup, const std::string& before) {
  const bool isEmpty = before.find_first_not_of(" \t\r\n") == before.npos;
  Settings all =
      isEmpty ? Settings::object() : Settings::parse(before, nullptr, /*allow_exceptions=*/false);
  if (!all.is_object())
    return base::fail(setup.file + " has comments, or is no JSON, and is left as it is.",
                      "Put the settings into it yourself, or remove the comments.");
  merge(all, Settings::parse(setup.text));
  return all.dump(2) + "\n";
}

base::Result<std::string> withBlock(const ClientSetup& setup, std::string before) {
  const std::string begin = setup.comment + kBegin + "\n";
  const std::string end = setup.comment + kEnd + "\n";
  const std::string block = begin + setup.text + end;
  const std::size_t at = before.find(begin);
  if (at == before.npos) {
    if (!before.empty() && !before.ends_with('\n')) before += '\n';
    return before + (before.empty() ? "" : "\n") + block;
  }
  const std::size_t last = before.find(end, at);
  if (last == before.npos)
    return base::fail(setup.file + " has the line \"" + begin.substr(0, begin.size() - 1) +
                          "\", and none that ends what follows it.",
                      "Remove that line and what belongs to it.");
  return before.replace(at, last + end.size() - at, block);
}

std::optional<std::string> contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// A file that is there is its user's alone from now on; one that cannot be made so is refused.
base::Result<void> tighten(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || (info.st_mode & 077) == 0) return {};
  if (info.st_uid == geteuid() && chmod(path.c_str(), info.st_mode & 0700) == 0) return {};
  return base::fail(path + " can be read by others, and the token is not put there.",
                    "Make it yours alone: chmod 600 " + path);
}

// A new file can be read by the user alone; `isSecret`: one that is there, too, from now on.
base::Result<void> put(const std::string& path, const std::string& text, bool isSecret) {
  std::error_code ignored;
  const bool isNew = !fs::exists(path, ignored);
  if (auto own = isSecret ? tighten(path) : base::Result<void>{}; !own) return own;
  const mode_t before = isNew ? umask(077) : 0;
  auto file = base::OutputFile::create(path);
  if (isNew) umask(before);
  if (!file) return tl::unexpected(file.error());
  if (auto written = file->write(text); !written) return written;
  return file->keep();
}

}  // namespace

base::Result<std::string> withSettings(const ClientSetup& setup,
                                       const std::optional<std::string>& before) {
  switch (setup.form) {
    case SettingsForm::kJson:
      return withJson(setup, before.value_or(""));
    case SettingsForm::kBlock:
      return withBlock(setup, before.value_or(""));
    case SettingsForm::kOwnFile:
      break;
  }
  return setup.text;
}

base::Result<bool> writeSettings(const ClientSetup& setup) {
  if (setup.file.empty())
    return base::fail("HOME names no folder to put the settings into.", "Set HOME.");
  const auto before = contentOf(setup.file);
  auto text = withSettings(setup, before);
  if (!text) return tl::unexpected(text.error());
  if (before == *text) {
    if (auto own = setup.holdsToken ? tighten(setup.file) : base::Result<void>{}; !own)
      return tl::unexpected(own.error());
    return false;
  }
  std::error_code error;
  fs::create_directories(fs::path(setup.file).parent_path(), error);
  if (error)
    return base::fail("The folder of " + setup.file + " cannot be made: " + error.message() + ".",
                      "Make it, or see who owns the folder above.");
  if (before && !before->empty()) {
    if (auto kept = put(setup.file + ".before-waferpair", *before, setup.holdsToken); !kept)
      return tl::unexpected(kept.error());
  }
  if (auto written = put(setup.file, *text, setup.holdsToken); !written)
    return tl::unexpected(written.error());
  return true;
}

}  // namespace waferpair::waferctl

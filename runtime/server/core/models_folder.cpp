// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/models_folder.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <vector>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace code = protocol::error_code;
namespace fs = std::filesystem;

constexpr std::string_view kModelEnding = ".gguf";
constexpr std::size_t kLongestModelName = 200;

// Returns whether a client may call a file so: no folder, no hidden file, nothing that a shell
// reads.
bool isFileName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestModelName && !name.starts_with('.') &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == ':';
         });
}

fs::path withoutLinks(const fs::path& path) {
  std::error_code failed;
  fs::path known = fs::canonical(path, failed);
  return failed ? path : known;
}

// Where the file lies, links to it not followed.
fs::path placeOf(const fs::path& file) {
  return withoutLinks(fs::absolute(file).parent_path()) / file.filename();
}

bool isInFolder(const Models& models, const HostedModel& model) {
  return placeOf(model.source().file).parent_path() == withoutLinks(models.folder());
}

Problem noFolder() {
  return {protocol::http_error_code::kNotSupported,
          {"No folder of models is open to clients here: their files are yours.",
           "Start waferd with --models-dir FOLDER, or change the file yourself."}};
}

Problem liesElsewhere(const HostedModel& model) {
  return {code::kInvalidField,
          {model.name() + " does not lie in the folder of models (" + model.source().file + ").",
           "Change the file yourself, and start waferd anew."}};
}

Problem folderFailure(const std::string& what, int error) {
  return {code::kInternal,
          {what + ": " + std::strerror(error) + ".", "See to the folder and its rights."}};
}

}  // namespace

void offerFolder(Models& models) {
  if (models.folder().empty()) return;
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator each(models.folder(), failed), end; !failed && each != end;
       each.increment(failed)) {
    const fs::path& file = each->path();
    std::error_code unread;
    if (file.extension() == kModelEnding && !file.filename().string().starts_with('.') &&
        each->is_regular_file(unread))
      files.push_back(file);
  }
  std::ranges::sort(files);
  std::set<fs::path> offered;
  for (const auto& model : models.all()) offered.insert(placeOf(model->source().file));
  for (const fs::path& file : files) {
    const fs::path place = placeOf(file);
    if (offered.contains(place)) continue;
    if (!models.offer({place.string(), file.stem().string()}, Models::kMostWithFolder)) return;
  }
}

std::optional<Problem> copyModel(Models& models, std::string_view from, std::string_view to) {
  if (models.folder().empty()) return noFolder();
  const auto model = models.find(from);
  if (!model) return model.error();
  if (!isInFolder(models, **model)) return liesElsewhere(**model);
  if (!isFileName(to))
    return Problem(code::kInvalidField, "destination",
                   {"A model cannot be called that.",
                    "Give up to 200 letters, digits, dots, dashes, underscores and colons."});
  const fs::path place =
      withoutLinks(models.folder()) / (std::string(to) + std::string(kModelEnding));
  // A link to the same bytes is there at once, whole, and takes no other file's place.
  if (::link((*model)->source().file.c_str(), place.c_str()) != 0) {
    if (errno == EEXIST)
      return Problem(code::kInvalidField, "destination",
                     {"There is a model " + std::string(to) + " already.",
                      "Delete that one, or give another name."});
    return folderFailure(place.string() + " cannot be made", errno);
  }
  if (auto offered = models.offer({place.string(), std::string(to)}, Models::kMostWithFolder);
      !offered)
    return offered.error();
  return std::nullopt;
}

std::optional<Problem> deleteModel(Models& models, std::string_view name) {
  if (models.folder().empty()) return noFolder();
  const auto model = models.find(name);
  if (!model) return model.error();
  // A name within files may be that of several.
  if ((*model)->name() != name)
    return Problem(code::kInvalidField, protocol::field::model_load::kModel,
                   {std::string(name) + " is the name in the file of " + (*model)->name() + ".",
                    "Delete it by that name."});
  if (!isInFolder(models, **model)) return liesElsewhere(**model);
  const std::string file = placeOf((*model)->source().file).string();
  if (auto problem = models.forget(*model)) return problem;
  if (::unlink(file.c_str()) != 0 && errno != ENOENT)
    return folderFailure(file + " cannot be deleted", errno);
  return std::nullopt;
}

}  // namespace waferpair::server

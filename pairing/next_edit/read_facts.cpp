// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/read_facts.h"

#include <QFileInfo>
#include <string>

#include "editor/text/path_bytes.h"
#include "runtime/base/guest_file.h"

namespace waferpair::pairing {
namespace {

std::optional<CodeText> codeOf(const std::string& path, const LanguageFamily& family) {
  const auto bytes =
      base::readGuestFile(path, static_cast<std::size_t>(kMostOfFile), base::Links::kRefuse);
  if (!bytes || !*bytes) return {};
  return CodeText(QByteArray::fromStdString(**bytes), family);
}

std::shared_ptr<const FileFacts> factsIn(const std::string& path, const LanguageFamily& family) {
  const std::optional<CodeText> code = codeOf(path, family);
  return code ? std::make_shared<FileFacts>(*code) : nullptr;
}

}  // namespace

std::shared_ptr<const ReadFacts> readFacts(const QString& root, const QStringList& files,
                                           const QStringList& suffixes,
                                           const LanguageFamily& family,
                                           const std::shared_ptr<const ReadFacts>& before,
                                           const std::atomic<bool>& cancelled) {
  const bool isSame = before && before->root == root && before->suffixes == suffixes;
  auto read = std::make_shared<ReadFacts>();
  read->root = root;
  read->suffixes = suffixes;
  auto facts = std::make_shared<ProjectFacts>();
  qint64 bytes = 0;
  for (const QString& file : files) {
    if (cancelled) return {};
    if (!suffixes.contains(QFileInfo(file).suffix())) continue;
    const std::string path = editor::nativePath(root + u'/' + file);
    const exclusions::FileStamp stamp = exclusions::FileStamp::of(path);
    bytes += stamp.bytes;
    if (bytes > kMostOfFiles) break;
    ReadFile<FileFacts> known;
    if (isSame) known = before->files.value(file);
    if (!known.isCurrent(stamp)) known = {stamp, factsIn(path, family)};
    if (known.content) facts->set(file, known.content);
    read->files.insert(file, std::move(known));
  }
  read->facts = std::move(facts);
  return read;
}

std::shared_ptr<const CodeText> CodeFiles::read(const QString& path, const LanguageFamily& family) {
  const std::string name = editor::nativePath(path);
  const exclusions::FileStamp stamp = exclusions::FileStamp::of(name);
  used_ += path;
  ReadFile<CodeText>& file = files_[path];
  if (!file.isCurrent(stamp)) {
    std::optional<CodeText> code = codeOf(name, family);
    const bool isPlain =
        code && code->bytes().isValidUtf8() && !code->bytes().startsWith("\xef\xbb\xbf");
    file = {stamp, isPlain ? std::make_shared<CodeText>(*std::move(code)) : nullptr};
  }
  return file.content;
}

void CodeFiles::forgetOthers() {
  files_.removeIf([&](const auto& file) { return !used_.contains(file.key()); });
  used_.clear();
}

}  // namespace waferpair::pairing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/editor_config.h"

#include <editorconfig/editorconfig.h>

#include <QHash>
#include <memory>
#include <type_traits>

#include "editor/text/editor_config_check.h"
#include "editor/text/glob_ways.h"
#include "editor/text/guest_file.h"
#include "editor/text/path_bytes.h"
#include "editor/text/quoted.h"
#include "editor/text/translate.h"

namespace waferpair::editor {

namespace {

constexpr int kWidest = 16;
constexpr qint64 kLargestEditorConfig = 256 << 10;  // bytes

using Handle = std::unique_ptr<std::remove_pointer_t<editorconfig_handle>,
                               decltype(&editorconfig_handle_destroy)>;

// Names and values as the files have them; names are in lower case.
QHash<QByteArray, QByteArray> propertiesOf(const QString& path) {
  QHash<QByteArray, QByteArray> properties;
  const Handle handle(editorconfig_handle_init(), &editorconfig_handle_destroy);
  if (!handle || editorconfig_parse(pathBytes(path).constData(), handle.get()) != 0)
    return properties;
  const int count = editorconfig_handle_get_name_value_count(handle.get());
  for (int i = 0; i < count; ++i) {
    const char* name = nullptr;
    const char* value = nullptr;
    editorconfig_handle_get_name_value(handle.get(), i, &name, &value);
    properties[name] = QByteArray(value).trimmed().toLower();
  }
  return properties;
}

template <typename Value>
std::optional<Value> chosen(const QHash<QByteArray, Value>& values, const QByteArray& name) {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(*found);
}

std::optional<int> widthOf(const QByteArray& value) {
  bool isNumber = false;
  const int width = value.toInt(&isNumber);
  return isNumber && width >= 1 && width <= kWidest ? std::optional(width) : std::nullopt;
}

}  // namespace

Result<void> checkEditorConfigs(const QString& path) {
  QString folder = path;
  double ways = 0;
  for (qsizetype slash = folder.lastIndexOf(u'/'); slash >= 0; slash = folder.lastIndexOf(u'/')) {
    folder.truncate(slash);
    const QString file = folder + QStringLiteral("/.editorconfig");
    const auto bytes = readGuestFile(file, kLargestEditorConfig);
    if (!bytes) return tl::unexpected<Error>(bytes.error());
    if (!*bytes) continue;
    ways += editorConfigWays(**bytes, pathBytes(path.sliced(slash + 1)));
    if (ways > kMostGlobWays)
      return fail(translate("%1 is not read: matching its patterns would take too long.")
                      .arg(quotedPath(file)),
                  translate("Use fewer stars and braces in one pattern, and shorter lines."));
  }
  return {};
}

EditorConfig editorConfigFor(const QString& path) {
  EditorConfig config;
  // The library opens each file by itself, and would wait for a FIFO or read a device without end.
  if (!checkEditorConfigs(path)) return config;
  const QHash<QByteArray, QByteArray> said = propertiesOf(path);
  static const QHash<QByteArray, bool> kFlags = {{"true", true}, {"false", false}};
  static const QHash<QByteArray, bool> kStyles = {{"tab", true}, {"space", false}};
  static const QHash<QByteArray, LineEnds> kEnds = {
      {"lf", LineEnds::kLf}, {"crlf", LineEnds::kCrLf}, {"cr", LineEnds::kCr}};
  static const QHash<QByteArray, Encoding> kCharsets = {{"utf-8", Encoding::kUtf8},
                                                        {"utf-8-bom", Encoding::kUtf8Bom},
                                                        {"utf-16le", Encoding::kUtf16Le},
                                                        {"utf-16be", Encoding::kUtf16Be},
                                                        {"latin1", Encoding::kIso8859_1}};
  config.tabs = chosen(kStyles, said["indent_style"]);
  config.width = widthOf(said["indent_size"]);
  if (!config.width) config.width = widthOf(said["tab_width"]);
  config.lineEnds = chosen(kEnds, said["end_of_line"]);
  config.encoding = chosen(kCharsets, said["charset"]);
  config.trimsLineEnds = chosen(kFlags, said["trim_trailing_whitespace"]);
  config.endsWithLineEnd = chosen(kFlags, said["insert_final_newline"]);
  return config;
}

}  // namespace waferpair::editor

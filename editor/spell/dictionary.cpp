// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/spell/dictionary.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <hunspell.hxx>

#include "editor/text/icu_converter.h"
#include "editor/text/translate.h"

namespace waferpair::editor {

namespace {

// Larger than any that is shipped; Hunspell reads it whole.
constexpr qint64 kLargestDictionary = 64 << 20;  // bytes

// The first line of NAME.dic is the number of its words. Hunspell takes any file, says nothing of
// what it cannot read, and would call every word wrong.
bool hasWords(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly) || file.size() > kLargestDictionary) return false;
  QByteArray first = file.readLine(256).trimmed();
  if (first.startsWith("\xef\xbb\xbf")) first.remove(0, 3);
  bool isNumber = false;
  const int count = first.split(' ').first().split('\t').first().toInt(&isNumber);
  return isNumber && count > 0 && !file.readLine(1024).trimmed().isEmpty();
}

QString language(const QString& name) { return name.section(u'_', 0, 0); }

}  // namespace

QStringList dictionaryFolders() {
  QStringList folders = qEnvironmentVariable("DICPATH").split(u':', Qt::SkipEmptyParts);
  for (const QString& data : QStandardPaths::standardLocations(QStandardPaths::GenericDataLocation))
    for (const char* below : {"/hunspell", "/myspell", "/myspell/dicts"})
      folders.append(data + QLatin1String(below));
  folders.removeDuplicates();
  return folders;
}

QStringList dictionariesIn(const QStringList& folders) {
  QStringList names;
  for (const QString& folder : folders) {
    const QDir dir(folder);
    for (const QString& file : dir.entryList({QStringLiteral("*.dic")}, QDir::Files)) {
      const QString name = file.chopped(4);
      // Those that hyphenate have the same ending.
      if (QFileInfo::exists(dir.filePath(name + QStringLiteral(".aff")))) names.append(name);
    }
  }
  names.sort();
  names.removeDuplicates();
  return names;
}

QStringList usualDictionaries(const QStringList& there, const QStringList& languages) {
  QStringList chosen;
  const auto choose = [&](QString wanted) {
    wanted.replace(u'-', u'_');
    const auto found = std::find_if(there.begin(), there.end(), [&](const QString& name) {
      return name == wanted || (!wanted.contains(u'_') && language(name) == wanted);
    });
    if (found == there.end()) return false;
    if (!chosen.contains(*found)) chosen.append(*found);
    return true;
  };
  for (const QString& wanted : languages) choose(wanted);
  const bool hasEnglish = std::any_of(chosen.begin(), chosen.end(),
                                      [](const QString& name) { return language(name) == u"en"; });
  if (!hasEnglish && !choose(QStringLiteral("en_US"))) choose(QStringLiteral("en"));
  return chosen;
}

Result<std::unique_ptr<Dictionary>> Dictionary::open(const QString& name,
                                                     const QStringList& folders) {
  // A name leads to no other folder.
  if (name.contains(u'/') || name.contains(u'\\'))
    return fail(translate("“%1” is no name of a dictionary.").arg(name));
  for (const QString& folder : folders) {
    const QString aff = folder + u'/' + name + QStringLiteral(".aff");
    const QString dic = folder + u'/' + name + QStringLiteral(".dic");
    if (!QFileInfo(aff).isFile() || !QFileInfo(dic).isFile()) continue;
    if (!QFileInfo(aff).isReadable() || !hasWords(dic)) {
      return fail(translate("The dictionary %1 is damaged or can't be read.").arg(dic),
                  translate("Install it anew, or choose another in the settings."));
    }
    return std::unique_ptr<Dictionary>(
        new Dictionary(QFile::encodeName(aff), QFile::encodeName(dic)));
  }
  return fail(translate("There is no dictionary “%1”.").arg(name),
              translate("Install it (hunspell-…), or choose another in the settings."));
}

Dictionary::Dictionary(const QByteArray& aff, const QByteArray& dic)
    : hunspell_(std::make_unique<Hunspell>(aff.constData(), dic.constData())),
      encoding_(hunspell_->get_dict_encoding().c_str()) {}

Dictionary::~Dictionary() = default;

std::string Dictionary::encoded(const QString& word) const {
  if (encoding_ == "UTF-8") return word.toStdString();
  IcuConverter converter(encoding_.constData());
  QByteArray bytes;
  if (!converter.isOpen() || converter.encode(word, true, &bytes) != word.size()) return {};
  return bytes.toStdString();
}

QString Dictionary::decoded(const std::string& word) const {
  if (encoding_ == "UTF-8") return QString::fromStdString(word);
  IcuConverter converter(encoding_.constData());
  QByteArray utf8;
  converter.decode(QByteArrayView(word.data(), static_cast<qsizetype>(word.size())), &utf8);
  return QString::fromUtf8(utf8);
}

bool Dictionary::knows(const QString& word) const {
  const std::string bytes = encoded(word);
  return !bytes.empty() && hunspell_->spell(bytes);
}

QStringList Dictionary::suggest(const QString& word) const {
  QStringList words;
  const std::string bytes = encoded(word);
  if (bytes.empty()) return words;
  for (const std::string& one : hunspell_->suggest(bytes)) words.append(decoded(one));
  return words;
}

}  // namespace waferpair::editor

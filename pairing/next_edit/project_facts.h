// SPDX-License-Identifier: GPL-3.0-or-later
// The facts about a project's files that are known without their texts: the lines by which they
// bring in what stands elsewhere ("from a import b", "use a::b;"), which of those a name needs
// (what other files that use the name have), and the words that they hold. Values; any thread.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {

// One name that a line brings in.
struct ImportedName {
  QByteArray name;
  QByteArray module;      // it comes from; empty where the line is not to be joined with others
  QByteArray line;        // that brings in this name alone, without blanks around
  int at = 0;             // the line of the text
  bool joins = false;     // the line holds a list of names, to which more can be added
  bool isModule = false;  // it is used with a dot behind it
};

// The names that the lines of a text bring in, from the top down. Only whole lines that are not
// indented, and those of a Go `import (`, count.
std::vector<ImportedName> importedNames(const CodeText& code);

// The line is, or may be, one that brings something in, wherever it stands.
bool mayImport(const LanguageFamily& family, QByteArrayView line);

// The facts about one file: the names that it brings in, and the words that its code uses.
class FileFacts {
 public:
  explicit FileFacts(const CodeText& code);

  const LanguageFamily& family() const { return *family_; }
  const std::vector<ImportedName>& names() const { return names_; }
  // The word stands in the code, other than behind a dot.
  bool uses(QByteArrayView word) const;
  // All of these words (hashes) stand in the text.
  bool hasAll(std::span<const quint32> words) const;

 private:
  const LanguageFamily* family_;
  std::vector<ImportedName> names_;
  std::vector<quint32> used_;   // hashes, sorted
  std::vector<quint32> words_;  // likewise, of all words
};

// Whether a word can be what an import brings in, where it stands: no member, and in Go a package.
bool isImportable(const CodeText& code, std::span<const Token> line, std::size_t index);

class ProjectFacts {
 public:
  // How a name comes to the files that use it.
  struct Found {
    ImportedName import;  // by the line that most of them have
    int agree = 0;        // files with this line
    int bring = 0;        // files that bring in the name
    int use = 0;          // files that use it, other than those that define it
    bool isNear = false;  // a file of the same folder has the line
    std::vector<std::shared_ptr<const FileFacts>> having;  // the line; some of these files
  };

  // `path` is relative to the project; a file that is there is replaced.
  void set(const QString& path, std::shared_ptr<const FileFacts> file);
  bool isEmpty() const { return files_.isEmpty(); }
  // For the file `path`, which itself does not count. Nothing: no file brings it in.
  std::optional<Found> find(const QString& path, const LanguageFamily& family,
                            QByteArrayView name) const;
  // The paths of the files of that family in which all these words (hashes) stand; at most `most`.
  QStringList filesWith(std::span<const quint32> words, const LanguageFamily& family,
                        qsizetype most) const;

 private:
  QHash<QString, std::shared_ptr<const FileFacts>> files_;
};

}  // namespace waferpair::pairing

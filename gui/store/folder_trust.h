// SPDX-License-Identifier: GPL-3.0-or-later
// Which folders the user trusts, and what of theirs may be started: the user's word, kept in a file
// of the program's own. A folder that is not trusted is restricted: its files are shown, edited and
// searched, and nothing that it brings is started. Folders are told apart by where they really are,
// behind all links; the word about a folder is for all below it, too. UI thread only.
#pragma once

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QStringList>
#include <QVector>
#include <optional>

#include "programs/given_start.h"

namespace waferpair::gui {

class FolderTrust : public QObject {
  Q_OBJECT
 public:
  // Reads `file`, which need not be there, and again when it changes. Where it cannot be read
  // nothing is trusted, and problem() says why.
  explicit FolderTrust(QString file, QObject* parent = nullptr);

  // -- Folders

  // Whether the user trusts the folder, which is absolute, or one around it. Not so of what is not
  // there, nor of an empty name. The word about the user's home, or a folder around that, is not
  // for those below: almost everything lies there.
  bool isTrusted(const QString& folder) const { return !trustedBy(folder).isEmpty(); }
  // The same, if trust in `revoked` were taken back.
  bool isTrustedWithout(const QString& folder, const QString& revoked) const;
  // The outermost trusted folder that it is or lies in; empty: none.
  QString trustedBy(const QString& folder) const;
  // Remembered ones, sorted.
  QStringList folders() const { return folders_; }
  // The user wants it restricted, and is not to be told of that again unasked.
  bool isKeptRestricted(const QString& folder) const;

  // Remembers it. These return an empty string, or what went wrong: then it holds until the program
  // ends.
  QString trust(const QString& folder);
  // Takes it back: from the folder and from those around it, with the user's word about each single
  // start in it.
  QString revoke(const QString& folder);
  QString keepRestricted(const QString& folder);
  // Whatever is opened is trusted until the program ends or trust is taken back anywhere; nothing
  // of that is remembered.
  void trustAllForNow();

  // -- Single starts, in trusted folders

  // kRestricted where the folder is not trusted, whatever was said about the start before.
  programs::StartWord wordAbout(const programs::GivenStart& start) const;
  QString agree(const programs::GivenStart& start);
  QString decline(const programs::GivenStart& start);
  // What is another than it was when the user last agreed to a start of this name; none where
  // nobody has.
  struct Changed {
    QVector<qsizetype> lines;  // indices into start.shown()
    qsizetype gone = 0;        // lines that were there
  };
  std::optional<Changed> changedSince(const programs::GivenStart& start) const;
  // What was said in this folder and below.
  struct Said {
    QString key;
    QString about;  // "build (.waferpair/tasks.json)"
    bool isAgreed = false;
  };
  QVector<Said> saidIn(const QString& folder) const;
  QString forget(const QString& key);

  // Of the file; empty: nothing is wrong with it.
  const QString& problem() const { return problem_; }

 Q_SIGNALS:
  // Folders or single words are others.
  void changed();

 private:
  struct Word {
    QString folder;  // canonical
    bool isAgreed = false;
    QString about;      // for who reads the file
    QStringList lines;  // hashes of what was shown

    bool operator==(const Word&) const = default;
  };

  bool read();
  QString change(const std::function<void()>& edit);
  QString setWord(const programs::GivenStart& start, bool isAgreed);
  void watch();

  QString file_;
  QString problem_;
  QStringList folders_;
  QStringList restricted_;  // that the user wants so
  bool allForNow_ = false;
  QHash<QString, Word> words_;  // by the key of the start
  QStringList order_;           // keys, the oldest first
  bool isUnwritten_ = false;    // the file has not what was said last
  QFileSystemWatcher watcher_;
};

}  // namespace waferpair::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// Repositories as somebody else may hand them over, in an archive or on a stick: in each something
// names a program that git would run. The program leaves a mark when it does.
#pragma once

#include <QFileInfo>

#include "tests/workbench/git/scratch_repository.h"

namespace waferpair::workbench {

class HostileRepository : public ScratchRepository {
 public:
  struct Trap {
    const char* name;
    // What runs the program in an ordinary git, which shows that the trap is one; empty: none of
    // the commands that only read do, or not in every release.
    QStringList sprungBy = {};
  };

  static QVector<Trap> traps() {
    return {{"fsmonitor", {"status"}},
            {"hooks", {"commit", "--allow-empty", "-m", "x"}},
            {"hooksPath", {"commit", "--allow-empty", "-m", "x"}},
            {"gpg", {"log"}},
            {"gpg by format", {"log"}},
            {"ssh signature", {"log"}},
            {"x509 signature", {"log"}},
            {"textconv", {"log", "-p"}},
            {"diff command", {"diff"}},
            {"diff.external", {"diff"}},
            {"clean", {"add", "-A"}},
            {"smudge", {"checkout", "HEAD~1", "--", "a.txt"}},
            {"process", {"add", "-A"}},
            {"process that is required", {"add", "-A"}},
            {"filter in info/attributes", {"add", "-A"}},
            {"pager"},
            {"pager of a command"},
            {"ssh", {"fetch", "evil"}},
            {"ext transport", {"fetch", "evil"}},
            {"upload pack", {"fetch", "evil"}},
            {"git proxy", {"fetch", "evil"}},
            {"credential helper"},
            {"askpass"},
            {"editor", {"commit", "--allow-empty"}},
            {"alias", {"other"}},
            {"alternate refs", {}},
            {"partial clone", {"log", "-p"}},
            {"submodule", {"-C", "module", "status"}},
            {"config.worktree", {"status"}},
            {"include", {"status"}},
            {"includeIf gitdir", {"status"}},
            {"includeIf onbranch", {"status"}},
            {"includeIf hasconfig"},
            {"merge driver"},
            {"trailer"},
            {"fsmonitor of a worktree", {}}};
  }

  HostileRepository() {
    write(QStringLiteral("a.txt"), "one\ntwo\nthree\n");
    write(QStringLiteral("sub/b.txt"), "one\n");
    commit(QStringLiteral("first"));
    write(QStringLiteral("a.txt"), "one\n2\nthree\n");
    commit(QStringLiteral("second"));
    // A signed one, whose signature is nobody's.
    const QByteArray tree = git({"rev-parse", "HEAD^{tree}"}).trimmed();
    const QByteArray parent = git({"rev-parse", "HEAD"}).trimmed();
    sign("-----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----", tree, parent);
    stash();
    script_ = outside_.filePath(QStringLiteral("program"));
    QFile script(script_);
    if (!script.open(QIODevice::WriteOnly)) qWarning() << "no script";
    script.write("#!/bin/sh\necho \"$0 $*\" >> \"" + outside_.path().toUtf8() +
                 "/mark\"\nexit 0\n");
    script.setPermissions(QFile::Permissions(0x7755));
  }

  // What ran; empty: nothing.
  QByteArray marks() const {
    QFile mark(outside_.filePath(QStringLiteral("mark")));
    return mark.open(QIODevice::ReadOnly) ? mark.readAll() : QByteArray();
  }
  void forgetMarks() const { QFile::remove(outside_.filePath(QStringLiteral("mark"))); }
  QString program() const { return script_; }

  void set(const QString& trap) {
    const QByteArray p = script_.toUtf8();
    const auto is = [&](const char* name) { return trap == QLatin1String(name); };
    const auto config = [&](const QByteArray& text) { append(".git/config", text); };
    if (is("fsmonitor")) config("[core]\n\tfsmonitor = " + p + "\n");
    if (is("hooks")) hooks(path(QStringLiteral(".git/hooks")));
    if (is("hooksPath")) {
      hooks(path(QStringLiteral("their-hooks")));
      config("[core]\n\thooksPath = their-hooks\n");
    }
    if (is("gpg")) config("[log]\n\tshowSignature = true\n[gpg]\n\tprogram = " + p + "\n");
    if (is("gpg by format"))
      config("[log]\n\tshowSignature = true\n[gpg \"openpgp\"]\n\tprogram = " + p + "\n");
    if (is("ssh signature")) {
      signAgain("-----BEGIN SSH SIGNATURE-----\n AAAA\n -----END SSH SIGNATURE-----");
      config("[log]\n\tshowSignature = true\n[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tprogram = " +
             p + "\n\tallowedSignersFile = /dev/null\n");
    }
    if (is("x509 signature")) {
      signAgain("-----BEGIN SIGNED MESSAGE-----\n AAAA\n -----END SIGNED MESSAGE-----");
      config("[log]\n\tshowSignature = true\n[gpg \"x509\"]\n\tprogram = " + p + "\n");
    }
    if (is("textconv")) {
      write(QStringLiteral(".gitattributes"), "*.txt diff=evil\n");
      config("[diff \"evil\"]\n\ttextconv = " + p + "\n");
    }
    if (is("diff command")) {
      write(QStringLiteral(".gitattributes"), "*.txt diff=evil\n");
      config("[diff \"evil\"]\n\tcommand = " + p + "\n");
    }
    if (is("diff.external")) config("[diff]\n\texternal = " + p + "\n");
    if (is("clean") || is("smudge") || is("process"))
      filter(".gitattributes", trap.toUtf8() + " = " + p + "\n");
    if (is("process that is required"))
      filter(".gitattributes", "process = " + p + "\n\trequired = true\n");
    if (is("filter in info/attributes")) filter(".git/info/attributes", "clean = " + p + "\n");
    if (is("pager")) config("[core]\n\tpager = " + p + "\n");
    if (is("pager of a command"))
      config("[pager]\n\tlog = " + p + "\n\tblame = " + p + "\n\tshow = " + p + "\n");
    if (is("ssh")) remote("ssh://nowhere.invalid/x", "[core]\n\tsshCommand = " + p + "\n");
    if (is("ext transport")) remote("ext::" + p, "[protocol \"ext\"]\n\tallow = always\n");
    if (is("upload pack"))
      remote(folder().toUtf8(), "[remote \"evil\"]\n\tuploadpack = " + p + "\n");
    if (is("git proxy")) remote("git://nowhere.invalid/x", "[core]\n\tgitProxy = " + p + "\n");
    if (is("credential helper"))
      remote("https://127.0.0.1:1/x", "[credential]\n\thelper = " + p + "\n");
    if (is("askpass")) remote("https://127.0.0.1:1/x", "[core]\n\taskPass = " + p + "\n");
    if (is("editor")) config("[core]\n\teditor = " + p + "\n[sequence]\n\teditor = " + p + "\n");
    if (is("alias"))
      for (const char* name : {"other", "log", "blame", "show", "status"})
        config(QByteArray("[alias]\n\t") + name + " = \"!" + p + "\"\n");
    if (is("alternate refs")) config("[core]\n\talternateRefsCommand = " + p + "\n");
    if (is("partial clone")) {
      config("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n");
      remote("ext::" + p,
             "[protocol \"ext\"]\n\tallow = always\n[remote \"evil\"]\n\tpromisor = true\n");
      const QString id = git({"rev-parse", "HEAD~1:a.txt"}, true).trimmed();
      QFile::remove(path(".git/objects/" + id.left(2) + '/' + id.mid(2)));
    }
    if (is("submodule")) {
      const QString inner = path(QStringLiteral("module"));
      QDir().mkpath(inner);
      runGit(inner, {"init", "-q", "-b", "main"});
      runGit(inner, {"commit", "-q", "--allow-empty", "-m", "inner"});
      git({"-c", "advice.addEmbeddedRepo=false", "add", "module"});
      append("module/.git/config", "[core]\n\tfsmonitor = " + p + "\n");
      hooks(path(QStringLiteral("module/.git/hooks")));
      write(QStringLiteral(".gitmodules"),
            "[submodule \"module\"]\n\tpath = module\n\turl = ext::" + p +
                "\n\tfetchRecurseSubmodules = true\n");
      config("[submodule]\n\trecurse = true\n[submodule \"module\"]\n\tactive = true\n");
    }
    if (is("config.worktree")) {
      config("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n");
      append(".git/config.worktree", "[core]\n\tfsmonitor = " + p + "\n");
    }
    if (is("include")) include("[include]\n");
    if (is("includeIf gitdir")) include("[includeIf \"gitdir:/\"]\n");
    if (is("includeIf onbranch")) include("[includeIf \"onbranch:**\"]\n");
    if (is("includeIf hasconfig")) {
      remote("https://127.0.0.1:1/x", {});
      include("[includeIf \"hasconfig:remote.*.url:https://**\"]\n");
    }
    if (is("merge driver")) {
      write(QStringLiteral(".gitattributes"), "*.txt merge=evil\n");
      config("[merge \"evil\"]\n\tdriver = " + p + "\n");
    }
    if (is("trailer")) config("[trailer \"x\"]\n\tkey = X\n\tcommand = " + p + "\n");
    if (is("fsmonitor of a worktree")) {
      git({"worktree", "add", "-q", outside_.filePath(QStringLiteral("linked"))}, true);
      config("[core]\n\tfsmonitor = " + p + "\n");
    }
    // What is on disk is looked at, too.
    write(QStringLiteral("a.txt"), "one\n2\nthree\nfour\n");
  }

 private:
  void append(const char* file, const QByteArray& text) const {
    QFile out(path(QLatin1String(file)));
    QDir().mkpath(QFileInfo(out).path());
    if (!out.open(QIODevice::Append)) qWarning() << "can't write" << file;
    out.write(text);
  }
  void hooks(const QString& folder) const {
    QDir().mkpath(folder);
    for (const char* name :
         {"applypatch-msg", "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit",
          "post-checkout", "post-merge", "pre-push", "pre-rebase", "post-rewrite", "pre-auto-gc",
          "post-index-change", "reference-transaction", "fsmonitor-watchman"})
      QFile::copy(script_, folder + u'/' + QLatin1String(name));
  }
  void filter(const char* attributes, const QByteArray& what) const {
    append(attributes, "*.txt filter=evil\n");
    append(".git/config", "[filter \"evil\"]\n\t" + what);
  }
  void remote(const QByteArray& url, const QByteArray& more) const {
    append(".git/config", "[remote \"evil\"]\n\turl = " + url +
                              "\n\tfetch = +refs/heads/*:refs/remotes/evil/*\n" + more);
  }
  void include(const QByteArray& section) const {
    append(".git/theirs", "[core]\n\tfsmonitor = " + script_.toUtf8() + "\n");
    append(".git/config", section + "\tpath = theirs\n");
  }
  void sign(const QByteArray& signature, const QByteArray& tree, const QByteArray& parent) {
    const QByteArray who = "A Tester <tester@example.org> 1700000000 +0000\n";
    write(QStringLiteral(".git/made"), "tree " + tree + "\nparent " + parent + "\nauthor " + who +
                                           "committer " + who + "gpgsig " + signature +
                                           "\n\nsigned\n");
    const QByteArray id = git({"hash-object", "-t", "commit", "-w", ".git/made"}).trimmed();
    git({"update-ref", "refs/heads/main", id});
  }
  void signAgain(const QByteArray& signature) {
    sign(signature, git({"rev-parse", "HEAD^{tree}"}).trimmed(),
         git({"rev-parse", "HEAD~1"}).trimmed());
  }
  void stash() const {
    write(QStringLiteral("a.txt"), "put aside\n");
    git({"stash", "push", "-q"});
  }

  QTemporaryDir outside_;
  QString script_;
};

}  // namespace waferpair::workbench

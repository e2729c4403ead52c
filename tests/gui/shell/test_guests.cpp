// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a project brings may be anything. With each name that the documentation has, as each
// kind of what is no file, a window opens on the project, takes keys and leaves.
#include <sys/resource.h>

#include <QLabel>
#include <QProcess>
#include <QToolTip>

#include "gui/documents/image_view.h"
#include "gui/documents/markdown_preview.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/project/folder_tree.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/odd_file.h"

namespace waferpair::gui {
namespace {

using test::OddFile;

// Of the project's folder.
constexpr const char* kNames[] = {".editorconfig",
                                  ".gitignore",
                                  ".gitattributes",
                                  ".gitmodules",
                                  ".waferpairignore",
                                  ".waferpair/settings.json",
                                  ".waferpair/words.txt",
                                  ".waferpair/snippets/x.json",
                                  ".waferpair/snippets/y.code-snippets",
                                  ".waferpair/edit-tasks.json",
                                  ".waferpair/tasks.json",
                                  ".waferpair/launch.json",
                                  ".waferpair/language-servers.json",
                                  ".waferpair/agents.json",
                                  ".vscode/launch.json",
                                  ".vscode/tasks.json",
                                  ".vscode/settings.json",
                                  ".env",
                                  ".clang-format",
                                  ".clangd",
                                  "CMakeLists.txt",
                                  "CMakePresets.json",
                                  "CMakeUserPresets.json",
                                  "build/CMakeCache.txt",
                                  "build/build.ninja",
                                  "build/Makefile",
                                  "build/compile_commands.json",
                                  "compile_commands.json",
                                  "GNUmakefile",
                                  "makefile",
                                  "Makefile",
                                  "meson.build",
                                  "package.json",
                                  "tsconfig.json",
                                  "Cargo.toml",
                                  "go.mod",
                                  "pyproject.toml",
                                  "requirements.txt",
                                  "pytest.ini",
                                  "tox.ini",
                                  "setup.cfg",
                                  "setup.py",
                                  "test_a.py",
                                  "a_test.go",
                                  "a.test.ts",
                                  "test_a.cpp",
                                  "src/lib.rs",
                                  "tests/a.rs",
                                  "notes.txt",
                                  "picture.png",
                                  "picture.svg",
                                  "README.md",
                                  "model.gguf",
                                  "a.h"};
// Of a repository, each alone: with one of them there may be none to read the next from.
constexpr const char* kGitNames[] = {".git",
                                     ".git/HEAD",
                                     ".git/config",
                                     ".git/index",
                                     ".git/packed-refs",
                                     ".git/info/exclude",
                                     ".git/info/attributes",
                                     ".git/MERGE_HEAD",
                                     ".git/MERGE_MSG",
                                     ".git/logs/HEAD",
                                     ".git/refs/heads/main",
                                     ".git/refs/stash",
                                     ".git/objects/info/alternates",
                                     ".git/commondir",
                                     ".gitignore",
                                     ".gitattributes",
                                     ".gitmodules"};
// Of all kinds those that wait, and that do not end.
constexpr const char* kGitKinds[] = {"FIFO", "/dev/zero", "hole of 3 GiB", "link to itself"};

constexpr qint64 kMostMemory = 700 << 10;  // KiB, more than before

qint64 mostMemory() {
  rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

void put(const WindowFixture& f, const QString& name, const OddFile& odd) {
  const QString path = f.path(name);
  QVERIFY(QDir().mkpath(QFileInfo(path).path()));
  if (QFileInfo(path).isDir())
    QVERIFY(QDir(path).removeRecursively());
  else
    QFile::remove(path);
  QVERIFY2(odd.make(QFile::encodeName(path)), qPrintable(path));
}

// The window as a user has it who works a little and leaves.
void workAndLeave(WindowFixture& f) {
  f.openProject();
  QVERIFY(f.openFile("a.cpp"));
  f.editor()->goToLine(0, 0);
  WindowFixture::type(QStringLiteral("x"));
  QCOMPARE(f.editor()->text().left(2), QByteArray("xi"));
  for (const char* command : {"view.problems", "view.tests", "git.changes", "view.terminal"}) {
    const QAction* action = f.parts().commands->action(QLatin1String(command));
    if (action && action->isEnabled()) WindowFixture::trigger(f.window(), command);
  }
  f.document()->setFocus();
  WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
  QTRY_VERIFY(!f.document()->isModified());
  QVERIFY(f.close());
}

}  // namespace

class TestGuests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aWindowOpensTakesKeysAndLeaves_data() {
    QTest::addColumn<OddFile>("odd");
    for (const OddFile& odd : test::oddFiles()) QTest::newRow(odd.name) << odd;
  }
  void aWindowOpensTakesKeysAndLeaves() {
    QFETCH(OddFile, odd);
    const qint64 before = mostMemory();
    WindowFixture f;
    f.write("a.cpp", "int a;\n");
    f.write("b.md", "![a](picture.png) ![b](picture.svg) ![c](/dev/zero)\n");
    const bool isLong = odd.name == QByteArray("64 MiB of one line");
    if (isLong) QVERIFY(odd.make(QFile::encodeName(f.path("long"))));
    for (const char* name : kNames) {
      if (!isLong) {
        put(f, QLatin1String(name), odd);
        continue;
      }
      // One for all: half a hundred of them would be gigabytes.
      QVERIFY(QDir().mkpath(QFileInfo(f.path(name)).path()));
      QVERIFY(QFile::link(f.path("long"), f.path(name)));
    }
    workAndLeave(f);
    // Asked for, they are refused, or shown within bounds.
    f.openProject();
    QVERIFY(f.openFile("b.md"));
    WindowFixture::key(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    const auto* preview = qobject_cast<MarkdownPreview*>(f.document()->beside());
    QVERIFY(preview);
    QTRY_VERIFY(!preview->isLoading());
    for (const char* name : {".editorconfig", "picture.png", ".waferpair/words.txt"}) {
      if (isLong) continue;
      f.openFile(name);
      if (const auto* view = qobject_cast<ImageView*>(f.document()->beside()))
        QTRY_VERIFY(!view->isLoading());
    }
    QVERIFY(f.close());
    f.drop();
    QVERIFY2(mostMemory() - before < kMostMemory, qPrintable(QString::number(mostMemory())));
  }

  void aRepositoryMayHaveThem_data() {
    QTest::addColumn<OddFile>("odd");
    QTest::addColumn<QString>("name");
    for (const OddFile& odd : test::oddFiles())
      for (const char* kind : kGitKinds)
        for (const char* name : kGitNames)
          if (QByteArray(kind) == odd.name)
            QTest::addRow("%s, %s", name, kind) << odd << QString(QLatin1String(name));
  }
  void aRepositoryMayHaveThem() {
    QFETCH(OddFile, odd);
    QFETCH(QString, name);
    const qint64 before = mostMemory();
    WindowFixture f;
    f.write("a.cpp", "int a;\n");
    const auto git = [&](const QStringList& arguments) {
      QProcess process;
      process.setWorkingDirectory(f.project());
      process.start(QStringLiteral("git"),
                    QStringList{"-c", "user.name=A", "-c", "user.email=a@b.c"} + arguments);
      return process.waitForFinished() && process.exitCode() == 0;
    };
    QVERIFY(git({"init", "-q", "-b", "main"}) && git({"add", "."}) &&
            git({"commit", "-q", "-m", "First"}));
    put(f, name, odd);
    workAndLeave(f);
    f.drop();
    QVERIFY2(mostMemory() - before < kMostMemory, qPrintable(QString::number(mostMemory())));
  }

  // What a text names is no reason to read it, wherever the text is shown.
  void noLabelReadsAFile() {
    WindowFixture f;
    QImage image(40, 30, QImage::Format_RGB32);
    image.fill(Qt::red);
    QVERIFY(image.save(f.path("red.png")));
    f.openProjectWith("a.cpp", "int a;\n");
    for (const QString& address : {f.path("red.png"), QStringLiteral("/dev/zero")}) {
      const QString html = QStringLiteral("<img src=\"%1\">").arg(address);
      auto* label = new QLabel(html, &f.window());
      label->show();
      QCOMPARE(label->textFormat(), Qt::PlainText);
      QCOMPARE(label->sizeHint().height(), QLabel(QStringLiteral("x")).sizeHint().height());
      QToolTip::showText({0, 0}, html);
      const QWidgetList all = QApplication::topLevelWidgets();
      const auto tip = std::find_if(
          all.begin(), all.end(), [](const QWidget* each) { return each->inherits("QTipLabel"); });
      QVERIFY(tip != all.end());
      QCOMPARE(qobject_cast<QLabel*>(*tip)->textFormat(), Qt::PlainText);
      QToolTip::hideText();
    }
    const auto labels = f.window().findChildren<QLabel*>();
    for (const QLabel* label : labels)
      QVERIFY2(label->textFormat() != Qt::AutoText || !label->testAttribute(Qt::WA_WState_Polished),
               qPrintable(label->objectName()));
  }

  void anEditorConfigThatIsNoneIsSaid() {
    WindowFixture f;
    QCOMPARE(::mkfifo(f.path(".editorconfig").toLocal8Bit(), 0600), 0);
    f.openProjectWith("a.cpp", "int a;\n");
    const Banner* banner = f.document()->banners()->find(QStringLiteral("bannerEditorConfig"));
    QVERIFY(banner);
    QVERIFY(QFile::remove(f.path(".editorconfig")));
    WindowFixture::type(QStringLiteral("x"));
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!f.document()->banners()->find(QStringLiteral("bannerEditorConfig")));
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestGuests)
#include "test_guests.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Canaries: each secret file holds a word of its own that stands nowhere else. After a session in
// the real window with the real waferd, none of them is anywhere in the server's memory or in its
// cache on disk; those of ordinary files are in both.
#include <fcntl.h>
#include <unistd.h>

#include <QClipboard>
#include <QtTest>
#include <cstdio>

#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/documents/editor_tabs.h"
#include "gui/model/runtime_memory.h"
#include "gui/project/workspace.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "tests/support/paths.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;
using namespace waferpair::gui;
using State = RuntimeService::State;

namespace {

constexpr int kModelMs = 60'000;  // generous: the machine may be busy
const QString kProgram = QString::fromStdString(test::programDir() + "/waferd");

// Returns the text as the cache holds it: the tiny model's tokens are bytes, each in four.
QByteArray asTokens(const QByteArray& text) {
  QByteArray tokens;
  for (const char c : text) tokens.append(c).append(3, '\0');
  return tokens;
}

// All that the process has, read as far as it can be.
QByteArray memoryOf(qint64 process) {
  const QByteArray folder = "/proc/" + QByteArray::number(process);
  QFile maps(folder + "/maps");
  if (!maps.open(QFile::ReadOnly)) return {};
  const int memory = ::open((folder + "/mem").constData(), O_RDONLY);
  if (memory < 0) return {};
  QByteArray all;
  for (const QByteArray& line : maps.readAll().split('\n')) {
    unsigned long start = 0, end = 0;
    char readable = 0, writable = 0;
    if (std::sscanf(line.constData(), "%lx-%lx %c%c", &start, &end, &readable, &writable) != 4)
      continue;
    if (readable != 'r' || writable != 'w') continue;
    QByteArray part(static_cast<qsizetype>(end - start), '\0');
    const ssize_t got = ::pread(memory, part.data(), static_cast<std::size_t>(part.size()),
                                static_cast<off_t>(start));
    if (got > 0) all.append(part.constData(), got);
  }
  ::close(memory);
  return all;
}

}  // namespace

class TestSecretsLive : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
#ifdef __SANITIZE_ADDRESS__
    QSKIP("AddressSanitizer keeps what was freed, and maps terabytes of shadow memory.");
#endif
    QLoggingCategory::setFilterRules("waferpair.*=false");
    useProfile(profile_.path());
    qputenv("XDG_RUNTIME_DIR", profile_.path().toUtf8());
    if (!QFile::exists(kProgram)) QFAIL("waferd is not built");
    test::TinyModel shape;
    shape.contextLength = 1024;
    const auto written = test::writeTinyModel(model().toStdString(), shape);
    QVERIFY2(written, written ? "" : written.error().message().c_str());
  }

  void noSecretReachesTheServer() {
    // -- On disk
    write("main.cpp", "open on screen");
    write("other.cpp", "open, then renamed");
    write("copied.cpp", "open in the project");
    write("src/.waferpairignore", "mine.cpp\n", false);
    write("src/mine.cpp", "excluded in a subfolder");
    write("src/b.cpp", "open, then pasted into");
    write("src/c.cpp", "open, then excluded by another program");
    write("id_ed25519.cpp", "named like a key");
    write("config/secrets.yml", "named like secrets");
    write("prod.env", "named like settings");
    write(".aws/config.cpp", "in a folder of secrets");
    write("dump.sql", "a dump");
    write("key.cpp", "a key by content", true, keyHeader());
    write("vault/token.pem", "behind a link");
    write("vault/late.pem", "behind a later link", true, "// of another length\n");
    write("vault/renamed.pem", "renamed");
    write("plain.cpp", "open, then a link");
    QVERIFY(QFile::link(path("vault/token.pem"), path("notes.cpp")));
    QTemporaryDir alone;
    QVERIFY(QDir(alone.path()).mkdir("in"));
    writeTo(alone.filePath(".waferpairignore"), "*.cpp\n");
    writeTo(alone.filePath("in/a.cpp"), canary("opened alone") + '\n');

    // -- A session
    RuntimeService runtime(rememberedCommand(AppPaths::forUser(), model()));
    auto window = std::make_unique<MainWindow>(AppPaths::forUser(), &runtime);
    window->show();
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    window->start({project_.path()});
    QTRY_COMPARE_WITH_TIMEOUT(runtime.state(), State::kReady, kModelMs);
    const qint64 server = runtime.processId();
    EditorTabs* tabs = window->parts().tabs;
    for (const char* name : {"src/mine.cpp", "id_ed25519.cpp", "config/secrets.yml", "prod.env",
                             ".aws/config.cpp", "key.cpp", "notes.cpp"}) {
      Document* document = tabs->openFile(path(name));
      QVERIFY(document);
      typeInto(document, "x");
      QVERIFY2(!runtime.silenceReason(document->id()).isEmpty(), name);
    }
    QVERIFY(tabs->openFile(alone.filePath("in/a.cpp")));
    QVERIFY(!runtime.silenceReason(alone.filePath("in/a.cpp")).isEmpty());

    // An open tab is pasted a key into.
    Document* pasted = tabs->openFile(path("src/b.cpp"));
    typeInto(pasted, "y");
    QTRY_COMPARE(runtime.silenceReason(pasted->id()), QString());
    QApplication::clipboard()->setText(QString::fromUtf8(keyHeader() + canary("pasted") + '\n'));
    pasted->setFocus();
    QTest::keyClick(pasted->editor()->viewport(), Qt::Key_V, Qt::ControlModifier);
    QVERIFY(pasted->editor()->text().contains(canary("pasted")));
    QTRY_VERIFY(runtime.silenceReason(pasted->id()).contains("private key"));

    // The file of one becomes a link to a secret, and is reloaded.
    Document* linked = tabs->openFile(path("plain.cpp"));
    QTRY_COMPARE(runtime.silenceReason(linked->id()), QString());
    QVERIFY(QFile::link(path("vault/late.pem"), path("plain.new")));
    QCOMPARE(std::rename(path("plain.new").toUtf8(), path("plain.cpp").toUtf8()), 0);
    QTRY_VERIFY(linked->editor()->text().contains(canary("behind a later link")));
    QTRY_VERIFY(runtime.silenceReason(linked->id()).contains("*.pem"));

    // Another program excludes one.
    Document* excluded = tabs->openFile(path("src/c.cpp"));
    QTRY_COMPARE(runtime.silenceReason(excluded->id()), QString());
    write("src/.waferpairignore", "mine.cpp\nc.cpp\n", false);
    QTRY_VERIFY(runtime.silenceReason(excluded->id()).contains("c.cpp"));
    typeInto(excluded, canary("typed into an excluded tab"));

    // Another is given the name of one.
    Document* renamed = tabs->openFile(path("other.cpp"));
    QVERIFY(QFile::rename(path("other.cpp"), path("other.pem")));
    tabs->pathRenamed(path("other.cpp"), path("other.pem"));
    QVERIFY(runtime.silenceReason(renamed->id()).contains("*.pem"));
    typeInto(renamed, canary("typed into a renamed tab"));

    // The ordinary one, on which the model works.
    Document* shown = tabs->openFile(path("main.cpp"));
    QSignalSpy asked(runtime.completions(), &editor::CompletionProvider::completionFinished);
    typeInto(shown, "int ");
    QTRY_VERIFY_WITH_TIMEOUT(!asked.isEmpty(), kModelMs);
    // The project's files are told in the background.
    QTRY_VERIFY_WITH_TIMEOUT(memoryOf(server).contains(canary("open in the project")), kModelMs);

    // -- What the server has of it
    const QByteArray memory = memoryOf(server);
    QVERIFY(memory.contains(canary("open on screen")));
    QCOMPARE(leaks(memory).join(u'|'), QString());
    window.reset();
    runtime.stop();
    QFile cache(AppPaths::forUser().state + "/model.session");
    QTRY_VERIFY_WITH_TIMEOUT(cache.exists() && cache.size() > 0, kModelMs);
    QVERIFY(cache.open(QFile::ReadOnly));
    const QByteArray saved = cache.readAll();
    QVERIFY(saved.contains(asTokens(canary("open on screen"))));
    QCOMPARE(leaks(saved).join(u'|'), QString());
  }

 private:
  QString model() const { return profile_.filePath("tiny.gguf"); }
  QString path(const QString& name) const { return project_.filePath(name); }
  // The header stands here in two pieces, as this file must hold no key.
  static QByteArray keyHeader() { return QByteArray("-----BEGIN ") + "OPENSSH PRIVATE KEY-----\n"; }

  // The word of a secret; capitals and digits, which the tiny model takes one by one.
  QByteArray canary(const QString& what) {
    QByteArray& word = canaries_[what];
    if (word.isEmpty())
      for (int i = 0; i < 24; ++i)
        word += "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"[QRandomGenerator::global()->bounded(32)];
    return word;
  }
  // Returns the secrets in `bytes` that must not be there.
  QStringList leaks(const QByteArray& bytes) const {
    QStringList found;
    for (auto it = canaries_.begin(); it != canaries_.end(); ++it)
      if (!it.key().startsWith("open ") && !it.key().startsWith("open,") &&
          (bytes.contains(*it) || bytes.contains(asTokens(*it))))
        found.append(it.key());
    return found;
  }
  void write(const QString& name, const QString& what, bool secret = true,
             const QByteArray& before = {}) {
    writeTo(path(name),
            secret ? before + QByteArray("// a line of some length, as code has it\n").repeated(3) +
                         canary(what) + '\n'
                   : what.toUtf8());
  }
  static void writeTo(const QString& path, const QByteArray& bytes) {
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly) && file.write(bytes) == bytes.size());
  }
  static void typeInto(Document* document, const QByteArray& text) {
    document->setFocus();
    QTest::keyClick(document->editor()->viewport(), Qt::Key_End, Qt::ControlModifier);
    QTest::keyClicks(document->editor()->viewport(), QString::fromUtf8(text));
  }

  QTemporaryDir profile_, project_;
  QHash<QString, QByteArray> canaries_;
};

QTEST_MAIN(TestSecretsLive)
#include "test_secrets_live.moc"

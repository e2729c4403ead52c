// SPDX-License-Identifier: GPL-3.0-or-later
// Files of models where other programs keep them, laid out as those do it, whole and damaged.
#include <QTemporaryDir>
#include <QtTest>
#include <limits>

#include "pairing/models/model_files.h"
#include "pairing/models/ollama_manifest.h"

using namespace waferpair::pairing;

namespace {

constexpr char kBlob[] = "4a188102020e9c9530b687fd6400f775c45e90a0d7baafe65bd0a36963fbb7ba";
constexpr char kConfig[] = "d9bb33f2786931fea42f50936a2424818aa2f14500638af2f01861eb2c8fb446";

QByteArray manifest(const QByteArray& digest, qint64 size,
                    const QByteArray& type = "application/vnd.ollama.image.model") {
  QByteArray json = R"({"schemaVersion":2,"config":{"digest":"sha256:CONFIG","size":9},"layers":[
      {"mediaType":"application/vnd.ollama.image.license","digest":"sha256:00","size":1},
      {"mediaType":"TYPE","digest":"DIGEST","size":BYTES}]})";
  return json.replace("CONFIG", kConfig)
      .replace("TYPE", type)
      .replace("DIGEST", digest)
      .replace("BYTES", QByteArray::number(size));
}

}  // namespace

class TestModelFiles : public QObject {
  Q_OBJECT
 private slots:
  void init() { home_ = std::make_unique<QTemporaryDir>(); }

  void withoutAnyStoreThereIsNothing() {
    const ModelFiles found = find();
    QVERIFY(found.files.isEmpty());
    QVERIFY(found.problems.isEmpty());
  }

  void ollamasModelsHaveItsNames() {
    const QString root = ".ollama/models/";
    write(root + "blobs/sha256-" + kBlob, "GGUF....");
    const QByteArray whole = manifest(QByteArray("sha256:") + kBlob, 8);
    write(root + "manifests/registry.ollama.ai/library/qwen2.5-coder/1.5b", whole);
    write(root + "manifests/registry.ollama.ai/library/mine/latest", whole);
    write(root + "manifests/registry.ollama.ai/someone/theirs/latest", whole);
    write(root + "manifests/hf.co/ORG/NAME/Q4_K_M", whole);
    const ModelFiles found = find();
    QCOMPARE(found.files.size(), 1);
    QCOMPARE(found.files[0].store, QString("Ollama"));
    QCOMPARE(found.files[0].bytes, 8);
    QCOMPARE(found.files[0].path,
             QFileInfo(home_->filePath(root + "blobs/sha256-" + kBlob)).canonicalFilePath());
    QCOMPARE(found.files[0].names, QStringList({"hf.co/ORG/NAME:Q4_K_M", "mine:latest",
                                                "qwen2.5-coder:1.5b", "someone/theirs:latest"}));
  }

  void whatOllamaHasNotWholeIsPassedOver() {
    const QString root = ".ollama/models/";
    write(root + "blobs/sha256-" + kBlob, "GGUF....");
    const QString tags = root + "manifests/registry.ollama.ai/library/m/";
    write(tags + "growing", manifest(QByteArray("sha256:") + kBlob, 9));
    write(tags + "adapter",
          manifest(QByteArray("sha256:") + kBlob, 8, "application/vnd.ollama.image.adapter"));
    write(tags + "tensors",
          manifest(QByteArray("sha256:") + kBlob, 8, "application/vnd.ollama.image.tensor"));
    write(tags + "elsewhere", manifest("sha256:../../../../etc/passwd", 8));
    write(tags + "damaged", manifest(QByteArray("sha256:") + kBlob, 8).chopped(3));
    QVERIFY(find().files.isEmpty());
    // One that runs in a cloud.
    write(tags + "whole", manifest(QByteArray("sha256:") + kBlob, 8));
    QCOMPARE(find().files.size(), 1);
    write(root + "blobs/sha256-" + kConfig, R"({"remote_host":"ollama.com"})");
    QVERIFY(find().files.isEmpty());
    write(root + "blobs/sha256-" + kConfig, R"({"model_format":"safetensors"})");
    QVERIFY(find().files.isEmpty());
  }

  void manifestsAreRead_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<bool>("isModel");
    const QByteArray digest = QByteArray("sha256:") + kBlob;
    QTest::newRow("as it should be") << manifest(digest, 8) << true;
    QTest::newRow("with a dash") << manifest(QByteArray("sha256-") + kBlob, 8) << true;
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("a list") << QByteArray("[]") << false;
    QTest::newRow("layers that are none") << QByteArray(R"({"layers":{"0":1}})") << false;
    QTest::newRow("a layer that is none") << QByteArray(R"({"layers":[null,7]})") << false;
    QTest::newRow("no size") << manifest(digest, 0) << false;
    QTest::newRow("a size below none") << manifest(digest, -8) << false;
    QTest::newRow("a size beyond all")
        << manifest(digest, std::numeric_limits<qint64>::max()) << false;
    QTest::newRow("a short digest") << manifest(digest.chopped(1), 8) << false;
    QTest::newRow("a digest with a line end") << manifest(digest + "\\n", 8) << false;
    QTest::newRow("a path") << manifest("sha256:../" + QByteArray(kBlob).mid(3), 8) << false;
    QTest::newRow("two models") << manifest(digest, 8).replace(
                                       "application/vnd.ollama.image.license",
                                       "application/vnd.ollama.image.model")
                                << false;
    QTest::newRow("too long") << QByteArray(manifest(digest, 8) + QByteArray(2 << 20, ' '))
                              << false;
  }
  void manifestsAreRead() {
    QFETCH(QByteArray, json);
    QFETCH(bool, isModel);
    const auto read = readOllamaManifest(json);
    QCOMPARE(read.has_value(), isModel);
    if (!read) return;
    QCOMPARE(read->modelBlob, QString("sha256-") + kBlob);
    QCOMPARE(read->configBlob, QString("sha256-") + kConfig);
    QCOMPARE(read->modelBytes, 8);
  }

  void theHubsModelsAreThoseOfTheMainBranchFirst() {
    const QString root = ".cache/huggingface/hub/models--ORG--NAME-GGUF/";
    const QString commit(40, 'a'), other(40, 'b');
    write(root + "blobs/1234", "GGUF");
    write(root + "refs/main", commit.toLatin1());
    link("../../blobs/1234", root + "snapshots/" + commit + "/q4_k_m.gguf");
    link("../../blobs/gone", root + "snapshots/" + commit + "/q8_0.gguf");
    write(root + "snapshots/" + commit + "/README.md", "text");
    write(root + "snapshots/" + commit + "/mmproj-f16.gguf", "GGUF");
    write(root + "snapshots/" + commit + "/parts/big-00001-of-00002.gguf", "GGUF");
    write(root + "snapshots/" + commit + "/parts/big-00002-of-00002.gguf", "GGUF");
    // An older commit's files are listed only where the newer one has none of that name.
    write(root + "snapshots/" + other + "/q4_k_m.gguf", "GGUF");
    write(root + "snapshots/" + other + "/older.gguf", "GGUF");
    const ModelFiles found = find();
    QCOMPARE(names(found),
             QStringList({"ORG/NAME-GGUF/older.gguf", "ORG/NAME-GGUF/parts/big-00001-of-00002.gguf",
                          "ORG/NAME-GGUF/q4_k_m.gguf"}));
    QCOMPARE(found.files[2].path,
             QFileInfo(home_->filePath(root + "blobs/1234")).canonicalFilePath());
    QCOMPARE(found.files[2].store, QString("Hugging Face"));
    // Another branch alone: what is there is shown.
    QVERIFY(QFile::remove(home_->filePath(root + "refs/main")));
    QCOMPARE(names(find()).size(), 3);
  }

  void variablesSayWhereTheHubIs() {
    write("a/models--ORG--A/snapshots/x/a.gguf", "GGUF");
    write("b/hub/models--ORG--B/snapshots/x/b.gguf", "GGUF");
    environment_.insert("HF_HOME", home_->filePath("b"));
    QCOMPARE(names(find()), QStringList("ORG/B/b.gguf"));
    environment_.insert("HF_HUB_CACHE", "~/a");
    QCOMPARE(names(find()), QStringList("ORG/A/a.gguf"));
    environment_ = {};
  }

  void llamaCppsManifestsTellTheTrueNames() {
    const QString root = ".cache/llama.cpp/";
    write(root + "ORG_My_Repo_q4.gguf", "GGUF");
    write(root + "manifest=ORG=My_Repo=latest.json", R"({"ggufFile":{"rfilename":"q4.gguf"}})");
    write(root + "manifest=ORG=Other=latest.json", "{");
    write(root + "byhand.gguf", "GGUF");
    write(root + "late.gguf.downloadInProgress", "GGUF");
    const ModelFiles found = find();
    QCOMPARE(names(found), QStringList({"byhand.gguf", "ORG/My_Repo:latest"}));
    QCOMPARE(found.files[0].store, QString("llama.cpp"));
  }

  void lmStudiosFolderMayBeAnywhere() {
    write(".lmstudio/models/lmstudio-community/A-GGUF/a-Q4_K_M.gguf", "GGUF");
    write(".lmstudio/models/stray.gguf", "GGUF");
    QCOMPARE(names(find()), QStringList("lmstudio-community/A-GGUF/a-Q4_K_M.gguf"));
    write("elsewhere/them/B/b.gguf", "GGUF");
    write(".lmstudio/settings.json",
          "{\"downloadsFolder\":\"" + home_->filePath("elsewhere").toUtf8() + "\"}");
    QCOMPARE(names(find()), QStringList("them/B/b.gguf"));
    write("moved/models/me/C/c.gguf", "GGUF");
    write(".lmstudio-home-pointer", home_->filePath("moved").toUtf8() + "\n");
    QCOMPARE(names(find()), QStringList("me/C/c.gguf"));
  }

  void aStoreThatMayNotBeReadIsSaid() {
    write("service/.ollama/models/manifests/x", "");
    const QString service = home_->filePath("service");
    QVERIFY(QFile::setPermissions(service, QFile::WriteOwner));
    if (QFileInfo(service).isExecutable()) QSKIP("this user may read everything");
    const ModelFiles found = findModelFiles(environment_, home_->path(), service);
    QVERIFY(QFile::setPermissions(service, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QCOMPARE(found.problems.size(), 1);
    QVERIFY2(found.problems[0].contains("Ollama") && found.problems[0].contains(service),
             qPrintable(found.problems[0]));
  }

  void aFileInTwoStoresIsOne() {
    write(".lmstudio/models/me/A/a.gguf", "GGUF");
    QDir().mkpath(home_->filePath(".cache/llama.cpp"));
    link(home_->filePath(".lmstudio/models/me/A/a.gguf"), ".cache/llama.cpp/a.gguf");
    const ModelFiles found = find();
    QCOMPARE(found.files.size(), 1);
    QCOMPARE(found.files[0].names, QStringList({"me/A/a.gguf", "a.gguf"}));
  }

  void linksInCirclesEnd() {
    write(".lmstudio/models/me/A/a.gguf", "GGUF");
    link("..", ".lmstudio/models/me/A/around");
    QCOMPARE(find().files.size(), 1);
  }

 private:
  ModelFiles find() const {
    return findModelFiles(environment_, home_->path(), home_->filePath("no-service"));
  }
  static QStringList names(const ModelFiles& found) {
    QStringList all;
    for (const ModelFile& file : found.files) all.append(file.names.first());
    return all;
  }
  void write(const QString& relative, const QByteArray& bytes) const {
    const QString path = home_->filePath(relative);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY2(file.open(QFile::WriteOnly), qPrintable(path));
    QCOMPARE(file.write(bytes), bytes.size());
  }
  void link(const QString& target, const QString& relative) const {
    const QString path = home_->filePath(relative);
    QDir().mkpath(QFileInfo(path).path());
    QVERIFY(QFile::link(target, path));
  }

  QProcessEnvironment environment_;
  std::unique_ptr<QTemporaryDir> home_;
};

QTEST_GUILESS_MAIN(TestModelFiles)
#include "test_model_files.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Tests what the hub says of a model, where the hub is and where its files are kept.
#include <QtTest>

#include "pairing/downloads/catalog.h"
#include "pairing/downloads/hub.h"
#include "pairing/downloads/hub_question.h"
#include "runtime/transformer/architectures.h"
#include "tests/pairing/downloads/scripted_hub.h"
#include "tests/support/paths.h"

using namespace waferpair;
using namespace waferpair::pairing;

namespace {

const QByteArray kCommit(40, 'a');
const QByteArray kSum(64, 'b');

QByteArray fileJson(const QByteArray& path, const QByteArray& size = "10",
                    const QByteArray& sum = kSum) {
  return R"({"rfilename":")" + path + R"(","lfs":{"sha256":")" + sum + R"(","size":)" + size + "}}";
}

QByteArray modelJson(const QByteArray& siblings) {
  return R"({"sha":")" + kCommit + R"(","siblings":[)" + siblings + "]}";
}

QProcessEnvironment environment(std::initializer_list<std::pair<QString, QString>> values) {
  QProcessEnvironment made;
  for (const auto& [name, value] : values) made.insert(name, value);
  return made;
}

}  // namespace

class TestHub : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aModelsFilesAreRead() {
    const auto model = readHubModel(R"({"sha":")" + kCommit +
                                    R"(","gated":"manual","cardData":{"license":"mit"},)"
                                    R"("siblings":[)" +
                                    fileJson("deep/a.gguf", "7000000000") + "]}");
    QVERIFY(model);
    QCOMPARE(model->commit, QString::fromLatin1(kCommit));
    QCOMPARE(model->license, "mit");
    QVERIFY(model->isGated);
    QCOMPARE(model->files.size(), 1);
    QCOMPARE(model->files[0], (HubFile{"deep/a.gguf", 7'000'000'000, kSum}));
    QVERIFY(model->find("deep/a.gguf"));
    QVERIFY(!model->find("a.gguf"));
  }

  void filesThatCannotBeOnesAreLeftOut_data() {
    QTest::addColumn<QByteArray>("sibling");
    QTest::newRow("out of the folder") << fileJson("../a.gguf");
    QTest::newRow("out of the folder, within") << fileJson("x/../../a.gguf");
    QTest::newRow("absolute") << fileJson("/etc/a.gguf");
    QTest::newRow("empty part") << fileJson("x//a.gguf");
    QTest::newRow("backslash") << fileJson(R"(..\\a.gguf)");
    QTest::newRow("line end") << fileJson(R"(a\n.gguf)");
    QTest::newRow("no model") << fileJson("README.md");
    QTest::newRow("no size") << fileJson("a.gguf", "null");
    QTest::newRow("no bytes") << fileJson("a.gguf", "0");
    QTest::newRow("negative") << fileJson("a.gguf", "-5");
    QTest::newRow("too large") << fileJson("a.gguf", "1e300");
    QTest::newRow("no sum") << QByteArray(R"({"rfilename":"a.gguf","size":10})");
    QTest::newRow("short sum") << fileJson("a.gguf", "10", "abc");
    QTest::newRow("sum that is a path") << fileJson("a.gguf", "10", QByteArray(62, 'a') + "/b");
    QTest::newRow("a word") << QByteArray("\"a.gguf\"");
  }
  void filesThatCannotBeOnesAreLeftOut() {
    QFETCH(QByteArray, sibling);
    const auto model = readHubModel(modelJson(sibling + ',' + fileJson("good.gguf")));
    QVERIFY(model);
    QCOMPARE(model->files.size(), 1);
    QCOMPARE(model->files[0].path, "good.gguf");
  }

  void whatIsNoDescriptionIsNone() {
    QVERIFY(!readHubModel("<html>"));
    QVERIFY(!readHubModel("[]"));
    QVERIFY(!readHubModel(R"({"siblings":[]})"));
    QVERIFY(!readHubModel(R"({"sha":"main","siblings":[]})"));
    QVERIFY(!readHubModel(R"({"sha":")" + kCommit + R"("})"));
    QVERIFY(!readHubModel(QByteArray(kMostHubBytes + 1, ' ') + modelJson({})));
    QVERIFY(readHubModel(modelJson({}))->files.isEmpty());
    QCOMPARE(
        readHubModel(modelJson(fileJson("a.gguf") + ',' + fileJson("a.gguf", "20")))->files.size(),
        1);
  }

  void aFileIsFoundByItsFormat() {
    const auto model = readHubModel(
        modelJson(fileJson("coder-q4_k_m-00001-of-00002.gguf") + ',' +
                  fileJson("coder-Q4_K_M.gguf") + ',' + fileJson("coder-Q8_0.gguf") + ',' +
                  fileJson("coder-Q8_0.v2.gguf") + ',' + fileJson("mmproj-Q4_0.gguf")));
    QCOMPARE(model->findLike("*q4_k_m.gguf")->path, "coder-Q4_K_M.gguf");
    QCOMPARE(model->findLike("*q8_0*.gguf")->path, "coder-Q8_0.v2.gguf");
    QVERIFY(!model->findLike("*q5_k_m.gguf"));
  }

  void namesOfRepositories() {
    QVERIFY(isRepository("Qwen/Qwen2.5-Coder-7B-Instruct-GGUF"));
    for (const char* name : {"", "a", "a/b/c", "../b", "a/..", "a/b--c", "a b/c", "a/b?x", "/b"})
      QVERIFY2(!isRepository(name), name);
  }

  void theHubIsWhereTheEnvironmentSays() {
    QCOMPARE(hubBase({}).value(), QUrl("https://huggingface.co"));
    QCOMPARE(hubBase(environment({{"HF_ENDPOINT", "https://mirror.example.com/hf/"}})).value(),
             QUrl("https://mirror.example.com/hf"));
    QCOMPARE(hubBase(environment({{"HF_ENDPOINT", "http://127.0.0.1:8000"}})).value(),
             QUrl("http://127.0.0.1:8000"));
    for (const char* wrong : {"http://mirror.example.com", "mirror.example.com", "ftp://x",
                              "https://me:secret@mirror.example.com", "https://"}) {
      const auto base = hubBase(environment({{"HF_ENDPOINT", wrong}}));
      QVERIFY2(!base, wrong);
      QVERIFY(!base.error().what.contains("secret"));
      QVERIFY(!base.error().remedy.isEmpty());
    }
    QVERIFY(!hubBase(environment({{"HF_HUB_OFFLINE", "1"}})));
    QVERIFY(hubBase(environment({{"HF_HUB_OFFLINE", "0"}})));
  }

  void itsAddresses() {
    const QUrl base("https://mirror.example.com/hf");
    QCOMPARE(hubModelUrl(base, "me/coder").toString(),
             "https://mirror.example.com/hf/api/models/me/coder?blobs=true");
    QCOMPARE(hubFileUrl(base, "me/coder", "abc", "a b#?%41.gguf").toString(QUrl::FullyEncoded),
             "https://mirror.example.com/hf/me/coder/resolve/abc/a%20b%23%3F%2541.gguf");
    QCOMPARE(hubPageUrl(base, "me/coder"), QUrl("https://mirror.example.com/hf/me/coder"));
  }

  void itsCacheIsWhereOthersHaveIt() {
    QCOMPARE(hubCache({}, "/home/me"), "/home/me/.cache/huggingface/hub");
    QCOMPARE(hubCache(environment({{"XDG_CACHE_HOME", "/c"}}), "/home/me"), "/c/huggingface/hub");
    QCOMPARE(hubCache(environment({{"HF_HOME", "~/hf"}}), "/home/me"), "/home/me/hf/hub");
    QCOMPARE(hubCache(environment({{"HF_HOME", "/hf"}, {"HF_HUB_CACHE", "/models"}}), "/home/me"),
             "/models");
    QCOMPARE(hubCache(environment({{"HF_HOME", "relative"}}), "/home/me"),
             "/home/me/.cache/huggingface/hub");
  }

  void itIsAskedForAModel() {
    ScriptedHub hub;
    hub.setFile("GGUF and more");
    HubQuestion question(hub.base(), ScriptedHub::repository());
    HubModel told;
    connect(&question, &HubQuestion::answered, [&](const HubModel& model) { told = model; });
    QTRY_COMPARE(told.files.size(), 1);
    QCOMPARE(told.commit, ScriptedHub::commit());
    QCOMPARE(told.files[0], (HubFile{"coder-q8_0.gguf", 13, hub.sha256()}));
    QCOMPARE(hub.requests().size(), 1);
    QCOMPARE(hub.requests()[0].path, QByteArray("/api/models/me/coder-GGUF?blobs=true"));
    QVERIFY(!hub.requests()[0].headers.contains("authorization"));
    QVERIFY(!hub.requests()[0].headers.contains("cookie"));
  }

  void itsRefusalsAreTold_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArrayList>("headers");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("said");
    QTest::newRow("gated") << 401 << QByteArrayList{"X-Error-Code: GatedRepo"} << QByteArray()
                           << "agreed to its license";
    QTest::newRow("not listed") << 403 << QByteArrayList{"X-Error-Code: GatedRepo"}
                                << QByteArray(R"({"error":"not in the authorized list"})")
                                << "It says: \"not in the authorized list\"";
    QTest::newRow("gone") << 401 << QByteArrayList{"X-Error-Code: RepoNotFound"} << QByteArray()
                          << "does not have this";
    QTest::newRow("404") << 404 << QByteArrayList() << QByteArray() << "does not have this";
    QTest::newRow("busy") << 429 << QByteArrayList{"RateLimit: \"api\";r=0;t=20"} << QByteArray()
                          << "too many requests";
    QTest::newRow("broken") << 503 << QByteArrayList() << QByteArray() << "HTTP 503";
    QTest::newRow("nonsense") << 200 << QByteArrayList() << QByteArray("<html>Sign in</html>")
                              << "no description of a model";
  }
  void itsRefusalsAreTold() {
    QFETCH(int, status);
    QFETCH(QByteArrayList, headers);
    QFETCH(QByteArray, body);
    QFETCH(QString, said);
    ScriptedHub hub;
    hub.refuseQuestions(status, headers, body);
    HubQuestion question(hub.base(), ScriptedHub::repository());
    editor::Error error;
    connect(&question, &HubQuestion::failed, [&](const editor::Error& told) { error = told; });
    QTRY_VERIFY(!error.what.isEmpty());
    QVERIFY2(error.what.contains(said), qPrintable(error.what));
    QVERIFY(!error.remedy.isEmpty());
  }

  void nobodyThereIsTold() {
    QTcpServer free;
    QVERIFY(free.listen(QHostAddress::LocalHost));
    const QUrl base(QStringLiteral("http://127.0.0.1:%1").arg(free.serverPort()));
    free.close();
    HubQuestion question(base, ScriptedHub::repository());
    editor::Error error;
    connect(&question, &HubQuestion::failed, [&](const editor::Error& told) { error = told; });
    QTRY_VERIFY(!error.what.isEmpty());
    QVERIFY2(error.what.contains("nobody answers there"), qPrintable(error.what));
  }

  // Tests the list that the program ships: each entry whole, each of an architecture that the
  // engine loads.
  void theCatalogIsRight() {
    QFile file(QString::fromStdString(test::sourceDir()) + "/resources/models_to_get.json");
    QVERIFY(file.open(QFile::ReadOnly));
    const auto catalog = readCatalog(file.readAll());
    QVERIFY2(catalog, catalog ? "" : qPrintable(catalog.error().what));
    QVERIFY(catalog->size() >= 5);
    QStringList names;
    for (const CatalogModel& model : *catalog) {
      QVERIFY2(transformer::findArchitecture(model.architecture.toStdString()),
               qPrintable(model.name));
      QVERIFY2(!names.contains(model.name), qPrintable(model.name));
      names.append(model.name);
    }
  }

  void aCatalogThatIsNotWholeIsRefused() {
    QVERIFY(!readCatalog("nothing"));
    const QByteArray entry = R"({"name":"n","repository":"a/b","file":"*.gguf","license":"MIT",)"
                             R"("license_link":"https://example.com/l","architecture":"llama",)"
                             R"("context":1024,"memory_gb":8,"good_for":["instructions"]})";
    const auto with = [&entry](const QByteArray& from, const QByteArray& to) {
      return R"({"models":[)" + QByteArray(entry).replace(from, to) + "]}";
    };
    QVERIFY(readCatalog(with("", "")));
    for (const auto& [from, to] :
         std::initializer_list<std::pair<QByteArray, QByteArray>>{{"a/b", "ab"},
                                                                  {"*.gguf", "*.bin"},
                                                                  {"MIT", ""},
                                                                  {"https://", "http://"},
                                                                  {"1024", "0"},
                                                                  {"instructions", "singing"}}) {
      const auto read = readCatalog(with(from, to));
      QVERIFY2(!read, to.constData());
      QVERIFY(read.error().what.contains("“n”"));
    }
  }
};

QTEST_GUILESS_MAIN(TestHub)
#include "test_hub.moc"

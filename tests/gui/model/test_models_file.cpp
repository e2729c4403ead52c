// SPDX-License-Identifier: GPL-3.0-or-later
// models.json: what is written is read again, what cannot be is left out and said, and no key is
// ever in it.
#include <QtTest>

#include "gui/model/models_file.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

pairing::ModelEntry endpoint(const QString& base, const QString& model) {
  pairing::ModelEntry entry;
  entry.name = model + " at home";
  entry.address.base = QUrl(base);
  entry.address.model = model;
  entry.id = endpointId(entry.address);
  return entry;
}

}  // namespace

class TestModelsFile : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    path_ = folder_->filePath("models.json");
  }

  void whatIsWrittenIsReadAgain() {
    StoredModels models;
    models.endpoints = {endpoint("http://127.0.0.1:11434/v1", "small"),
                        endpoint("https://api.example.com/v1", "large")};
    models.endpoints[0].contextTokens = 32768;
    models.endpoints[1].protocol = pairing::Protocol::kResponsesSocket;
    models.fast = models.endpoints[0].id;
    models.deep = QString();
    models.routing = pairing::ModelRoster::Routing::kDeep;
    models.agreedHosts = {"api.example.com"};
    models.fetchHosts = {"huggingface.co"};
    QCOMPARE(writeStoredModels(path_, models), QString());
    const StoredModelsRead read = readStoredModels(path_);
    QCOMPARE(read.problem, QString());
    QVERIFY(read.models == models);
  }

  void withoutAFileThereIsNothingAndNoProblem() {
    const StoredModelsRead read = readStoredModels(path_);
    QCOMPARE(read.problem, QString());
    QVERIFY(read.models == StoredModels());
    QVERIFY(!read.models.fast);
  }

  void noKeyIsWritten() {
    StoredModels models;
    models.endpoints = {endpoint("https://api.example.com/v1", "large")};
    models.endpoints[0].address.key = "sk-secret";
    QCOMPARE(writeStoredModels(path_, models), QString());
    QVERIFY(!bytes().contains("sk-secret"));
    QVERIFY(bytes().contains("api.example.com"));
  }

  void whatCannotBeAModelIsLeftOut_data() {
    QTest::addColumn<QByteArray>("entry");
    const QByteArray good =
        R"({"name":"a","protocol":"chat","base":"http://127.0.0.1:1/v1","model":"m"})";
    const auto with = [&good](const char* from, const QByteArray& to) {
      return QByteArray(good).replace(from, to);
    };
    QTest::newRow("no object") << QByteArray("7");
    QTest::newRow("no name") << with(R"("a")", R"("")");
    QTest::newRow("another protocol") << with("chat", "telepathy");
    QTest::newRow("no protocol") << with(R"("protocol":"chat",)", "");
    QTest::newRow("another scheme") << with("http:", "file:");
    QTest::newRow("no host") << with("http://127.0.0.1:1/v1", "http://");
    QTest::newRow("a key in the address") << with("127", "me:sk-1@127");
    QTest::newRow("a query") << with("/v1", "/v1?key=sk-1");
    QTest::newRow("no model") << with(R"("m")", "null");
    QTest::newRow("a long name") << with(R"("a")", '"' + QByteArray(3000, 'a') + '"');
    QTest::newRow("twice") << good;
  }
  void whatCannotBeAModelIsLeftOut() {
    QFETCH(QByteArray, entry);
    write(R"({"endpoints":[{"name":"a","protocol":"chat","base":"http://127.0.0.1:1/v1",)"
          R"("model":"m","context":-5},)" +
          entry + "]}");
    const StoredModelsRead read = readStoredModels(path_);
    QCOMPARE(read.models.endpoints.size(), 1);
    QCOMPARE(read.models.endpoints[0].address.model, QString("m"));
    QCOMPARE(read.models.endpoints[0].contextTokens, -1);
    QVERIFY2(read.problem.startsWith("1 of the models"), qPrintable(read.problem));
  }

  void aDamagedFileIsSaid() {
    write("{\"endpoints\":[");
    const StoredModelsRead read = readStoredModels(path_);
    QVERIFY(read.models == StoredModels());
    QVERIFY2(read.problem.contains("models.json is damaged"), qPrintable(read.problem));
  }

  void anIdIsTheSameHoweverTheAddressEnds() {
    QCOMPARE(endpoint("http://127.0.0.1:1/v1/", "m").id, endpoint("http://127.0.0.1:1/v1", "m").id);
    QVERIFY(endpoint("http://127.0.0.1:1/v1", "m").id != endpoint("http://127.0.0.1:2/v1", "m").id);
  }

 private:
  void write(const QByteArray& text) const {
    QFile file(path_);
    QVERIFY(file.open(QFile::WriteOnly));
    QCOMPARE(file.write(text), text.size());
  }
  QByteArray bytes() const {
    QFile file(path_);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
  }

  std::unique_ptr<QTemporaryDir> folder_;
  QString path_;
};

QTEST_GUILESS_MAIN(TestModelsFile)
#include "test_models_file.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>
#include <random>

#include "gui/client/server_events.h"
#include "gui/client/telemetry_json.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

const char kStatus[] = R"({"type":"status","state":"ready","model":{"name":"waferpair-mini",
  "file":"/m.gguf","context":1024,"machine":"wse3","profile":"waferllm-2025","clock_hz":1.1e9},
  "queue":{"running":1}})";
const char kTwoModels[] = R"({"type":"status","state":"loading","model":{"name":"small",
  "file":"/s.gguf","context":1024,"machine":"wse3","profile":"p","clock_hz":1.1e9},"models":[
  {"name":"small","file":"/s.gguf","state":"loading","progress":0.25,"memory_bytes":1000,
   "kv_used_bytes":0,"threads":2,"kernels":"avx2","model":{"name":"small","context":1024,"chat":null}},
  {"name":"/l.gguf","file":"/l.gguf","state":"idle","progress":null,"memory_bytes":2000,
   "kv_used_bytes":0,"model":{"name":"large","context":4096,"chat":"chatml"},
   "error":{"message":"large needs 2 MiB.","remedy":"End other programs."}},
  {"name":"/b.gguf","file":"/b.gguf","state":"asleep"}]})";
const char kDelta[] =
    R"({"type":"completion.delta","id":7,"version":2,"offset":17,"text":"r\u00e9turn 0"})";
const char kDone[] = R"({"type":"completion.done","id":7,"version":2,"offset":17,
  "reason":"end_of_text","probability":0.75,"usage":{"input_tokens":311},
  "timings":{"host":{"queued_ms":0.1,"first_token_ms":4.2,"tokens_per_second":812.5},
             "wafer":{"cycles":1840211,"first_token_ms":0.21,"tokens_per_second":null,
                      "machine":"wse3","profile":"waferllm-2025","clock_hz":1.1e9},
             "context_used":323,"context_limit":1024}})";
const char kError[] = R"({"type":"error","error":{"code":"invalid_field","field":"x",
  "message":"x is 99.","remedy":"Send less."},"id":7})";
const char kLayout[] = R"({"type":"telemetry.layout","layout":{
  "machine":"wse3","profile":"waferllm-2025","model":"waferpair-mini","clock_hz":1.1e9,
  "fabric_width":762,"fabric_height":1172,"die_columns":12,"die_rows":7,"sram_per_pe":49152,
  "load_bytes":1.5e9,"load_seconds":0.01,
  "regions":[{"name":"block 0","x":0,"y":0,"width":64,"height":64,
              "sram":{"code":8192,"weights":20480,"kv_cache":4096,"activations":512,"free":15872}},
             {"name":"output","x":698,"y":1108,"width":64,"height":64,
              "sram":{"code":0,"weights":0,"kv_cache":0,"activations":0,"free":49152}}],
  "ops":[{"name":"blk.0.attn_q","region":0,"layer":0},{"name":"output","region":1,"layer":-1}]}})";

std::optional<ServerEvent> parse(const QByteArray& text, QString* why = nullptr) {
  QString reason;
  std::optional<ServerEvent> parsed = parseServerEvent(QString::fromUtf8(text), reason);
  if (why) *why = reason;
  return parsed;
}

QJsonObject layout() {
  return QJsonDocument::fromJson(kLayout).object().value("layout").toObject();
}

}  // namespace

class TestServerEvents : public QObject {
  Q_OBJECT
 private slots:
  void modelsAreRead() {
    const auto status = std::get<ServerStatus>(parse(kTwoModels).value());
    // The first was loaded before: what it is asked waits until it is again.
    QCOMPARE(status.state, ModelState::kReady);
    QCOMPARE(status.models.size(), 2);  // the third is in no state that is known
    QCOMPARE(status.models[0].state, ModelState::kLoading);
    QCOMPARE(status.models[0].progress, std::optional<double>(0.25));
    QVERIFY(!status.models[0].followsInstructions);
    QCOMPARE(status.models[1].file, QString("/l.gguf"));
    QCOMPARE(status.models[1].name, QString("large"));
    QCOMPARE(status.models[1].state, ModelState::kIdle);
    QVERIFY(!status.models[1].progress);
    QCOMPARE(status.models[1].memoryBytes, 2000);
    QCOMPARE(status.models[0].threads, 2);
    QCOMPARE(status.models[0].kernels, "avx2");
    QCOMPARE(status.models[1].threads, 0);  // not told
    QCOMPARE(status.models[1].kernels, QString());
    QCOMPARE(status.models[1].contextTokens, 4096);
    QVERIFY(status.models[1].followsInstructions);
    QCOMPARE(status.models[1].problem.what, QString("large needs 2 MiB."));
  }

  void aStatusBringsTheModelsNameAndTheWafers() {
    const auto status = std::get<ServerStatus>(parse(kStatus).value());
    QCOMPARE(status.state, ModelState::kReady);
    QVERIFY(!status.sessionStart);
    QCOMPARE(status.model, QString("waferpair-mini"));
    QCOMPARE(status.profile, QString("waferllm-2025"));
    QCOMPARE(status.clockHz, 1.1e9);
    QCOMPARE(status.contextLimit, std::optional<qint64>(1024));
  }

  void aGreetingMayComeBeforeTheModel() {
    const auto status = std::get<ServerStatus>(
        parse(R"({"type":"session.ready","protocol":1,"state":"loading","model":null})").value());
    QVERIFY(status.sessionStart);
    QCOMPARE(status.protocol, 1);
    QCOMPARE(status.state, ModelState::kLoading);
  }

  void aFailedModelSaysWhyAndWhatToDo() {
    const auto status =
        std::get<ServerStatus>(parse(R"({"type":"status","state":"failed","model":null,
                  "error":{"message":"m.gguf: ends early.","remedy":"Download it again."}})")
                                   .value());
    QCOMPARE(status.state, ModelState::kFailed);
    QCOMPARE(status.problem.message(), QString("m.gguf: ends early. Download it again."));
  }

  void aShadowIsToldWithItsFacts() {
    const QByteArray facts = R"({"model":"llama-3.1-70b","parameters":70553706496,"wafers":4,
        "context":8192,"tokens_per_second":1234.5})";
    const auto statusWith = [](const QByteArray& shadow) {
      return std::get<ServerStatus>(
          parse(R"({"type":"status","state":"ready","model":{},"shadow":)" + shadow + "}").value());
    };
    const auto shadow = statusWith(facts).shadow;
    QVERIFY(shadow);
    QCOMPARE(shadow->model, QString("llama-3.1-70b"));
    QCOMPARE(shadow->parameters, qint64{70'553'706'496});
    QCOMPARE(shadow->wafers, 4);
    QCOMPARE(shadow->context, qint64{8192});
    QCOMPARE(shadow->tokensPerSecond, 1234.5);
    for (const char* none : {"null", "7", "{}", R"({"model":"x","wafers":0})"})
      QVERIFY2(!statusWith(none).shadow, none);
    QVERIFY(!std::get<ServerStatus>(parse(kStatus).value()).shadow);
  }

  void otherEventsAreForWhoeverReadsThem() {
    auto other = std::get<OtherEvent>(
        parse(R"({"type":"trace.stopped","file":"/a.wptrace","steps":12})").value());
    QCOMPARE(other.type, std::string("trace.stopped"));
    QCOMPARE(other.fields.text({.name = "file"}), QString("/a.wptrace"));
    QCOMPARE(other.fields.small({.name = "steps"}), 12);
  }

  void aDeltaKeepsItsTextAsUtf8() {
    const auto delta = std::get<CompletionDelta>(parse(kDelta).value());
    QCOMPARE(delta.request, quint64(7));
    QCOMPARE(delta.version, qint64(2));
    QCOMPARE(delta.offset, qint64(17));
    QCOMPARE(delta.utf8, QByteArray("r\xc3\xa9turn 0"));
  }

  void whatWasNotMeasuredStaysEmpty() {
    const auto done = std::get<CompletionDone>(parse(kDone).value());
    QCOMPARE(done.reason, QString("end_of_text"));
    QCOMPARE(done.probability, std::optional<double>(0.75));
    QCOMPARE(done.figures.hostTokensPerSecond, std::optional<double>(812.5));
    QCOMPARE(done.figures.firstTokenWaferMs, std::optional<double>(0.21));
    QVERIFY(!done.figures.waferTokensPerSecond);
    QCOMPARE(done.figures.contextUsed, std::optional<qint64>(323));
  }

  void anErrorNamesItsRequest() {
    const auto error = std::get<ServerError>(parse(kError).value());
    QCOMPARE(error.code, QString("invalid_field"));
    QCOMPARE(error.request, std::optional<quint64>(7));
    QCOMPARE(error.problem.message(), QString("x is 99. Send less."));
  }

  void unknownTypesAndFieldsAreNoFault() {
    QVERIFY(
        std::holds_alternative<OtherEvent>(parse(R"({"type":"from.the.future","x":1})").value()));
    QVERIFY(parse(QByteArray(kDelta).replace("\"id\"", "\"extra\":[1],\"id\"")).has_value());
  }

  void malformedMessagesAreDescribed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("not JSON") << QByteArray("{\"type\":");
    QTest::newRow("a list") << QByteArray("[1,2]");
    QTest::newRow("no type") << QByteArray("{}");
    QTest::newRow("type is a number") << QByteArray("{\"type\":3}");
    QTest::newRow("deeply nested") << QByteArray("[").repeated(100'000);
    QTest::newRow("delta without id")
        << QByteArray(R"({"type":"completion.delta","version":1,"offset":1,"text":""})");
    QTest::newRow("negative offset")
        << QByteArray(R"({"type":"completion.delta","id":1,"version":1,"offset":-1,"text":""})");
    QTest::newRow("fractional id")
        << QByteArray(R"({"type":"completion.delta","id":1.5,"version":1,"offset":1,"text":""})");
    QTest::newRow("huge id") << QByteArray(
        R"({"type":"completion.delta","id":1e300,"version":1,"offset":1,"text":""})");
    QTest::newRow("text is a number")
        << QByteArray(R"({"type":"completion.delta","id":1,"version":1,"offset":1,"text":5})");
    QTest::newRow("done without reason") << QByteArray(R"({"type":"completion.done","id":1})");
    QTest::newRow("unknown state") << QByteArray(R"({"type":"status","state":"odd"})");
    QTest::newRow("layout is missing") << QByteArray(R"({"type":"telemetry.layout"})");
  }
  void malformedMessagesAreDescribed() {
    QFETCH(QByteArray, text);
    QString why;
    QVERIFY(!parse(text, &why).has_value());
    QVERIFY(!why.isEmpty());
  }

  void aLayoutIsTakenWhole() {
    const auto taken = std::get<protocol::WaferLayout>(parse(kLayout).value());
    QCOMPARE(taken.machine, std::string("wse3"));
    QCOMPARE(taken.fabricWidth * taken.fabricHeight, 893'064);
    QCOMPARE(taken.regions.size(), size_t(2));
    QCOMPARE(taken.regions[1].rect, (protocol::Rect{698, 1108, 64, 64}));
    QCOMPARE(taken.regions[0].sramPerPe[size_t(protocol::SramKind::kKvCache)], uint32_t(4096));
    QCOMPARE(taken.loadBytes, 1.5e9);
    QCOMPARE(taken.loadSeconds, 0.01);
    QCOMPARE(taken.ops[1].layer, -1);
  }

  void aWrongLayoutIsRefusedByField_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* path, const QJsonValue& value, const char* names) {
      QTest::addRow("%s = %s", path, qPrintable(value.toVariant().toString()))
          << QString(path) << value << QString(names);
    };
    row("clock_hz", 0, "clock_hz");
    row("clock_hz", "fast", "clock_hz");
    row("machine", 3, "machine");
    row("fabric_width", 1'000'000, "fabric_width");
    row("fabric_width", 762.5, "fabric_width");
    row("die_rows", 0, "die_rows");
    row("regions", 1, "regions");
    row("regions.0.x", -1, "regions[0].x");
    row("regions.0.width", 763, "regions[0].width");
    row("regions.1.height", 65, "regions[1].height");
    row("regions.0.sram.weights", 1e12, "regions[0].sram.weights");
    row("regions.0.sram.weights", 40'000, "regions[0].sram");
    row("ops.1.region", 2, "ops[1].region");
    row("ops.1.region", -1, "ops[1].region");
    row("ops.0.layer", -2, "ops[0].layer");
  }
  void aWrongLayoutIsRefusedByField() {
    QFETCH(QString, path);
    QFETCH(QJsonValue, value);
    QFETCH(QString, names);
    QString why;
    const QJsonObject wrong = with(layout(), path.split('.'), value).toObject();
    QVERIFY(!parseWaferLayout(wrong, why));
    QVERIFY2(why.contains(names), qPrintable(why));
    QVERIFY(parseWaferLayout(layout(), why));  // a later good one is judged by itself
    QVERIFY(why.isEmpty());
  }

  // Whatever arrives, parsing ends, and what it accepts keeps the promises of WaferLayout.
  void mutatedMessagesNeverGetThroughHalf() {
    std::mt19937 random(11);
    const auto below = [&](size_t bound) { return random() % bound; };
    const QByteArrayList seeds = {kStatus, kDelta, kDone, kError, kLayout};
    const QByteArrayList pieces = {"-1",          "1e308", "null", "{}", "[]",      "\"\"",
                                   "99999999999", "true",  ",",    ":",  "\\u0000", "\xff"};
    int accepted = 0;
    for (int i = 0; i < 20'000; ++i) {
      QByteArray text = seeds[below(seeds.size())];
      for (size_t edits = 1 + below(4); edits > 0; --edits) {
        const qsizetype at = below(text.size());
        switch (below(4)) {
          case 0:
            text[at] = static_cast<char>(random());
            break;
          case 1:
            text.remove(at, below(20));
            break;
          case 2:
            text.insert(at, pieces[below(pieces.size())]);
            break;
          default: {  // a number becomes another one
            const QRegularExpression number("[0-9][0-9.e]*");
            const auto match = number.match(QString::fromLatin1(text), at);
            if (match.hasMatch())
              text.replace(match.capturedStart(), match.capturedLength(),
                           pieces[below(pieces.size())]);
          }
        }
        if (text.isEmpty()) text = "{";
      }
      const std::optional<ServerEvent> parsed = parse(text);
      if (!parsed) continue;
      ++accepted;
      if (const auto* taken = std::get_if<protocol::WaferLayout>(&*parsed)) {
        for (const protocol::RegionLayout& region : taken->regions) {
          QVERIFY(region.rect.x >= 0 && region.rect.y >= 0);
          QVERIFY(region.rect.width > 0 && region.rect.height > 0);
          QVERIFY(region.rect.x + region.rect.width <= taken->fabricWidth);
          QVERIFY(region.rect.y + region.rect.height <= taken->fabricHeight);
        }
        for (const protocol::OpLayout& op : taken->ops)
          QVERIFY(op.region >= 0 && op.region < static_cast<int>(taken->regions.size()));
      }
    }
    QVERIFY2(accepted > 100, "the mutations are too coarse to test anything");
  }

 private:
  static QJsonValue with(const QJsonValue& in, QStringList path, const QJsonValue& value) {
    if (path.isEmpty()) return value;
    const QString step = path.takeFirst();
    if (in.isArray()) {
      QJsonArray array = in.toArray();
      array[step.toInt()] = with(array[step.toInt()], path, value);
      return array;
    }
    QJsonObject object = in.toObject();
    object[step] = with(object[step], path, value);
    return object;
  }
};

QTEST_APPLESS_MAIN(TestServerEvents)
#include "test_server_events.moc"

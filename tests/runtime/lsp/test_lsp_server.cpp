// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "runtime/lsp/server.h"

using namespace waferpair;
using namespace waferpair::lsp;
using base::Json;

namespace {

constexpr const char* kUri = "file:///project/a.cpp";

// Keeps what it is told, as a text of one line each.
class FakeSuggester final : public Suggester {
 public:
  void open(const std::string& uri, const std::string& language, std::int64_t version,
            const std::string& text) override {
    said.push_back("open " + uri + " " + language + " " + std::to_string(version) + " " + text);
    texts[uri] = text;
  }
  void change(const std::string& uri, std::int64_t version,
              const std::vector<Edit>& edits) override {
    said.push_back("change " + std::to_string(version));
    for (const Edit& edit : edits)
      texts.at(uri).replace(edit.start, edit.end - edit.start, edit.text);
  }
  void close(const std::string& uri) override {
    said.push_back("close " + uri);
    texts.erase(uri);
  }
  void ask(std::uint64_t id, const Wish& wish) override {
    asked.push_back(wish);
    lastId = id;
  }
  void cancel(std::uint64_t id) override { said.push_back("cancel " + std::to_string(id)); }

  std::vector<std::string> said;
  std::map<std::string, std::string> texts;
  std::vector<Wish> asked;
  std::uint64_t lastId = 0;
};

struct Fixture {
  FakeSuggester suggester;
  std::vector<Json> sent;
  Server server{suggester, {}, [this](const Json& message) { sent.push_back(message); }};

  void request(int id, const char* method, const Json& params) {
    server.take(
        Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump());
  }
  void notify(const char* method, const Json& params) {
    server.take(Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
  }
  void initialize(const Json& more = Json::object()) {
    Json params = {{"processId", nullptr}, {"capabilities", Json::object()}};
    params.update(more);
    request(1, "initialize", params);
    server.suggesterReady();
  }
  void open(const std::string& text, const std::string& uri = kUri) {
    notify(
        "textDocument/didOpen",
        {{"textDocument", {{"uri", uri}, {"languageId", "cpp"}, {"version", 1}, {"text", text}}}});
  }
  void insert(int line, int character, const std::string& text) {
    const Json at = {{"line", line}, {"character", character}};
    notify("textDocument/didChange",
           {{"textDocument", {{"uri", kUri}, {"version", nullptr}}},
            {"contentChanges", {{{"range", {{"start", at}, {"end", at}}}, {"text", text}}}}});
  }
  void ask(int id, const char* method, int line, int character,
           const Json& context = Json::object()) {
    request(id, method,
            {{"textDocument", {{"uri", kUri}}},
             {"position", {{"line", line}, {"character", character}}},
             {"context", context}});
  }
  void suggest(const std::string& text) {
    server.suggested(suggester.lastId, {.text = text, .probability = 0.9, .timings = nullptr});
  }
  Json items() const { return sent.back()["result"]["items"]; }
};

constexpr const char* kInline = "textDocument/inlineCompletion";
constexpr const char* kList = "textDocument/completion";

Json range(int line, int from, int to) {
  return {{"start", {{"line", line}, {"character", from}}},
          {"end", {{"line", line}, {"character", to}}}};
}

}  // namespace

class TestLspServer : public QObject {
  Q_OBJECT
 private slots:
  void itSaysWhatItCanDo() {
    Fixture plain;
    plain.initialize();
    const Json can = plain.sent.back()["result"]["capabilities"];
    QCOMPARE(can["positionEncoding"], Json("utf-16"));
    QCOMPARE(can["textDocumentSync"]["change"], Json(2));
    QVERIFY(can["inlineCompletionProvider"].is_object());
    QVERIFY(can["completionProvider"].is_object());
    // An editor that knows suggestions in place, and bytes.
    Fixture better;
    better.initialize({{"capabilities",
                        {{"general", {{"positionEncodings", {"utf-16", "utf-8"}}}},
                         {"textDocument", {{"inlineCompletion", Json::object()}}}}}});
    const Json does = better.sent.back()["result"]["capabilities"];
    QCOMPARE(does["positionEncoding"], Json("utf-8"));
    QVERIFY(!does.contains("completionProvider"));
  }

  void documentsAreFollowedInUtf16() {
    Fixture lsp;
    lsp.initialize();
    lsp.open("// \xF0\x9F\x98\x80\nint x;\n");
    lsp.insert(0, 5, "!");
    QCOMPARE(lsp.suggester.texts[kUri], std::string("// \xF0\x9F\x98\x80!\nint x;\n"));
    // A change of the whole text, and one of that behind it.
    const Json at = {{"line", 0}, {"character", 1}};
    lsp.notify("textDocument/didChange",
               {{"textDocument", {{"uri", kUri}, {"version", 9}}},
                {"contentChanges",
                 {{{"text", "abc"}}, {{"range", {{"start", at}, {"end", at}}}, {"text", "-"}}}}});
    QCOMPARE(lsp.suggester.texts[kUri], std::string("a-bc"));
    lsp.notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
    QVERIFY(lsp.suggester.texts.empty());
  }

  void aChangeWithoutAPlaceChangesNothing() {
    Fixture lsp;
    lsp.initialize();
    lsp.open("ab\n");
    const Json at = {{"line", 0}, {"character", 0}}, far = {{"line", 7}, {"character", 0}};
    lsp.notify("textDocument/didChange",
               {{"textDocument", {{"uri", kUri}}},
                {"contentChanges",
                 {{{"range", {{"start", at}, {"end", at}}}, {"text", "x"}},
                  {{"range", {{"start", far}, {"end", far}}}, {"text", "y"}}}}});
    QCOMPARE(lsp.suggester.texts[kUri], std::string("ab\n"));
    QCOMPARE(lsp.sent.back()["method"], Json("window/logMessage"));
    lsp.insert(0, 2, "c");
    QCOMPARE(lsp.suggester.texts[kUri], std::string("abc\n"));
  }

  void aSuggestionStandsAtThePlace() {
    Fixture lsp;
    lsp.initialize();
    lsp.open("int ma\n");
    lsp.ask(2, kInline, 0, 6, {{"triggerKind", 2}});
    QCOMPARE(lsp.suggester.asked.size(), std::size_t{1});
    QCOMPARE(lsp.suggester.asked[0].offset, std::size_t{6});
    QCOMPARE(lsp.suggester.asked[0].minProbability, Options().minProbability);
    lsp.suggest("in() {");
    QCOMPARE(lsp.sent.back()["id"], Json(2));
    QCOMPARE(lsp.items(), Json::array({{{"insertText", "in() {"}, {"range", range(0, 6, 6)}}}));
  }

  void whatIsAskedForByKeyHasAlternatives() {
    Fixture lsp;
    lsp.initialize();
    lsp.open("int ma\n");
    lsp.ask(2, kInline, 0, 6, {{"triggerKind", 1}});
    QCOMPARE(lsp.suggester.asked[0].minProbability, 0.0);
    for (const char* text : {"in()", "x", "in()"}) lsp.suggest(text);
    QCOMPARE(lsp.suggester.asked.size(), std::size_t{3});
    QCOMPARE(lsp.suggester.asked[2].alternative, 2);
    QCOMPARE(lsp.items().size(), std::size_t{2});
    QCOMPARE(lsp.items()[1]["insertText"], Json("x"));
  }

  void inAListItIsOneItemWithItsWord() {
    Fixture lsp;
    lsp.initialize();
    lsp.open("\xC3\xA4 = foo.bar\n");
    lsp.ask(2, kList, 0, 9, {{"triggerKind", 1}});
    QCOMPARE(lsp.suggester.asked[0].minProbability, Options().minProbabilityInLists);
    lsp.suggest("rel(\n  1);");
    const Json item = lsp.items()[0];
    QCOMPARE(item["label"], Json("brel( \xE2\x80\xA6"));
    QCOMPARE(item["filterText"], Json("brel(\n  1);"));
    QCOMPARE(item["textEdit"]["newText"], Json("brel(\n  1);"));
    QCOMPARE(item["textEdit"]["range"], range(0, 8, 9));
    QCOMPARE(lsp.sent.back()["result"]["isIncomplete"], Json(true));
  }

  void whatFollowsIsNotSaidTwice() {
    Fixture lsp;
    lsp.initialize();
    lsp.open("f(a);  \n");
    lsp.ask(2, kInline, 0, 2);
    lsp.suggest("b, c, a);");
    QCOMPARE(lsp.items()[0]["range"], range(0, 2, 5));
    lsp.ask(3, kInline, 0, 2);
    lsp.suggest("b, ");
    QCOMPARE(lsp.items()[0]["range"], range(0, 2, 2));
    // Editors differ in what they make of a list's item that reaches beyond the place.
    lsp.ask(4, kList, 0, 2);
    lsp.suggest("b, c, a);");
    QCOMPARE(lsp.items()[0]["textEdit"]["newText"], Json("b, c, "));
  }

  void aSuggestionGoesOnFromWhatTheListHasChosen() {
    Fixture lsp;
    lsp.initialize();
    lsp.open("v.pu\n");
    const Json context = {
        {"triggerKind", 2},
        {"selectedCompletionInfo", {{"range", range(0, 2, 4)}, {"text", "push_back"}}}};
    lsp.ask(2, kInline, 0, 4, context);
    lsp.suggest("sh_back(x);");
    QCOMPARE(lsp.items().size(), std::size_t{1});
    lsp.ask(3, kInline, 0, 4, context);
    lsp.suggest("t(x);");
    QCOMPARE(lsp.items(), Json::array());
  }

  void eachRequestIsAnsweredOnce() {
    Fixture lsp;
    lsp.initialize();
    lsp.open("int ma\n");
    // The text moves on.
    lsp.ask(2, kInline, 0, 6);
    lsp.insert(0, 6, "i");
    QCOMPARE(lsp.suggester.said.back(), std::string("cancel 1"));
    lsp.suggest("in()");
    QCOMPARE(lsp.sent.back()["id"], Json(2));
    QCOMPARE(lsp.items(), Json::array());
    // The editor cancels.
    lsp.ask(3, kInline, 0, 7);
    lsp.notify("$/cancelRequest", {{"id", 3}});
    QCOMPARE(lsp.sent.back()["error"]["code"], Json(-32800));
    const std::size_t before = lsp.sent.size();
    lsp.suggest("n()");
    QCOMPARE(lsp.sent.size(), before);
    // The model server goes.
    lsp.ask(4, kInline, 0, 7);
    lsp.server.suggesterLost("gone");
    QCOMPARE(lsp.sent[lsp.sent.size() - 2]["id"], Json(4));
    QCOMPARE(lsp.sent.back()["params"]["message"], Json("Waferpair: gone"));
    // Without it nothing waits, and a loss that goes on is told once.
    lsp.ask(5, kInline, 0, 7);
    QCOMPARE(lsp.sent.back()["id"], Json(5));
    lsp.server.suggesterLost("gone");
    QCOMPARE(lsp.sent.back()["id"], Json(5));
    // It is back, and told the text as it is now.
    lsp.server.suggesterReady();
    QCOMPARE(lsp.suggester.said.back(), std::string("open ") + kUri + " cpp 2 int mai\n");
  }

  void secretsAreNotTold() {
    QTemporaryDir folder;
    const std::string root = folder.path().toStdString();
    std::ofstream(root + "/.waferpairignore") << "hidden/\n";
    Fixture lsp;
    lsp.initialize({{"rootUri", "file://" + root}});
    lsp.open("KEY=1\n", "file://" + root + "/.env");
    lsp.open("int x;\n", "file://" + root + "/hidden/a.cpp");
    QVERIFY(lsp.suggester.said.empty());
    // A secret comes into a text, and goes again.
    lsp.open("x\n");
    const std::string secret = std::string("-----BEGIN RSA ") + "PRIVATE KEY-----";
    lsp.insert(0, 1, secret);
    QVERIFY(lsp.suggester.texts.empty());
    lsp.ask(2, kInline, 0, 1);
    QCOMPARE(lsp.items(), Json::array());
    QVERIFY(lsp.suggester.asked.empty());
    lsp.notify("textDocument/didChange",
               {{"textDocument", {{"uri", kUri}}},
                {"contentChanges",
                 {{{"range", range(0, 1, 1 + static_cast<int>(secret.size()))}, {"text", ""}}}}});
    QCOMPARE(lsp.suggester.texts[kUri], std::string("x\n"));
  }

  void aFileThatIsExcludedLaterIsClosed() {
    QTemporaryDir folder;
    const std::string root = folder.path().toStdString(), uri = "file://" + root + "/a.cpp";
    Fixture lsp;
    lsp.initialize({{"rootUri", "file://" + root}});
    lsp.open("int x;\n", uri);
    QCOMPARE(lsp.suggester.texts.size(), std::size_t{1});
    std::ofstream(root + "/.waferpairignore") << "a.cpp\n";
    lsp.request(2, kInline,
                {{"textDocument", {{"uri", uri}}}, {"position", {{"line", 0}, {"character", 0}}}});
    QCOMPARE(lsp.items(), Json::array());
    QVERIFY(lsp.suggester.texts.empty());
  }

  void whatIsWrongIsRefused_data() {
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<int>("code");
    QTest::newRow("no JSON") << QByteArray("{") << -32700;
    QTest::newRow("a list") << QByteArray("[]") << -32700;
    QTest::newRow("no method") << QByteArray("{\"id\":7}") << -32600;
    QTest::newRow("id") << QByteArray("{\"id\":[],\"method\":\"shutdown\"}") << -32600;
    QTest::newRow("unknown") << QByteArray("{\"id\":7,\"method\":\"textDocument/hover\"}")
                             << -32601;
    QTest::newRow("params") << QByteArray("{\"id\":7,\"method\":\"textDocument/completion\"}")
                            << -32602;
    QTest::newRow("not open")
        << QByteArray(
               "{\"id\":7,\"method\":\"textDocument/completion\",\"params\":{\"textDocument\":"
               "{\"uri\":\"x\"},\"position\":{\"line\":0,\"character\":0}}}")
        << -32602;
    QTest::newRow("twice") << QByteArray("{\"id\":7,\"method\":\"initialize\",\"params\":{}}")
                           << -32600;
  }
  void whatIsWrongIsRefused() {
    QFETCH(QByteArray, message);
    Fixture lsp;
    lsp.initialize();
    lsp.server.take({message.data(), static_cast<std::size_t>(message.size())});
    QTEST(lsp.sent.back()["error"]["code"].get<int>(), "code");
  }

  void nothingGoesOnBeforeTheBeginningAndBehindTheEnd() {
    Fixture lsp;
    lsp.request(1, kInline, Json::object());
    QCOMPARE(lsp.sent.back()["error"]["code"], Json(-32002));
    Fixture hasty;
    hasty.notify("exit", nullptr);
    QCOMPARE(hasty.server.exitStatus(), std::optional(1));
    lsp.initialize();
    lsp.request(2, "shutdown", nullptr);
    QVERIFY(lsp.sent.back()["result"].is_null());
    lsp.request(3, kInline, Json::object());
    QCOMPARE(lsp.sent.back()["error"]["code"], Json(-32600));
    QVERIFY(!lsp.server.exitStatus());
    lsp.notify("exit", nullptr);
    QCOMPARE(lsp.server.exitStatus(), std::optional(0));
  }

  void optionsAreTheEditors() {
    Fixture lsp;
    lsp.initialize({{"initializationOptions",
                     {{"maxTokens", 9}, {"minProbability", 0.5}, {"timings", true}}}});
    lsp.open("a\n");
    lsp.ask(2, kInline, 0, 1);
    QCOMPARE(lsp.suggester.asked[0].maxTokens, 9);
    QCOMPARE(lsp.suggester.asked[0].minProbability, 0.5);
    lsp.server.suggested(lsp.suggester.lastId,
                         {.text = "b", .probability = {}, .timings = {{"host", 1}}});
    QCOMPARE(lsp.sent[lsp.sent.size() - 2]["method"], Json("$/waferpair/timings"));
    Fixture wrong;
    wrong.request(1, "initialize", {{"initializationOptions", {{"maxTokens", "many"}}}});
    QCOMPARE(wrong.sent.back()["error"]["code"], Json(-32602));
  }
};

QTEST_GUILESS_MAIN(TestLspServer)
#include "test_lsp_server.moc"

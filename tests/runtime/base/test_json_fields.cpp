// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/base/json_fields.h"

namespace waferpair::base {

class TestJsonFields : public QObject {
  Q_OBJECT
 private slots:
  void fieldsArriveAsTheyAre() {
    const Json json = {{"text", "é"},
                       {"whole", 7.0},
                       {"half", 0.5},
                       {"on", true},
                       {"list", {1, 2, 3}},
                       {"id", "a"},
                       {"part", {{"name", "n"}}},
                       {"nothing", nullptr}};
    JsonFields fields(json);
    QCOMPARE(fields.text("text"), std::string("é"));
    QCOMPARE(fields.integer("whole", 0, 10), 7);
    QCOMPARE(fields.number("half", 0, 1), 0.5);
    QVERIFY(fields.booleanOr("on", false));
    QCOMPARE(fields.list("list").size(), std::size_t{3});
    QCOMPARE(fields.id({.name = "id", .required = true}), Json("a"));
    QCOMPARE(fields.part("part").text("name"), std::string("n"));
    QVERIFY(!fields.has("nothing"));
    QVERIFY(fields.check().has_value());
  }

  void whatIsMissingIsItsFallback() {
    const Json json = {{"null", nullptr}};
    JsonFields fields(json);
    QCOMPARE(fields.text({.name = "null"}), std::string());
    QCOMPARE(fields.integer({.name = "absent", .low = 1, .high = 9, .fallback = 5}),
             std::int64_t(5));
    QCOMPARE(fields.number({.name = "absent", .fallback = 0.25}), 0.25);
    QVERIFY(fields.boolean({.name = "absent", .fallback = 1}));
    QCOMPARE(fields.id({.name = "absent"}), Json(nullptr));
    QVERIFY(fields.list({.name = "absent"}).empty() && fields.object({.name = "absent"}).empty());
    QVERIFY(!fields.problem());
  }

  void aFieldThatIsWrongIsNamedWithARemedy_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("what");
    QTest::addColumn<QByteArray>("remedy");
    const auto row = [](const char* json, const char* what, const char* remedy) {
      QTest::newRow(json) << QByteArray(json) << QByteArray(what) << QByteArray(remedy);
    };
    row("{}", "f: n is missing.", "Add it.");
    row(R"({"n":null})", "f: n is missing.", "Add it.");
    row(R"({"n":"secret"})", "f: n is a string.", "Give a whole number from 1 to 9.");
    row(R"({"n":[1]})", "f: n is an array.", "Give a whole number from 1 to 9.");
    row(R"({"n":{}})", "f: n is an object.", "Give a whole number from 1 to 9.");
    row(R"({"n":false})", "f: n is false.", "Give a whole number from 1 to 9.");
    row(R"({"n":1.5})", "f: n is 1.5.", "Give a whole number from 1 to 9.");
    row(R"({"n":0})", "f: n is 0.", "Give a whole number from 1 to 9.");
    row(R"({"n":10})", "f: n is 10.", "Give a whole number from 1 to 9.");
    row(R"({"n":1e300})", "f: n is 1e+300.", "Give a whole number from 1 to 9.");
    row(R"({"n":18446744073709551615})", "f: n is 18446744073709551615.",
        "Give a whole number from 1 to 9.");
  }
  void aFieldThatIsWrongIsNamedWithARemedy() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, what);
    QFETCH(QByteArray, remedy);
    const Json object = Json::parse(json.toStdString());
    JsonFields fields(object, "f");
    QCOMPARE(fields.integer("n", 1, 9), 1);
    QVERIFY(fields.problem().has_value());
    QCOMPARE(QByteArray::fromStdString(fields.problem()->what), what);
    QCOMPARE(QByteArray::fromStdString(fields.problem()->remedy), remedy);
    QCOMPARE(fields.problem()->field, std::string("n"));
    QCOMPARE(fields.check().error().what, fields.problem()->what);
  }

  void otherTypesAreToldApart() {
    const auto problemOf = [](const auto& read) {
      static const Json json = {{"a", "text"}, {"b", 1}, {"c", {1, 2, 3}}, {"d", true}};
      JsonFields fields(json);
      read(fields);
      return fields.problem() ? fields.problem()->message() : std::string();
    };
    QCOMPARE(problemOf([](JsonFields& f) { f.text("b"); }), std::string("b is 1. Give a string."));
    QCOMPARE(problemOf([](JsonFields& f) { f.text({.name = "a", .bytes = 3}); }),
             std::string("a has 4 bytes. At most 3 are allowed."));
    QCOMPARE(problemOf([](JsonFields& f) { f.booleanOr("a", true); }),
             std::string("a is a string. Give true or false."));
    QCOMPARE(problemOf([](JsonFields& f) { f.list("d"); }),
             std::string("d is true. Give an array: [ ... ]."));
    QCOMPARE(problemOf([](JsonFields& f) { f.list({.name = "c", .most = 2}); }),
             std::string("c has 3 entries. Give at most 2."));
    QCOMPARE(problemOf([](JsonFields& f) { f.object("c"); }),
             std::string("c is an array. Give an object: { ... }."));
    QCOMPARE(problemOf([](JsonFields& f) { f.id({.name = "d"}); }),
             std::string("d is true. Give a whole number or a string."));
    QCOMPARE(problemOf([](JsonFields& f) { f.number("b", 2, 2.5); }),
             std::string("b is 1. Give a number from 2 to 2.5."));
    QCOMPARE(problemOf([](JsonFields& f) {
               f.only({"a", "b", "c"});
             }),
             std::string("d is not known. Known are: a, b, c."));
  }

  void partsAndEntriesAreNamedByTheWayToThem() {
    const Json json = {{"rows", {{{"at", 1}}, {{"at", "x"}}, 7}},
                       {"part", {{"deep", {{"n", -1}}}}}};
    JsonFields fields(json, "file");
    JsonFields first = fields.entry("rows", 0);
    QCOMPARE(first.integer("at", 0, 9), 1);
    JsonFields second = fields.entry("rows", 1);
    QCOMPARE(second.integer("at", 0, 9), 0);
    QCOMPARE(second.problem()->what, std::string("file: rows[1].at is a string."));
    QCOMPARE(second.problem()->field, std::string("rows[1].at"));
    QVERIFY(!fields.problem());
    fields.adopt(second);
    fields.entry("rows", 2);  // not the first problem
    QCOMPARE(fields.problem()->field, std::string("rows[1].at"));

    JsonFields again(json);
    QVERIFY(!again.entry("rows", 2).has("at"));
    QCOMPARE(again.problem()->message(), std::string("rows[2] is 7. Give an object: { ... }."));
    JsonFields deep = JsonFields(json).part("part").part("deep");
    QCOMPARE(deep.integer("n", 0, 9), 0);
    QCOMPARE(deep.problem()->field, std::string("part.deep.n"));
  }

  void onlyObjectsAreParsed() {
    QCOMPARE(parseJsonObject(R"({"a":1})", "f")->at("a"), Json(1));
    QCOMPARE(parseJsonObject("{", "f").error().what, std::string("f is not JSON."));
    QCOMPARE(parseJsonObject("[1]", "f").error().what, std::string("f is not a JSON object."));
    QVERIFY(parseJsonObject(R"({"a":)" + std::string(63, '[') + std::string(63, ']') + "}", "f"));
    QCOMPARE(parseJsonObject(std::string(1'000'000, '['), "f").error().what,
             std::string("f is nested more than 64 levels deep."));
    QVERIFY(parseJsonObject("{\"a\":\"" + std::string(100, '[') + "\"}", "f"));
    const Json array = Json::array();
    QCOMPARE(JsonFields(array, "f").problem()->what, std::string("f is not an object."));
  }

  void aFieldStandsForItsNameWhereJsonIsWritten() {
    constexpr Field kName{.name = "name"};
    constexpr Field kList{.name = "list"};
    const Json json = {{kName, "n"}, {kList, {1, 2}}};
    QCOMPARE(json.dump(), std::string(R"({"list":[1,2],"name":"n"})"));
  }
};

}  // namespace waferpair::base

QTEST_APPLESS_MAIN(waferpair::base::TestJsonFields)
#include "test_json_fields.moc"

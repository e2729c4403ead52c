// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/json_fields.h"

#include <QJsonDocument>
#include <QtTest>

namespace waferpair::gui {

using base::Field;

class TestGuiJsonFields : public QObject {
  Q_OBJECT
 private slots:
  void fieldsArriveAsTheyAre() {
    JsonFields fields(QJsonObject{{"text", "\u00e9"},
                                  {"whole", 7},
                                  {"half", 0.5},
                                  {"on", true},
                                  {"list", QJsonArray{1, 2}},
                                  {"part", QJsonObject{{"n", 3}}},
                                  {"id", 9},
                                  {"nothing", QJsonValue::Null}});
    QCOMPARE(fields.text({.name = "text", .required = true}), QStringLiteral("\u00e9"));
    QCOMPARE(fields.integer({.name = "whole", .low = 0, .high = 7}), std::optional<qint64>(7));
    QCOMPARE(fields.number({.name = "half"}), std::optional<double>(0.5));
    QCOMPARE(fields.small({.name = "whole"}), 7);
    QCOMPARE(fields.id({.name = "id"}), std::optional<quint64>(9));
    QVERIFY(fields.boolean({.name = "on"}));
    QCOMPARE(fields.list({.name = "list", .most = 2}), (QJsonArray{1, 2}));
    QCOMPARE(fields.object({.name = "part"}).small({.name = "n"}), 3);
    QVERIFY(!fields.has({.name = "nothing"}));
    QVERIFY(!fields.problem() && !fields.problemOrUnknown());
  }

  void whatIsMissingIsEmptyOrItsFallback() {
    JsonFields fields(QJsonObject{});
    const Field absent{.name = "a", .low = 1, .high = 9, .fallback = 5};
    QCOMPARE(fields.text(absent), QString());
    QCOMPARE(fields.small(absent), 5);
    QVERIFY(!fields.integer(absent) && !fields.number(absent) && !fields.id(absent));
    QVERIFY(fields.boolean(absent));
    QVERIFY(fields.object(absent).isEmpty() && fields.list(absent).isEmpty());
    QVERIFY(!fields.problem());
  }

  void aFieldThatIsWrongIsNamedWithARemedy_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("told");
    const auto row = [](const char* json, const char* told) {
      QTest::newRow(json) << QByteArray(json) << QString(told);
    };
    const char* const limits = "Give a whole number from 1 to 8.";
    row("{}", "p.n is missing. Add it.");
    row(R"({"n": null})", "p.n is missing. Add it.");
    for (const auto& [value, is] : {std::pair("9", "9"), std::pair("1.5", "1.5"),
                                    std::pair("true", "true"), std::pair("\"1\"", "a string"),
                                    std::pair("[1]", "an array"), std::pair("{}", "an object")})
      row(qPrintable(QStringLiteral("{\"n\": %1}").arg(value)),
          qPrintable(QStringLiteral("p.n is %1. %2").arg(is, limits)));
  }
  void aFieldThatIsWrongIsNamedWithARemedy() {
    QFETCH(QByteArray, json);
    QFETCH(QString, told);
    JsonFields fields(QJsonDocument::fromJson(json).object(), QStringLiteral("p."));
    QCOMPARE(fields.small({.name = "n", .required = true, .low = 1, .high = 8}), 0);
    QVERIFY(fields.problem().has_value());
    QCOMPARE(fields.problem()->message(), told);
  }

  void otherTypesAreToldApart() {
    const auto problemOf = [](const auto& read) {
      JsonFields fields(QJsonObject{
          {"text", "abcd"}, {"n", -1}, {"list", QJsonArray{1, 2}}, {"part", QJsonObject()}});
      read(fields);
      return fields.problem() ? fields.problem()->message() : QString();
    };
    QCOMPARE(problemOf([](JsonFields& f) { (void)f.text({.name = "n"}); }),
             QStringLiteral("n is -1. Give a string."));
    QCOMPARE(problemOf([](JsonFields& f) { (void)f.text({.name = "text", .bytes = 3}); }),
             QStringLiteral("text is too long. Give at most 3 bytes of UTF-8."));
    QCOMPARE(problemOf([](JsonFields& f) { (void)f.text({.name = "text", .bytes = 4}); }),
             QString());
    QCOMPARE(problemOf([](JsonFields& f) { (void)f.boolean({.name = "text"}); }),
             QStringLiteral("text is a string. Give true or false."));
    QCOMPARE(problemOf([](JsonFields& f) { (void)f.list({.name = "part"}); }),
             QStringLiteral("part is an object. Give an array: [ ... ]."));
    QCOMPARE(problemOf([](JsonFields& f) { (void)f.list({.name = "list", .most = 1}); }),
             QStringLiteral("list has 2 entries. Give at most 1."));
    QCOMPARE(problemOf([](JsonFields& f) { (void)f.object({.name = "list"}); }),
             QStringLiteral("list is an array. Give an object: { ... }."));
    QVERIFY(problemOf([](JsonFields& f) { (void)f.id({.name = "n"}); }).startsWith("n is -1."));
  }

  void theFirstProblemIsTold() {
    JsonFields fields(QJsonObject{{"a", 1}, {"b", 2}});
    (void)fields.text({.name = "a"});
    (void)fields.text({.name = "b"});
    QCOMPARE(fields.problem()->what, QStringLiteral("a is 1."));
  }

  void whatNobodyAskedForIsToldOnDemand() {
    JsonFields fields(QJsonObject{{"text", "a"}, {"dept", 1}});
    (void)fields.text({.name = "text"});
    (void)fields.small({.name = "depth"});
    QVERIFY(!fields.problem());
    QCOMPARE(fields.problemOrUnknown()->message(),
             QStringLiteral("dept is not known. Known are: depth, text."));
  }

  void entriesAreNamedByTheWayToThem() {
    JsonFields fields(QJsonObject{{"rows", QJsonArray{QJsonObject{{"n", "x"}}}}},
                      QStringLiteral("f."));
    const Field rows{.name = "rows"};
    JsonFields row = fields.entry(rows, fields.list(rows), 0);
    (void)row.small({.name = "n"});
    fields.adopt(row);
    QCOMPARE(fields.problem()->what, QStringLiteral("f.rows[0].n is a string."));
  }
};

}  // namespace waferpair::gui

QTEST_APPLESS_MAIN(waferpair::gui::TestGuiJsonFields)
#include "test_json_fields.moc"

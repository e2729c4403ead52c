// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/jinja/json_value.h"
#include "runtime/jinja/template.h"
#include "tests/support/paths.h"

namespace waferpair::jinja {
namespace {

base::Result<Text> renderedWith(const std::string& source, const Dict& variables,
                                std::time_t seconds = 0) {
  const auto parsed = Template::parse(source);
  if (!parsed) return tl::unexpected(parsed.error());
  std::tm now{};
  gmtime_r(&seconds, &now);
  return parsed->render([&] { return variables; }, now);
}

Dict saying(const std::string& words) {
  Dict variables;
  variables.set("m", Value::text(words, Origin::kMessage));
  return variables;
}

// The text with what came from outside in angle quotes.
QString marked(const std::string& source, const std::string& words = "a b") {
  const auto text = renderedWith(source, saying(words));
  if (!text) return QString::fromStdString(text.error().message());
  std::string out;
  for (const Text::Run& run : text->runs())
    out += run.origin == Origin::kMessage ? "«" + std::string(run.bytes) + "»"
                                          : std::string(run.bytes);
  return QString::fromStdString(out);
}

}  // namespace

class TestTemplate : public QObject {
  Q_OBJECT

 private slots:
  void templatesAreRenderedAsTheReferenceDoes() {
    std::ifstream file(test::sourceDir() + "/tests/runtime/jinja/goldens.json");
    const auto all = nlohmann::ordered_json::parse(file);
    const auto variables = valueOfJson(all["variables"].dump());
    QVERIFY(variables && variables->asDict());
    QVERIFY(all["goldens"].size() > 80);
    for (const auto& golden : all["goldens"]) {
      const auto name = golden["name"].get<std::string>();
      const auto text = renderedWith(golden["template"].get<std::string>(), *variables->asDict(),
                                     all["now"].get<std::int64_t>());
      const QString got =
          text ? QString::fromStdString(text->bytes()) : QStringLiteral("(an error)");
      const QString want = golden.contains("text")
                               ? QString::fromStdString(golden["text"].get<std::string>())
                               : QStringLiteral("(an error)");
      if (got != want) qWarning("%s", name.c_str());
      QCOMPARE(got, want);
      if (!text) QVERIFY2(!text.error().what.empty() && !text.error().remedy.empty(), name.c_str());
    }
  }

  void whatCameFromOutsideIsKnown_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("want");
    const auto row = [](const char* source, const char* want) {
      QTest::newRow(source) << source << want;
    };
    row("<{{ m }}>", "<«a b»>");
    row("{{ '<' + m + '>' }}{{ '<' ~ m ~ '>' }}", "<«a b»><«a b»>");
    row("{{ m | upper }}{{ m.title() }}{{ m | trim }}", "«A BA Ba b»");
    row("{{ m | tojson }}", "\"«a b»\"");
    row("{{ [m] }}{{ {m: m} | tojson }}", "['«a b»']{\"«a b»\": \"«a b»\"}");
    row("{{ m.split(' ') | join('-') }}", "«a»-«b»");
    row("{{ m[::-1] }}{{ m[0] }}{{ m | first }}", "«b aaa»");
    row("{{ '{x}'.replace('x', m) }}", "{«a b»}");
    // What the template puts into a message is no way to make a marker of what the message says.
    row("{{ m.replace(' ', '<|end|>') }}", "«a<|end|>b»");
    row("{{ '<%s>' % m }}{{ '<{}>'.format(m) }}", "<«a b»><«a b»>");
    row("{% set x %}<{{ m }}>{% endset %}{{ x }}", "<«a b»>");
    row("{% macro f(x) %}<{{ x }}>{% endmacro %}{{ f(m) }}", "<«a b»>");
    row("{{ m | indent(2) }}{{ m | length }}", "«a b»3");
    row("{% for c in m %}{{ c }},{% endfor %}", "«a»,« »,«b»,");
    row("{% set ns = namespace(t='') %}{% set ns.t = ns.t + m %}<{{ ns.t }}>", "<«a b»>");
    row("{{ m | replace('a b', 'x') }}{{ m | e }}{{ m * 2 }}", "«xa ba ba b»");
  }
  void whatCameFromOutsideIsKnown() {
    QFETCH(QString, source);
    QTEST(marked(source.toStdString()), "want");
  }

  void errorsNameTheLine() {
    const auto errorOf = [](const char* source) {
      const auto text = renderedWith(source, saying("x"));
      return QString::fromStdString(text ? "" : text.error().what);
    };
    QCOMPARE(errorOf("a\n{{ b.c }}"), QString("Line 2 of the chat template: 'b' is undefined."));
    QCOMPARE(errorOf("\n\n{% fi %}"),
             QString("Line 3 of the chat template: the tag {% fi %} is not known."));
    QVERIFY(errorOf("{{ raise_exception('Roles!') }}").contains("Roles!"));
  }

  // Each would take for ever, or all memory, or the stack.
  void whatATemplateMayUseUpIsLimited() {
    const auto repeated = [](const std::string& text, int times) {
      std::string all;
      for (int i = 0; i < times; ++i) all += text;
      return all;
    };
    const std::string grow = "{% set ns = namespace(x='aaaaaaaaaaaaaaaa') %}";
    const std::vector<std::string> sources = {
        repeated("x", (1 << 20) + 1),
        "{{ " + repeated("(", 100000) + "1" + repeated(")", 100000) + " }}",
        "{{ " + repeated("[", 100000),
        "{{ " + repeated("-", 100000) + "1 }}",
        "{{ " + repeated("not ", 100000) + "1 }}",
        "{{ 1" + repeated(" + 1", 100000) + " }}",
        "{{ m" + repeated(".a", 100000) + " }}",
        "{{ m" + repeated("|trim", 100000) + " }}",
        "{{ 1" + repeated(" if 1 else 1", 20000) + " }}",
        "{{ " + repeated("(" + repeated("1+", 200), 150) + "1" + repeated(")", 150) + " }}",
        repeated("{% if m %}", 10000) + repeated("{% endif %}", 10000),
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% macro f(x=f()) %}{% endmacro %}{{ f() }}",
        "{% set r = range(100000) %}{% for a in r %}{% for b in r %}{% endfor %}{% endfor %}",
        grow + "{% for i in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
        grow + "{% for i in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
        grow + "{% for i in range(999) %}{% set ns.x = [ns.x] %}{% endfor %}",
        grow + "{% for i in range(99) %}{% set ns.x = ns.x.replace('a', 'aaaaaaaa') %}{% endfor %}",
        "{{ 'a' * 1000000000 }}",
        "{{ [1] * 1000000000 }}",
        "{{ {'a': 1} | tojson(indent=1000000000) }}",
        "{{ 'a' | indent(1000000000) }}",
        "{{ 9223372036854775807 + 1 }}",
        "{{ 9 ** 99999 }}",
        "{{ range(0, 9223372036854775807, 9223372036854775807) | list }}{{ m.x }}",
        "{{ '%.999999999f' % 1.5 }}",
    };
    for (const std::string& source : sources) {
      QElapsedTimer timer;
      timer.start();
      const auto text = renderedWith(source, saying("x"));
      QVERIFY2(!text.has_value(), source.substr(0, 100).c_str());
      QVERIFY(!text.error().what.empty() && !text.error().remedy.empty());
      QVERIFY2(timer.elapsed() < 20'000, source.substr(0, 100).c_str());
    }
    // Namespaces may hold each other, and are let go of all the same.
    QCOMPARE(marked("{% set a = namespace() %}{% set b = namespace(a=a) %}{% set a.b = b %}"
                    "{% for i in range(9999) %}{% set a.c = namespace(n=a.c) %}{% endfor %}ok"),
             QString("ok"));
  }
};

}  // namespace waferpair::jinja

QTEST_APPLESS_MAIN(waferpair::jinja::TestTemplate)
#include "test_template.moc"

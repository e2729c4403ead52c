// SPDX-License-Identifier: GPL-3.0-or-later
// Tests which secrets the gate knows by what they look like, from a list with an example each, and
// that it takes nothing else for one.
#include <QFile>
#include <QSet>
#include <QTest>
#include <string>

#include "runtime/exclusions/secret_names.h"
#include "runtime/exclusions/secret_table.h"
#include "runtime/exclusions/secret_text.h"
#include "runtime/exclusions/secret_variables.h"
#include "tests/support/paths.h"

using namespace waferpair;
using namespace waferpair::exclusions;

namespace {

QByteArrayList rowsOf(const char* name) {
  QFile file(QString::fromStdString(test::sourceDir() + "/tests/runtime/exclusions/data/" + name));
  if (!file.open(QFile::ReadOnly)) return {};
  QByteArrayList rows;
  for (const QByteArray& line : file.readAll().split('\n'))
    if (!line.isEmpty() && !line.startsWith('#')) rows.append(line);
  return rows;
}

std::string lettersOf(char kind) {
  const std::string digits = "0123456789";
  const std::string lower = "abcdefghijklmnopqrstuvwxyz";
  const std::string upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  switch (kind) {
    case 'd':
      return digits;
    case 'h':
      return digits + "abcdef";
    case 'u':
      return digits + upper;
    case 'l':
      return digits + lower;
    case 'b':
      return digits + lower + upper + "+/";
    default:
      return digits + lower + upper;
  }
}

// With random characters for each "{a36}", the same ones for the same row and `seed`.
std::string expanded(const QByteArray& row, unsigned seed) {
  // Not qHash(), which is another one in each run.
  quint64 state = 14695981039346656037u + seed;
  for (const char each : row) state = (state ^ static_cast<uchar>(each)) * 1099511628211u;
  state |= 1;
  const auto random = [&state](std::size_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  std::string text;
  for (qsizetype i = 0; i < row.size(); ++i) {
    if (row.mid(i, 2) == "{}") {
      ++i;
    } else if (row.mid(i, 2) == "\\n") {
      text += '\n';
      ++i;
    } else if (row.mid(i, 2) == "\\\\") {
      text += '\\';
      ++i;
    } else if (const qsizetype end = row.indexOf('}', i);
               row[i] == '{' && end > i + 2 && end < i + 7 &&
               QByteArray("dhulawtbBx").contains(row[i + 1]) &&
               row.mid(i + 2, end - i - 2).toInt() > 0) {
      const std::string letters = lettersOf(row[i + 1]);
      for (int n = row.mid(i + 2, end - i - 2).toInt(); n > 0; --n)
        text += letters[random(letters.size())];
      i = end;
    } else {
      text += row[i];
    }
  }
  return text;
}

QString kindIn(const std::string& text) {
  const auto found = findSecret(text);
  return found ? QString::fromUtf8(found->kind.data(), static_cast<qsizetype>(found->kind.size()))
               : QString();
}

}  // namespace

class TestSecrets : public QObject {
  Q_OBJECT
 private slots:
  void eachKindIsKnown_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("text");
    const QByteArrayList rows = rowsOf("secret_texts.txt");
    QVERIFY(rows.size() > 170);
    for (const QByteArray& row : rows) {
      const qsizetype bar = row.indexOf(" | ");
      QVERIFY2(bar > 0, row.constData());
      QTest::newRow(row.constData()) << QString::fromUtf8(row.left(bar)) << row.mid(bar + 3);
    }
  }
  void eachKindIsKnown() {
    QFETCH(QString, kind);
    QFETCH(QByteArray, text);
    // Of those made at random some look like none: a token of letters alone.
    int missed = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
      const std::string secret = expanded(text, seed);
      const std::string apart = "// one\nint two = 3;\n" + secret + "\nint four() { return 5; }\n";
      const QString found = kindIn(apart);
      missed += found.isEmpty();
      if (!found.isEmpty()) QVERIFY2(seed > 0 || found == kind, qPrintable(found));
      QCOMPARE(kindIn(secret).isEmpty(), found.isEmpty());
    }
    QVERIFY2(missed <= 2, qPrintable(QString::number(missed)));
  }

  void noTextIsTakenForOne_data() {
    QTest::addColumn<QByteArray>("text");
    for (const QByteArray& row : rowsOf("open_texts.txt")) QTest::newRow(row.constData()) << row;
  }
  void noTextIsTakenForOne() {
    QFETCH(QByteArray, text);
    for (unsigned seed = 0; seed < 20; ++seed) QCOMPARE(kindIn(expanded(text, seed)), QString());
  }

  // Whoever adds a kind adds an example.
  void theListHasThemAll() {
    QSet<QString> listed;
    for (const QByteArray& row : rowsOf("secret_texts.txt"))
      listed.insert(QString::fromUtf8(row.left(row.indexOf(" | "))));
    const auto check = [&listed](std::string_view kind) {
      const QString name = QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size()));
      QVERIFY2(listed.contains(name), qPrintable(name));
    };
    for (const TokenShape& shape : tokenShapes()) check(shape.kind);
    for (const NamedShape& shape : namedShapes()) check(shape.kind);
    QVERIFY(listed.size() >= 170);
    QVERIFY(secretPatterns().size() >= 120);
  }

  // A change is judged by what lies near it.
  void whatIsNearShowsIt() {
    for (const QByteArray& row : rowsOf("secret_texts.txt")) {
      // The first that looks like one.
      std::string secret;
      for (unsigned seed = 0; seed < 20 && !findSecret(secret); ++seed)
        secret = expanded(row.mid(row.indexOf(" | ") + 3), seed);
      const std::string text =
          std::string(2'000, 'x') + "\n" + secret + "\n" + std::string(2'000, 'y');
      const auto found = findSecret(text);
      QVERIFY2(found, row.constData());
      const std::size_t last = 2'001 + std::min<std::size_t>(secret.size(), 200) - 1;
      for (const std::size_t at : {found->at, last})
        QVERIFY2(findSecret(std::string_view(text).substr(at - kSecretReach, 2 * kSecretReach)),
                 row.constData());
    }
  }

  void textsInStringsAndAddresses() {
    const std::string token = expanded("gh{}p_{a36}", 0);
    for (const std::string& before :
         {std::string(""), std::string("x = \"a\\n"), std::string("?t=a%3D"), std::string("TOKEN:"),
          std::string("\xc3\xa4 ")})
      QCOMPARE(kindIn(before + token), QStringLiteral("a GitHub token"));
    QCOMPARE(kindIn("leng" + token), QString());
  }

  void storesAreKnownByTheirFirstBytes() {
    QCOMPARE(kindIn(std::string("\xfe\xed\xfe\xed\0\0\0\2", 8)),
             QStringLiteral("a store of keys of Java"));
    QCOMPARE(kindIn(std::string("\x03\xd9\xa2\x9a\x67\xfb\x4b\xb5", 8)),
             QStringLiteral("passwords of KeePass"));
    QCOMPARE(kindIn(std::string("\x30\x82\x09\x9c\x02\x01\x03\x30\x82", 9)),
             QStringLiteral("a store of keys"));
  }

  // Long texts of what begins a secret over and over.
  void aTokenIsKnownByHowItBegins_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isBegun");
    QTest::newRow("GitHub") << QByteArray("x = \"gh") + "p_aB3dE6" << true;
    QTest::newRow("AWS") << QByteArray("AK") + "IAQW3RTY" << true;
    QTest::newRow("nothing but its prefix") << QByteArray("gh") + "p_" << false;
    QTest::newRow("no digit yet") << QByteArray("gh") + "p_aBcdEfgH" << false;
    QTest::newRow("more stands behind it") << QByteArray("gh") + "p_aB3dE6 " << false;
    QTest::newRow("a name") << QByteArray("sk-learn-1") << false;
    QTest::newRow("a word") << QByteArray("token = lexer") << false;
    QTest::newRow("in order") << QByteArray("gh") + "p_123456" << false;
    QTest::newRow("empty") << QByteArray() << false;
  }
  void aTokenIsKnownByHowItBegins() {
    QFETCH(QByteArray, text);
    QFETCH(bool, isBegun);
    const std::string utf8 = text.toStdString();
    QCOMPARE(!exclusions::begunSecret(utf8).empty(), isBegun);
  }

  void noTextIsSlow_data() {
    QTest::addColumn<QByteArray>("piece");
    for (const char* piece :
         {"eyJ", "/AAAAAAAAAAAAAAAAAAAA", "token=", "://", "://a:", "\"d\"", "password=\"",
          "key=key", "machine ", ":5432:a", "-----BEGIN ", ".", "kind: Secret\n"})
      QTest::newRow(piece) << QByteArray(piece);
  }
  void noTextIsSlow() {
    QFETCH(QByteArray, piece);
    // It ends: time is measured by bench_secrets.
    QCOMPARE(kindIn(piece.repeated(100'000).toStdString()), QString());
  }

  void variables_data() {
    QTest::addColumn<bool>("isSecret");
    for (const char* name : {"PGPASSWORD",
                             "MYSQL_PWD",
                             "DATABASE_URL",
                             "GITHUB_TOKEN",
                             "github_token",
                             "AWS_SECRET_ACCESS_KEY",
                             "AWS_ACCESS_KEY_ID",
                             "AWS_SESSION_TOKEN",
                             "OPENAI_API_KEY",
                             "OPENAI_APIKEY",
                             "DB_PASS",
                             "DB_PASSWORD",
                             "REDIS_URL",
                             "MONGODB_URI",
                             "MONGO_URL",
                             "SENTRY_DSN",
                             "SLACK_WEBHOOK_URL",
                             "NPM_TOKEN",
                             "SSHPASS",
                             "REDISCLI_AUTH",
                             "VAULT_TOKEN",
                             "DJANGO_SECRET_KEY",
                             "SECRET",
                             "TOKEN",
                             "HF_TOKEN",
                             "GH_PAT",
                             "GOOGLE_APPLICATION_CREDENTIALS",
                             "RABBITMQ_URL",
                             "AMQP_URL",
                             "CELERY_BROKER_URL",
                             "SMTP_PASSWORD",
                             "ROOTPASSWORD",
                             "ENCRYPTION_KEY",
                             "SQLALCHEMY_DATABASE_URI",
                             "TWILIO_AUTH_TOKEN",
                             "PGPASSFILE",
                             "ConnectionStrings__Main",
                             "AZURE_CONNECTION_STRING",
                             "DOCKER_AUTH_CONFIG",
                             "KUBE_TOKEN",
                             "SNOWSQL_PWD",
                             "JWT_SECRET"})
      QTest::newRow(name) << true;
    for (const char* name : {"PATH",
                             "HOME",
                             "PWD",
                             "OLDPWD",
                             "USER",
                             "LANG",
                             "SSH_AUTH_SOCK",
                             "SSH_ASKPASS",
                             "GIT_ASKPASS",
                             "XAUTHORITY",
                             "KEYBOARD",
                             "MONKEY",
                             "TOKENIZERS_PARALLELISM",
                             "EDITOR",
                             "PGHOST",
                             "PGUSER",
                             "PGDATABASE",
                             "DATABASE_HOST",
                             "JAVA_HOME",
                             "VIRTUAL_ENV",
                             "DISPLAY",
                             "WAYLAND_DISPLAY",
                             "GOPATH",
                             "PASSENGER_ROOT",
                             "HTTP_PROXY",
                             "CARGO_HOME",
                             "DBUS_SESSION_BUS_ADDRESS",
                             "XDG_RUNTIME_DIR",
                             "PYTHONPATH",
                             "BASE_URL"})
      QTest::newRow(name) << false;
  }
  void variables() {
    QFETCH(bool, isSecret);
    QCOMPARE(isSecretVariable(QTest::currentDataTag()), isSecret);
  }
  void variablesByValue() {
    QVERIFY(isSecretVariable("STORE", expanded("postgres://shop:{a16}@db.internal/shop", 0)));
    QVERIFY(isSecretVariable("X", expanded("gh{}p_{a36}", 0)));
    QVERIFY(!isSecretVariable("STORE", "postgres://db.internal/shop"));
    QVERIFY(!isSecretVariable("PATH", "/usr/bin:/home/a/.local/bin"));
    // Without its proxy no program gets anywhere.
    QVERIFY(!isSecretVariable("HTTPS_PROXY", expanded("http://me:{a16}@proxy:3128", 0)));
    QVERIFY(!isSecretVariable("http_proxy", expanded("http://me:{a16}@proxy:3128", 0)));
  }
};

QTEST_GUILESS_MAIN(TestSecrets)
#include "test_secrets.moc"

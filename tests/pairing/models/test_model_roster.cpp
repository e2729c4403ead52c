// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>

#include "pairing/models/model_roster.h"

using namespace waferpair::pairing;

namespace {

ModelEntry entry(const QString& id, int port) {
  ModelEntry made;
  made.id = id;
  made.name = id;
  made.address.base = QUrl(QStringLiteral("http://127.0.0.1:%1/v1").arg(port));
  return made;
}

}  // namespace

class TestModelRoster : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void workGoesToTheRoleThatIsForIt() {
    ModelRoster roster;
    roster.setModels({entry("small", 1), entry("large", 2)});
    QVERIFY(!roster.choose(Work::kSmallEdit).endpoint);

    roster.setRole(ModelRoster::Role::kFast, "small");
    QCOMPARE(roster.choose(Work::kPlan).model->id, "small");

    roster.setRole(ModelRoster::Role::kDeep, "large");
    QCOMPARE(roster.choose(Work::kSmallEdit).model->id, "small");
    QCOMPARE(roster.choose(Work::kQuestion).model->id, "small");
    QCOMPARE(roster.choose(Work::kLargeEdit).model->id, "large");
    QCOMPARE(roster.choose(Work::kPlan).endpoint->address().base.port(), 2);
    QCOMPARE(roster.choose("small").endpoint->address().base.port(), 1);
    QVERIFY(!roster.choose("other").endpoint);
  }

  void aRoleIsLostWithItsModel() {
    ModelRoster roster;
    roster.setModels({entry("small", 1), entry("large", 2)});
    roster.setRole(ModelRoster::Role::kDeep, "large");
    const QSignalSpy changed(&roster, &ModelRoster::changed);
    roster.setModels({entry("small", 1)});
    QCOMPARE(changed.size(), 1);
    QVERIFY(!roster.inRole(ModelRoster::Role::kDeep));
    roster.setModels({entry("small", 1)});
    QCOMPARE(changed.size(), 1);
  }

  void anEndpointStaysTheSameWhileTheModelsDo() {
    ModelRoster roster;
    roster.setModels({entry("small", 1)});
    Endpoint* const first = roster.choose("small").endpoint;
    QCOMPARE(roster.choose("small").endpoint, first);
    roster.setModels({entry("small", 3)});
    QCOMPARE(roster.choose("small").endpoint->address().base.port(), 3);
  }
};

QTEST_GUILESS_MAIN(TestModelRoster)
#include "test_model_roster.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A token's way over several wafers: which op it is at, which regions are lit, and clicks.
#include <QtTest>

#include "wafer_view/block_picture.h"
#include "wafer_view/way_map.h"

using namespace waferpair;
using namespace waferpair::view;

namespace {

// Embedding and a block on the first wafer, a block on the second: 10 + 5 + 30 cycles.
protocol::TokenWay threeOps() {
  protocol::TokenWay way;
  way.layout.fabricWidth = way.layout.fabricHeight = 100;
  way.layout.wafers = 2;
  way.layout.regions = {{.name = "embedding", .rect = {0, 0, 20, 100}},
                        {.name = "layers 0-1", .rect = {20, 0, 80, 100}},
                        {.name = "layers 2-3", .rect = {0, 0, 100, 100}, .wafer = 1}};
  way.layout.ops = {{"token_embd", 0, -1}, {"blk.0.transfer", 1, 0}, {"blk.2.ffn_up", 2, 2}};
  way.ops = {{0, 10, 4, 6, 0}, {10, 15, 0, 5, 0}, {15, 45, 20, 10, 0}};
  way.cycles = 45;
  way.tokens = {{"x", 0, 1}};
  return way;
}

}  // namespace

class TestWayMap : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void knowsTheOpOfACycle() {
    const protocol::TokenWay way = threeOps();
    QCOMPARE(opsAt(way, 0), std::vector<int>{0});
    QCOMPARE(opsAt(way, 10), std::vector<int>{1});
    QCOMPARE(opsAt(way, 45), std::vector<int>{});
    QCOMPARE(opAt(way, 14), 1);
    QCOMPARE(opAt(way, 44), 2);
    QCOMPARE(opAt(way, 99), 2);
  }

  void tellsWhereTheTokenIs() {
    WayMap map;
    map.resize(500, 300);
    map.setWay(threeOps());
    QCOMPARE(map.accessibleDescription(),
             QString("Cycle 0: token_embd in embedding, wafer 1 of 2"));
    map.setCycle(20);
    QCOMPARE(map.accessibleDescription(),
             QString("Cycle 20: blk.2.ffn_up in layers 2-3, wafer 2 of 2"));
  }

  void lightsRegionsUpInTurn() {
    WayMap map;
    map.resize(500, 300);
    map.setWay(threeOps());
    std::vector<QImage> pictures;
    for (const int cycle : {0, 12, 30}) {
      map.setCycle(cycle);
      pictures.push_back(map.grab().toImage());
    }
    QVERIFY(pictures[0] != pictures[1]);
    QVERIFY(pictures[1] != pictures[2]);
  }

  void aClickOnARegionGoesToItsTime() {
    WayMap map;
    map.resize(500, 300);
    map.setWay(threeOps());
    QSignalSpy wanted(&map, &WayMap::cycleWanted);
    // The second wafer is at the right.
    QCOMPARE(map.regionAt({370, 150}), 2);
    QTest::mouseClick(&map, Qt::LeftButton, {}, {370, 150});
    QCOMPARE(wanted.takeFirst().first().toLongLong(), 15);
    QTest::mouseClick(&map, Qt::LeftButton, {}, {1, 1});
    QVERIFY(wanted.isEmpty());
  }

  void aBlockIsToldInWords() {
    BlockPicture picture;
    picture.resize(360, 300);
    protocol::OpWay op;
    op.products = {{.k = 8192, .n = 1024, .tileRows = 43, .tileColumns = 2, .alongX = false}};
    op.reduces = {{.alongX = false, .cores = 195, .groups = 14, .stages = 14, .elements = 12}};
    op.kv = protocol::KvRowsState{.rows = 195, .top = 7, .entry = 194, .least = 5, .fuller = 8};
    picture.setOp(op, 762, 195);
    const QString text = picture.accessibleDescription();
    QVERIFY2(text.contains("8,192 along y times a matrix of 8,192 x 1,024"), qPrintable(text));
    QVERIFY2(text.contains("Each column of 195 PEs sums 12 elements in 14 groups"),
             qPrintable(text));
    QVERIFY2(text.contains("195 rows of PEs hold 5 positions each, 8 of them one more"),
             qPrintable(text));
    const QImage drawn = picture.grab().toImage();
    picture.clear();
    QVERIFY(picture.grab().toImage() != drawn);
  }
};

QTEST_MAIN(TestWayMap)
#include "test_way_map.moc"

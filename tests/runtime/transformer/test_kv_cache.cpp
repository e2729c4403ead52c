// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <vector>

#include "runtime/transformer/kv_cache.h"

namespace waferpair::transformer {

using tensor::Half;

class TestKvCache : public QObject {
  Q_OBJECT

 private slots:
  void capacityIsWholeChunks();
  void writtenValuesAreWhereAttentionLooks();
  void unwrittenPositionsAreZero();
  void truncatingOnlyShortens();
  void anotherShapeDoesNotFit();
  void tooMuchMemoryIsAnError();
};

Config shape() {
  Config c;
  c.layers = 2;
  c.heads = 4;
  c.kvHeads = 2;
  c.headDim = 6;
  return c;
}

void TestKvCache::capacityIsWholeChunks() {
  QCOMPARE(KvCache::make(shape(), 0)->capacity(), tensor::kChunk);
  QCOMPARE(KvCache::make(shape(), tensor::kChunk)->capacity(), tensor::kChunk);
  QCOMPARE(KvCache::make(shape(), tensor::kChunk + 1)->capacity(), 2 * tensor::kChunk);
  const auto cache = KvCache::make(shape(), 100);
  QCOMPARE(cache->bytesPerToken(), std::size_t{2 * 2 * 2 * 6 * 2});  // k and v, layers, heads, F16
  QCOMPARE(cache->bytes(), cache->bytesPerToken() * 128);
}

void TestKvCache::writtenValuesAreWhereAttentionLooks() {
  auto cache = KvCache::make(shape(), 70);
  const auto mark = [](int layer, int head, int position, int dim) {
    return static_cast<Half>(((layer * 2 + head) * 70 + position) * 6 + dim);
  };
  for (int layer = 0; layer < 2; ++layer) {
    for (int head = 0; head < 2; ++head) {
      for (int position = 0; position < 70; ++position) {
        std::vector<Half> row(6);
        for (int d = 0; d < 6; ++d)
          row[static_cast<std::size_t>(d)] = mark(layer, head, position, d);
        const std::span all(row);
        cache->writeKey(layer, head, position, 0, all.first(4));  // as two threads would
        cache->writeKey(layer, head, position, 4, all.last(2));
        cache->writeValue(layer, head, position, 2, all.last(4));
        cache->writeValue(layer, head, position, 0, all.first(2));
      }
    }
  }
  for (int layer = 0; layer < 2; ++layer) {
    for (int head = 0; head < 2; ++head) {
      const tensor::KvHead kv = cache->head(layer, head);
      for (int p = 0; p < 70; ++p) {
        for (int d = 0; d < 6; ++d) {
          QCOMPARE(kv.keys[(p / 8 * 6 + d) * 8 + p % 8], mark(layer, head, p, d));
          QCOMPARE(kv.values[p * 6 + d], mark(layer, head, p, d));
        }
      }
    }
  }
}

void TestKvCache::unwrittenPositionsAreZero() {
  const auto cache = KvCache::make(shape(), 64);
  const tensor::KvHead kv = cache->head(1, 1);
  QVERIFY(std::all_of(kv.keys, kv.keys + 64 * 6, [](Half h) { return h == 0; }));
  QVERIFY(std::all_of(kv.values, kv.values + 64 * 6, [](Half h) { return h == 0; }));
}

void TestKvCache::truncatingOnlyShortens() {
  auto cache = KvCache::make(shape(), 64);
  cache->setLength(10);
  cache->truncate(20);
  QCOMPARE(cache->length(), 10);
  cache->truncate(4);
  QCOMPARE(cache->length(), 4);
  cache->truncate(-1);
  QCOMPARE(cache->length(), 0);
}

void TestKvCache::anotherShapeDoesNotFit() {
  const auto cache = KvCache::make(shape(), 64);
  QVERIFY(cache->fits(shape()));
  for (int Config::*size : {&Config::layers, &Config::kvHeads, &Config::headDim}) {
    Config other = shape();
    other.*size += 1;
    QVERIFY(!cache->fits(other));
  }
}

void TestKvCache::tooMuchMemoryIsAnError() {
  Config huge = shape();
  huge.layers = 1024;
  huge.kvHeads = 1024;
  huge.headDim = 512;
  const auto cache = KvCache::make(huge, 1 << 20);  // 2 PiB
  QVERIFY(!cache.has_value());
  QVERIFY(!cache.error().remedy.empty());
}

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestKvCache)
#include "test_kv_cache.moc"

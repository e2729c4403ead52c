// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "runtime/transformer/keys_as_values.h"
#include "runtime/transformer/kv_cache.h"

Q_DECLARE_METATYPE(waferpair::tensor::KvFormat)

namespace waferpair::transformer {

using tensor::Half;
using tensor::kChunk;
using tensor::KvFormat;

class TestKvCache : public QObject {
  Q_OBJECT

 private slots:
  void capacityIsWholeChunks();
  void writtenValuesAreWhereAttentionLooks_data() { formats(); }
  void writtenValuesAreWhereAttentionLooks();
  void valuesBeyondF16AreBounded();
  void cachesBehaveAsArrays_data() { formats(); }
  void cachesBehaveAsArrays();
  void layersOfAKindShareAPage();
  void pagesAreTakenWhenNeeded();
  void aFullPoolIsAnErrorThatNamesItsBytes();
  void aFullPoolAsksForPages();
  void anotherShapeDoesNotFit();
  void impossiblePoolsAreErrors();
  void valuesOfLatentsAreTheKeys_data() { formats(); }
  void valuesOfLatentsAreTheKeys();

 private:
  static void formats() {
    QTest::addColumn<KvFormat>("format");
    for (const KvFormat format : {KvFormat::kF16, KvFormat::kQ8_0})
      QTest::addRow("%s", tensor::kvFormatName(format)) << format;
  }
};

namespace {

constexpr int kLayers = 2, kHeads = 2, kDims = 64;

Config shape() {
  Config c;
  c.layers = kLayers;
  c.heads = 4;
  c.kvHeads = kHeads;
  c.headDim = kDims;
  return c;
}

std::shared_ptr<KvPool> poolOf(int pages, KvFormat format = KvFormat::kF16) {
  const std::size_t positions = static_cast<std::size_t>(pages) * kChunk;
  return *KvPool::make(shape(), format, positions * KvPool::bytesPerToken(shape(), format));
}

// Returns the value that is written for a token: any numbers that tell it from others.
float markOf(std::uint32_t token, int layer, int head, int dim, bool value) {
  std::uint32_t bits = token * 2654435761u + static_cast<std::uint32_t>(layer * 8 + head * 4);
  bits = (bits + static_cast<std::uint32_t>(dim * 2 + value) * 40503u) * 2246822519u;
  return static_cast<float>(bits >> 8) / (1 << 24) - 0.5f;
}

void write(KvCache& cache, int position, std::uint32_t token, int firstDim = 0, int dims = kDims) {
  for (int layer = 0; layer < kLayers; ++layer) {
    for (int head = 0; head < kHeads; ++head) {
      std::vector<float> key, value;
      for (int d = firstDim; d < firstDim + dims; ++d) {
        key.push_back(markOf(token, layer, head, d, false));
        value.push_back(markOf(token, layer, head, d, true));
      }
      cache.write(tensor::kernels(), layer, head, position, firstDim, key, value);
    }
  }
}

// Reads the key where kv_chunk.h says it lies.
float keyIn(const tensor::KvChunk& chunk, int p, int d) {
  const int at = (p / 8 * kDims + d) * 8 + p % 8;
  const auto* halves = reinterpret_cast<const Half*>(chunk.keys);
  if (chunk.format == KvFormat::kF16) return tensor::toFloat(halves[at]);
  const int scale = kChunk * kDims / 2 + (p / 8 * (kDims / 32) + d / 32) * 8 + p % 8;
  return tensor::toFloat(halves[scale]) * reinterpret_cast<const std::int8_t*>(chunk.keys)[at];
}
float valueIn(const tensor::KvChunk& chunk, int p, int d) {
  const auto* halves = reinterpret_cast<const Half*>(chunk.values);
  if (chunk.format == KvFormat::kF16) return tensor::toFloat(halves[p * kDims + d]);
  const int scale = kChunk * kDims / 2 + d / 32 * kChunk + p;
  return tensor::toFloat(halves[scale]) *
         reinterpret_cast<const std::int8_t*>(chunk.values)[p * kDims + d];
}

bool holds(const KvCache& cache, const std::vector<std::uint32_t>& tokens) {
  if (cache.length() != static_cast<int>(tokens.size())) return false;
  // Half a step of F16; of a block that reaches 0.5, and what its scale is off.
  constexpr float kF16 = 0.5f / 2048, kQ8 = 0.5f * 0.5f / 127 + kF16;
  const float most = cache.format() == KvFormat::kF16 ? kF16 : kQ8;
  for (int p = 0; p < cache.length(); ++p) {
    const std::uint32_t token = tokens[static_cast<std::size_t>(p)];
    for (int layer = 0; layer < kLayers; ++layer) {
      for (int head = 0; head < kHeads; ++head) {
        const tensor::KvChunk chunk = cache.chunk(layer, head, p / kChunk);
        for (int d = 0; d < kDims; d += 13) {
          const float key = keyIn(chunk, p % kChunk, d), value = valueIn(chunk, p % kChunk, d);
          if (std::abs(key - markOf(token, layer, head, d, false)) > most) return false;
          if (std::abs(value - markOf(token, layer, head, d, true)) > most) return false;
        }
      }
    }
  }
  return true;
}

bool append(KvCache& cache, std::uint32_t token) {
  if (!cache.reserve(cache.length() + 1)) return false;
  write(cache, cache.length(), token);
  cache.setLength(cache.length() + 1);
  return true;
}

}  // namespace

void TestKvCache::capacityIsWholeChunks() {
  QCOMPARE(KvCache::make(shape(), 0)->capacity(), kChunk);
  QCOMPARE(KvCache::make(shape(), kChunk)->capacity(), kChunk);
  QCOMPARE(KvCache::make(shape(), kChunk + 1)->capacity(), 2 * kChunk);
  const auto cache = KvCache::make(shape(), 100);
  QCOMPARE(cache->bytesPerToken(), std::size_t{2 * 2 * 2 * 64 * 2});  // k and v, layers, heads, F16
  const auto eight = KvCache::make(shape(), 100, KvFormat::kQ8_0);
  QCOMPARE(eight->bytesPerToken(), std::size_t{2 * 2 * 2 * 68});
}

// Two threads write parts of the same heads, as those of a team do.
void TestKvCache::writtenValuesAreWhereAttentionLooks() {
  QFETCH(KvFormat, format);
  auto cache = *KvCache::make(shape(), 70, format);
  QVERIFY(cache.reserve(70).has_value());
  const auto part = [&](int firstDim) {
    for (int p = 0; p < 70; ++p) write(cache, p, static_cast<std::uint32_t>(p), firstDim, 32);
  };
  std::thread other(part, 32);
  part(0);
  other.join();
  cache.setLength(70);
  std::vector<std::uint32_t> tokens(70);
  for (std::uint32_t p = 0; p < 70; ++p) tokens[p] = p;
  QVERIFY(holds(cache, tokens));
}

// A token whose numbers overflow must not make those of its neighbors infinite.
void TestKvCache::valuesBeyondF16AreBounded() {
  for (const KvFormat format : {KvFormat::kF16, KvFormat::kQ8_0}) {
    auto cache = *KvCache::make(shape(), 1, format);
    QVERIFY(cache.reserve(1).has_value());
    const std::vector<float> key(kDims, 1e9f), value(kDims, -HUGE_VALF);
    cache.write(tensor::kernels(), 0, 0, 0, 0, key, value);
    QVERIFY(std::isfinite(keyIn(cache.chunk(0, 0, 0), 0, 5)));
    QVERIFY(keyIn(cache.chunk(0, 0, 0), 0, 5) > 65000);
    QVERIFY(std::isfinite(valueIn(cache.chunk(0, 0, 0), 0, 5)));
  }
}

// Random appends, truncations and forks of a few caches of one pool, beside plain arrays. No page
// is lost, and none is counted twice.
void TestKvCache::cachesBehaveAsArrays() {
  QFETCH(KvFormat, format);
  std::mt19937 random(3);
  const auto pool = poolOf(40, format);
  {
    constexpr int kCaches = 4;
    std::vector<KvCache> caches;
    for (int i = 0; i < kCaches; ++i) caches.emplace_back(pool, 10 * kChunk);
    std::vector<std::vector<std::uint32_t>> arrays(kCaches);
    int forks = 0, copies = 0;
    for (int round = 0; round < 400; ++round) {
      const std::size_t i = random() % kCaches, j = random() % kCaches;
      KvCache& cache = caches[i];
      switch (random() % 4) {
        case 0: {
          const int length = static_cast<int>(random() % (arrays[i].size() + 1));
          cache.truncate(length);
          arrays[i].resize(static_cast<std::size_t>(length));
          break;
        }
        case 1: {
          const auto length = random() % (arrays[j].size() + 1);
          cache.share(caches[j], static_cast<int>(length));
          arrays[i] = {arrays[j].begin(), arrays[j].begin() + static_cast<std::ptrdiff_t>(length)};
          ++forks;
          break;
        }
        default: {
          const int usedBefore = pool->used();
          for (auto n = random() % 90; n > 0 && cache.length() < cache.capacity(); --n) {
            const auto token = static_cast<std::uint32_t>(random());
            QVERIFY(append(cache, token));
            arrays[i].push_back(token);
          }
          copies += pool->used() > usedBefore;
        }
      }
      std::set<const std::byte*> pages;
      for (std::size_t k = 0; k < kCaches; ++k) {
        for (int p = 0; p < caches[k].length(); p += kChunk) {
          pages.insert(caches[k].chunk(0, 0, p / kChunk).keys);
        }
      }
      QCOMPARE(pool->used(), static_cast<int>(pages.size()));
      if (round % 10 != 0) continue;
      for (std::size_t k = 0; k < kCaches; ++k) QVERIFY(holds(caches[k], arrays[k]));
    }
    QVERIFY(forks > 50 && copies > 50);
  }
  QCOMPARE(pool->used(), 0);
}

// The cache has as few pages as can be, of as many layers each: of all layers first, then of
// windowed ones.
void TestKvCache::layersOfAKindShareAPage() {
  struct Case {
    int layers, window, fullEvery, ofChunk, windowed;
  };
  for (const Case& each : {Case{6, 0, 0, 1, 0},
                           {6, 9, 0, 1, 1},
                           {6, 9, 2, 2, 1},
                           {6, 9, 6, 6, 5},
                           {12, 9, 6, 6, 5},
                           {7, 9, 6, 7, 6},
                           {6, 9, 7, 1, 1}}) {
    Config c = shape();
    c.layers = each.layers;
    c.window = each.window;
    c.fullAttentionEvery = each.fullEvery;
    const KvPages pages = KvPages::of(c, KvFormat::kF16);
    QCOMPARE(pages.ofChunk, each.ofChunk);
    QCOMPARE(pages.windowed, each.windowed);
    QCOMPARE(pages.bytes * static_cast<std::size_t>(each.ofChunk),
             kChunk * KvPool::bytesPerToken(c, KvFormat::kF16));
    std::set<std::pair<int, int>> places;
    for (int layer = 0; layer < c.layers; ++layer) {
      const KvPages::Place place = pages.places[static_cast<std::size_t>(layer)];
      QVERIFY(place.layer >= 0 && place.layer < pages.layers);
      QCOMPARE(place.page >= pages.ofChunk - pages.windowed, c.windowOf(layer) > 0);
      places.insert({place.page, place.layer});
    }
    QCOMPARE(static_cast<int>(places.size()), c.layers);
  }
}

void TestKvCache::pagesAreTakenWhenNeeded() {
  const auto pool = poolOf(8);
  KvCache first(pool, 1 << 17), second(pool, 1 << 17);
  QCOMPARE(pool->used(), 0);
  for (std::uint32_t t = 0; t < 100; ++t) QVERIFY(append(first, t));
  QCOMPARE(pool->used(), 2);
  QCOMPARE(first.bytes(), 2 * pool->pageBytes());
  second.share(first, 80);
  QCOMPARE(pool->used(), 2);  // both shared
  QVERIFY(append(second, 7));
  QCOMPARE(pool->used(), 3);  // the last, partly filled, was copied
  QCOMPARE(second.chunk(0, 0, 0).keys, first.chunk(0, 0, 0).keys);
  QVERIFY(second.chunk(0, 0, 1).keys != first.chunk(0, 0, 1).keys);
  first.truncate(60);
  QCOMPARE(pool->used(), 2);
  KvCache moved = std::move(second);
  QCOMPARE(moved.length(), 81);
  first = std::move(moved);
  QCOMPARE(first.length(), 81);
}

void TestKvCache::aFullPoolIsAnErrorThatNamesItsBytes() {
  const auto pool = poolOf(2);
  KvCache cache(pool, 1000);
  for (std::uint32_t t = 0; t < 2 * kChunk; ++t) QVERIFY(append(cache, t));
  const auto full = cache.reserve(2 * kChunk + 1);
  QVERIFY(!full.has_value());
  QVERIFY(full.error().what.find(std::to_string(pool->pageBytes())) != std::string::npos);
  QVERIFY(full.error().remedy.find("--kv-memory") != std::string::npos);
  QCOMPARE(cache.length(), 2 * kChunk);
  cache.truncate(kChunk + 1);
  QVERIFY(cache.reserve(2 * kChunk).has_value());
}

void TestKvCache::aFullPoolAsksForPages() {
  const auto pool = poolOf(2);
  KvCache old(pool, 1000), young(pool, 1000);
  for (std::uint32_t t = 0; t < 2 * kChunk; ++t) QVERIFY(append(old, t));
  int asked = 0;
  pool->onShort([&] {
    ++asked;
    if (old.length() == 0) return false;
    old.truncate(0);
    return true;
  });
  for (std::uint32_t t = 0; t < 2 * kChunk; ++t) QVERIFY(append(young, t));
  QCOMPARE(asked, 1);
  QVERIFY(!append(young, 1));
  QCOMPARE(asked, 2);
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

void TestKvCache::impossiblePoolsAreErrors() {
  const auto refused = [](const auto& made) {
    return !made.has_value() && !made.error().what.empty() && !made.error().remedy.empty();
  };
  Config huge = shape();
  huge.layers = 1024;
  huge.kvHeads = 1024;
  huge.headDim = 512;
  QVERIFY(refused(KvCache::make(huge, 1 << 20)));  // 2 PiB
  Config odd = shape();
  odd.headDim = 80;
  QVERIFY(refused(KvCache::make(odd, 64, KvFormat::kQ8_0)));
  QVERIFY(KvCache::make(odd, 64).has_value());
  QVERIFY(refused(KvPool::make(shape(), KvFormat::kF16, 1000)));  // less than a page
}

// Of a position of latent attention: one key, whose dimensions are what kernels take as the value.
void TestKvCache::valuesOfLatentsAreTheKeys() {
  QFETCH(KvFormat, format);
  for (const int rank : {32, 33, 56, 512}) {
    Config c = shape();
    c.kvHeads = 1;
    c.latent.rank = rank;
    c.ropeDim = 64;
    c.headDim = c.ropeDim + rank;
    if (!tensor::kvFormatFits(format, c.headDim)) continue;
    const auto dims = static_cast<std::size_t>(c.headDim);
    QCOMPARE(KvPool::bytesPerToken(c, format), kLayers * tensor::kvRowBytes(format, c.headDim));
    auto cache = *KvCache::make(c, 2 * kChunk, format);
    Config usual = c;
    usual.latent = {};
    QVERIFY(cache.fits(c) && !cache.fits(usual));
    auto pairs = *KvCache::make(usual, 2 * kChunk, format);
    QVERIFY(cache.reserve(2 * kChunk) && pairs.reserve(2 * kChunk));
    std::vector<float> key(dims), read(dims);
    for (int p = 0; p < 2 * kChunk; ++p) {
      for (int layer = 0; layer < kLayers; ++layer) {
        for (int d = 0; d < c.headDim; ++d) {
          key[static_cast<std::size_t>(d)] =
              markOf(static_cast<std::uint32_t>(p), layer, 0, d, false);
        }
        cache.write(tensor::kernels(), layer, 0, p, 0, key, {});
        pairs.write(tensor::kernels(), layer, 0, p, 0, key, key);
        cache.read(layer, 0, p, read, {});
        std::vector<float> both(dims), value(dims);
        pairs.read(layer, 0, p, both, value);
        QVERIFY(read == both && read == value);
      }
    }
    for (int layer = 0; layer < kLayers; ++layer) {
      for (int i = 0; i < 2; ++i) {
        const tensor::KvChunk chunk = cache.chunk(layer, 0, i), pair = pairs.chunk(layer, 0, i);
        QVERIFY(chunk.values == nullptr);
        const std::size_t bytes = kChunk * tensor::kvRowBytes(format, c.headDim);
        QVERIFY(std::memcmp(chunk.keys, pair.keys, bytes) == 0);
        std::vector<std::byte> values(bytes);
        keysAsValues(format, chunk.keys, c.headDim, values.data());
        QVERIFY(std::memcmp(values.data(), pair.values, bytes) == 0);
      }
    }
  }
}

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestKvCache)
#include "test_kv_cache.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels put together: a token through a small transformer, from its embedding to the largest
// logit, as one program on one region. Each kernel reads what the one before left in SRAM.
#include <QtTest>
#include <bit>
#include <cstdio>
#include <functional>
#include <map>

#include "runtime/mesh/argmax.h"
#include "runtime/mesh/attention.h"
#include "runtime/mesh/elementwise.h"
#include "runtime/mesh/embedding.h"
#include "runtime/mesh/gemv.h"
#include "runtime/mesh/normalize.h"
#include "tests/runtime/mesh/mesh_reference.h"

using namespace waferpair;
using namespace waferpair::mesh;
using test::done;
using test::Parts;
using test::taken;
using wafer::Axis;

namespace {

// Two heads of keys side by side, each over half the columns, with two queries each.
constexpr int kWidth = 8, kHeight = 6, kSegment = 4, kQueries = 2;
constexpr int kLayers = 2, kCapacity = 3;
constexpr int kTokenColumn = 5;
// The elements of a PE: of the residual stream, of a key, of all queries, of the feed-forward, of
// the logits.
constexpr int kStream = 4, kDims = 2, kQuery = kQueries * kDims, kForward = 5, kLogits = 3;
constexpr int kVocabulary = kWidth * kLogits - 2;
constexpr float kEpsilon = 1e-5f, kScale = 0.3535534f;
const Along kDown{Axis::kY, 0, 2}, kAcross{Axis::kX, 0, 3}, kHead{Axis::kX, kSegment, 2};

// Returns random values that a PE holds; `name` and the PE are their seed.
Eigen::MatrixXf held(const std::string& name, int x, int y, int rows, int columns,
                     float scale = 0.4f) {
  const auto seed =
      std::hash<std::string>{}(name + " " + std::to_string(x) + " " + std::to_string(y));
  return test::randomHalves(rows, columns, static_cast<unsigned>(seed), scale);
}

struct Tile {
  const char* name;
  int rows, columns;
};
constexpr Tile kTiles[] = {{"query", kStream, kQuery},  {"key", kStream, kDims},
                           {"value", kStream, kDims},   {"output", kQuery, kStream},
                           {"gate", kStream, kForward}, {"up", kStream, kForward},
                           {"down", kForward, kStream}};
const Tile& tileOf(const std::string& name) {
  return *std::find_if(std::begin(kTiles), std::end(kTiles),
                       [&](const Tile& tile) { return tile.name == name; });
}

struct Layer {
  std::map<std::string, Matrix> tiles;
  Span attentionGain, forwardGain;
  KvTile cache;
};

// A PE's SRAM.
struct Places {
  SramLayout sram;
  std::vector<Layer> layers;
  Span token = sram.vector(kStream), stream = sram.vector(kStream), normed = sram.vector(kStream);
  Span branch = sram.vector(kStream);
  Span query = sram.vector(kQuery), key = sram.vector(kDims), value = sram.vector(kDims);
  Span scores = sram.vector(kQueries * scorePitch(kCapacity)), mixed = sram.vector(kQuery);
  Span gate = sram.vector(kForward), up = sram.vector(kForward);
  Span cosines = sram.vector(kDims / 2), sines = sram.vector(kDims / 2);
  Span maxima = sram.vector(kQueries), sums = sram.vector(kQueries, Type::F32);
  Span work = sram.vector(64, Type::F32);
  Span finalGain = sram.vector(kStream), logits = sram.vector(kLogits);
  Matrix head = sram.matrix(kStream, kLogits);
  Span differences = sram.vector(kLogits), ranks = sram.vector(kLogits, Type::F32);
  Span largest = sram.vector(1), rank = sram.vector(1, Type::F32);

  Places() {
    for (int l = 0; l < kLayers; ++l) {
      Layer& layer = layers.emplace_back();
      for (const Tile& tile : kTiles) layer.tiles[tile.name] = sram.matrix(tile.rows, tile.columns);
      layer.attentionGain = sram.vector(kStream);
      layer.forwardGain = sram.vector(kStream);
      layer.cache = {.heads = 1, .dims = kDims, .capacity = kCapacity};
      layer.cache.keys = sram.matrix(kDims, kCapacity);
      layer.cache.values = sram.matrix(kCapacity, kDims);
    }
  }
};

std::string inLayer(int layer, const std::string& name) { return std::to_string(layer) + name; }

// The program of a step that adds one position to `kv`.
Program stepProgram(const Config& config, const Places& at, KvRows& kv) {
  Builder builder(config);
  const auto norm = [&](const Span& gain) {
    done(rmsNorm(builder,
                 {.length = kStream,
                  .elements = kStream * kHeight,
                  .epsilon = kEpsilon,
                  .in = at.stream.address,
                  .gain = gain.address,
                  .out = at.normed.address,
                  .sums = at.sums.address},
                 kDown));
  };
  const auto product = [&](const Span& in, const Matrix& tile, const Span& out,
                           const Along& along) {
    done(gemv(builder,
              {.rows = static_cast<int>(in.length),
               .columns = static_cast<int>(out.length),
               .in = in.address,
               .out = out.address,
               .tile = tile},
              along));
  };
  const auto turn = [&](const Span& vectors) {
    done(rope(builder, {static_cast<int>(vectors.length) / kDims, kDims / 2, vectors.address,
                        at.cosines.address, at.sines.address, at.work.address}));
  };
  done(embed(builder, {kTokenColumn, at.token.address, at.stream}));
  const KvRows::Shift shift = taken(kv.push());
  for (const Layer& layer : at.layers) {
    norm(layer.attentionGain);
    product(at.normed, layer.tiles.at("query"), at.query, kDown);
    product(at.normed, layer.tiles.at("key"), at.key, kDown);
    product(at.normed, layer.tiles.at("value"), at.value, kDown);
    turn(at.query);
    turn(at.key);
    done(kvShift(builder, layer.cache, shift, at.key.address, at.value.address));
    const Attention attention{.cache = layer.cache,
                              .queries = kQueries,
                              .counts = kv.counts(),
                              .query = at.query.address,
                              .scores = at.scores.address,
                              .out = at.mixed.address};
    done(scores(builder, attention, kHead));
    done(softmax(builder,
                 {.vectors = kQueries,
                  .counts = kv.counts(),
                  .scale = kScale,
                  .scores = at.scores.address,
                  .maxima = at.maxima.address,
                  .sums = at.sums.address},
                 kDown));
    done(mix(builder, attention, kDown));
    product(at.mixed, layer.tiles.at("output"), at.branch, kAcross);
    done(add(builder, at.stream, at.branch));
    norm(layer.forwardGain);
    product(at.normed, layer.tiles.at("gate"), at.gate, kDown);
    product(at.normed, layer.tiles.at("up"), at.up, kDown);
    done(siluMul(builder, {kForward, at.gate.address, at.up.address, at.work.address}));
    product(at.gate, layer.tiles.at("down"), at.branch, kAcross);
    done(add(builder, at.stream, at.branch));
  }
  norm(at.finalGain);
  product(at.normed, at.head, at.logits, kDown);
  std::vector<int> counts(kWidth, kLogits);
  counts.back() -= 2;
  const Argmax choice{.counts = counts,
                      .logits = at.logits.address,
                      .maximum = at.largest.address,
                      .rank = at.rank.address,
                      .differences = at.differences.address,
                      .ranks = at.ranks.address};
  done(argmax(builder, choice, kAcross));
  return taken(builder.finish());
}

// The same in Eigen, each vector by the PEs of a row or column that it lies along.
class Reference {
 public:
  explicit Reference(int positions) : kv_(kHeight, kCapacity) {
    for (int i = 0; i < positions; ++i) taken(kv_.push());
  }

  Parts stream;
  int chosen = 0;

  void run(const Parts& cosines, const Parts& sines) {
    for (int y = 0; y < kHeight; ++y) stream.push_back(held("token", kTokenColumn, y, kStream, 1));
    const int position = kv_.positions();
    taken(kv_.push());
    for (int l = 0; l < kLayers; ++l) {
      Parts normed = norm(inLayer(l, "attention gain"));
      Parts query = down(inLayer(l, "query"), normed), key = down(inLayer(l, "key"), normed);
      const Parts value = down(inLayer(l, "value"), normed);
      for (int x = 0; x < kWidth; ++x) {
        query[x] = test::rope(query[x], cosines[x], sines[x]);
        key[x] = test::rope(key[x], cosines[x], sines[x]);
      }
      const Parts mixed = attend(l, position, query, key, value);
      addToStream(across(inLayer(l, "output"), mixed));
      normed = norm(inLayer(l, "forward gain"));
      Parts gate = down(inLayer(l, "gate"), normed);
      const Parts up = down(inLayer(l, "up"), normed);
      for (int x = 0; x < kWidth; ++x) gate[x] = test::siluMul(gate[x], up[x]);
      addToStream(across(inLayer(l, "down"), gate));
    }
    const Parts logits = down("0head", norm("final gain"));
    float largest = -65504;
    for (int i = 0; i < kVocabulary; ++i) {
      if (logits[i / kLogits][i % kLogits] <= largest) continue;
      largest = logits[i / kLogits][i % kLogits];
      chosen = i;
    }
  }

 private:
  Parts norm(const std::string& gain) const {
    Parts gains;
    for (int y = 0; y < kHeight; ++y) gains.push_back(held(gain, 0, y, kStream, 1));
    return test::rmsNorm(stream, gains, 1, kStream * kHeight, kEpsilon, kDown.group);
  }
  static Eigen::MatrixXf weights(const std::string& name, int x, int y) {
    if (name == "0head") return held(name, x, y, kStream, kLogits);
    const Tile& tile = tileOf(name.substr(1));
    return held(name, x, y, tile.rows, tile.columns);
  }
  static Parts down(const std::string& name, const Parts& in) {
    Parts out;
    for (int x = 0; x < kWidth; ++x) {
      Eigen::MatrixXf parts(weights(name, x, 0).cols(), kHeight);
      for (int y = 0; y < kHeight; ++y) {
        parts.col(y) = test::productOfTile(in[y], weights(name, x, y));
      }
      out.push_back(test::kTreeSum(parts, kDown.group, Type::F16));
    }
    return out;
  }
  static Parts across(const std::string& name, const Parts& in) {
    Parts out;
    for (int y = 0; y < kHeight; ++y) {
      Eigen::MatrixXf parts(weights(name, 0, y).cols(), kWidth);
      for (int x = 0; x < kWidth; ++x) {
        parts.col(x) = test::productOfTile(in[x], weights(name, x, y));
      }
      out.push_back(test::kTreeSum(parts, kAcross.group, Type::F16));
    }
    return out;
  }
  void addToStream(const Parts& branch) {
    for (int y = 0; y < kHeight; ++y) stream[y] = test::sum(stream[y], branch[y]);
  }

  // The keys or values of a row of PEs, a column for each of its positions.
  static Eigen::MatrixXf kept(const std::string& name, int layer, const std::vector<int>& positions,
                              int latest, const Parts& newest, int x) {
    Eigen::MatrixXf columns(kDims, static_cast<Eigen::Index>(positions.size()));
    for (Eigen::Index i = 0; i < columns.cols(); ++i) {
      columns.col(i) = positions[i] == latest
                           ? newest[x]
                           : Eigen::VectorXf(held(inLayer(layer, name), x, positions[i], kDims, 1));
    }
    return columns;
  }

  Parts attend(int layer, int latest, const Parts& query, const Parts& key, const Parts& value) {
    Parts mixed(kWidth, Eigen::VectorXf(kQuery));
    for (int begin = 0; begin < kWidth; begin += kSegment) {
      for (int v = 0; v < kQueries; ++v) {
        Parts shares;
        for (int y = 0; y < kHeight; ++y) {
          const std::vector<int>& positions = kv_.positionsOf(y);
          Eigen::MatrixXf parts(static_cast<Eigen::Index>(positions.size()), kSegment);
          for (int i = 0; i < kSegment; ++i) {
            parts.col(i) =
                test::productOfTile(query[begin + i].segment(v * kDims, kDims),
                                    kept("keys", layer, positions, latest, key, begin + i));
          }
          shares.push_back(test::kTreeSum(parts, kHead.group, Type::F16));
        }
        shares = test::softmax(shares, kScale, kDown.group);
        for (int x = begin; x < begin + kSegment; ++x) {
          Eigen::MatrixXf parts(kDims, kHeight);
          for (int y = 0; y < kHeight; ++y) {
            parts.col(y) = test::productOfTile(
                shares[y], kept("values", layer, kv_.positionsOf(y), latest, value, x).transpose());
          }
          mixed[x].segment(v * kDims, kDims) = test::kTreeSum(parts, kDown.group, Type::F16);
        }
      }
    }
    return mixed;
  }

  KvRows kv_;
};

void fill(Mesh& mesh, const Places& at, const KvRows& kv, const Parts& cosines,
          const Parts& sines) {
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const auto vector = [&](const Span& span, const std::string& name, int fromX) {
        test::writeVector(mesh, x, y, span.address,
                          held(name, fromX, y, static_cast<int>(span.length), 1));
      };
      if (x == kTokenColumn) vector(at.token, "token", x);
      vector(at.finalGain, "final gain", 0);
      test::writeMatrix(mesh, x, y, at.head, held("0head", x, y, kStream, kLogits));
      test::writeVector(mesh, x, y, at.cosines.address, cosines[x]);
      test::writeVector(mesh, x, y, at.sines.address, sines[x]);
      for (int l = 0; l < kLayers; ++l) {
        const Layer& layer = at.layers[l];
        vector(layer.attentionGain, inLayer(l, "attention gain"), 0);
        vector(layer.forwardGain, inLayer(l, "forward gain"), 0);
        for (const Tile& tile : kTiles) {
          test::writeMatrix(mesh, x, y, layer.tiles.at(tile.name),
                            held(inLayer(l, tile.name), x, y, tile.rows, tile.columns));
        }
        const std::vector<int>& positions = kv.positionsOf(y);
        Eigen::MatrixXf keys(kDims, static_cast<Eigen::Index>(positions.size()));
        Eigen::MatrixXf values(keys.cols(), kDims);
        for (Eigen::Index i = 0; i < keys.cols(); ++i) {
          keys.col(i) = held(inLayer(l, "keys"), x, positions[i], kDims, 1);
          values.row(i) = held(inLayer(l, "values"), x, positions[i], kDims, 1).transpose();
        }
        test::writeMatrix(mesh, x, y, layer.cache.keys, keys);
        test::writeMatrix(mesh, x, y, layer.cache.values, values);
      }
    }
  }
}

}  // namespace

class TestDecodeStep : public QObject {
  Q_OBJECT

 private slots:
  void oneProgramGivesTheReferencesBits() {
    const Config config = test::meshConfig(kWidth, kHeight);
    for (int positions : {0, 1, 5, 6, 13, 17}) {  // before the step
      KvRows kv(kHeight, kCapacity);
      for (int i = 0; i < positions; ++i) taken(kv.push());
      const KvRows before = kv;
      Parts cosines, sines;
      for (int x = 0; x < kWidth; ++x) {
        const auto angle = static_cast<float>(positions) / static_cast<float>(1 + x % kSegment);
        cosines.push_back(Eigen::VectorXf::Constant(1, test::roundHalf(std::cos(angle))));
        sines.push_back(Eigen::VectorXf::Constant(1, test::roundHalf(std::sin(angle))));
      }
      const Places at;
      Program program = stepProgram(config, at, kv);
      std::uint32_t colors = 0;
      for (const PlacedRoute& placed : program.routes) colors |= 1u << placed.color;
      Mesh mesh = taken(Mesh::make(std::move(program)));
      fill(mesh, at, before, cosines, sines);
      const Report report = taken(mesh.run());
      Reference reference(positions);
      reference.run(cosines, sines);
      for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
          test::compare(test::readVector(mesh, x, y, at.stream), reference.stream[y], "Stream", x,
                        y);
          const float rank = test::readVector(mesh, x, y, at.rank)[0];
          QCOMPARE(kVocabulary - static_cast<int>(rank), reference.chosen);
        }
      }
      std::printf("%d positions: %d cycles, %d colors\n", positions + 1,
                  static_cast<int>(report.cycles), std::popcount(colors));
    }
  }
};

QTEST_GUILESS_MAIN(TestDecodeStep)
#include "test_decode_step.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Tests which files are models, and what is said of those that are not.
#include <QtTest>

#include <functional>
#include <memory>
#include <span>

#include "runtime/gguf/writer.h"
#include "runtime/transformer/model.h"
#include "tests/support/tiny_model.h"

namespace waferpair::transformer {

using Change = std::function<void(gguf::Writer&)>;

}  // namespace waferpair::transformer

Q_DECLARE_METATYPE(waferpair::transformer::Change)

namespace waferpair::transformer {

class TestModel : public QObject {
  Q_OBJECT

 private slots:
  void configIsRead();
  void optionalKeysHaveTheirDefaults();
  void longContextsAreCut();
  void embeddingsComeFromTheFile();
  void everyFormatLoads_data();
  void everyFormatLoads();
  void formatsMayBeMixed();
  void sizesAddUp();
  void badMetadataIsNamed_data();
  void badMetadataIsNamed();
  void poolingIsRead();
  void badTensorsAreNamed_data();
  void badTensorsAreNamed();
  void damagedTensorsAreRefused();
  void otherArchitecturesAreNamed();
};

// What the header tells, a check without loading tells in the same words.
base::Result<std::shared_ptr<const Model>> load(const std::vector<std::byte>& bytes) {
  auto file = gguf::File::parse(bytes, "tiny.gguf");
  if (!file) qFatal("%s", file.error().message().c_str());
  const auto checked = Model::check(*file);
  auto loaded = Model::load(std::make_shared<const gguf::File>(std::move(*file)));
  if (!checked && (loaded || loaded.error().what != checked.error().what))
    qFatal("check() says: %s", checked.error().what.c_str());
  return loaded;
}

void TestModel::configIsRead() {
  QTemporaryDir dir;
  const std::string path = dir.filePath("tiny.gguf").toStdString();
  QVERIFY(test::writeTinyModel(path, {.layers = 3,
                                      .width = 96,
                                      .feedForward = 160,
                                      .heads = 6,
                                      .kvHeads = 2,
                                      .contextLength = 77})
              .has_value());
  const auto model = Model::load(path);
  QVERIFY2(model.has_value(), model ? "" : model.error().message().c_str());
  const Config& c = (*model)->config();
  QVERIFY(c.name == "tiny");
  QCOMPARE(c.layers, 3);
  QCOMPARE(c.width, 96);
  QCOMPARE(c.feedForward, 160);
  QCOMPARE(c.heads, 6);
  QCOMPARE(c.kvHeads, 2);
  QCOMPARE(c.headDim, 16);
  QCOMPARE(c.ropeDim, 16);
  QCOMPARE(c.groupSize(), 3);
  QCOMPARE(c.contextLength, 77);
  QCOMPARE(c.vocabSize, 320);
  QVERIFY(c.tiedEmbeddings);
}

// Writes only the keys that have no default, and one tensor.
gguf::Writer leastMetadata(std::uint32_t context = 128) {
  gguf::Writer writer;
  writer.addString("general.architecture", "llama");
  writer.addUint32("llama.block_count", 1);
  writer.addUint32("llama.embedding_length", 64);
  writer.addUint32("llama.feed_forward_length", 96);
  writer.addUint32("llama.attention.head_count", 4);
  writer.addUint32("llama.context_length", context);
  const std::vector<float> embedding(64 * 10);
  writer.addTensor("token_embd.weight", gguf::TensorType::kF32, {64, 10},
                   std::as_bytes(std::span(embedding)));
  return writer;
}

void TestModel::optionalKeysHaveTheirDefaults() {
  const auto bytes = leastMetadata().bytes();
  const auto file = gguf::File::parse(bytes, "least.gguf");
  const auto config = readConfig(*file);
  QVERIFY2(config.has_value(), config ? "" : config.error().message().c_str());
  QCOMPARE(config->kvHeads, 4);
  QCOMPARE(config->headDim, 16);
  QCOMPARE(config->ropeDim, 16);
  QCOMPARE(config->ropeBase, 10000.0f);
  QCOMPARE(config->normEpsilon, 1e-5f);
  QVERIFY(config->name.empty());
}

// Models of a million positions are of use within those that can be computed.
void TestModel::longContextsAreCut() {
  const std::pair<std::uint32_t, int> rows[] = {{1 << 18, 1 << 18},
                                                {(1 << 18) + 1, 1 << 18},
                                                {1'010'000, 1 << 18},
                                                {1 << 20, 1 << 18},
                                                {1 << 24, 1 << 18}};
  for (const auto& [given, expected] : rows) {
    const auto bytes = leastMetadata(given).bytes();
    const auto file = gguf::File::parse(bytes, "long.gguf");
    const auto config = readConfig(*file);
    QVERIFY2(config.has_value(), config ? "" : config.error().message().c_str());
    QCOMPARE(config->contextLength, expected);
  }
}

void TestModel::embeddingsComeFromTheFile() {
  const auto bytes = test::makeTinyModel({.type = gguf::TensorType::kF32}).bytes();
  const auto model = load(bytes);
  const gguf::TensorInfo* info = (*model)->file().findTensor("token_embd.weight");
  const auto data = (*model)->file().data(*info);
  std::vector<float> row(64);
  for (const int token : {0, 7, 319}) {
    (*model)->embed(token, row);
    QCOMPARE(std::memcmp(row.data(), data.data() + token * 64 * 4, 64 * 4), 0);
  }
}

void TestModel::everyFormatLoads_data() {
  QTest::addColumn<int>("format");
  for (const tensor::Format format : tensor::allFormats()) {
    QTest::addRow("%s", formatName(format)) << static_cast<int>(format);
  }
}

// Every format loads from files of GGUF version 2 and 3, which differ in nothing that a model says.
void TestModel::everyFormatLoads() {
  QFETCH(int, format);
  const auto kFormat = static_cast<tensor::Format>(format);
  const tensor::FormatInfo& info = tensor::infoOf(kFormat);
  const auto type = static_cast<gguf::TensorType>(info.ggmlType);
  QCOMPARE(tensorTypeName(type), info.name);  // the two tables of types agree
  QCOMPARE(gguf::blockSize(type).elements, static_cast<std::uint32_t>(info.block));
  QCOMPARE(gguf::blockSize(type).bytes, static_cast<std::uint32_t>(info.bytes));

  auto bytes =
      test::makeTinyModel({.layers = 1, .width = 256, .feedForward = 512, .type = type}).bytes();
  for (const int version : {2, 3}) {
    bytes[4] = static_cast<std::byte>(version);
    const auto model = load(bytes);
    QVERIFY2(model.has_value(), model ? "" : model.error().message().c_str());
    const gguf::TensorInfo* embedding = (*model)->file().findTensor("token_embd.weight");
    const auto data = (*model)->file().data(*embedding);
    std::vector<float> row(256), expected(256);
    for (const int token : {0, 7, 319}) {
      (*model)->embed(token, row);
      dequantizeRow(kFormat, data.data() + token * rowBytes(kFormat, 256), expected);
      QCOMPARE(row, expected);
      (*model)->output().row(token, row);  // the tied head is the same matrix, packed
      QCOMPARE(row, expected);
    }
    QCOMPARE((*model)->quantized(), info.block > 1);
  }
}

// Formats are mixed as the tools for K-formats write them: some matrices in another format than the
// rest.
void TestModel::formatsMayBeMixed() {
  constexpr auto kQ4K = gguf::TensorType::kQ4_K, kQ6K = gguf::TensorType::kQ6_K;
  const test::TinyModel shape{.layers = 1, .width = 256, .feedForward = 256, .type = kQ4K};
  auto other = shape;
  other.type = kQ6K;
  const auto small = test::makeTinyModel(shape).bytes(), large = test::makeTinyModel(other).bytes();
  auto mixed = test::makeTinyModel(
      {.layers = 1, .width = 256, .feedForward = 256, .type = kQ4K, .headType = kQ6K});
  const auto bytes = mixed.bytes();
  const auto model = load(bytes);
  QVERIFY2(model.has_value(), model ? "" : model.error().message().c_str());
  QVERIFY((*model)->output().format() == tensor::Format::kQ6_K);
  QVERIFY((*model)->layer(0).query.format() == tensor::Format::kQ4_K);
  QVERIFY((*model)->bytesPerToken() > (*load(small))->bytesPerToken());
  QVERIFY((*model)->bytesPerToken() < (*load(large))->bytesPerToken());
}

void TestModel::sizesAddUp() {
  // d 64, f 96, 4 / 2 heads of 16, vocabulary 320, 2 layers; one byte and 2/32 of one a weight.
  const std::size_t layer = 64 * (64 + 32 + 32 + 64) + 3 * 64 * 96;
  const auto tied = test::makeTinyModel({}).bytes();
  QCOMPARE((*load(tied))->parameters(), 2 * (layer + 128) + 64 + 64 * 320);
  QCOMPARE((*load(tied))->bytesPerToken(), (2 * layer + 64 * 320) * 34 / 32);
  const auto untied = test::makeTinyModel({.tiedEmbeddings = false}).bytes();
  QCOMPARE((*load(untied))->parameters(), 2 * (layer + 128) + 64 + 2 * 64 * 320);
  QCOMPARE((*load(untied))->bytesPerToken(), (*load(tied))->bytesPerToken());
  // Four bits stay four bits.
  const auto nibbles = test::makeTinyModel({.type = gguf::TensorType::kQ4_0}).bytes();
  QCOMPARE((*load(nibbles))->bytesPerToken(), (2 * layer + 64 * 320) * 18 / 32);
}

void TestModel::badMetadataIsNamed_data() {
  QTest::addColumn<QString>("key");
  QTest::addColumn<int>("value");
  const std::pair<const char*, int> rows[] = {{"llama.block_count", -1},
                                              {"llama.block_count", 0},
                                              {"llama.block_count", 1 << 30},
                                              {"llama.embedding_length", 0},
                                              {"llama.feed_forward_length", -7},
                                              {"llama.attention.head_count", 0},
                                              {"llama.attention.head_count_kv", 3},
                                              {"llama.attention.head_count_kv", 8},
                                              {"llama.attention.key_length", 15},
                                              {"llama.attention.key_length", 1 << 20},
                                              {"llama.context_length", 1 << 30},
                                              {"llama.attention.value_length", 8},
                                              {"llama.rope.dimension_count", 18},
                                              {"llama.rope.dimension_count", 5},
                                              {"llama.rope.freq_base", 0},
                                              {"llama.attention.layer_norm_rms_epsilon", 0},
                                              {"llama.context_length", 0},
                                              {"llama.rope.scale_linear", 0},
                                              {"llama.rope.scaling.factor", -1},
                                              {"llama.attention.sliding_window", -1},
                                              {"llama.pooling_type", -1},
                                              {"llama.pooling_type", 4},
                                              {"llama.pooling_type", 5},
                                              {"llama.expert_count", 8}};
  for (const auto& [key, value] : rows) QTest::addRow("%s %d", key, value) << key << value;
}

void TestModel::badMetadataIsNamed() {
  QFETCH(QString, key);
  QFETCH(int, value);
  // The same keys as leastMetadata() but for the one in question.
  gguf::Writer writer;
  writer.addString("general.architecture", "llama");
  const std::pair<const char*, std::uint32_t> sizes[] = {{"llama.block_count", 1},
                                                         {"llama.embedding_length", 64},
                                                         {"llama.feed_forward_length", 96},
                                                         {"llama.attention.head_count", 4},
                                                         {"llama.context_length", 128}};
  for (const auto& [name, size] : sizes) {
    if (key != name) writer.addUint32(name, size);
  }
  writer.addInt32(key.toStdString(), value);
  const auto bytes = writer.bytes();
  const auto file = gguf::File::parse(bytes, "bad.gguf");
  const auto config = readConfig(*file);
  QVERIFY(!config.has_value());
  const QString what = QString::fromStdString(config.error().what);
  QVERIFY2(what.startsWith("bad.gguf: ") && what.contains(key), qPrintable(what));
  QVERIFY(!config.error().remedy.empty());
}

void TestModel::poolingIsRead() {
  for (int type = 0; type < 4; ++type) {
    const auto bytes = test::makeTinyModel({.pooling = type}).bytes();
    QCOMPARE(static_cast<int>((*load(bytes))->config().pooling), type);
  }
  // One that ranks has a head, whose rows are the classes.
  const auto ranks = test::makeTinyModel({.pooling = 4}).bytes();
  const auto ranking = load(ranks);
  QVERIFY(ranking.has_value());
  QCOMPARE((*ranking)->config().pooling, Pooling::kRank);
  QCOMPARE((*ranking)->config().classes, 2);
  QCOMPARE((*ranking)->ranking().classes.size(), std::size_t{2} * (*ranking)->config().width);
  auto headless = test::makeTinyModel({});
  headless.addUint32("llama.pooling_type", 4);
  const auto bytes = headless.bytes();
  const auto refused = load(bytes);
  QVERIFY(!refused.has_value());
  QVERIFY2(refused.error().what.find("cls.output.weight") != std::string::npos,
           refused.error().what.c_str());
}

void TestModel::badTensorsAreNamed_data() {
  QTest::addColumn<Change>("change");
  QTest::addColumn<QString>("named");
  const std::vector<std::byte> data(1 << 16);
  const auto add = [data](const char* name, gguf::TensorType type, std::vector<std::uint64_t> ne,
                          std::size_t bytes) {
    return [=](gguf::Writer& w) { w.addTensor(name, type, ne, std::span(data).first(bytes)); };
  };
  constexpr auto kF32 = gguf::TensorType::kF32;
  constexpr auto kInt8 = static_cast<gguf::TensorType>(24);
  QTest::newRow("missing") << Change([](gguf::Writer&) {}) << "blk.0.attn_norm.weight";
  QTest::newRow("too short") << Change(add("blk.0.attn_norm.weight", kF32, {32}, 128)) << "64";
  QTest::newRow("matrix for a vector")
      << Change(add("blk.0.attn_norm.weight", kF32, {32, 2}, 256)) << "32 x 2";
  QTest::newRow("another type") << Change(add("blk.0.attn_norm.weight", kInt8, {64}, 64)) << "I8";
}

void TestModel::badTensorsAreNamed() {
  QFETCH(Change, change);
  QFETCH(QString, named);
  gguf::Writer writer = leastMetadata();
  change(writer);
  const auto bytes = writer.bytes();
  const auto model = load(bytes);
  QVERIFY(!model.has_value());
  const QString what = QString::fromStdString(model.error().what);
  QVERIFY2(what.startsWith("tiny.gguf: ") && what.contains(named) && what.contains("attn_norm"),
           qPrintable(what));

  // A whole model with one tensor more, which would change what it computes: a bias without those
  // that go with it, a norm that such models do not have.
  for (const auto& [more, missed] : {std::pair("blk.0.attn_q.bias", "blk.0.attn_k.bias"),
                                     std::pair("blk.1.attn_q.bias", "blk.1.attn_q.bias"),
                                     std::pair("blk.0.post_ffw_norm", "blk.0.post_ffw_norm")}) {
    gguf::Writer whole = test::makeTinyModel({});
    const std::vector<float> values(64);
    whole.addTensor(more, gguf::TensorType::kF32, {64}, std::as_bytes(std::span(values)));
    const auto bytesOfIt = whole.bytes();
    const auto refused = load(bytesOfIt);
    QVERIFY(!refused.has_value());
    QVERIFY(!Model::check(*gguf::File::parse(bytesOfIt, "tiny.gguf")).has_value());
    QVERIFY2(refused.error().what.find(missed) != std::string::npos, refused.error().what.c_str());
  }
}

// A bit that flipped, in weights that are packed and in those that are read where they lie.
void TestModel::damagedTensorsAreRefused() {
  const auto sound = test::makeTinyModel({}).bytes();
  QVERIFY(load(sound).has_value());
  const auto file = gguf::File::parse(sound, "tiny.gguf");
  for (const char* name :
       {"token_embd.weight", "blk.1.ffn_down.weight", "blk.0.attn_norm.weight"}) {
    const gguf::TensorInfo* info = file->findTensor(name);
    auto bytes = sound;
    // Whatever the format, the exponent of some number has its bits in these two bytes.
    for (const std::size_t at : {0u, 1u, 2u, 3u})
      bytes[info->offset + at] |= std::byte{static_cast<unsigned char>(at % 2 == 1 ? 0x7f : 0x80)};
    const auto refused = load(bytes);
    QVERIFY(!refused.has_value());
    const std::string message = refused.error().message();
    QVERIFY2(message.find(name) != message.npos && message.find("damaged") != message.npos &&
                 message.find("SHA-256") != message.npos,
             message.c_str());
    // Where it is not loaded its weights are not read.
    QVERIFY(Model::check(*gguf::File::parse(bytes, "tiny.gguf")).has_value());
  }
}

void TestModel::otherArchitecturesAreNamed() {
  gguf::Writer writer;
  writer.addString("general.architecture", "mamba");
  const auto bytes = writer.bytes();
  const auto model = load(bytes);
  QVERIFY(!model.has_value());
  QVERIFY(model.error().what.find("mamba") != std::string::npos);
  gguf::Writer scaled = leastMetadata();
  scaled.addString("llama.rope.scaling.type", "longrope");
  const auto scaledBytes = scaled.bytes();
  QVERIFY(load(scaledBytes).error().what.find("longrope") != std::string::npos);
}

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestModel)
#include "test_model.moc"

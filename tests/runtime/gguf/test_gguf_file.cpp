// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that the file gives back what the writer wrote, and what the getters say about wrong
// questions.
#include <QtTest>

#include <cstring>
#include <limits>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"

namespace waferpair::gguf {

class TestGgufFile : public QObject {
  Q_OBJECT

 private slots:
  void valuesComeBack();
  void tensorsComeBack();
  void versionTwoIsRead();
  void gettersNameFileAndKey_data();
  void gettersNameFileAndKey();
  void numbersOfAnyWidthAreAccepted();
  void mappedFilesAreReadAndMoved();
  void whatIsNoFileIsRefused();
  void partsAreOneFile();
  void forgottenTensorsTakeNoMemory();
  void partsThatDoNotBelongTogetherAreRefused();
  void ollamasNamesAreTranslated();
  void tokensOfPicturesAreCutOff();
  void aFailedWriteLeavesTheOldFile();
};

Writer everyKind() {
  Writer writer;
  writer.addUint32("u32", 4000000000);
  writer.addInt32("i32", -5);
  writer.addUint64("u64", std::numeric_limits<std::uint64_t>::max());
  writer.addFloat32("f32", 0.5f);
  writer.addFloat32("nan", std::numeric_limits<float>::quiet_NaN());
  writer.addBool("bool", true);
  writer.addString("string", "naïve");
  writer.addString("empty", "");
  const std::vector<std::string> names{"a", "", "long enough to be no small string"};
  writer.addStrings("strings", names);
  const std::vector<std::int32_t> numbers{1, -2, 3};
  writer.addInt32s("ints", numbers);
  const std::vector<float> floats{1.5f, -2.5f};
  writer.addFloat32s("floats", floats);
  return writer;
}

File parsed(const std::vector<std::byte>& bytes) {
  auto file = File::parse(bytes, "test.gguf");
  if (!file) qFatal("%s", file.error().message().c_str());
  return std::move(*file);
}

void TestGgufFile::valuesComeBack() {
  const auto bytes = everyKind().bytes();
  const File file = parsed(bytes);
  QCOMPARE(file.version(), 3u);
  QCOMPARE(file.metadata().size(), std::size_t{11});
  QVERIFY(file.metadata()[0].key == "u32");
  QCOMPARE(*file.integer("u32"), std::int64_t{4000000000});
  QCOMPARE(*file.integer("i32"), std::int64_t{-5});
  QCOMPARE(*file.number("f32"), 0.5);
  QCOMPARE(*file.boolean("bool"), true);
  QVERIFY(*file.string("string") == "naïve");
  QVERIFY(file.string("empty")->empty());
  const auto strings = *file.strings("strings");
  QCOMPARE(strings.size(), std::size_t{3});
  QVERIFY(strings[0] == "a" && strings[1].empty() && strings[2].starts_with("long"));
  QVERIFY(*file.integers("ints") == (std::vector<std::int64_t>{1, -2, 3}));
  QVERIFY(*file.numbers("floats") == (std::vector<double>{1.5, -2.5}));
  QVERIFY(*file.numbers("ints") == (std::vector<double>{1, -2, 3}));
  QCOMPARE(*file.integerOr("absent", 7), std::int64_t{7});
  QVERIFY(!file.has("absent"));
}

void TestGgufFile::tensorsComeBack() {
  Writer writer;
  const std::vector<float> vector{1, 2, 3};
  writer.addTensor("vector", TensorType::kF32, {3}, std::as_bytes(std::span(vector)));
  const std::vector<std::byte> blocks(4 * 34, std::byte{7});
  writer.addTensor("matrix", TensorType::kQ8_0, {64, 2}, blocks);
  const auto bytes = writer.bytes();
  const File file = parsed(bytes);
  QCOMPARE(file.tensors().size(), std::size_t{2});
  const TensorInfo* info = file.findTensor("vector");
  QVERIFY(info != nullptr);
  QCOMPARE(info->offset % 32, std::size_t{0});
  QCOMPARE(std::memcmp(file.data(*info).data(), vector.data(), 12), 0);
  info = file.findTensor("matrix");
  QVERIFY(info != nullptr && info->type == TensorType::kQ8_0);
  QVERIFY(info->ne == (std::vector<std::uint64_t>{64, 2}));
  QCOMPARE(info->elements(), std::uint64_t{128});
  QCOMPARE(file.data(*info).size(), blocks.size());
  QVERIFY(std::equal(blocks.begin(), blocks.end(), file.data(*info).begin()));
  QVERIFY(file.findTensor("other") == nullptr);
}

void TestGgufFile::versionTwoIsRead() {
  auto bytes = everyKind().bytes();
  bytes[4] = std::byte{2};
  QCOMPARE(parsed(bytes).version(), 2u);
}

void TestGgufFile::gettersNameFileAndKey_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("key");
  for (const auto& [kind, key] : {std::pair{"integer", "absent"},
                                  {"integer", "string"},
                                  {"integer", "bool"},
                                  {"integer", "f32"},
                                  {"integer", "u64"},
                                  {"number", "string"},
                                  {"number", "nan"},
                                  {"boolean", "u32"},
                                  {"string", "u32"},
                                  {"string", "strings"},
                                  {"strings", "string"},
                                  {"strings", "ints"},
                                  {"integers", "i32"},
                                  {"integers", "floats"},
                                  {"integers", "strings"},
                                  {"numbers", "strings"}}) {
    QTest::addRow("%s of %s", kind, key) << kind << key;
  }
}

void TestGgufFile::gettersNameFileAndKey() {
  QFETCH(QString, kind);
  QFETCH(QString, key);
  const auto bytes = everyKind().bytes();
  const File file = parsed(bytes);
  const std::string k = key.toStdString();
  base::Error error;
  if (kind == "integer") error = file.integer(k).error();
  if (kind == "number") error = file.number(k).error();
  if (kind == "boolean") error = file.boolean(k).error();
  if (kind == "string") error = file.string(k).error();
  if (kind == "strings") error = file.strings(k).error();
  if (kind == "integers") error = file.integers(k).error();
  if (kind == "numbers") error = file.numbers(k).error();
  QVERIFY(error.what.find("test.gguf") != std::string::npos);
  QVERIFY(error.what.find(k) != std::string::npos);
  QVERIFY(!error.remedy.empty());
}

// The writer has no narrow integers, so their entries are spelled out here.
void TestGgufFile::numbersOfAnyWidthAreAccepted() {
  const auto oneEntry = [](ValueType type, std::vector<unsigned char> value) {
    std::vector<unsigned char> raw{
        'G', 'G', 'U', 'F', 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   1,
        0,   0,   0,   0,   0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 'k', static_cast<unsigned char>(type),
        0,   0,   0};
    raw.insert(raw.end(), value.begin(), value.end());
    std::vector<std::byte> bytes;
    for (const unsigned char c : raw) bytes.push_back(std::byte{c});
    return bytes;
  };
  const struct {
    ValueType type;
    std::vector<unsigned char> value;
    std::int64_t expected;
  } rows[] = {{ValueType::kUint8, {200}, 200},
              {ValueType::kInt8, {200}, -56},
              {ValueType::kUint16, {0, 200}, 51200},
              {ValueType::kInt16, {0, 200}, -14336},
              {ValueType::kInt64, {255, 255, 255, 255, 255, 255, 255, 255}, -1},
              {ValueType::kUint64, {1, 0, 0, 0, 0, 0, 0, 0}, 1}};
  for (const auto& row : rows) {
    const auto bytes = oneEntry(row.type, row.value);
    const File file = parsed(bytes);
    QCOMPARE(*file.integer("k"), row.expected);
    QCOMPARE(*file.number("k"), static_cast<double>(row.expected));
  }
  const auto bytes = oneEntry(ValueType::kFloat64, {0, 0, 0, 0, 0, 0, 0xf8, 0x3f});
  QCOMPARE(*parsed(bytes).number("k"), 1.5);
}

// Part `number` (from 1) of `count`, with a tensor of its number.
Writer partOf(int number, int count, const std::string& tensor) {
  Writer writer;
  if (number == 1) writer.addString("general.architecture", "llama");
  writer.addUint32("split.no", static_cast<std::uint32_t>(number - 1));
  writer.addUint32("split.count", static_cast<std::uint32_t>(count));
  writer.addInt32("split.tensors.count", count);
  const std::vector<float> values(4, static_cast<float>(number));
  writer.addTensor(tensor, TensorType::kF32, {4}, std::as_bytes(std::span(values)));
  return writer;
}

namespace {

// KiB of mapped files that this process holds.
std::int64_t residentOfFiles() {
  QFile status(QStringLiteral("/proc/self/status"));
  if (!status.open(QFile::ReadOnly)) return -1;
  for (const QByteArray& line : status.readAll().split('\n'))
    if (line.startsWith("RssFile:")) return line.mid(8).replace(" kB", "").trimmed().toLongLong();
  return -1;
}

}  // namespace

void TestGgufFile::forgottenTensorsTakeNoMemory() {
  QTemporaryDir dir;
  constexpr std::size_t kCount = 4 << 20;  // 16 MiB
  std::vector<float> values(kCount);
  for (std::size_t i = 0; i < kCount; ++i) values[i] = static_cast<float>(i % 1000);
  Writer writer;
  writer.addString("general.architecture", "llama");
  writer.addTensor("large", TensorType::kF32, {kCount}, std::as_bytes(std::span(values)));
  const std::string path = dir.filePath("large.gguf").toStdString();
  QVERIFY(writer.write(path));
  const auto file = File::open(path);
  QVERIFY(file.has_value());
  const TensorInfo& tensor = *file->findTensor("large");
  const auto isWhole = [&] {
    const auto data = file->data(tensor);
    return data.size() == 4 * kCount && std::memcmp(data.data(), values.data(), data.size()) == 0;
  };
  file->announce(tensor);
  QVERIFY(isWhole());
  const std::int64_t before = residentOfFiles();
  if (before < 0) QSKIP("/proc tells nothing of this process");
  file->forget(tensor);
  const std::int64_t after = residentOfFiles();
  QVERIFY2(after <= before - 15 * 1024,
           qPrintable(QString("%1 KiB, %2 before").arg(after).arg(before)));
  QVERIFY(isWhole());  // it comes back
}

void TestGgufFile::partsAreOneFile() {
  QTemporaryDir dir;
  std::size_t size = 0;
  for (const int number : {1, 2, 3}) {
    const Writer part = partOf(number, 3, "t" + std::to_string(number));
    QVERIFY(part.write(dir.filePath(QString("m-0000%1-of-00003.gguf").arg(number)).toStdString()));
    size += part.bytes().size();
  }
  auto opened = File::open(dir.filePath("m-00001-of-00003.gguf").toStdString());
  QVERIFY2(opened.has_value(), opened ? "" : opened.error().message().c_str());
  const File file = std::move(*opened);
  QCOMPARE(file.size(), size);
  QVERIFY(*file.string("general.architecture") == "llama");
  QCOMPARE(file.tensors().size(), std::size_t{3});
  for (const int number : {1, 2, 3}) {
    const TensorInfo* tensor = file.findTensor("t" + std::to_string(number));
    QVERIFY(tensor != nullptr);
    float third = 0;
    std::memcpy(&third, &file.data(*tensor)[8], sizeof(third));
    QCOMPARE(third, static_cast<float>(number));
  }
}

void TestGgufFile::partsThatDoNotBelongTogetherAreRefused() {
  QTemporaryDir dir;
  const auto write = [&](const char* name, const Writer& part) {
    QVERIFY(part.write(dir.filePath(name).toStdString()).has_value());
  };
  const auto errorOf = [&](const char* name) {
    const auto file = File::open(dir.filePath(name).toStdString());
    return file ? std::string() : file.error().what + " " + file.error().remedy;
  };
  const auto says = [&](const char* name, const char* what) {
    const std::string error = errorOf(name);
    const bool isSaid = error.find(what) != std::string::npos;
    if (!isSaid) qWarning("%s", error.c_str());
    return isSaid;
  };
  const char* first = "m-00001-of-00002.gguf";
  const char* second = "m-00002-of-00002.gguf";
  write(first, partOf(1, 2, "a"));
  QVERIFY(says(first, second));  // which is not there
  write(second, partOf(2, 2, "b"));
  QVERIFY(errorOf(first).empty());
  QVERIFY(says(second, "is part 2 of 2 of a model"));
  QVERIFY(says(second, first));
  write(second, partOf(2, 3, "b"));
  QVERIFY(says(first, "is not part 2 of 2 of this model"));
  write(second, partOf(1, 2, "b"));
  QVERIFY(says(first, "is not part 2 of 2 of this model"));
  write(second, partOf(2, 2, "a"));
  QVERIFY(says(first, "has the tensor a, which an earlier part has, too"));
  Writer empty;
  empty.addUint32("split.no", 1);
  empty.addUint32("split.count", 2);
  write(second, empty);
  QVERIFY(says(first, "the parts have 1 tensors, but the model 2"));
  write("other.gguf", partOf(1, 2, "a"));
  QVERIFY(says("other.gguf", "-00001-of-00002.gguf"));
  write("n-00001-of-00002.gguf", partOf(1, 2000, "a"));
  QVERIFY(says("n-00001-of-00002.gguf", "split.count is 2000"));
}

void TestGgufFile::mappedFilesAreReadAndMoved() {
  QTemporaryDir dir;
  const std::string path = dir.filePath("a.gguf").toStdString();
  QVERIFY(everyKind().write(path).has_value());
  auto opened = File::open(path);
  QVERIFY2(opened.has_value(), opened ? "" : opened.error().message().c_str());
  File moved = std::move(*opened);
  QVERIFY(*moved.string("string") == "naïve");
  QCOMPARE(moved.size(), everyKind().bytes().size());
}

void TestGgufFile::whatIsNoFileIsRefused() {
  QTemporaryDir dir;
  const std::string absent = dir.filePath("absent.gguf").toStdString();
  for (const std::string& path : {absent, dir.path().toStdString(), std::string("/dev/null")}) {
    const auto file = File::open(path);
    QVERIFY(!file.has_value());
    QVERIFY(file.error().what.find(path) != std::string::npos);
    QVERIFY(!file.error().remedy.empty());
  }
  QFile empty(dir.filePath("empty.gguf"));
  QVERIFY(empty.open(QIODevice::WriteOnly));
  empty.close();
  QVERIFY(!File::open(empty.fileName().toStdString()).has_value());
}

void TestGgufFile::ollamasNamesAreTranslated() {
  Writer writer;
  writer.addString("general.architecture", "gptoss");
  writer.addUint32("gptoss.block_count", 24);
  writer.addString("tokenizer.ggml.pre", "default");
  const std::vector<float> data(24);
  const auto all = std::as_bytes(std::span(data));
  writer.addTensor("blk.0.attn_out.bias", TensorType::kF32, {2}, all.first(8));
  writer.addTensor("blk.0.attn_sinks", TensorType::kF32, {2}, all.first(8));
  writer.addTensor("blk.0.ffn_norm.weight", TensorType::kF32, {2}, all.first(8));
  writer.addTensor("blk.0.ffn_gate_exps.weight", TensorType::kF32, {2, 3, 4}, all);
  const auto bytes = writer.bytes();
  auto parsed = File::parse(bytes, "ollama.gguf");
  QVERIFY(parsed.has_value());
  const File file = std::move(*parsed);
  QVERIFY(*file.string("general.architecture") == "gpt-oss");
  QVERIFY(*file.string("tokenizer.ggml.pre") == "gpt-4o");
  QVERIFY(*file.string("gpt-oss.rope.scaling.type") == "yarn");
  QCOMPARE(*file.integer("gpt-oss.block_count"), std::int64_t{24});
  QCOMPARE(*file.integer("gpt-oss.expert_feed_forward_length"), std::int64_t{3});
  QVERIFY(!file.has("gptoss.block_count"));
  const std::pair<const char*, const char*> names[] = {
      {"blk.0.attn_output.bias", "blk.0.attn_out.bias"},
      {"blk.0.attn_sinks.weight", "blk.0.attn_sinks"},
      {"blk.0.post_attention_norm.weight", "blk.0.ffn_norm.weight"},
      {"blk.0.ffn_gate_exps.weight", "blk.0.ffn_gate_exps.weight"}};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const TensorInfo* tensor = file.findTensor(names[i].first);
    QVERIFY2(tensor == &file.tensors()[i], names[i].first);
    QVERIFY(tensor->name == names[i].first && tensor->written == names[i].second);
    if (tensor->name != tensor->written) QVERIFY(file.findTensor(names[i].second) == nullptr);
  }
}

void TestGgufFile::tokensOfPicturesAreCutOff() {
  Writer writer;
  writer.addString("general.architecture", "gemma3");
  writer.addUint32("gemma3.mm.tokens_per_image", 256);
  writer.addUint32("gemma3.context_length", 131072);
  writer.addFloat32("gemma3.rope.local.freq_base", 20000);
  const std::vector<std::string> words{"a", "b", "<image>"};
  writer.addStrings("tokenizer.ggml.tokens", words);
  const std::vector<float> rows(4);
  writer.addTensor("token_embd.weight", TensorType::kF32, {2, 2}, std::as_bytes(std::span(rows)));
  const auto bytes = writer.bytes();
  const auto file = File::parse(bytes, "gemma.gguf");
  QVERIFY(file.has_value());
  QCOMPARE(file->strings("tokenizer.ggml.tokens")->size(), std::size_t{2});
  QVERIFY(file->strings("tokenizer.ggml.tokens")->back() == "b");
  QCOMPARE(*file->number("gemma3.rope.freq_base_swa"), 20000.0);
  QCOMPARE(*file->number("gemma3.rope.freq_base"), 1e6);
  QCOMPARE(*file->number("gemma3.rope.scaling.factor"), 8.0);
  QCOMPARE(static_cast<float>(*file->number("gemma3.attention.layer_norm_rms_epsilon")), 1e-6f);
}

void TestGgufFile::aFailedWriteLeavesTheOldFile() {
  QTemporaryDir dir;
  const std::string target = dir.filePath("folder").toStdString();
  QVERIFY(
      QDir(dir.path()).mkpath("folder/inside"));  // a folder that is not empty: rename must fail
  const auto written = everyKind().write(target);
  QVERIFY(!written.has_value());
  QVERIFY(written.error().what.find(target) != std::string::npos);
  QCOMPARE(QDir(dir.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
           QStringList{"folder"});
}

}  // namespace waferpair::gguf

QTEST_APPLESS_MAIN(waferpair::gguf::TestGgufFile)
#include "test_gguf_file.moc"

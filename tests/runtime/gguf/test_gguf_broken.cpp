// SPDX-License-Identifier: GPL-3.0-or-later
// Broken and hostile files: each fault is named with a remedy, and nothing outside the file is read
// (which the asan-ubsan preset shows).
#include <QtTest>

#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/gguf/file.h"
#include "tests/support/gguf_walk.h"
#include "tests/support/mutate.h"
#include "tests/support/tiny_model.h"

namespace waferpair::gguf {

struct Parts;
using Fault = std::function<void(Parts&)>;

}  // namespace waferpair::gguf

Q_DECLARE_METATYPE(waferpair::gguf::Fault)

namespace waferpair::gguf {

class TestGgufBroken : public QObject {
  Q_OBJECT

 private slots:
  void theSoundFileOpens();
  void faultsAreNamed_data();
  void faultsAreNamed();
  void whatStandsInForAModelIsNamed_data();
  void whatStandsInForAModelIsNamed();
  void everyTruncationIsAnError();
  void mutationsNeverReachOutside();
};

// The parts of a small file, each of which a test can spoil before the bytes are put together.
struct Parts {
  std::uint32_t magic = 0x46554747;
  std::uint32_t version = 3;
  std::uint64_t tensorCount = 2, entryCount = 4;

  std::uint64_t keyLength = 17;
  std::string key = "general.alignment";
  std::uint32_t valueType = 4;
  std::uint32_t alignment = 32;

  std::string secondKey = "text";
  std::uint64_t textLength = 5;

  std::uint32_t elementType = 8;
  std::uint64_t elementCount = 2;
  std::uint64_t elementLength = 3;

  int nesting = 1;  // arrays in arrays

  std::string tensorName = "weights";
  std::string secondTensorName = "more";
  std::uint32_t dimensions = 2;
  std::uint64_t columns = 32, rows = 2;
  std::uint32_t tensorType = 8;
  std::uint64_t offset = 96;

  std::size_t dataBytes = 96 + 2 * 34;

  std::vector<std::byte> bytes() const;
};

class Bytes {
 public:
  template <typename T>
  Bytes& put(T value) {
    const std::size_t at = data.size();
    data.resize(at + sizeof(T));
    std::memcpy(&data[at], &value, sizeof(T));
    return *this;
  }
  Bytes& text(std::string_view text) {
    for (const char c : text) put(c);
    return *this;
  }
  Bytes& string(std::string_view s) { return put<std::uint64_t>(s.size()).text(s); }
  std::vector<std::byte> data;
};

std::vector<std::byte> Parts::bytes() const {
  constexpr std::uint32_t kUint8 = 0, kString = 8, kArray = 9, kF32 = 0;
  Bytes out;
  out.put(magic).put(version).put(tensorCount).put(entryCount);
  out.put(keyLength).text(key).put(valueType).put(alignment);
  out.string(secondKey).put(kString).put(textLength).text("hello");
  out.string("list").put(kArray).put(elementType).put(elementCount);
  out.put(elementLength).text("one").string("two");
  out.string("nested").put(kArray);
  for (int i = 0; i < nesting; ++i) out.put(kArray).put<std::uint64_t>(1);
  out.put(kUint8).put<std::uint64_t>(1).put<std::uint8_t>(9);

  out.string(secondTensorName).put<std::uint32_t>(1).put<std::uint64_t>(24).put(kF32);
  out.put<std::uint64_t>(0);
  out.string(tensorName).put(dimensions).put(columns).put(rows).put(tensorType).put(offset);
  out.data.resize((out.data.size() + 31) / 32 * 32);
  out.data.resize(out.data.size() + dataBytes);
  return out.data;
}

void TestGgufBroken::theSoundFileOpens() {
  const auto bytes = Parts{}.bytes();
  const auto file = File::parse(bytes, "sound.gguf");
  QVERIFY2(file.has_value(), file ? "" : file.error().message().c_str());
  QVERIFY(*file->string("text") == "hello");
  QCOMPARE(file->strings("list")->size(), std::size_t{2});
  QVERIFY(file->findTensor("weights") != nullptr);
}

void TestGgufBroken::faultsAreNamed_data() {
  QTest::addColumn<Fault>("fault");
  QTest::addColumn<QString>("named");
  constexpr std::uint64_t kHuge = ~std::uint64_t{0};
  const auto row = [](const char* name, Fault fault, const char* named) {
    QTest::newRow(name) << std::move(fault) << named;
  };
  row(
      "another format", [](Parts& p) { p.magic = 0x04034b50; }, "not a GGUF file");
  row(
      "version 1", [](Parts& p) { p.version = 1; }, "version 1");
  row(
      "version of the future", [](Parts& p) { p.version = 4; }, "version 4");
  row(
      "big-endian", [](Parts& p) { p.version = 0x03000000; }, "big-endian");
  row(
      "too many tensors", [](Parts& p) { p.tensorCount = kHuge; }, "tensors");
  row(
      "one tensor more than there is", [](Parts& p) { p.tensorCount = 3; }, "tensor");
  row(
      "too many entries", [](Parts& p) { p.entryCount = kHuge; }, "metadata entries");
  row(
      "key longer than the file", [](Parts& p) { p.keyLength = 1 << 20; }, "metadata entry 0");
  row(
      "key length that overflows", [](Parts& p) { p.keyLength = kHuge - 7; }, "metadata entry 0");
  row(
      "no key", [](Parts& p) { p.key.clear(), p.keyLength = 0; }, "metadata entry 0");
  row(
      "the same key twice", [](Parts& p) { p.secondKey = p.key; }, "twice");
  row(
      "unknown value type", [](Parts& p) { p.valueType = 13; }, "value type 13");
  row(
      "string longer than the file", [](Parts& p) { p.textLength = kHuge; }, "\"text\"");
  row(
      "unknown element type", [](Parts& p) { p.elementType = 99; }, "\"list\"");
  row(
      "unknown element type of nothing", [](Parts& p) { p.elementType = 99, p.elementCount = 0; },
      "element type 99");
  row(
      "more elements than bytes", [](Parts& p) { p.elementCount = kHuge / 8; }, "\"list\"");
  row(
      "number array past the end",
      [](Parts& p) { p.elementType = 12, p.elementCount = kHuge / 8 + 2; }, "\"list\"");
  row(
      "element longer than the file", [](Parts& p) { p.elementLength = kHuge; }, "\"list\"");
  row(
      "arrays nested without end", [](Parts& p) { p.nesting = 5000; }, "\"nested\"");
  row(
      "alignment of zero", [](Parts& p) { p.alignment = 0; }, "general.alignment");
  row(
      "alignment that is no power of two", [](Parts& p) { p.alignment = 48; }, "general.alignment");
  row(
      "alignment beyond reason", [](Parts& p) { p.alignment = 1u << 31; }, "general.alignment");
  row(
      "no tensor name", [](Parts& p) { p.tensorName.clear(); }, "name of 0 bytes");
  row(
      "the same tensor twice", [](Parts& p) { p.secondTensorName = p.tensorName; }, "twice");
  row(
      "no dimensions", [](Parts& p) { p.dimensions = 0; }, "\"weights\"");
  row(
      "too many dimensions", [](Parts& p) { p.dimensions = 5; }, "\"weights\"");
  row(
      "empty dimension", [](Parts& p) { p.rows = 0; }, "\"weights\"");
  row(
      "product of dimensions overflows",
      [](Parts& p) { p.columns = p.rows = std::uint64_t{1} << 33; }, "\"weights\"");
  row(
      "more values than the file", [](Parts& p) { p.rows = 1 << 20; }, "\"weights\"");
  row(
      "half a block", [](Parts& p) { p.columns = 48; }, "multiple of the 32");
  row(
      "unknown tensor type", [](Parts& p) { p.tensorType = 77; }, "type 77");
  row(
      "removed tensor type", [](Parts& p) { p.tensorType = 4; }, "type 4");
  row(
      "offset that is not aligned", [](Parts& p) { p.offset = 97; }, "multiple of the alignment");
  row(
      "offset past the end", [](Parts& p) { p.offset = 1 << 20; }, "past the end");
  row(
      "offset that overflows", [](Parts& p) { p.offset = kHuge - 31; }, "past the end");
  row(
      "data cut short", [](Parts& p) { p.dataBytes -= 1; }, "\"weights\"");
  row(
      "no data", [](Parts& p) { p.dataBytes = 0; }, "\"more\"");
}

void TestGgufBroken::faultsAreNamed() {
  QFETCH(Fault, fault);
  QFETCH(QString, named);
  Parts parts;
  fault(parts);
  const auto bytes = parts.bytes();
  const auto file = File::parse(bytes, "broken.gguf");
  QVERIFY(!file.has_value());
  const QString what = QString::fromStdString(file.error().what);
  QVERIFY2(what.startsWith("broken.gguf: "), qPrintable(what));
  QVERIFY2(what.contains(named), qPrintable(what));
  QVERIFY2(!file.error().remedy.empty(), qPrintable(what));
}

void TestGgufBroken::whatStandsInForAModelIsNamed_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("remedy");
  const auto row = [](const char* name, const char* bytes, const char* what, const char* remedy) {
    QTest::newRow(name) << QByteArray(bytes) << what << remedy;
  };
  row("a Git LFS pointer",
      "version https://git-lfs.github.com/spec/v1\n"
      "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n",
      "Git LFS pointer", "git lfs pull");
  row("a web page", "<!DOCTYPE html>\n<html class=\"\">\n<head>", "web page", "the file itself");
  row("a web page without a type", "\xEF\xBB\xBF\n  <HTML><body>", "web page", "sign in");
  row("text", "Invalid username or password.", "not a GGUF file", "GGUF model file");
  row("a little text", "no", "ends at byte 2", "");
}
void TestGgufBroken::whatStandsInForAModelIsNamed() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, what);
  QFETCH(QString, remedy);
  const auto file =
      File::parse(std::as_bytes(std::span(bytes.constData(), bytes.size())), "m.gguf");
  QVERIFY(!file.has_value());
  QVERIFY2(QString::fromStdString(file.error().what).contains(what), file.error().what.c_str());
  QVERIFY2(QString::fromStdString(file.error().remedy).contains(remedy),
           file.error().remedy.c_str());
}

void TestGgufBroken::everyTruncationIsAnError() {
  const auto whole = Parts{}.bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // A copy of exactly this size, so that a read past the end is one past the allocation.
    const std::vector<std::byte> part(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto file = File::parse(part, "cut.gguf");
    QVERIFY2(!file.has_value(), qPrintable(QString::number(size)));
    QVERIFY(!file.error().remedy.empty());
  }
}

void TestGgufBroken::mutationsNeverReachOutside() {
  const auto small = Parts{}.bytes();
  const auto model = test::makeTinyModel({.layers = 1,
                                          .width = 32,
                                          .feedForward = 32,
                                          .heads = 1,
                                          .kvHeads = 1,
                                          .vocabSize = test::kTinyVocabulary})
                         .bytes();
  int opened = 0, refused = 0;
  std::uint64_t sum = 0;
  const auto tryOne = [&](const std::vector<std::byte>& bytes) {
    const auto file = File::parse(bytes, "mutated.gguf");
    if (file) {
      ++opened;
      sum += test::walk(*file);
    } else {
      ++refused;
      QVERIFY(!file.error().what.empty() && !file.error().remedy.empty());
    }
  };
  for (std::uint32_t seed = 0; seed < 20000; ++seed) tryOne(test::mutate(small, seed));
  for (std::uint32_t seed = 0; seed < 1000; ++seed) tryOne(test::mutate(model, seed, 8000));
  QVERIFY(sum != 0);
  // Both ways must have been taken often, or the mutations are too weak or too strong to tell.
  QVERIFY2(opened > 1000 && refused > 1000, qPrintable(QString("%1 %2").arg(opened).arg(refused)));
}

}  // namespace waferpair::gguf

QTEST_APPLESS_MAIN(waferpair::gguf::TestGgufBroken)
#include "test_gguf_broken.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <vector>

#include "runtime/gguf/copier.h"
#include "runtime/gguf/writer.h"
#include "tests/support/disk_fault.h"

using namespace waferpair;

class TestGgufCopier : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;

  std::string path(const char* name) const { return dir_.filePath(name).toStdString(); }
  // Two tensors that do not fill up their alignment, and metadata of several kinds. The writer
  // aligns to 32: with one of two lengths of a text its data begin where an alignment of 64 wants.
  gguf::File original() {
    for (const std::size_t length : {0, 32}) {
      bytes_ = withText(std::string(length, '.')).bytes();
      auto file = gguf::File::parse(bytes_, "original.gguf");
      float second = 0;
      if (file) std::memcpy(&second, &file->data(file->tensors()[0])[4], sizeof(second));
      if (second == 1) return std::move(*file);
    }
    qFatal("no file is aligned");
  }
  static gguf::Writer withText(const std::string& text) {
    gguf::Writer writer;
    writer.addString("text", text);
    writer.addString("general.architecture", "llama");
    writer.addUint32("general.file_type", 1);
    writer.addUint32("general.alignment", 64);
    const std::vector<std::string> words{"a", "", "b c"};
    writer.addStrings("tokenizer.ggml.tokens", words);
    writer.addBool("last", true);
    std::vector<float> values(3 * 32);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    writer.addTensor("a.weight", gguf::TensorType::kF32, {32, 3}, std::as_bytes(std::span(values)));
    writer.addTensor("b", gguf::TensorType::kF32, {5}, std::as_bytes(std::span(values).first(5)));
    return writer;
  }
  std::vector<std::byte> bytes_;

 private slots:
  void everythingButTheTypesIsKept() {
    const gguf::File file = original();
    const std::vector<gguf::TensorType> types{gguf::TensorType::kQ8_0, gguf::TensorType::kF32};
    auto copier = gguf::Copier::create(file, types, 7, path("copy.gguf"));
    QVERIFY(copier.has_value());
    const std::vector<std::byte> blocks(3 * 34, std::byte{0x2a});
    QVERIFY(copier->write(std::span(blocks).first(40)).has_value());
    QVERIFY(copier->write(std::span(blocks).subspan(40)).has_value());
    QVERIFY(copier->write(file.data(file.tensors()[1])).has_value());
    QVERIFY(!QFile::exists(dir_.filePath("copy.gguf")));  // not before it is complete
    QVERIFY(copier->finish().has_value());

    const auto copy = gguf::File::open(path("copy.gguf"));
    QVERIFY2(copy.has_value(), copy ? "" : copy.error().message().c_str());
    QCOMPARE(*copy->integer("general.file_type"), std::int64_t{7});
    QCOMPARE(copy->metadata().size(), file.metadata().size());
    std::size_t differ = 0;
    const auto before = file.metadataBytes(), after = copy->metadataBytes();
    QCOMPARE(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) differ += before[i] != after[i];
    QCOMPARE(differ, std::size_t{1});
    QCOMPARE(copy->strings("tokenizer.ggml.tokens")->at(2), std::string_view("b c"));

    const gguf::TensorInfo& a = copy->tensors()[0];
    QVERIFY(a.name == "a.weight" && a.type == gguf::TensorType::kQ8_0);
    QVERIFY((a.ne == std::vector<std::uint64_t>{32, 3}));
    QVERIFY(std::equal(blocks.begin(), blocks.end(), copy->data(a).begin()));
    const gguf::TensorInfo& b = copy->tensors()[1];
    const auto kept = file.data(file.tensors()[1]);
    QCOMPARE(copy->data(b).size(), kept.size());
    QVERIFY(std::memcmp(copy->data(b).data(), kept.data(), kept.size()) == 0);
    QCOMPARE((b.offset - a.offset) % 64, std::size_t{0});
  }

  void tooMuchAndTooLittleAreErrorsAndLeaveNothing() {
    const gguf::File file = original();
    const std::vector<gguf::TensorType> types{gguf::TensorType::kF32, gguf::TensorType::kF32};
    {
      auto copier = gguf::Copier::create(file, types, std::nullopt, path("broken.gguf"));
      QVERIFY(copier.has_value());
      const std::vector<std::byte> data(3 * 32 * 4 + 1);
      QVERIFY(!copier->write(data));
      QVERIFY(copier->write(std::span(data).first(data.size() - 1)).has_value());
      QVERIFY(!copier->finish());
      QVERIFY(!QDir(dir_.path()).entryList({"broken*"}).isEmpty());  // under way
    }
    QVERIFY(QDir(dir_.path()).entryList({"broken*"}).isEmpty());
  }

  void aDiskThatFailsLeavesTheOlderFile_data() {
    QTest::addColumn<int>("call");
    QTest::newRow("write") << static_cast<int>(test::DiskCall::kWrite);
    QTest::newRow("sync") << static_cast<int>(test::DiskCall::kSync);
    QTest::newRow("rename") << static_cast<int>(test::DiskCall::kRename);
  }
  void aDiskThatFailsLeavesTheOlderFile() {
    QFETCH(int, call);
    QFile older(dir_.filePath("kept.gguf"));
    QVERIFY(older.open(QFile::WriteOnly) && older.write("an older model") > 0);
    older.close();
    {
      const test::DiskFault fault(static_cast<test::DiskCall>(call), EIO);
      const auto written = withText("new").write(path("kept.gguf"));
      QVERIFY(!written);
      QVERIFY(written.error().what.find(path("kept.gguf")) != std::string::npos);
    }
    QCOMPARE(QDir(dir_.path()).entryList({"kept*"}), QStringList{"kept.gguf"});
    QVERIFY(older.open(QFile::ReadOnly));
    QCOMPARE(older.readAll(), QByteArray("an older model"));
  }

  void aFolderThatIsNotThereIsNamed() {
    const gguf::File file = original();
    const std::vector<gguf::TensorType> types{gguf::TensorType::kF32, gguf::TensorType::kF32};
    const auto copier = gguf::Copier::create(file, types, std::nullopt, "/nowhere/copy.gguf");
    QVERIFY(!copier);
    QVERIFY(copier.error().what.find("/nowhere/copy.gguf") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestGgufCopier)
#include "test_gguf_copier.moc"

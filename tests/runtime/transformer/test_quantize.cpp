// SPDX-License-Identifier: GPL-3.0-or-later
// Model files in other formats: which tensors change, that the model still says the same, and what
// is said where it cannot be done.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "runtime/transformer/quantize.h"
#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/tiny_architectures.h"

namespace waferpair::transformer {

using tensor::Format;

class TestQuantize : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;

  std::string path(const char* name) const { return dir_.filePath(name).toStdString(); }
  static std::vector<std::byte> gptOss() {
    auto model = test::tinyArchitecture("gpt-oss");
    model.keys[2].second = model.expertWidth = 64;  // whole blocks
    return test::makeTinyArchitecture(model).bytes();
  }
  static std::map<std::string, gguf::TensorType> typesOf(const gguf::File& file) {
    std::map<std::string, gguf::TensorType> types;
    for (const auto& info : file.tensors()) types.emplace(info.name, info.type);
    return types;
  }

 private slots:
  void matricesChangeAndTheRestIsKept() {
    const auto bytes = gptOss();
    const auto file = gguf::File::parse(bytes, "in.gguf");
    std::vector<double> steps;
    const auto report =
        quantizeFile(*file, path("out.gguf"),
                     {.format = Format::kQ4_0,
                      .head = Format::kQ8_0,
                      .keep = {"blk.?.attn_v.weight", "token_embd*"},
                      .threads = 3,
                      .progress = [&](double done) { return steps.push_back(done), true; }});
    QVERIFY2(report.has_value(), report ? "" : report.error().message().c_str());
    const auto out = gguf::File::open(path("out.gguf"));
    QVERIFY(out.has_value());
    const auto before = typesOf(*file), after = typesOf(*out);
    QCOMPARE(after.size(), before.size());
    int converted = 0;
    for (const auto& [name, type] : after) {
      const bool matrix =
          name.find("attn_q.w") != name.npos || name.find("attn_k.w") != name.npos ||
          name.find("attn_output.w") != name.npos || name.find("_exps.w") != name.npos;
      auto expected = matrix ? gguf::TensorType::kQ4_0 : before.at(name);
      if (name == "output.weight") expected = gguf::TensorType::kQ8_0;
      QVERIFY2(type == expected, name.c_str());
      converted += type != before.at(name);
    }
    QCOMPARE(report->converted, converted);
    QCOMPARE(report->kept, static_cast<int>(after.size()) - converted);
    QCOMPARE(report->again, 0);
    QVERIFY(report->error > 0.05 && report->error < 0.11);
    std::uint64_t size = 0;
    for (const auto& info : out->tensors()) size += info.size;
    QCOMPARE(report->after, size);
    QVERIFY(report->before > 3 * report->after);
    QVERIFY(std::is_sorted(steps.begin(), steps.end()) && steps.back() == 1.0);

    const auto model = Model::load(path("out.gguf"));
    QVERIFY2(model.has_value(), model ? "" : model.error().message().c_str());
  }

  // The blocks are those of quantizeRow(), whatever the number of threads.
  void threadsDoNotChangeTheFile() {
    const auto bytes = gptOss();
    const auto file = gguf::File::parse(bytes, "in.gguf");
    QByteArray first;
    for (const int threads : {1, 4}) {
      QVERIFY(quantizeFile(*file, path("t.gguf"), {.format = Format::kQ5_1, .threads = threads}));
      QFile out(dir_.filePath("t.gguf"));
      QVERIFY(out.open(QIODevice::ReadOnly));
      const QByteArray content = out.readAll();
      if (first.isEmpty()) first = content;
      QVERIFY(content == first);
    }
    const auto out = gguf::File::open(path("t.gguf"));
    const auto& in = *file->findTensor("blk.1.attn_k.weight");
    std::vector<float> row(in.ne[0]);
    tensor::dequantizeRow(Format::kF32, file->data(in).data(), row);
    const auto blocks = tensor::quantizeRow(Format::kQ5_1, row);
    const auto got = out->data(*out->findTensor("blk.1.attn_k.weight"));
    QVERIFY(std::equal(blocks.begin(), blocks.end(), got.begin()));
  }

  // The factors of matrices and experts stay beside them, and are applied to their new blocks.
  void factorsComeAlong_data() {
    QTest::addColumn<QString>("label");
    for (const char* label : {"llama NVFP4", "qwen35moe NVFP4"}) QTest::newRow(label) << label;
  }
  void factorsComeAlong() {
    QFETCH(QString, label);
    const auto bytes =
        test::makeTinyArchitecture(test::tinyArchitecture(label.toStdString())).bytes();
    const auto file = std::make_shared<const gguf::File>(*gguf::File::parse(bytes, "in.gguf"));
    const auto matricesOf = [](const Model& model) {
      std::vector<const tensor::PackedMatrix*> all;
      model.forEachMatrix([&](const tensor::PackedMatrix& m) { all.push_back(&m); });
      return all;
    };
    for (const Format to : {Format::kQ8_0, Format::kF32}) {
      QVERIFY(quantizeFile(*file, path("factors.gguf"), {.format = to}).has_value());
      const auto before = Model::load(file), after = Model::load(path("factors.gguf"));
      QVERIFY2(before && after, after ? "" : after.error().message().c_str());
      const auto old = matricesOf(**before), now = matricesOf(**after);
      QCOMPARE(now.size(), old.size());
      int converted = 0;
      for (std::size_t m = 0; m < old.size(); ++m) {
        converted += now[m]->format() == to;
        std::vector<float> row(static_cast<std::size_t>(old[m]->cols())), other(row.size());
        for (int r = 0; r < old[m]->rows(); ++r) {
          old[m]->row(r, row);
          now[m]->row(r, other);
          float most = 0;
          for (const float value : row) most = std::max(most, std::abs(value));
          const float step = to == Format::kF32 ? 0 : most / 127;
          for (std::size_t i = 0; i < row.size(); ++i)
            QVERIFY(std::abs(other[i] - row[i]) <= 0.6f * step);  // half, and the scale's own
        }
      }
      QVERIFY(converted > 10);
    }
  }

  void formatsThatAreOnlyReadAreRefused() {
    const auto bytes = gptOss();
    const auto file = gguf::File::parse(bytes, "in.gguf");
    for (const QuantizeOptions& options :
         {QuantizeOptions{.format = Format::kIQ3_S}, QuantizeOptions{.format = Format::kNVFP4},
          QuantizeOptions{.format = Format::kQ4_0, .head = Format::kIQ2_XXS}}) {
      const auto report = quantizeFile(*file, path("grid.gguf"), options);
      QVERIFY(!report);
      const Format refused = options.head.value_or(options.format);
      QVERIFY(report.error().what.starts_with(formatName(refused)));
      QVERIFY(report.error().remedy.find("IQ4_XS or MXFP4") != std::string::npos);
      QVERIFY(!QFile::exists(dir_.filePath("grid.gguf")));
    }
  }

  // They can be written anew in another.
  void formatsThatAreOnlyReadAreConverted() {
    auto shape = test::tinyArchitecture("qwen2");
    shape.width = shape.feedForward = 256;
    shape.heads = 16;
    shape.type = gguf::TensorType::kIQ3_S;
    const Loaded before(test::makeTinyArchitecture(shape).bytes());
    const auto report =
        quantizeFile(before.model->file(), path("fromGrid.gguf"), {.format = Format::kQ8_0});
    QVERIFY2(report.has_value(), report ? "" : report.error().message().c_str());
    QVERIFY(report->again > 0 && report->error < 0.01);
    QVERIFY(Model::load(path("fromGrid.gguf")).has_value());
  }

  // The parts become one file, which says so.
  void aModelInPartsBecomesOneFile() {
    const auto model = test::tinyArchitecture("qwen2 Q8_0");
    const auto wholeBytes = test::makeTinyArchitecture(model).bytes();
    const auto whole = gguf::File::parse(wholeBytes, "whole.gguf");
    gguf::Writer first = test::makeTinyArchitecture(model, "blk.1."), second;
    for (gguf::Writer* part : {&first, &second}) {
      part->addUint32("split.no", part == &second);
      part->addUint32("split.count", 2);
    }
    for (const gguf::TensorInfo& tensor : whole->tensors()) {
      if (tensor.name.starts_with("blk.1."))
        second.addTensor(tensor.name, tensor.type, tensor.ne, whole->data(tensor));
    }
    QVERIFY(first.write(path("p-00001-of-00002.gguf")).has_value());
    QVERIFY(second.write(path("p-00002-of-00002.gguf")).has_value());
    const auto parts = gguf::File::open(path("p-00001-of-00002.gguf"));
    QVERIFY(parts.has_value());
    QVERIFY(quantizeFile(*parts, path("joined.gguf"), {.format = Format::kF32}).has_value());
    QVERIFY(quantizeFile(*whole, path("alone.gguf"), {.format = Format::kF32}).has_value());
    const auto joined = gguf::File::open(path("joined.gguf"));
    const auto alone = gguf::File::open(path("alone.gguf"));
    QVERIFY2(joined.has_value(), joined ? "" : joined.error().message().c_str());
    QCOMPARE(*joined->integer("split.count"), std::int64_t{1});
    QCOMPARE(joined->tensors().size(), alone->tensors().size());
    for (const gguf::TensorInfo& tensor : alone->tensors()) {
      const gguf::TensorInfo* same = joined->findTensor(tensor.name);
      QVERIFY2(same != nullptr, std::string(tensor.name).c_str());
      const auto expected = alone->data(tensor), got = joined->data(*same);
      QVERIFY(same->part == 0 &&
              std::equal(expected.begin(), expected.end(), got.begin(), got.end()));
    }
    QVERIFY(Model::load(path("joined.gguf")).has_value());
  }

  void theModelStillSaysTheSame_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<double>("relative");
    const std::pair<Format, double> rows[] = {
        {Format::kF16, 2e-3},    {Format::kBF16, 2e-2},   {Format::kQ8_0, 0.03},
        {Format::kQ6_K, 0.1},    {Format::kQ5_1, 0.2},    {Format::kQ5_0, 0.2},
        {Format::kQ4_K, 0.35},   {Format::kQ4_1, 0.35},   {Format::kQ4_0, 0.4},
        {Format::kIQ4_NL, 0.35}, {Format::kIQ4_XS, 0.35}, {Format::kMXFP4, 0.5}};
    for (const auto& [format, relative] : rows) {
      QTest::addRow("%s", tensor::formatName(format)) << static_cast<int>(format) << relative;
    }
  }
  void theModelStillSaysTheSame() {
    QFETCH(int, format);
    QFETCH(double, relative);
    auto shape = test::tinyArchitecture("qwen2");
    shape.width = shape.feedForward = 256;  // whole blocks of every format
    shape.heads = 16;
    const Loaded before(test::makeTinyArchitecture(shape).bytes());
    const auto report = quantizeFile(before.model->file(), path("said.gguf"),
                                     {.format = static_cast<Format>(format)});
    QVERIFY2(report.has_value(), report ? "" : report.error().message().c_str());
    QFile out(dir_.filePath("said.gguf"));
    QVERIFY(out.open(QIODevice::ReadOnly));
    const QByteArray content = out.readAll();
    const auto* data = reinterpret_cast<const std::byte*>(content.data());
    const Loaded after(std::vector<std::byte>(data, data + content.size()));
    const Tokens tokens = randomTokens(40, test::kTinyArchitectureVocabulary);
    const auto want = logitsOf(before, tokens, 40, 1, tensor::kernels());
    const auto got = logitsOf(after, tokens, 40, 1, tensor::kernels());
    double off = 0, all = 0;
    for (std::size_t t = 0; t < want.size(); ++t) {
      for (std::size_t i = 0; i < want[t].size(); ++i) {
        off += std::pow(double(got[t][i]) - double(want[t][i]), 2);
        all += std::pow(double(want[t][i]), 2);
      }
    }
    QVERIFY2(std::sqrt(off / all) < relative, qPrintable(QString::number(std::sqrt(off / all))));
    QVERIFY(off > 0);
  }

  // llama-quantize's choices, of rows that are no multiple of 256.
  void shortRowsTakeAFormatOfShorterBlocks_data() {
    QTest::addColumn<int>("asked");
    QTest::addColumn<int>("taken");
    const std::pair<Format, Format> rows[] = {
        {Format::kQ2_K, Format::kQ4_0}, {Format::kQ3_K, Format::kQ4_0},
        {Format::kQ4_K, Format::kQ5_0}, {Format::kQ5_K, Format::kQ5_1},
        {Format::kQ6_K, Format::kQ8_0}, {Format::kIQ4_XS, Format::kIQ4_NL}};
    for (const auto& [asked, taken] : rows)
      QTest::addRow("%s", formatName(asked)) << static_cast<int>(asked) << static_cast<int>(taken);
  }
  void shortRowsTakeAFormatOfShorterBlocks() {
    QFETCH(int, asked);
    QFETCH(int, taken);
    const auto bytes = gptOss();  // rows of 64
    const auto file = gguf::File::parse(bytes, "in.gguf");
    const auto report = quantizeFile(*file, path("short.gguf"),
                                     {.format = static_cast<Format>(asked), .head = Format::kQ6_K});
    QVERIFY2(report.has_value(), report ? "" : report.error().message().c_str());
    const auto out = gguf::File::open(path("short.gguf"));
    std::map<std::string, int> instead;
    for (const auto& info : out->tensors()) {
      if (info.type == file->findTensor(info.name)->type) continue;
      const bool isHead = info.name == "output.weight";
      const Format expected = isHead ? Format::kQ8_0 : static_cast<Format>(taken);
      QCOMPARE(static_cast<std::uint32_t>(info.type), tensor::infoOf(expected).ggmlType);
      ++instead[formatName(expected)];
    }
    QVERIFY(instead.size() == (taken == static_cast<int>(Format::kQ8_0) ? 1 : 2));
    QVERIFY(report->instead == instead);
    QVERIFY(Model::load(path("short.gguf")).has_value());
  }

  // Rows of 16 are no whole blocks of anything but floats.
  void oddRowsTakeF16() {
    gguf::Writer writer = test::makeTinyArchitecture(test::tinyArchitecture("qwen2"));
    const std::vector<std::byte> zeros(2 * 16 * sizeof(float));
    writer.addTensor("odd.weight", gguf::TensorType::kF32, {16, 2}, zeros);
    const auto bytes = writer.bytes();
    const auto file = gguf::File::parse(bytes, "odd.gguf");
    QVERIFY(quantizeFile(*file, path("odd.gguf"), {.format = Format::kQ4_K}).has_value());
    const auto out = gguf::File::open(path("odd.gguf"));
    QVERIFY(out->findTensor("odd.weight")->type == gguf::TensorType::kF16);
    const auto refused = quantizeFile(*file, path("odd4.gguf"), {.format = Format::kQ4_0});
    QVERIFY(!refused);
    const std::string why = refused.error().message();
    QVERIFY2(why.find("odd.weight") != why.npos && why.find("Q4_0") != why.npos &&
                 why.find("--keep") != why.npos,
             why.c_str());
  }

  void quantizedFilesAreTakenToo() {
    const auto bytes = test::makeTinyArchitecture(test::tinyArchitecture("qwen2 Q8_0")).bytes();
    const auto file = gguf::File::parse(bytes, "in.gguf");
    const auto report = quantizeFile(*file, path("again.gguf"), {.format = Format::kIQ4_NL});
    QVERIFY(report.has_value());
    QVERIFY(report->again > 0 && report->again == report->converted);
    QVERIFY(Model::load(path("again.gguf")).has_value());
    const auto same = quantizeFile(*file, path("again.gguf"), {.format = Format::kQ8_0});
    QVERIFY(same.has_value());
    QCOMPARE(same->converted, 0);
    QCOMPARE(same->error, 0.0);
  }

  void whatCannotBeDoneIsNamedAndAnOlderFileStays() {
    std::ofstream(path("old.gguf")) << "old";
    const auto bytes = gptOss();
    const auto file = gguf::File::parse(bytes, "in.gguf");
    const auto errorOf = [&](QuantizeOptions options) {
      const auto report = quantizeFile(*file, path("old.gguf"), options);
      if (report) qFatal("converted");
      QFile old(dir_.filePath("old.gguf"));
      if (!old.open(QIODevice::ReadOnly) || old.readAll() != "old") qFatal("gone");
      if (QDir(dir_.path()).entryList({"old*"}).size() != 1) qFatal("left over");
      return report.error().message();
    };
    QVERIFY(errorOf({.keep = {"blk.7.*"}}).find("blk.7.*") != std::string::npos);
    int calls = 0;
    const std::string stopped = errorOf({.progress = [&](double) { return ++calls < 5; }});
    QVERIFY(stopped.find("Interrupted") != stopped.npos);

    gguf::Writer writer = test::makeTinyArchitecture(test::tinyArchitecture("qwen2"));
    const std::vector<std::byte> block(50);  // one of IQ1_S
    writer.addTensor("strange.weight", static_cast<gguf::TensorType>(19), {256, 1}, block);
    const auto strangeBytes = writer.bytes();
    const auto strange = gguf::File::parse(strangeBytes, "strange.gguf");
    QVERIFY(strange.has_value());
    const auto report = quantizeFile(*strange, path("strange.gguf"), {});
    QVERIFY(!report && report.error().what.find("IQ1_S") != std::string::npos);
    QVERIFY(quantizeFile(*strange, path("strange.gguf"), {.keep = {"strange*"}}).has_value());
  }
};

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestQuantize)
#include "test_quantize.moc"

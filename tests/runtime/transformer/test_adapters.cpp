// SPDX-License-Identifier: GPL-3.0-or-later
// Models with low-rank adapters are the models whose weights were summed beforehand, one by one.
#include <QtTest>
#include <cstring>
#include <functional>

#include "runtime/transformer/adapters.h"
#include "tests/runtime/transformer/architecture_files.h"
#include "tests/support/tiny_adapter.h"
#include "tests/support/tiny_model.h"

namespace waferpair::transformer {
namespace {

using gguf::TensorInfo;
using gguf::TensorType;
using Bytes = std::vector<std::byte>;
using test::kTinyRank;
using test::makeTinyAdapter;
using test::TinyAdapter;

std::vector<float> valuesOf(const gguf::File& file, const TensorInfo& info) {
  std::vector<float> values(info.elements());
  tensor::dequantizeRow(*tensor::findFormat(static_cast<std::uint32_t>(info.type)),
                        file.data(info).data(), values);
  return values;
}

// What becomes of a tensor, summed in double precision.
std::vector<double> summed(const gguf::File& model, const TensorInfo& info,
                           const gguf::File& adapter, double scale, double factor) {
  const std::vector<float> own = valuesOf(model, info);
  std::vector<double> sums(own.begin(), own.end());
  const std::string name(info.name);
  if (const TensorInfo* whole = adapter.findTensor(name)) {
    const std::vector<float> became = valuesOf(adapter, *whole);
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += factor * (static_cast<double>(became[i]) - static_cast<double>(own[i]));
    return sums;
  }
  const TensorInfo *a = adapter.findTensor(name + ".lora_a"),
                   *b = adapter.findTensor(name + ".lora_b");
  if (!a) return sums;
  const std::vector<float> as = valuesOf(adapter, *a), bs = valuesOf(adapter, *b);
  const std::size_t cols = info.ne[0], rows = info.ne[1];
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t col = i % cols, row = i / cols % rows, expert = i / cols / rows;
    double sum = 0;
    for (std::size_t k = 0; k < kTinyRank; ++k) {
      const bool turned = name == "token_embd.weight";
      const float left =
          turned ? as[row * kTinyRank + k] : bs[(expert * rows + row) * kTinyRank + k];
      const float right =
          turned ? bs[col * kTinyRank + k] : as[(expert * kTinyRank + k) * cols + col];
      sum += static_cast<double>(left) * static_cast<double>(right);
    }
    sums[i] += scale * sum;
  }
  return sums;
}

// The same file with sums in place of its numbers, which are F32 where they change.
Bytes withSums(Bytes bytes, const Bytes& adapterBytes, double scale, double factor) {
  const auto model = Loaded::opened(bytes, "tiny.gguf");
  const auto adapter = Loaded::opened(adapterBytes, "adapter.gguf");
  for (const TensorInfo& info : model->tensors()) {
    const std::vector<double> sums = summed(*model, info, *adapter, scale, factor);
    const std::vector<float> values(sums.begin(), sums.end());
    if (info.type == TensorType::kF32)
      std::memcpy(&bytes[info.offset], values.data(), values.size() * sizeof(float));
  }
  return bytes;
}

base::Error refusalOf(const gguf::Writer& writer, float factor = 1) {
  const Bytes model = test::makeTinyModel({.layers = 1, .type = TensorType::kF32}).bytes();
  const Bytes bytes = writer.bytes();
  Adapters adapters;
  const auto added = adapters.add(Loaded::opened(bytes, "adapter.gguf"), factor,
                                  *Loaded::opened(model, "tiny.gguf"));
  return added ? base::Error{} : added.error();
}

}  // namespace

class TestAdapters : public QObject {
  Q_OBJECT

 private slots:
  void everyArchitectureSums_data() { everyTinyArchitecture(); }
  // All of its matrices are changed, those of experts, states and latents too, and all norms.
  void everyArchitectureSums() {
    QFETCH(QString, label);
    test::TinyArchitecture tiny = test::tinyArchitecture(label.toStdString());
    tiny.type = TensorType::kF32;
    tiny.expertType.reset();
    const Bytes model = test::makeTinyArchitecture(tiny).bytes();
    // The head of a tied model does not change with its embeddings, as those of the sums would.
    const bool tied = tiny.tied;
    TinyAdapter kind{.architecture = tiny.architecture};
    kind.changes = [&](std::string_view name) { return !tied || name != "token_embd.weight"; };
    const Bytes adapter = makeTinyAdapter(*Loaded::opened(model, "tiny.gguf"), kind).bytes();
    constexpr double kFactor = 0.75, kScale = kFactor * 6 / kTinyRank;
    const Loaded sums(withSums(model, adapter, kScale, kFactor));
    const Loaded adapted(model, {{adapter, kFactor}}), bare(model);
    const Tokens tokens = randomTokens(24, kVocabulary);
    const auto expected = logitsOf(sums, tokens, 8, 1, tensor::kernels());
    const auto got = logitsOf(adapted, tokens, 8, 1, tensor::kernels());
    const auto before = logitsOf(bare, tokens, 8, 1, tensor::kernels());
    Eigen::MatrixXd matrix(static_cast<Eigen::Index>(expected.size()), kVocabulary);
    for (Eigen::Index t = 0; t < matrix.rows(); ++t)
      for (Eigen::Index v = 0; v < kVocabulary; ++v)
        matrix(t, v) =
            static_cast<double>(expected[static_cast<std::size_t>(t)][static_cast<std::size_t>(v)]);
    const double error = relativeError(got, matrix);
    // Keys and values are rounded to F16, so that a bit of a sum may be 2^-11 of one of them.
    QVERIFY2(error < 1e-3, qPrintable(QString::number(error)));
    QVERIFY(relativeError(before, matrix) > 0.05);
    QVERIFY(adapted.model->bytesPerToken() == bare.model->bytesPerToken());
  }

  void everyFormatIsSummed_data() {
    QTest::addColumn<int>("format");
    for (const tensor::Format format : tensor::allFormats())
      QTest::newRow(tensor::formatName(format)) << static_cast<int>(format);
  }
  // Floats stay, all others become Q8_0, which is as near as its steps are.
  void everyFormatIsSummed() {
    QFETCH(int, format);
    const auto from = static_cast<tensor::Format>(format);
    const tensor::FormatInfo& kind = tensor::infoOf(from);
    const Bytes model = test::makeTinyModel({.layers = 1,
                                             .width = 256,
                                             .feedForward = 512,
                                             .type = static_cast<TensorType>(kind.ggmlType),
                                             .tiedEmbeddings = false})
                            .bytes();
    const auto file = Loaded::opened(model, "tiny.gguf");
    const Bytes adapter = makeTinyAdapter(*file, {.type = TensorType::kF16}).bytes();
    const Loaded adapted(model, {{adapter}});
    const bool plain = kind.quants == tensor::Quants::kNone;
    const LayerWeights& layer = adapted.model->layer(0);
    const std::pair<const char*, const tensor::PackedMatrix*> matrices[] = {
        {"blk.0.attn_v.weight", &layer.value},
        {"blk.0.ffn_down.weight", &layer.down},
        {"output.weight", &adapted.model->output()},
        {"token_embd.weight", nullptr}};
    for (const auto& [name, matrix] : matrices) {
      const TensorInfo& info = *file->findTensor(name);
      if (matrix) QVERIFY(matrix->format() == (plain ? from : tensor::Format::kQ8_0));
      const auto sums =
          summed(*file, info, *Loaded::opened(adapter, "adapter.gguf"), 6.0 / kTinyRank, 1);
      std::vector<float> row(info.ne[0]);
      for (std::size_t r = 0; r < info.ne[1]; ++r) {
        const double* expected = &sums[r * row.size()];
        if (matrix)
          matrix->row(static_cast<int>(r), row);
        else
          adapted.model->embed(static_cast<int>(r), row);
        for (std::size_t at = 0; at < row.size(); ++at) {
          double most = 0;
          for (std::size_t i = at / 32 * 32; i < (at / 32 + 1) * 32; ++i)
            most = std::max(most, std::abs(expected[i]));
          // Half a step, which itself is rounded to F16; what floats of 16 bits leave out.
          const double step = plain ? std::abs(expected[at]) / 128 : most / 127;
          const double off = std::abs(static_cast<double>(row[at]) - expected[at]);
          QVERIFY2(off <= 0.5 * step + most * 1e-3 * !plain + 1e-6,
                   qPrintable(QString("%1 row %2 column %3: %4, expected %5")
                                  .arg(name)
                                  .arg(r)
                                  .arg(at)
                                  .arg(row[at])
                                  .arg(expected[at])));
        }
      }
    }
  }

  // A matrix is multiplied by its factor before anything is added.
  void factorsComeFirst() {
    const Bytes model = test::makeTinyArchitecture(test::tinyArchitecture("llama NVFP4")).bytes();
    const auto file = Loaded::opened(model, "tiny.gguf");
    const Bytes adapter = makeTinyAdapter(*file, {}).bytes();
    const Loaded adapted(model, {{adapter}});
    const TensorInfo& info = *file->findTensor("blk.0.ffn_up.weight");
    const float factor = valuesOf(*file, *file->findTensor("blk.0.ffn_up.scale"))[0];
    const auto sums =
        summed(*file, info, *Loaded::opened(adapter, "adapter.gguf"), 6.0 / kTinyRank, 1);
    const std::vector<float> own = valuesOf(*file, info);
    std::vector<float> row(info.ne[0]);
    const tensor::PackedMatrix& up = adapted.model->layer(0).up;
    QCOMPARE(up.factor(), 1.0f);
    up.row(5, row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t at = 5 * row.size() + i;
      const double expected = sums[at] + static_cast<double>((factor - 1) * own[at]);
      QVERIFY(std::abs(static_cast<double>(row[i]) - expected) < 0.02);
    }
  }

  // Rows of 48 values are no blocks of Q8_0.
  void rowsThatAreNoBlocksBecomeF16() {
    const Bytes model = test::makeTinyModel({.layers = 1, .feedForward = 96}).bytes();
    const auto file = Loaded::opened(model, "tiny.gguf");
    Adapters adapters;
    const Bytes adapter = makeTinyAdapter(*file, {}).bytes();
    QVERIFY(adapters.add(Loaded::opened(adapter, "adapter.gguf"), 1, *file).has_value());
    TensorInfo odd = *file->findTensor("blk.0.ffn_down.weight");
    QVERIFY(adapters.formatOf(odd) == tensor::Format::kQ8_0);
    odd.ne[0] = 48;
    QVERIFY(adapters.formatOf(odd) == tensor::Format::kF16);
  }

  // With no alpha, s is the factor; several add up, and one taken away again leaves nothing.
  void severalAddUp() {
    const Bytes model = test::makeTinyModel({.type = TensorType::kF32}).bytes();
    const auto file = Loaded::opened(model, "tiny.gguf");
    const auto only = [](std::string_view name) { return name == "blk.1.ffn_up.weight"; };
    const Bytes one = makeTinyAdapter(*file, {.alpha = 0, .changes = only}).bytes();
    const Bytes two = makeTinyAdapter(*file, {.seed = 6, .changes = only}).bytes();
    const Bytes sums = withSums(withSums(model, one, 0.5, 0), two, -6.0 / kTinyRank, 0);
    const Loaded expected(sums), got(model, {{one, 0.5f}, {two, -1}}), bare(model),
        none(model, {{one, 2}, {one, -2}});
    std::vector<float> row(64), other(64), third(64);
    for (int r = 0; r < 96; ++r) {
      expected.model->layer(1).up.row(r, row);
      got.model->layer(1).up.row(r, other);
      for (std::size_t i = 0; i < row.size(); ++i) QVERIFY(std::abs(row[i] - other[i]) < 1e-6f);
      bare.model->layer(1).up.row(r, row);
      none.model->layer(1).up.row(r, third);
      for (std::size_t i = 0; i < row.size(); ++i) QVERIFY(std::abs(row[i] - third[i]) < 1e-6f);
      got.model->layer(0).up.row(r, other);  // it changes nothing else
      bare.model->layer(0).up.row(r, row);
      QCOMPARE(other, row);
    }
  }

  // As where it was trained: embeddings are looked up changed, and the head is what it was.
  void aTiedHeadStays() {
    const Bytes model = test::makeTinyModel({.type = TensorType::kQ4_0}).bytes();
    const auto only = [](std::string_view name) { return name == "token_embd.weight"; };
    const Bytes adapter =
        makeTinyAdapter(*Loaded::opened(model, "tiny.gguf"), {.changes = only}).bytes();
    const Loaded adapted(model, {{adapter}}), bare(model);
    std::vector<float> row(64), other(64);
    QVERIFY(adapted.model->output().format() == tensor::Format::kQ4_0);
    adapted.model->output().row(70, row);
    bare.model->output().row(70, other);
    QCOMPARE(row, other);
    adapted.model->embed(70, row);
    QVERIFY(row != other);
  }

  void badAdaptersAreNamed_data() {
    QTest::addColumn<QString>("named");
    const char* rows[][2] = {{"a model", "is no adapter"},
                             {"no kind", "adapter.type"},
                             {"another kind", "control"},
                             {"of certain tokens", "certain tokens"},
                             {"of another architecture", "qwen2"},
                             {"no such tensor", "blk.7.ffn_up.weight.lora_a"},
                             {"a half", "without its other half"},
                             {"the other half", "without its other half"},
                             {"wrong columns", "blk.0.ffn_up.weight.lora_a"},
                             {"turned", "other sizes"},
                             {"two ranks", "other sizes"},
                             {"a whole matrix", "neither"},
                             {"of a norm", "other sizes"},
                             {"of integers", "I8"},
                             {"no number", "adapter.lora.alpha"},
                             {"no factor", "finite"}};
    for (const auto& row : rows) QTest::newRow(row[0]) << QString(row[1]);
  }
  void badAdaptersAreNamed() {
    QFETCH(QString, named);
    const std::string what = QTest::currentDataTag();
    const Bytes zeros(1 << 16);
    TinyAdapter kind{.alpha = 0};
    if (what == "of another architecture") kind.architecture = "qwen2";
    gguf::Writer writer = test::tinyAdapterHeader(kind);
    const auto add = [&](const char* name, std::vector<std::uint64_t> ne,
                         TensorType type = TensorType::kF32) {
      std::size_t bytes = type == TensorType::kF32 ? 4 : 1;
      for (const std::uint64_t n : ne) bytes *= n;
      writer.addTensor(name, type, std::move(ne), std::span(zeros).first(bytes));
    };
    const char *a = "blk.0.ffn_up.weight.lora_a", *b = "blk.0.ffn_up.weight.lora_b";
    if (what == "a model") {
      writer = test::makeTinyModel({.layers = 1});
    } else if (what == "no kind" || what == "another kind") {
      writer = gguf::Writer();
      writer.addString("general.type", "adapter");
      writer.addString("general.architecture", "llama");
      if (what == "another kind") writer.addString("adapter.type", "control");
    } else if (what == "of certain tokens") {
      writer.addInt32s("adapter.alora.invocation_tokens", std::vector<std::int32_t>{1, 2});
    } else if (what == "no such tensor") {
      add("blk.7.ffn_up.weight.lora_a", {64, 2});
    } else if (what == "a half" || what == "the other half") {
      add(what == "a half" ? a : b, {what == "a half" ? 64u : 2u, what == "a half" ? 2u : 96u});
    } else if (what == "wrong columns") {
      add(a, {96, 2});
      add(b, {2, 96});
    } else if (what == "turned") {
      add(a, {2, 64});
      add(b, {96, 2});
    } else if (what == "two ranks") {
      add(a, {64, 3});
      add(b, {2, 96});
    } else if (what == "a whole matrix") {
      add("blk.0.ffn_up.weight", {64, 96});
    } else if (what == "of a norm") {
      add("blk.0.ffn_norm.weight.lora_a", {64, 2});
      add("blk.0.ffn_norm.weight.lora_b", {2, 1});
    } else if (what == "of integers") {
      add(a, {64, 2}, static_cast<TensorType>(24));
      add(b, {2, 96});
    } else if (what == "no number") {
      writer.addFloat32("adapter.lora.alpha", std::numeric_limits<float>::quiet_NaN());
    }
    const base::Error error =
        refusalOf(writer, what == "no factor" ? std::numeric_limits<float>::infinity() : 1.0f);
    const QString text = QString::fromStdString(error.what);
    QVERIFY2(text.startsWith("adapter.gguf: ") && text.contains(named), qPrintable(text));
    QVERIFY(!error.remedy.empty());
  }

  void anAdapterIsNoModel() {
    const Bytes bytes = test::tinyAdapterHeader({}).bytes();
    const auto refused = Model::load(Loaded::opened(bytes, "adapter.gguf"));
    QVERIFY(!refused && refused.error().what.find("is an adapter") != std::string::npos);
  }

  // What a model computes from another matrix cannot be changed alone.
  void aTensorThatIsThereTwiceIsRefused() {
    gguf::Writer writer =
        test::makeTinyArchitecture(test::tinyArchitecture("deepseek2 with heads as published"));
    const Bytes once = writer.bytes();
    const auto plain = Loaded::opened(once, "tiny.gguf");
    const TensorInfo* both = plain->findTensor("blk.0.attn_kv_b.weight");
    QVERIFY(both);
    const std::vector<float> values(32);
    writer.addTensor("blk.0.attn_k_b.weight", TensorType::kF32, {8, 4},
                     std::as_bytes(std::span(values)));
    const Bytes twice = writer.bytes();
    const auto file = Loaded::opened(twice, "tiny.gguf");
    QVERIFY(Model::check(*file).has_value());
    const auto only = [](std::string_view name) { return name == "blk.0.attn_k_b.weight"; };
    const Bytes adapter =
        makeTinyAdapter(*file, {.architecture = "deepseek2", .changes = only}).bytes();
    Adapters adapters;
    QVERIFY(adapters.add(Loaded::opened(adapter, "adapter.gguf"), 1, *file).has_value());
    const auto checked = Model::check(*file, adapters);
    QVERIFY(!checked.has_value());
    QVERIFY(checked.error().what.find("attn_k_b") != std::string::npos);
    QCOMPARE(Model::load(file, adapters).error().what, checked.error().what);
  }

  void argumentsAreRead() {
    QTemporaryDir dir;
    const std::string odd = dir.filePath("a:2").toStdString();
    QFile(QString::fromStdString(odd)).open(QIODevice::WriteOnly);
    QVERIFY(*parseAdapterFile("style.gguf") == (AdapterFile{"style.gguf", 1}));
    QVERIFY(*parseAdapterFile("a/style.gguf:0.5") == (AdapterFile{"a/style.gguf", 0.5f}));
    QVERIFY(*parseAdapterFile("style.gguf:-1") == (AdapterFile{"style.gguf", -1}));
    QVERIFY(*parseAdapterFile(odd) == (AdapterFile{odd, 1}));
    for (const char* bad : {"style.gguf:", "style.gguf:much", "style.gguf:nan", ":1"}) {
      const auto read = parseAdapterFile(bad);
      QVERIFY2(!read && read.error().what.starts_with(bad), bad);
    }
  }
};

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestAdapters)
#include "test_adapters.moc"

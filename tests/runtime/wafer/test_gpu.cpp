// SPDX-License-Identifier: GPL-3.0-or-later
// The model of GPUs: its constants are what their rows give, and its figures what the formula says.
#include <QtTest>
#include <cmath>

#include "runtime/tensor/block_formats.h"
#include "runtime/wafer/estimate/gpu.h"

using namespace waferpair::wafer;

namespace {

GpuRequest llama8b() {
  GpuRequest request;
  request.shape = *findShape("llama-3.1-8b");
  request.gpu = *findGpu("h100");
  request.stack = *findGpuStack("serving");
  return request;
}

}  // namespace

class TestGpu : public QObject {
  Q_OBJECT
 private slots:
  void constantsAreThoseOfTheFittedRows() {
    const auto data = gpuCalibration();
    QVERIFY2(data, data ? "" : data.error().message().c_str());
    const auto fit = fitGpu(*data, "gpt-fast");
    QVERIFY(fit);
    QVERIFY2(std::abs(fit->eta / data->eta(16) - 1) < 0.04, qPrintable(QString::number(fit->eta)));
    const double tau = findGpuStack("gpt-fast")->layerSeconds;
    QVERIFY2(std::abs(fit->layerSeconds / tau - 1) < 0.06,
             qPrintable(QString::number(fit->layerSeconds)));
    for (const MemoryShare& share : data->shares) {
      if (share.bits == 16) continue;
      const auto fitted = fitMemoryShare(*data, share.bits);
      QVERIFY2(fitted, fitted ? "" : fitted.error().message().c_str());
      QVERIFY2(std::abs(*fitted / share.share - 1) < 0.005, qPrintable(QString::number(*fitted)));
    }
    const auto request = fitRequestSeconds(*data);
    QVERIFY(request);
    QVERIFY2(std::abs(*request / data->requestSeconds - 1) < 0.01,
             qPrintable(QString::number(1e6 * *request)));
    QVERIFY(!fitMemoryShare(*data, 2));
  }

  // What no constant was chosen by; mixtures of experts, of which there is one, apart.
  void otherRowsAreMetWithin10PercentInTheMean() {
    const auto data = gpuCalibration();
    double off = 0;
    int rows = 0;
    for (const GpuRow& row : data->rows) {
      if (row.fitted || row.model.starts_with("Aria")) continue;
      off += std::abs(*estimatedTokensPerSecond(*data, row) / row.tokensPerSecond - 1);
      ++rows;
    }
    QVERIFY2(rows >= 20, qPrintable(QString::number(rows)));
    QVERIFY2(off / rows < 0.1, qPrintable(QString::number(off / rows)));
  }

  void fittedRowsOfGptFastAreMetWithin3PercentInTheMean() {
    const auto data = gpuCalibration();
    double off = 0;
    int rows = 0;
    for (const GpuRow& row : data->rows) {
      if (!row.fitted || row.stack != "gpt-fast" || row.bits != 16) continue;
      off += std::abs(*estimatedTokensPerSecond(*data, row) / row.tokensPerSecond - 1);
      ++rows;
    }
    QCOMPARE(rows, 7);
    QVERIFY2(off / rows < 0.03, qPrintable(QString::number(off / rows)));
  }

  // A row's figures by hand: 7 GB at 0.82 of 3.35 TB/s, and 28 layers of 63 us.
  void aRowIsBytesLaunchesAndRequests() {
    GpuCalibration data;
    data.shares = {{16, 0.82, ""}, {8, 0.7, ""}, {4, 0.6, ""}};
    data.requestSeconds = 1e-4;
    GpuRow row;
    row.gpu = "h100";
    row.stack = "gpt-fast";
    row.layers = 28;
    row.weightBytes = 7e9;
    row.tokensPerSecond = 1;
    const double seconds = 7e9 / (0.82 * 3.35e12) + 28 * 63e-6;
    QVERIFY(std::abs(*estimatedTokensPerSecond(data, row) * seconds - 1) < 1e-9);
    row.bits = 8;
    const double inBytes = 7e9 / (0.7 * 3.35e12) + 28 * 63e-6;
    QVERIFY(std::abs(*estimatedTokensPerSecond(data, row) * inBytes - 1) < 1e-9);
    row.bits = 16;
    row.gpus = 2;
    row.batch = 4;
    row.context = 1000;
    row.kvBytesPerPosition = 131072;
    const double shared =
        (7e9 + 4 * 1000 * 131072.0) / (2 * 0.82 * 3.35e12) + 28 * 63e-6 + 3 * 1e-4;
    QVERIFY(std::abs(*estimatedTokensPerSecond(data, row) * shared / 4 - 1) < 1e-9);
  }

  // 4.5 bits a weight are nearest to 4, 6.6 to 8.
  void aModelTakesTheShareOfItsBits() {
    GpuCalibration data;
    data.shares = {{16, 0.82, ""}, {8, 0.7, ""}, {4, 0.6, ""}};
    QCOMPARE(data.eta(4.5), 0.6);
    QCOMPARE(data.eta(6.6), 0.7);
    QCOMPARE(data.eta(32), 0.82);
    GpuRequest request = llama8b();
    const auto wide = estimateGpu(request);
    for (auto* format :
         {&request.shape.formats.gate, &request.shape.formats.up, &request.shape.formats.down}) {
      *format = waferpair::tensor::Format::kQ8_0;
    }
    const auto narrow = estimateGpu(request);
    const auto shipped = gpuCalibration();
    const double perByte =
        (narrow->weightSeconds / narrow->weightBytes) / (wide->weightSeconds / wide->weightBytes);
    QVERIFY2(std::abs(perByte - shipped->eta(16) / shipped->eta(8)) < 1e-9,
             qPrintable(QString::number(perByte)));
  }

  void everyRowNamesWhatThereIsAndWhereItIsFrom() {
    const auto data = gpuCalibration();
    for (const GpuRow& row : data->rows) {
      QVERIFY2(estimatedTokensPerSecond(*data, row), row.model.c_str());
      const std::string bits = std::to_string(row.bits) + "-bit";
      QVERIFY2(row.model.find(bits) != std::string::npos, row.model.c_str());
      QVERIFY2(row.source.size() > 10, row.model.c_str());
    }
  }

  void llama8bReads16Gigabytes() {
    const auto estimate = estimateGpu(llama8b());
    QVERIFY(estimate);
    // Of 8.03e9 weights all but the embedding's 0.53e9, of 2 bytes, and a row of that.
    QVERIFY2(std::abs(estimate->weightBytes / 15.01e9 - 1) < 0.002,
             qPrintable(QString::number(estimate->weightBytes)));
    // 1,024 + 512 positions of 32 layers, 8 heads of 128, K and V, 2 bytes.
    QVERIFY(std::abs(estimate->kvBytes / (1536 * 131072.0) - 1) < 1e-9);
    QCOMPARE(estimate->gpus, 1);
    QVERIFY(std::abs(estimate->stepSeconds() * estimate->tokensPerSecond - 1) < 1e-9);
  }

  void usersShareTheWeights() {
    GpuRequest request = llama8b();
    const auto alone = estimateGpu(request);
    request.requests = 16;
    const auto many = estimateGpu(request);
    QVERIFY(many->tokensPerSecond < alone->tokensPerSecond);
    QVERIFY(many->batchTokensPerSecond > 10 * alone->tokensPerSecond);
    QVERIFY(many->joulesPerToken < alone->joulesPerToken / 10);
    QVERIFY(std::abs(many->kvSeconds / alone->kvSeconds - 16) < 1e-6);
    QCOMPARE(many->launchSeconds, alone->launchSeconds);
    QCOMPARE(alone->requestSeconds, 0.0);
    QVERIFY(std::abs(many->requestSeconds - 15 * gpuCalibration()->requestSeconds) < 1e-12);
  }

  void usersOfExpertsReadMoreOfThem() {
    GpuRequest request = llama8b();
    request.shape = *findShape("gpt-oss-120b");
    const auto alone = estimateGpu(request);
    request.requests = 8;
    const auto many = estimateGpu(request);
    QVERIFY(many->weightBytes > 3 * alone->weightBytes);
    request.requests = 4096;
    request.gpus = 64;
    QVERIFY(estimateGpu(request)->weightBytes < 80e9);
  }

  void manyUsersAreBoundByArithmetic() {
    GpuRequest request = llama8b();
    request.prompt = 16;
    request.output = 16;
    request.requests = 2048;
    const auto many = estimateGpu(request);
    QVERIFY(many->arithmeticSeconds > 0);
    const double peak = request.gpu.flops / (2.0 * request.shape.activeParameters());
    QVERIFY(many->batchTokensPerSecond < peak);
  }

  void draftsThatAreRightCount() {
    GpuRequest request = llama8b();
    const auto plain = estimateGpu(request);
    request.draft = 4;
    request.acceptance = 1;
    const auto drafted = estimateGpu(request);
    QCOMPARE(drafted->tokensPerStep, 5.0);
    QVERIFY(drafted->tokensPerSecond > 4.5 * plain->tokensPerSecond);
  }

  void aModelTakesAsManyAsHoldIt() {
    GpuRequest request = llama8b();
    request.shape = *findShape("llama-3.1-70b");
    QCOMPARE(estimateGpu(request)->gpus, 2);
    request.gpu = *findGpu("b200");
    QCOMPARE(estimateGpu(request)->gpus, 1);
    request.shape = *findShape("llama-3.1-405b");
    request.gpus = 2;
    const auto refused = estimateGpu(request);
    QVERIFY(!refused);
    QVERIFY2(refused.error().what.find("take 5 of NVIDIA B200") != std::string::npos,
             refused.error().what.c_str());
  }

  void whatIsOutOfRangeIsNamed() {
    GpuRequest request = llama8b();
    request.acceptance = 1.5;
    QVERIFY(estimateGpu(request).error().what.find("--acceptance") != std::string::npos);
    QVERIFY(findGpu("h300").error().remedy.find("a100, b200, h100, h200") != std::string::npos);
  }

  void aBandSaysWhatIsUnchecked() {
    QCOMPARE(gpuBandOf("b200", "eager")->rows, 0);
    QVERIFY(gpuBandText(*gpuBandOf("b200", "eager")).starts_with("unchecked"));
    const auto band = gpuBandOf("a100", "gpt-fast");
    QVERIFY(band->rows > 20);
    QVERIFY(band->worstPercent > band->meanPercent);
  }

  // A GPU's rows of dense models tell little of a mixture of experts, whose kernels are others.
  void aBandSaysWhichModelsItsFiguresAreOf() {
    const std::string dense = gpuBandText(*gpuBandOf("h100", "serving"));
    QCOMPARE(dense, std::string("worst 5 % off, mean 3 %, on 2 published figures of dense models"));
    const auto mixture = gpuBandOf("h100", "gpt-fast");
    QCOMPARE(mixture->rows, 1);
    QCOMPARE(mixture->denseRows, 0);
    QVERIFY(gpuBandText(*mixture).ends_with("on 1 published figure, none of dense models"));
  }

  void wrongRowsAreRefused() {
    QVERIFY(!parseGpuCalibration("{}"));
    const auto with = [](const std::string& bits, const std::string& share,
                         const std::string& row) {
      return parseGpuCalibration(
          R"({"shares": [{"bits": )" + bits + R"(, "share": )" + share +
          R"(, "source": "x"}], "request_seconds": 0, "request_source": "x", "rows": [)" + row +
          "]}");
    };
    QVERIFY(with("16", "0.8", ""));
    QVERIFY(!with("16", "2", ""));
    QVERIFY(!with("8", "0.8", ""));
    QVERIFY(!with("16", "0.8", R"({"gpu": "h100"})"));
  }

  void pacesHaveTheirSource() {
    const auto paces = publishedPaces();
    QVERIFY(paces);
    QCOMPARE(paces->size(), std::size_t{7});
    for (const Pace& pace : *paces) QVERIFY(pace.source.find("202") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestGpu)
#include "test_gpu.moc"

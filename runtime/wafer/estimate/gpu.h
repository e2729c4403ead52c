// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU would do with a model: the time of a step is what its bytes take to come from memory,
// and a fixed time a layer for the software that launches its kernels:
//   t = bytes / (gpus * eta * bandwidth) + layers * layerSeconds + (requests - 1) * requestSeconds
// eta, which depends on the bits of a weight, requestSeconds and gpt-fast's layerSeconds are fitted
// to published rows; the others are data with sources (resources/wafer/gpus, stacks, gpu_rows).
// Arithmetic counts where it would take longer than the bytes, at the vendor's peak, which nothing
// is checked against.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/wafer/plan/shape.h"

namespace waferpair::wafer {

struct Gpu {
  std::string name, title, source;
  double bytesPerSecond = 0;  // of its memory
  double memoryBytes = 0;
  double flops = 0;  // dense FP16 operations a second
  double watts = 0;  // of the board
};
base::Result<Gpu> findGpu(std::string_view name);
std::vector<std::string> gpuNames();

// The software that runs a model on GPUs.
struct GpuStack {
  std::string name, title, source;
  double layerSeconds = 0;
};
base::Result<GpuStack> findGpuStack(std::string_view name);
std::vector<std::string> gpuStackNames();

// A published decode rate.
struct GpuRow {
  std::string gpu, stack, model;
  int layers = 0;
  int bits = 16;                  // of most weights
  double weightBytes = 0;         // that a step reads
  double kvBytesPerPosition = 0;  // of one sequence
  int gpus = 1, batch = 1;
  int context = 0;             // positions of each sequence
  double tokensPerSecond = 0;  // of all sequences
  bool fitted = false;         // constants were chosen by it
  bool experts = false;        // of a mixture of them
  std::string source, note;    // the note may be empty
};

// eta, the share of the memory's bandwidth that is reached, with weights of so many bits.
struct MemoryShare {
  int bits = 0;
  double share = 0;
  std::string source;
};

struct GpuCalibration {
  std::vector<MemoryShare> shares;  // by bits, the most first; of 16 bits at least
  double requestSeconds = 0;        // of a step, for each request but the first
  std::string requestSource;
  std::vector<GpuRow> rows;

  // With weights of the nearest number of bits.
  double eta(double bits) const;
};
base::Result<GpuCalibration> parseGpuCalibration(std::string_view json);
// The one that is compiled in.
base::Result<GpuCalibration> gpuCalibration();

base::Result<double> estimatedTokensPerSecond(const GpuCalibration& data, const GpuRow& row);

// The fits are by least squares on the relative error of the time of rows that are marked as
// fitted: eta of 16 bits, and the layer's time of a stack, by its rows of one request;
struct GpuFit {
  double eta = 0, layerSeconds = 0;
};
base::Result<GpuFit> fitGpu(const GpuCalibration& data, std::string_view stack);
// given these, eta of so many bits by the rows of one request that have them;
base::Result<double> fitMemoryShare(const GpuCalibration& data, int bits);
// and a request's time by the rows of several.
base::Result<double> fitRequestSeconds(const GpuCalibration& data);

// How far the model is off the published rows of a GPU with a stack, fitted or not.
struct GpuBand {
  int rows = 0;       // 0: there are none, so the figures are unchecked
  int denseRows = 0;  // those of them that are of dense models
  double meanPercent = 0, worstPercent = 0;
};
base::Result<GpuBand> gpuBandOf(std::string_view gpu, std::string_view stack);
std::string gpuBandText(const GpuBand& band);

struct GpuRequest {
  ModelShape shape;
  Gpu gpu;
  GpuStack stack;
  int gpus = 0;      // 0: as few as hold weights and cache
  int prompt = 0;    // tokens. Zero: 1024
  int output = 0;    // tokens generated. Zero: as many as the prompt
  int requests = 1;  // that share each step
  int draft = 0;     // guesses that a step verifies beside its token
  double acceptance = 0;
};

struct GpuEstimate {
  int gpus = 1, prompt = 0, output = 0, requests = 1, draft = 0;
  double acceptance = 0, tokensPerStep = 1;
  double weightBytes = 0, kvBytes = 0;  // read in a step, at the mean context
  // The parts of a step, in seconds.
  double weightSeconds = 0, kvSeconds = 0, launchSeconds = 0, requestSeconds = 0;
  double arithmeticSeconds = 0;  // beyond the time of the bytes
  double stepSeconds() const {
    return weightSeconds + kvSeconds + launchSeconds + requestSeconds + arithmeticSeconds;
  }
  double firstTokenSeconds = 0;     // at the least: arithmetic at its peak
  double tokensPerSecond = 0;       // of one request
  double batchTokensPerSecond = 0;  // of all
  double watts = 0;                 // of all boards
  double joulesPerToken = 0;        // of all requests together
};

// The error names the setting that is out of range, or says that the model does not fit.
base::Result<GpuEstimate> estimateGpu(const GpuRequest& request);

// A published rate of a service, and no more than that.
struct Pace {
  std::string name, title, source;
  double tokensPerSecond = 0;
};
base::Result<std::vector<Pace>> publishedPaces();

}  // namespace waferpair::wafer

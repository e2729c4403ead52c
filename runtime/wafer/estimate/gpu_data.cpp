// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime/base/json_fields.h"
#include "runtime/wafer/estimate/calibration.h"
#include "runtime/wafer/estimate/gpu.h"
#include "runtime/wafer/machine/data.h"

namespace waferpair::wafer {
namespace {

using base::JsonFields;

constexpr double kMostBytes = 1e15;

// Reads a compiled-in object; the error lists the names there are.
base::Result<base::Json> dataObject(const char* folder, const char* what, std::string_view name) {
  const auto text = findData(folder, name);
  if (!text) {
    return base::fail(
        "There is no " + std::string(what) + " \"" + std::string(name.substr(0, 40)) + "\".",
        "Known are: " + joinNames(dataNames(folder)) + ".");
  }
  return base::parseJsonObject(*text, std::string(what) + " " + std::string(name));
}

GpuRow readGpuRow(JsonFields& in) {
  GpuRow row;
  row.gpu = in.text("gpu");
  row.stack = in.text("stack");
  row.model = in.text("model");
  row.layers = in.integer("layers", 1, kMostLayers);
  row.bits = in.integer("bits", 1, 16);
  row.weightBytes = in.number("weight_bytes", 1, kMostBytes);
  row.kvBytesPerPosition = in.number("kv_bytes_per_position", 0, kMostBytes);
  row.gpus = in.integer("gpus", 1, 1024);
  row.batch = in.integer("batch", 1, 1 << 20);
  row.context = in.integer("context", 0, kMostContext);
  row.tokensPerSecond = in.number("tokens_per_second", 1e-6, 1e12);
  row.fitted = in.booleanOr("fitted", false);
  row.experts = in.booleanOr("experts", false);
  row.source = in.text("source");
  if (in.has("note")) row.note = in.text("note");
  return row;
}

// The parts of a row's step, in seconds; `weights` with all of the memory's bandwidth.
struct RowParts {
  double weights = 0, kv = 0, layers = 0;
};

base::Result<RowParts> partsOf(const GpuCalibration& data, const GpuRow& row) {
  const auto gpu = findGpu(row.gpu);
  if (!gpu) return tl::unexpected(gpu.error());
  const auto stack = findGpuStack(row.stack);
  if (!stack) return tl::unexpected(stack.error());
  const double bandwidth = row.gpus * gpu->bytesPerSecond;
  const double kvBytes = row.batch * static_cast<double>(row.context) * row.kvBytesPerPosition;
  return RowParts{row.weightBytes / bandwidth, kvBytes / (data.eta(16) * bandwidth),
                  row.layers * stack->layerSeconds};
}

// What a row takes, as `known + unknown x`, of its measured time.
struct RowTerm {
  double known = 0, unknown = 0;
};

// Returns the x that brings the terms nearest to 1, by least squares.
base::Result<double> nearestToOne(const std::vector<RowTerm>& terms, const std::string& what) {
  double uu = 0, u1 = 0;
  for (const RowTerm& t : terms) {
    uu += t.unknown * t.unknown;
    u1 += t.unknown * (1 - t.known);
  }
  if (uu <= 0 || u1 <= 0) {
    return base::fail("No fitted row tells " + what + ".", "Mark rows that do.");
  }
  return u1 / uu;
}

}  // namespace

base::Result<Gpu> findGpu(std::string_view name) {
  const auto json = dataObject("gpus", "GPU", name);
  if (!json) return tl::unexpected(json.error());
  JsonFields in(*json, "GPU " + std::string(name));
  Gpu gpu;
  gpu.name = name;
  gpu.title = in.text("title");
  gpu.source = in.text("source");
  gpu.bytesPerSecond = in.number("hbm_bytes_per_second", 1, kMostBytes);
  gpu.memoryBytes = in.number("hbm_bytes", 1, kMostBytes);
  gpu.flops = in.number("flops", 1, 1e18);
  gpu.watts = in.number("watts", 1, 1e6);
  if (auto ok = in.check(); !ok) return tl::unexpected(ok.error());
  return gpu;
}

std::vector<std::string> gpuNames() { return dataNames("gpus"); }

base::Result<GpuStack> findGpuStack(std::string_view name) {
  const auto json = dataObject("stacks", "stack", name);
  if (!json) return tl::unexpected(json.error());
  JsonFields in(*json, "stack " + std::string(name));
  GpuStack stack;
  stack.name = name;
  stack.title = in.text("title");
  stack.source = in.text("source");
  stack.layerSeconds = in.number("layer_seconds", 0, 1);
  if (auto ok = in.check(); !ok) return tl::unexpected(ok.error());
  return stack;
}

std::vector<std::string> gpuStackNames() { return dataNames("stacks"); }

base::Result<GpuCalibration> parseGpuCalibration(std::string_view text) {
  const auto json = base::parseJsonObject(text, "GPU rows");
  if (!json) return tl::unexpected(json.error());
  JsonFields in(*json, "GPU rows");
  GpuCalibration data;
  const std::size_t shares = in.list("shares").size();
  for (std::size_t i = 0; i < shares; ++i) {
    JsonFields share = in.entry("shares", i);
    data.shares.push_back(
        {share.integer("bits", 1, 16), share.number("share", 0.01, 1), share.text("source")});
    in.adopt(share);
  }
  data.requestSeconds = in.number("request_seconds", 0, 1);
  data.requestSource = in.text("request_source");
  const std::size_t rows = in.list("rows").size();
  for (std::size_t i = 0; i < rows; ++i) {
    JsonFields row = in.entry("rows", i);
    data.rows.push_back(readGpuRow(row));
    in.adopt(row);
  }
  if (auto ok = in.check(); !ok) return tl::unexpected(ok.error());
  if (data.shares.empty() || data.shares.front().bits != 16) {
    return base::fail("GPU rows: the first of \"shares\" is not that of 16 bits.",
                      "Put it there; keys and values take it, too.");
  }
  return data;
}

double GpuCalibration::eta(double bits) const {
  const auto distance = [bits](const MemoryShare& s) { return std::abs(s.bits - bits); };
  return std::ranges::min_element(shares, {}, distance)->share;
}

base::Result<GpuCalibration> gpuCalibration() {
  return parseGpuCalibration(findData("gpu_rows", "decode").value_or(""));
}

base::Result<double> estimatedTokensPerSecond(const GpuCalibration& data, const GpuRow& row) {
  const auto parts = partsOf(data, row);
  if (!parts) return tl::unexpected(parts.error());
  return row.batch / (parts->weights / data.eta(row.bits) + parts->kv + parts->layers +
                      (row.batch - 1) * data.requestSeconds);
}

base::Result<GpuFit> fitGpu(const GpuCalibration& data, std::string_view stack) {
  // Of each row: 1 = (bytes / bandwidth / measured) / eta + (layers / measured) * layerSeconds.
  const double keptEta = data.eta(16);
  double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0;
  int rows = 0;
  for (const GpuRow& row : data.rows) {
    if (!row.fitted || row.stack != stack || row.bits != 16 || row.batch > 1) continue;
    const auto parts = partsOf(data, row);
    if (!parts) return tl::unexpected(parts.error());
    const double measured = 1 / row.tokensPerSecond;
    const double a = (parts->weights + parts->kv * keptEta) / measured;
    const double b = row.layers / measured;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    a1 += a;
    b1 += b;
    ++rows;
  }
  const double determinant = aa * bb - ab * ab;
  if (rows < 2 || determinant <= 0) {
    return base::fail("The rows of " + std::string(stack) + " do not tell both constants.",
                      "Add rows of another size.");
  }
  const double inverse = (a1 * bb - b1 * ab) / determinant;
  return GpuFit{1 / inverse, (aa * b1 - ab * a1) / determinant};
}

base::Result<double> fitMemoryShare(const GpuCalibration& data, int bits) {
  std::vector<RowTerm> terms;
  for (const GpuRow& row : data.rows) {
    if (!row.fitted || row.bits != bits || row.batch > 1) continue;
    const auto parts = partsOf(data, row);
    if (!parts) return tl::unexpected(parts.error());
    terms.push_back(
        {(parts->kv + parts->layers) * row.tokensPerSecond, parts->weights * row.tokensPerSecond});
  }
  const auto inverse = nearestToOne(terms, "eta of " + std::to_string(bits) + " bits");
  if (!inverse) return tl::unexpected(inverse.error());
  return 1 / *inverse;
}

base::Result<double> fitRequestSeconds(const GpuCalibration& data) {
  std::vector<RowTerm> terms;
  for (const GpuRow& row : data.rows) {
    if (!row.fitted || row.batch == 1) continue;
    const auto parts = partsOf(data, row);
    if (!parts) return tl::unexpected(parts.error());
    const double measured = row.batch / row.tokensPerSecond;
    const double known = parts->weights / data.eta(row.bits) + parts->kv + parts->layers;
    terms.push_back({known / measured, (row.batch - 1) / measured});
  }
  return nearestToOne(terms, "the time of a request");
}

base::Result<GpuBand> gpuBandOf(std::string_view gpu, std::string_view stack) {
  const auto data = gpuCalibration();
  if (!data) return tl::unexpected(data.error());
  GpuBand band;
  for (const GpuRow& row : data->rows) {
    if (row.gpu != gpu || row.stack != stack) continue;
    const auto speed = estimatedTokensPerSecond(*data, row);
    if (!speed) return tl::unexpected(speed.error());
    const double off = 100 * std::abs(*speed / row.tokensPerSecond - 1);
    ++band.rows;
    if (!row.experts) ++band.denseRows;
    band.meanPercent += off;
    band.worstPercent = std::max(band.worstPercent, off);
  }
  if (band.rows > 0) band.meanPercent /= band.rows;
  return band;
}

std::string gpuBandText(const GpuBand& band) {
  if (band.rows == 0) return "unchecked: no published figure of this GPU with this software";
  char text[96];
  std::snprintf(text, sizeof text, "worst %.0f %% off, mean %.0f %%, on ", band.worstPercent,
                band.meanPercent);
  return text + publishedFigures(band.rows, band.denseRows);
}

base::Result<std::vector<Pace>> publishedPaces() {
  const auto json = dataObject("paces", "list of paces", "published");
  if (!json) return tl::unexpected(json.error());
  JsonFields in(*json, "paces");
  std::vector<Pace> paces;
  const std::size_t count = in.list("paces").size();
  for (std::size_t i = 0; i < count; ++i) {
    JsonFields pace = in.entry("paces", i);
    paces.push_back({pace.text("name"), pace.text("title"), pace.text("source"),
                     pace.number("tokens_per_second", 1e-3, 1e9)});
    in.adopt(pace);
  }
  if (auto ok = in.check(); !ok) return tl::unexpected(ok.error());
  return paces;
}

}  // namespace waferpair::wafer

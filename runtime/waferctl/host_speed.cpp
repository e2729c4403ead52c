// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/host_speed.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <system_error>

#include "runtime/base/output_file.h"
#include "runtime/inference/model/thread_choice.h"
#include "runtime/server/core/events.h"
#include "runtime/tensor/kernels.h"
#include "runtime/tensor/thread_team.h"

namespace waferpair::waferctl {
namespace {

namespace fs = std::filesystem;
using server::Json;
using SpeedClock = std::chrono::steady_clock;

// A small model's weights stay in a processor's caches, a large one's do not.
constexpr std::size_t kSizes[] = {3 << 20, 24 << 20, 96 << 20};
constexpr int kMatrices = 16;  // that a size is made up of: threads meet after each, as in decode
constexpr int kColumns = 1024;
constexpr auto kMeasureTime = std::chrono::milliseconds(120);  // of each size and format
// The share of a token's time that goes into these products: the rest is attention, norms,
// choosing. Fitted on the six models of docs/models.md.
constexpr double kProductsShare = 0.67;
constexpr double kMostRate = 1e14;

std::vector<tensor::PackedMatrix> matricesOf(tensor::Format format, std::size_t total) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(kColumns);
  for (float& value : values) value = normal(random);
  const std::vector<std::byte> row = tensor::quantizeRow(format, values);
  const std::size_t perMatrix = total / kMatrices;
  const int rows = std::max(8, static_cast<int>(perMatrix / row.size()) / 8 * 8);
  std::vector<std::byte> data;
  data.reserve(row.size() * static_cast<std::size_t>(rows));
  for (int i = 0; i < rows; ++i) data.insert(data.end(), row.begin(), row.end());
  std::vector<tensor::PackedMatrix> all;
  for (int i = 0; i < kMatrices; ++i) {
    auto matrix = tensor::PackedMatrix::pack("speed", format, rows, kColumns, data);
    if (!matrix) return {};  // no memory
    all.push_back(std::move(*matrix));
  }
  return all;
}

HostSpeed::Point measureOne(bool isFourBit, std::size_t total) {
  const auto format = isFourBit ? tensor::Format::kQ4_0 : tensor::Format::kQ8_0;
  const auto matrices = matricesOf(format, total);
  if (matrices.empty()) return {};
  const tensor::Kernels& kernels = tensor::kernels();
  const std::vector<float> x(kColumns, 0.5F);
  std::vector<std::int8_t> quants(kColumns);
  std::vector<float> scales(kColumns / tensor::kBlock);
  std::vector<std::int16_t> sums(kColumns / tensor::kSumGroup);
  kernels.quantize(x.data(), kColumns, quants.data(), scales.data(), sums.data());
  const tensor::Rows rows{.count = 1,
                          .cols = kColumns,
                          .values = x.data(),
                          .quants = quants.data(),
                          .scales = scales.data(),
                          .sums = sums.data()};
  const int height = matrices.front().rows();
  std::vector<float> out(static_cast<std::size_t>(height));
  double bytes = 0;
  for (const tensor::PackedMatrix& matrix : matrices) bytes += static_cast<double>(matrix.bytes());
  tensor::ThreadTeam team(inference::threadsFor(static_cast<std::size_t>(bytes)));
  double best = 0;
  for (const auto end = SpeedClock::now() + kMeasureTime; best == 0 || SpeedClock::now() < end;) {
    const auto began = SpeedClock::now();
    team.run(kMatrices, [&](int stage, int thread, int threads) {
      const tensor::PackedMatrix& matrix = matrices[static_cast<std::size_t>(stage)];
      kernels.matmul(matrix, tensor::panelShare(matrix, thread, threads), rows, out.data(), height,
                     false);
    });
    const double seconds = std::chrono::duration<double>(SpeedClock::now() - began).count();
    best = std::max(best, bytes / std::max(seconds, 1e-9));
  }
  return {isFourBit, bytes, best};
}

// Names this computer: its name, its processor and how much of it there is.
std::string machineName() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  std::string processor;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; processor.empty() && std::getline(info, line);) {
    if (line.starts_with("model name")) processor = line.substr(line.find(':') + 1);
  }
  return std::string(host) + ',' + processor + ", " +
         std::to_string(std::thread::hardware_concurrency()) + " threads";
}

}  // namespace

std::string HostSpeed::usualFile() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::string(cache) + "/waferpair/host_speed.json";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return std::string(home) + "/.cache/waferpair/host_speed.json";
  return {};
}

HostSpeed HostSpeed::find(const std::string& file) {
  const std::string machine = machineName(), kernels = tensor::kernels().name;
  std::ifstream in(file, std::ios::binary);
  constexpr std::size_t kMostBytes = 1 << 16;
  std::string json(kMostBytes, '\0');
  in.read(json.data(), static_cast<std::streamsize>(json.size()));
  json.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  if (auto known = readHostSpeed(json, machine, kernels)) return std::move(*known);
  HostSpeed measured = measure();
  if (file.empty()) return measured;
  std::error_code ignored;
  fs::create_directories(fs::path(file).parent_path(), ignored);
  // Where it cannot be kept it is measured again the next time.
  if (auto out = base::OutputFile::create(file);
      out && out->write(writeHostSpeed(measured, machine, kernels))) {
    (void)out->keep();
  }
  return measured;
}

HostSpeed HostSpeed::measure() {
  std::vector<Point> points;
  for (const bool isFourBit : {false, true}) {
    for (const std::size_t size : kSizes) {
      const Point point = measureOne(isFourBit, size);
      if (point.bytesPerSecond > 0) points.push_back(point);
    }
  }
  return HostSpeed(std::move(points));
}

// Between two sizes in proportion to the logarithm.
double HostSpeed::rate(bool isFourBit, double bytes) const {
  const Point* below = nullptr;
  const Point* above = nullptr;
  for (const Point& point : points_) {
    if (point.isFourBit != isFourBit) continue;
    if (point.bytes <= bytes && (!below || point.bytes > below->bytes)) below = &point;
    if (point.bytes >= bytes && (!above || point.bytes < above->bytes)) above = &point;
  }
  if (!below || !above) return below ? below->bytesPerSecond : above ? above->bytesPerSecond : 0;
  if (above->bytes <= below->bytes) return below->bytesPerSecond;
  const double part = std::log(bytes / below->bytes) / std::log(above->bytes / below->bytes);
  return below->bytesPerSecond + part * (above->bytesPerSecond - below->bytesPerSecond);
}

double HostSpeed::tokensPerSecond(double bytesPerToken, double fourBitShare) const {
  const double four = rate(true, bytesPerToken), eight = rate(false, bytesPerToken);
  if (bytesPerToken <= 0 || four <= 0 || eight <= 0) return 0;
  const double seconds = bytesPerToken * (fourBitShare / four + (1 - fourBitShare) / eight);
  return kProductsShare / seconds;
}

std::string writeHostSpeed(const HostSpeed& speed, const std::string& machine,
                           const std::string& kernels) {
  Json points = Json::array();
  for (const HostSpeed::Point& point : speed.points()) {
    points.push_back({{"bits", point.isFourBit ? 4 : 8},
                      {"bytes", point.bytes},
                      {"bytes_per_second", point.bytesPerSecond}});
  }
  return server::dump(Json{{"machine", machine}, {"kernels", kernels}, {"points", points}}) + '\n';
}

std::optional<HostSpeed> readHostSpeed(const std::string& json, const std::string& machine,
                                       const std::string& kernels) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object() || object.value("machine", Json()) != machine ||
      object.value("kernels", Json()) != kernels || !object.contains("points") ||
      !object["points"].is_array()) {
    return std::nullopt;
  }
  std::vector<HostSpeed::Point> points;
  for (const Json& entry : object["points"]) {
    if (!entry.is_object()) return std::nullopt;
    const Json bits = entry.value("bits", Json()), bytes = entry.value("bytes", Json()),
               rate = entry.value("bytes_per_second", Json());
    if (!bits.is_number() || !bytes.is_number() || !rate.is_number()) return std::nullopt;
    const HostSpeed::Point point{bits == 4, bytes.get<double>(), rate.get<double>()};
    const bool canBe = point.bytes > 0 && point.bytes < kMostRate && point.bytesPerSecond > 0 &&
                       point.bytesPerSecond < kMostRate;
    if (!canBe) return std::nullopt;
    points.push_back(point);
  }
  if (points.empty()) return std::nullopt;
  return HostSpeed(std::move(points));
}

}  // namespace waferpair::waferctl

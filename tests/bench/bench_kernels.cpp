// SPDX-License-Identifier: GPL-3.0-or-later
// Products and attention by one thread beside the read bandwidth of the same moment: decoding reads
// each weight and each cached position once, so that is its limit. Also products with several
// tokens, where arithmetic is the limit, as times the speed of one token at a time.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "runtime/tensor/kernels.h"
#include "runtime/tensor/tile_choice.h"
#include "tests/bench/arithmetic_peak.h"
#include "tests/bench/bench_model.h"
#include "tests/bench/read_bandwidth.h"
#include "tests/runtime/tensor/random_blocks.h"

namespace {

using namespace waferpair;
using namespace waferpair::tensor;
using bench::cpuSecondsOf;

struct RandomRows {
  RandomRows(const Kernels& kernels, int count, int cols)
      : values(static_cast<std::size_t>(count * cols)),
        quants(values.size()),
        scales(values.size() / kBlock),
        sums(values.size() / kSumGroup) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (float& value : values) value = normal(random);
    kernels.quantize(values.data(), count * cols, quants.data(), scales.data(), sums.data());
    rows = {.count = count,
            .cols = cols,
            .values = values.data(),
            .quants = quants.data(),
            .scales = scales.data(),
            .sums = sums.data()};
  }
  std::vector<float> values;
  std::vector<std::int8_t> quants;
  std::vector<float> scales;
  std::vector<std::int16_t> sums;
  Rows rows;
};

// Enough matrices to fill `total` bytes, so that each is read from where a model's weights would
// be.
std::vector<PackedMatrix> matrices(Format format, int rows, int cols, std::size_t total) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  std::vector<float> row(static_cast<std::size_t>(cols));
  std::vector<std::byte> data;
  for (int r = 0; r < rows; ++r) {
    for (float& value : row) value = normal(random);
    const auto bytes =
        infoOf(format).written() ? quantizeRow(format, row) : randomRows(format, random, 1, cols);
    data.insert(data.end(), bytes.begin(), bytes.end());
  }
  std::vector<PackedMatrix> all;
  for (std::size_t bytes = 0; bytes < total || all.empty(); bytes += all.back().bytes()) {
    all.push_back(std::move(*PackedMatrix::pack("w", format, rows, cols, data)));
  }
  return all;
}

// Products by rows of activations, beside those of another table where one is named.
void products(const Kernels& kernels, const Kernels* beside, const std::vector<Format>& formats,
              std::size_t total, int rounds) {
  constexpr std::array kCounts{1, 4, 8, 16, 64};
  ThreadTeam team(1);
  std::printf("%-8s %11s %9s %10s %8s", "format", "matrix", "bits", "GB/s", "% read");
  for (const int count : kCounts) std::printf(" %*d rows", beside ? 16 : 10, count);
  std::puts("");
  for (const Format format : formats) {
    for (const auto& [cols, rows] : {std::pair{384, 1024}, {768, 2048}, {1024, 2560}}) {
      if (rowBytes(format, cols) == 0) continue;
      const auto all = matrices(format, rows, cols, total);
      if (kernels.measure != nullptr) kernels.measure(all.front(), 1);
      const double bytes = static_cast<double>(all.size() * all.front().bytes());
      bench::ReadProbe probe(static_cast<std::size_t>(bytes));
      const RandomRows x(kernels, kCounts.back(), cols);
      std::vector<float> out(static_cast<std::size_t>(kCounts.back() * rows));
      const auto seconds = [&](const Kernels& by, int count) {
        return cpuSecondsOf([&] {
          for (const PackedMatrix& m : all) {
            by.matmul(m, {0, m.panels()}, x.rows.part(0, count), out.data(), rows, false);
          }
        });
      };
      double read = 1e9;
      std::array<double, kCounts.size()> own, other;
      own.fill(1e9);
      other.fill(1e9);
      for (int i = 0; i < rounds; ++i) {
        read = std::min(read, cpuSecondsOf([&] { probe.pass(team); }));
        for (std::size_t c = 0; c < kCounts.size(); ++c) {
          if (kCounts[c] > 8 && i % 4 != 0) continue;
          // Whoever comes second finds more of the weights in the caches.
          const auto measureOwn = [&] { own[c] = std::min(own[c], seconds(kernels, kCounts[c])); };
          if (i / 4 % 2 == 0) measureOwn();
          if (beside != nullptr) other[c] = std::min(other[c], seconds(*beside, kCounts[c]));
          if (i / 4 % 2 == 1) measureOwn();
        }
      }
      const double weights = static_cast<double>(all.size()) * rows * cols;
      std::printf("%-8s %5dx%-5d %9.2f %10.1f %7.0f%%", formatName(format), cols, rows,
                  8 * bytes / weights, bytes / own[0] / 1e9, 100 * read / own[0]);
      for (std::size_t c = 0; c < kCounts.size(); ++c) {
        std::printf("  %5.0f G %4.1f", kCounts[c] * weights / own[c] / 1e9, own[c] / own[0]);
        if (beside != nullptr) std::printf(" x%4.2f", other[c] / own[c]);
      }
      std::puts("");
      std::fflush(stdout);
    }
  }
  std::puts("(G: 10^9 multiplications a second; behind it the time as times that of one row)");
  if (beside != nullptr) std::printf("(x: times the speed of %s)\n", beside->name);
}

// Layers of one KV head each, as many as fill `total` bytes: as in a step, each is read once.
// Beside one token, several that share each read.
void attention(const Kernels& kernels, std::size_t total, int rounds) {
  ThreadTeam team(1);
  constexpr int kHeadDim = 64, kMany = 8;
  std::printf("%-22s %8s %8s %16s\n", "attention", "GB/s", "% read", "8 tokens");
  for (const KvFormat format : {KvFormat::kF16, KvFormat::kQ8_0}) {
    const std::size_t half = kChunk * kvRowBytes(format, kHeadDim);
    for (const int heads : {1, 3, 4}) {  // that share a KV head
      for (const int depth : {128, 2048, 4000}) {
        const int chunks = (depth + kChunk - 1) / kChunk;
        const auto each = 2 * half * static_cast<std::size_t>(chunks);
        const std::size_t layers = std::max<std::size_t>(1, total / each);
        const std::vector<std::byte> cache(each * layers);
        const auto rows = static_cast<std::size_t>(kMany * heads);
        const std::vector<float> query(rows * kHeadDim, 0.1f);
        std::vector<float> max(rows), sum(rows), out(query.size());
        bench::ReadProbe probe(cache.size());
        const auto seconds = [&](int tokens) {
          const Queries queries{query.data(), tokens, heads, kHeadDim, 0.125f, 0};
          return cpuSecondsOf([&] {
            for (std::size_t layer = 0; layer < layers; ++layer) {
              std::fill(max.begin(), max.end(), -HUGE_VALF);
              for (int chunk = 0; chunk < chunks; ++chunk) {
                const std::byte* at =
                    &cache[each * layer + 2 * half * static_cast<std::size_t>(chunk)];
                const std::vector<ChunkRange> ranges(kMany,
                                                     {0, std::min(kChunk, depth - chunk * kChunk)});
                kernels.attend(queries, {format, at, at + half, at + 2 * half}, ranges.data(),
                               {max.data(), sum.data(), out.data()});
              }
            }
          });
        };
        double read = 1e9, one = 1e9, many = 1e9;
        for (int i = 0; i < rounds; ++i) {
          read = std::min(read, cpuSecondsOf([&] { probe.pass(team); }));
          one = std::min(one, seconds(1));
          if (i % 4 == 0) many = std::min(many, seconds(kMany));
        }
        const double positions = static_cast<double>(layers) * depth;
        const double bytes = positions * 2 * static_cast<double>(kvRowBytes(format, kHeadDim));
        const double limit = static_cast<double>(probe.bytes()) / read;
        std::printf("%-5s %d heads at %-6d %6.1f %7.0f%% %5.1f x %5.0f G\n", kvFormatName(format),
                    heads, depth, bytes / one / 1e9, 100 * bytes / one / limit, kMany * one / many,
                    2 * positions * kHeadDim * kMany * heads / many / 1e9);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names{"Q8_0", "Q4_0"};
  std::string other;
  int megabytes = 16, rounds = 60;
  CLI::App app{"Products and attention by one thread against the read bandwidth"};
  app.add_option("--formats", names, "or all")->delimiter(',');
  app.add_option("--megabytes", megabytes, "of weights or cache that a round reads");
  app.add_option("--rounds", rounds, "the best of which counts");
  app.add_option("--beside", other, "other kernels, by turns: avx512, amx, avx2, ...");
  CLI11_PARSE(app, argc, argv);
  std::vector<Format> formats;
  for (const Format format : allFormats()) {
    if (infoOf(format).grid) continue;  // packed as IQ4_XS is
    const auto wanted = [&](const std::string& n) { return n == "all" || n == formatName(format); };
    if (std::any_of(names.begin(), names.end(), wanted)) formats.push_back(format);
  }
  const auto total = static_cast<std::size_t>(megabytes) << 20;
  const Kernels& kernels = tensor::kernels();
  std::printf("kernels %s, %d MB a round\n", kernels.name, megabytes);
  const bench::ArithmeticPeaks peaks = bench::measureArithmetic();
  if (peaks.floats > 0) {  // measured on x86 alone
    std::printf("arithmetic alone: %.0f G of 4-bit weights, %.0f G of 8-bit ones, %.0f G of floats",
                peaks.unsignedBytes, peaks.signedBytes, peaks.floats);
    std::printf(peaks.vnni > 0 ? ", by AVX2; %.0f G of bytes by VNNI\n" : "\n", peaks.vnni);
  }
  const Kernels* beside = nullptr;
  if (!other.empty()) {
    const auto found = findKernels(other);
    if (!found) bench::giveUp(found.error());
    beside = *found;
  }
  products(kernels, beside, formats, total, rounds);
  std::puts(describe(kernels, formats, Activations::k8Bits).c_str());
  attention(kernels, total, rounds);
  return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic that the kernels of the mesh promise, in plain Eigen: what is rounded where, and
// sums in the stated order.
#pragma once

#include <Eigen/Core>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "runtime/mesh/program.h"
#include "runtime/mesh/sram_layout.h"
#include "tests/runtime/mesh/mesh_fixtures.h"

namespace waferpair::test {

// Rounds to the nearest FP16, ties to even, a value that does not overflow. A double holds the
// product of two FP16 and its sum with a third well enough for this to be the only rounding.
inline float roundHalf(double value) {
  if (value == 0 || !std::isfinite(value)) return static_cast<float>(value);
  const int lowest = std::max(std::ilogb(value) - 10, -24);
  return static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(value, -lowest)), lowest));
}
inline float rounded(double value, mesh::Type type) {
  return type == mesh::Type::F16 ? roundHalf(value) : static_cast<float>(value);
}

inline float fmacHalf(float a, float b, float c) {
  return roundHalf(static_cast<double>(a) * b + c);
}

// Normal numbers that are FP16 values.
inline Eigen::MatrixXf randomHalves(Eigen::Index rows, Eigen::Index columns, unsigned seed,
                                    float scale = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, scale);
  return Eigen::MatrixXf::NullaryExpr(rows, columns, [&] { return roundHalf(normal(random)); });
}

// A column of `parts` for each PE of a line. Sums run from both ends of a group to its middle, left
// before right, and so do those of the middles.
inline Eigen::VectorXf kTreeSum(const Eigen::MatrixXf& parts, int group, mesh::Type type) {
  const auto add = [&](const Eigen::VectorXf& a, const Eigen::VectorXf& b) {
    Eigen::VectorXf sum(a.size());
    for (Eigen::Index i = 0; i < a.size(); ++i) {
      sum[i] = rounded(static_cast<double>(a[i]) + b[i], type);
    }
    return sum;
  };
  const auto towardsTheMiddle = [&](const Eigen::MatrixXf& line) {
    const Eigen::Index middle = line.cols() / 2;
    Eigen::VectorXf whole = line.col(middle);
    if (middle > 0) {
      Eigen::VectorXf left = line.col(0);
      for (Eigen::Index i = 1; i < middle; ++i) left = add(line.col(i), left);
      whole = add(whole, left);
    }
    if (middle + 1 < line.cols()) {
      Eigen::VectorXf right = line.col(line.cols() - 1);
      for (Eigen::Index i = line.cols() - 2; i > middle; --i) right = add(line.col(i), right);
      whole = add(whole, right);
    }
    return whole;
  };
  Eigen::MatrixXf middles(parts.rows(), (parts.cols() + group - 1) / group);
  for (Eigen::Index g = 0; g < middles.cols(); ++g) {
    const Eigen::Index begin = g * group;
    middles.col(g) = towardsTheMiddle(
        parts.middleCols(begin, std::min<Eigen::Index>(group, parts.cols() - begin)));
  }
  return towardsTheMiddle(middles);
}

// out[n] = sum over k of in[k] tile(k, n), one multiply-add after another.
inline Eigen::VectorXf productOfTile(const Eigen::VectorXf& in, const Eigen::MatrixXf& tile) {
  Eigen::VectorXf out = Eigen::VectorXf::Zero(tile.cols());
  for (Eigen::Index k = 0; k < tile.rows(); ++k) {
    for (Eigen::Index n = 0; n < tile.cols(); ++n) out[n] = fmacHalf(in[k], tile(k, n), out[n]);
  }
  return out;
}

// The parts of the PEs of a line, one after another.
using Parts = std::vector<Eigen::VectorXf>;

// `parts` are `vectors` vectors on each PE, one after another.
inline Parts rmsNorm(Parts parts, const Parts& gains, int vectors, int elements, float epsilon,
                     int group) {
  Eigen::MatrixXf sums(vectors, static_cast<Eigen::Index>(parts.size()));
  const Eigen::Index length = parts[0].size() / vectors;
  for (std::size_t pe = 0; pe < parts.size(); ++pe) {
    for (int v = 0; v < vectors; ++v) {
      float sum = 0;
      for (float x : parts[pe].segment(v * length, length)) sum = std::fma(x, x, sum);
      sums(v, static_cast<Eigen::Index>(pe)) = sum;
    }
  }
  const Eigen::VectorXf sum = kTreeSum(sums, group, mesh::Type::F32);
  const float share = 1 / static_cast<float>(elements);
  for (std::size_t pe = 0; pe < parts.size(); ++pe) {
    for (Eigen::Index i = 0; i < parts[pe].size(); ++i) {
      const float mean = sum[i / length] * share;
      const float scale = 1 / std::sqrt(mean + epsilon);
      const float scaled = parts[pe][i] * scale;
      parts[pe][i] = roundHalf(roundHalf(scaled) * double{gains[pe][i % length]});
    }
  }
  return parts;
}

// A vector of scores; PEs may have none of it.
inline Parts softmax(Parts parts, float scale, int group) {
  float largest = -std::numeric_limits<float>::infinity();
  for (Eigen::VectorXf& part : parts) {
    for (float& score : part) {
      const float scaled = score * scale;
      score = roundHalf(scaled);
      largest = std::max(largest, score);
    }
  }
  Eigen::MatrixXf sums(1, static_cast<Eigen::Index>(parts.size()));
  for (std::size_t pe = 0; pe < parts.size(); ++pe) {
    float sum = 0;
    for (float& score : parts[pe]) {
      score = roundHalf(std::exp(roundHalf(double{score} - largest)));
      sum += score;
    }
    sums(0, static_cast<Eigen::Index>(pe)) = sum;
  }
  const float share = 1 / kTreeSum(sums, group, mesh::Type::F32)[0];
  for (Eigen::VectorXf& part : parts) {
    for (float& score : part) {
      const float shared = score * share;
      score = roundHalf(shared);
    }
  }
  return parts;
}

inline Eigen::VectorXf siluMul(const Eigen::VectorXf& gate, const Eigen::VectorXf& up) {
  return gate.binaryExpr(up, [](float g, float u) {
    const float rate = 1 / (1 + std::exp(-g));
    const float activated = g * rate;
    const float product = activated * u;
    return roundHalf(product);
  });
}

inline Eigen::VectorXf sum(const Eigen::VectorXf& a, const Eigen::VectorXf& b) {
  return a.binaryExpr(b, [](float x, float y) { return roundHalf(double{x} + y); });
}

// Rotates vectors, which have twice as many elements as there are cosines or a multiple of that.
inline Eigen::VectorXf rope(Eigen::VectorXf vectors, const Eigen::VectorXf& cosines,
                            const Eigen::VectorXf& sines) {
  for (Eigen::Index i = 0; i < vectors.size(); i += 2) {
    const Eigen::Index pair = i / 2 % cosines.size();
    const double a = vectors[i], b = vectors[i + 1];
    vectors[i] = roundHalf(static_cast<float>(a * cosines[pair] - b * sines[pair]));
    vectors[i + 1] = roundHalf(static_cast<float>(a * sines[pair] + b * cosines[pair]));
  }
  return vectors;
}

// Rows or columns [begin, begin + count) of what is followed by zeros.
inline Eigen::MatrixXf part(const Eigen::MatrixXf& whole, Eigen::Index row, Eigen::Index column,
                            Eigen::Index rows, Eigen::Index columns) {
  return Eigen::MatrixXf::NullaryExpr(rows, columns, [&](Eigen::Index r, Eigen::Index c) {
    return row + r < whole.rows() && column + c < whole.cols() ? whole(row + r, column + c) : 0.0f;
  });
}

inline std::vector<float> values(const Eigen::VectorXf& vector) {
  return {vector.data(), vector.data() + vector.size()};
}

inline void writeVector(mesh::Mesh& mesh, int x, int y, std::uint32_t address,
                        const Eigen::VectorXf& vector) {
  done(mesh.writeHalves(x, y, address, values(vector)));
}
inline void writeMatrix(mesh::Mesh& mesh, int x, int y, const mesh::Matrix& at,
                        const Eigen::MatrixXf& matrix) {
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    writeVector(mesh, x, y, at.address + static_cast<std::uint32_t>(row) * at.pitch,
                matrix.row(row).transpose());
  }
}
inline Eigen::VectorXf readVector(const mesh::Mesh& mesh, int x, int y, std::uint32_t address,
                                  Eigen::Index count) {
  const auto got = taken(mesh.readHalves(x, y, address, static_cast<int>(count)));
  return Eigen::Map<const Eigen::VectorXf>(got.data(), count);
}
inline Eigen::VectorXf readVector(const mesh::Mesh& mesh, int x, int y, const mesh::Span& span) {
  const int count = static_cast<int>(span.length);
  const auto got = taken(span.type == mesh::Type::F16 ? mesh.readHalves(x, y, span.address, count)
                                                      : mesh.readFloats(x, y, span.address, count));
  return Eigen::Map<const Eigen::VectorXf>(got.data(), count);
}

// Compares to the bit, NaN aside.
inline void compare(const Eigen::VectorXf& got, const Eigen::VectorXf& want, const char* what,
                    int x, int y) {
  for (Eigen::Index i = 0; i < want.size(); ++i) {
    if (got[i] != want[i]) {
      qFatal("%s, PE (%d, %d), element %d: %.9g, not %.9g", what, x, y, static_cast<int>(i), got[i],
             want[i]);
    }
  }
}

}  // namespace waferpair::test

// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the reference of architectures, which lie in several files. Private to it.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "runtime/gguf/file.h"
#include "runtime/tensor/block_formats.h"

namespace waferpair::transformer {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

inline double asHalf(double value) {
  return tensor::toFloat(tensor::toHalf(static_cast<float>(value)));
}
inline double silu(double z) { return z / (1 + std::exp(-z)); }

class Reference {
 public:
  explicit Reference(const gguf::File& file)
      : file_(file), name_(*file.string("general.architecture")) {}
  MatrixXd logits(std::span<const std::int32_t> tokens) const;

 private:
  bool is(const char* name) const { return name_ == name; }
  bool isOneOf(std::initializer_list<std::string_view> names) const {
    return std::ranges::find(names, name_) != names.end();
  }
  bool gemma() const { return is("gemma") || is("gemma2") || is("gemma3"); }
  bool granite() const { return is("granite") || is("granitemoe") || is("granitehybrid"); }
  // Files of these call the norm in front of the feed-forward so.
  bool hasPostName() const {
    return isOneOf({"gpt-oss", "seed_oss", "glm4moe"}) || mostlyRecurrent();
  }
  bool hasLayerNorm() const { return isOneOf({"starcoder2", "command-r", "cohere2", "nemotron"}); }
  bool isCohere() const { return is("command-r") || is("cohere2"); }
  bool normsAfter() const { return is("olmo2") || is("exaone4"); }  // and not before
  bool routesByFile() const { return isOneOf({"deepseek2", "glm4moe", "ernie4_5-moe"}); }
  bool mostlyRecurrent() const { return is("qwen35") || is("qwen35moe") || is("qwen3next"); }
  double key(const char* key, double fallback) const {
    return *file_.numberOr(name_ + "." + key, fallback);
  }
  int size(const char* key) const { return static_cast<int>(*file_.integer(name_ + "." + key)); }
  MatrixXd weights(const std::string& tensor) const;

  MatrixXd norm(const MatrixXd& x, const std::string& tensor) const;
  MatrixXd project(const MatrixXd& x, const std::string& tensor) const;
  MatrixXd normedHeads(const MatrixXd& x, int headDim, const std::string& tensor) const;
  bool sliding(int layer) const;
  bool turns(int layer) const;
  double frequency(int pair, int dims, int layer) const;
  double yarnFrequency(double frequency, int pair, int dims) const;
  MatrixXd rotated(const MatrixXd& rows, int headDim, int layer) const;
  MatrixXd attention(const MatrixXd& x, const std::string& blk, int layer) const;
  MatrixXd latentAttention(const MatrixXd& x, const std::string& blk) const;
  int kvHeads(int layer) const;
  bool isRecurrent(int layer) const;
  MatrixXd recurrence(const MatrixXd& x, const std::string& blk) const;
  MatrixXd headMatrix(const std::string& blk, int head, bool values) const;
  RowVectorXd shares(const RowVectorXd& scores, const std::string& blk) const;
  MatrixXd mixture(const MatrixXd& x, const std::string& blk) const;
  MatrixXd feedForward(const MatrixXd& x, const std::string& blk) const;

  const gguf::File& file_;
  const std::string name_;
};

}  // namespace waferpair::transformer

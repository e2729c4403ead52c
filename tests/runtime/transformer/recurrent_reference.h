// SPDX-License-Identifier: GPL-3.0-or-later
// Recurrent layers in Eigen and double precision, a token after another, each from its own
// definition.
#pragma once

#include <Eigen/Dense>

namespace waferpair::transformer {

// The parts of a layer that has gone through its matrices: a row of each token.
struct RecurrentInputs {
  Eigen::MatrixXd mixed = {};             // [tokens][channels], in front of the convolution
  Eigen::MatrixXd gates = {};             // [tokens][heads * headDim]
  Eigen::MatrixXd beta = {}, alpha = {};  // [tokens][heads]; of Mamba-2 alpha alone, its steps
  Eigen::MatrixXd kernel = {};            // [channels][positions]
  Eigen::RowVectorXd kernelBias = {};     // [channels], or empty
  Eigen::RowVectorXd stepBias = {}, rate = {};  // [heads]
  Eigen::RowVectorXd passing = {};              // [heads], of Mamba-2
  Eigen::MatrixXd gain = {};                    // of the norm
  int groups = 0, heads = 0, stateDim = 0;
  bool inTurn = false;  // heads of a group
};

// Gated DeltaNet, arXiv 2412.06464 (10), as the modeling code of Qwen3-Next uses it.
Eigen::MatrixXd gatedDelta(const RecurrentInputs& parts);
// Mamba-2, arXiv 2405.21060, as the modeling code of Granite 4 uses it.
Eigen::MatrixXd mambaScan(const RecurrentInputs& parts);

}  // namespace waferpair::transformer

// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/estimate/gpu_shape.h"

#include <algorithm>
#include <cmath>

#include "runtime/tensor/block_formats.h"

namespace waferpair::wafer {
namespace {

double bytesOf(tensor::Format format, double rows, double columns) {
  const tensor::FormatInfo& info = tensor::infoOf(format);
  return rows * columns * info.bytes / info.block;
}

// The matrices of a layer with so many of its experts, or with its one FFN.
double layerBytes(const ModelShape& s, double experts) {
  const WeightFormats& f = s.formats;
  const double d = s.hiddenSize, n = s.intermediateSize;
  double ffn = bytesOf(f.up, n, d) + bytesOf(f.down, d, n);
  if (s.parts.gated) ffn += bytesOf(f.gate, n, d);
  double bytes = bytesOf(f.query, s.queryWidth(), d) + bytesOf(f.key, s.kvWidth(), d) +
                 bytesOf(f.value, s.kvWidth(), d) + bytesOf(f.output, d, s.queryWidth());
  if (s.parts.experts > 0) {
    bytes += bytesOf(f.router, s.parts.experts, d) + experts * ffn;
  } else {
    bytes += ffn;
  }
  return bytes;
}

}  // namespace

double allWeightBytes(const ModelShape& s) {
  const double embedding = bytesOf(s.formats.embedding, s.vocabSize, s.hiddenSize);
  return s.layers * layerBytes(s, s.parts.experts) +
         bytesOf(s.formats.head, s.vocabSize, s.hiddenSize) + (s.tiedEmbeddings ? 0 : embedding);
}

double stepWeightBytes(const ModelShape& s, double rows) {
  double experts = 0;
  if (s.parts.experts > 0) {
    const double unused = 1 - static_cast<double>(s.parts.expertsUsed) / s.parts.experts;
    experts = s.parts.experts * (1 - std::pow(unused, rows));
  }
  return s.layers * layerBytes(s, experts) + bytesOf(s.formats.head, s.vocabSize, s.hiddenSize) +
         bytesOf(s.formats.embedding, rows, s.hiddenSize);
}

double cacheBytes(const ModelShape& s, double positions) {
  const double each = 2.0 * s.kvWidth() * s.parts.kvBlockBytes / LayerParts::kKvBlock;
  double all = 0;
  for (int layer = 0; layer < s.layers; ++layer) {
    const int window = s.parts.windowOf(layer);
    all += each * (window > 0 ? std::min<double>(window, positions) : positions);
  }
  return all;
}

}  // namespace waferpair::wafer

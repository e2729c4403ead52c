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

double recurrenceBytes(const ModelShape& s) {
  const WeightFormats& f = s.formats;
  const RecurrentParts& r = s.parts.recurrent;
  const double d = s.hiddenSize, values = r.valueWidth();
  const double in = r.delta ? bytesOf(f.recurrentIn, r.channels(), d) +
                                  bytesOf(f.recurrentGate, values, d) +
                                  bytesOf(f.recurrentHeads, 2.0 * r.heads, d)
                            : bytesOf(f.recurrentIn, r.inputWidth(), d);
  return in + bytesOf(f.recurrentOut, d, values);
}

double attentionBytes(const ModelShape& s) {
  const WeightFormats& f = s.formats;
  const double d = s.hiddenSize;
  const LatentParts& l = s.parts.latent;
  if (l.rank == 0) {
    return bytesOf(f.query, (s.parts.outputGate ? 2.0 : 1.0) * s.queryWidth(), d) +
           bytesOf(f.key, s.kvWidth(), d) + bytesOf(f.value, s.kvWidth(), d) +
           bytesOf(f.output, d, s.queryWidth());
  }
  const double h = s.heads, queries = h * (l.plainDim + l.ropeDim);
  return bytesOf(f.queryDown, l.queryRank, d) +
         bytesOf(f.query, queries, l.queryRank > 0 ? l.queryRank : d) +
         bytesOf(f.key, s.kvWidth(), d) + bytesOf(f.keyToLatent, h * l.rank, l.plainDim) +
         bytesOf(f.value, h * l.valueDim, l.rank) + bytesOf(f.output, d, h * l.valueDim);
}

// The matrices of all layers with so many of their experts, or with their one FFN.
double layersBytes(const ModelShape& s, double experts) {
  const WeightFormats& f = s.formats;
  const LayerParts& p = s.parts;
  const double d = s.hiddenSize, n = s.intermediateSize;
  const auto ffn = [&](double width, tensor::Format gate, tensor::Format up, tensor::Format down) {
    return bytesOf(up, width, d) + bytesOf(down, d, width) +
           (p.gated ? bytesOf(gate, width, d) : 0);
  };
  const double one = ffn(n, f.gate, f.up, f.down);
  const int attending = s.attentionLayers();
  const double firstHalves =
      attending * attentionBytes(s) + (s.layers - attending) * recurrenceBytes(s);
  if (p.experts == 0) return firstHalves + s.layers * one;
  const double mixed = bytesOf(f.router, p.experts + (p.sharedGate ? 1 : 0), d) + experts * one +
                       ffn(p.sharedWidth, f.sharedGate, f.sharedUp, f.sharedDown);
  return firstHalves + (s.layers - p.leadingDense) * mixed +
         p.leadingDense * ffn(p.denseWidth, f.sharedGate, f.sharedUp, f.sharedDown);
}

}  // namespace

double allWeightBytes(const ModelShape& s) {
  const double embedding = bytesOf(s.formats.embedding, s.vocabSize, s.hiddenSize);
  return layersBytes(s, s.parts.experts) + bytesOf(s.formats.head, s.vocabSize, s.hiddenSize) +
         (s.tiedEmbeddings ? 0 : embedding);
}

double stepWeightBytes(const ModelShape& s, double rows) {
  double experts = 0;
  if (s.parts.experts > 0) {
    const double unused = 1 - static_cast<double>(s.parts.expertsUsed) / s.parts.experts;
    experts = s.parts.experts * (1 - std::pow(unused, rows));
  }
  return layersBytes(s, experts) + bytesOf(s.formats.head, s.vocabSize, s.hiddenSize) +
         bytesOf(s.formats.embedding, rows, s.hiddenSize);
}

double bitsPerWeight(const ModelShape& s) { return 8 * bytesOf(s.formats.up, 1, 1); }

double stateBytes(const ModelShape& s) {
  const RecurrentParts& r = s.parts.recurrent;
  return 1.0 * (s.layers - s.attentionLayers()) * sizeof(float) * r.heads * r.stateDim * r.headDim;
}

double cacheBytes(const ModelShape& s, double positions) {
  const double each = 1.0 * s.cacheWidth() * s.parts.kvBlockBytes / LayerParts::kKvBlock;
  double all = stateBytes(s);
  for (int layer = 0; layer < s.layers; ++layer) {
    if (s.parts.recurrent.at(layer)) continue;
    const int window = s.parts.windowOf(layer);
    all += each * (window > 0 ? std::min<double>(window, positions) : positions);
  }
  return all;
}

}  // namespace waferpair::wafer

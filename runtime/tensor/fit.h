// SPDX-License-Identifier: GPL-3.0-or-later
// The scale, and the minimum, with which a group of values comes nearest to what a format can hold.
// Private to this room.
//
// Each tries some dozens of scales, rounds the values to quants by them, takes the least-squares
// scale of those quants and keeps the one with the smallest squared error. Among them are all that
// let the largest value fall on one of the larger quants exactly: values that were decoded from a
// block are found again. NaNs give some scale; infinities spoil it.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/tensor/block_formats.h"
#include "runtime/tensor/half.h"

namespace waferpair::tensor {

// value = scale * quant with quants least..most, least < 0 <= most. n is a multiple of 8.
float fitScale(const float* values, int n, int least, int most);
// The same where a quant is an entry of the table, which ascends.
float fitScale(const float* values, int n, const std::array<std::int8_t, 16>& table);

// value = scale * quant + minimum with quants 0..most.
struct Range {
  float scale = 0, minimum = 0;
};
// `below`: the minimum is at most 0.
Range fitRange(const float* values, int n, int most, bool below);

// A step of which each value is an integer multiple, at most `most` of them; an error of a value
// counts by its weight.
Half fitStep(const float* values, const float* weights, int n, int most);

// The numbers in the table of what is nearest to each value / scale. Returns the squared error.
double encodeByTable(const float* values, float scale, const std::array<std::int8_t, 16>& table,
                     int (&quants)[kBlock]);

}  // namespace waferpair::tensor

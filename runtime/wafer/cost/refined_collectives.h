// SPDX-License-Identifier: GPL-3.0-or-later
// The collectives of collectives.h, with what the published closed forms leave out: a core handles
// its messages one after another, a wavelet a cycle, and begins with each when its first wavelet is
// there. These agree with the mesh simulator (docs/mesh.md has both beside it).
//
// A wavelet takes 2 T_R + 1 + d cycles over d hops. P PEs, B wavelets, ramp T_R.
#pragma once

namespace waferpair::wafer::refined {

double starReduceCycles(int pes, int wavelets, int ramp);
double treeReduceCycles(int pes, int wavelets, int ramp);
// Chains in groups of `group` neighbors, the last perhaps smaller, then a chain of their heads.
double twoPhaseReduceCycles(int pes, int wavelets, int group, int ramp);
// Parts of a wavelet at least.
double ringAllReduceCycles(int pes, int wavelets, int ramp);
// Groups of `group` neighbors, the last perhaps smaller, sum towards their middles, these towards
// the middle of the line, and that one broadcasts. `software` cycles go before each message that a
// core handles.
double kTreeAllReduceCycles(int pes, int wavelets, int group, int ramp, int software = 0);

}  // namespace waferpair::wafer::refined

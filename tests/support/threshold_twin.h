// shaders/lod/lod_threshold.glsl compiled as C++: the control of the level-of-detail thresholds.
#pragma once

#include <algorithm>

#include "core/glsl_types.h"
#include "core/gpu_layout.h"
#include "core/leb/round.h"

namespace orogen::test {

using namespace orogen::gpu;

struct ThresholdTwin
{
#define const static constexpr  // a global constant of GLSL becomes a member of this struct
#include "shaders/lod/lod_threshold.glsl"
#undef const
};

// Thresholds of a tree, updated after every round as in lod_effect.glsl.
struct ThresholdOracle
{
    // Settings: thresholds of the criterion, and of drawn triangles, with the bounds of a budget.
    float split = 7, merge = 3;
    float drawn = 7, lowest = kBudgetLowestEdge, highest = kBudgetHighestEdge;
    NodeId capacity = 1u << 18;
    uint target = 0;  // drawn leaves; 0: no budget
    ThresholdTwin::LodControl control{};

    float splitInEffect() const { return split * ThresholdTwin{}.lodScale(control.shift); }
    float mergeInEffect() const
    {
        const float scaled = merge * ThresholdTwin{}.lodScale(control.shift);
        const bool tight = target != 0 || control.shift != 0;
        return tight ? std::max(scaled, ThresholdTwin::kLodTightMerge * splitInEffect()) : scaled;
    }

    // Updates the thresholds; returns whether they moved. `drawnLeaves` counts before the round; 0 if unknown.
    bool afterRound(NodeId leavesBefore, const leb::RoundCounts& counts, uint drawnLeaves)
    {
        ThresholdTwin twin;
        control = twin.lodControl(control, {.leaves = leavesBefore,
                                            .asked = counts.requested,
                                            .refused = counts.refusals,
                                            .changes = counts.splits + counts.merges,
                                            .capacity = capacity,
                                            .drawn = drawnLeaves,
                                            .target = target,
                                            .lowest = target != 0 ? -twin.lodShiftTo(lowest, drawn) : 0,
                                            .highest = target != 0 ? twin.lodShiftTo(drawn, highest) : 0});
        return control.wait == 0;
    }
};

}  // namespace orogen::test

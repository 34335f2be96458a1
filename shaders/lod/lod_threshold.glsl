// Controller of the thresholds in effect, which are the configured thresholds times 2^(shift / 256).  The shift is an
// integer, so that it is equal on all machines.  A full tree or a triangle budget moves it; lodControl() updates it
// after every round of splits and merges.
//
// The tree responds late (a level per round) and, on flat ground, in jumps.  So the controller moves the shift only
// when the tree is stable or kLodPatience rounds have passed.  It assumes that the number of leaves is proportional to
// 1 / threshold^2.  Small differences from the target are ignored (a dead band).  If the threshold oscillates with
// unchanged input, steps become smaller until they stop.
//
// Needs nothing in scope.
#ifndef OROGEN_LOD_THRESHOLD_GLSL
#define OROGEN_LOD_THRESHOLD_GLSL

const int kLodStepsPerOctave = 256;
const int kLodHighestShift = 5120;       // limit of the shift: 20 octaves, a factor of 2^20
const uint kLodMostTurns = 12u;          // changes of direction after which the shift stays until the input changes
const uint kLodPatience = 4u;            // rounds that a step waits for a stable tree
const uint kLodPatienceWhenFull = 3u;    // as kLodPatience, while splits are refused
const float kLodTightMerge = 0.97f;      // least ratio of merge to split threshold while the shift or a budget is in use

// State of the controller.
struct LodControl
{
    int shift;
    int way;     // direction of the last step: -1, 1, or 0 before the first
    uint turns;  // direction changes since the input changed
    uint wait;   // rounds since the last step
};

// Result of a round.
struct LodDemand
{
    uint leaves;    // leaves before the round
    uint asked;     // splits that the round's paths requested
    uint refused;   // requested splits that were refused at capacity
    uint changes;   // splits and merges of the round
    uint capacity;  // largest number of leaves
    uint drawn;     // leaves in view at the last culling; 0: unknown, or no leaf in view
    uint target;    // value that `drawn` must reach; 0: no triangle budget
    int lowest;     // bounds of the shift under a budget
    int highest;
};

// Returns log2 of a count in 1 / 256 octaves, linear between powers of two.  Uses integers, so that results are equal
// on all machines.
int lodLog2(uint count)
{
    int top = findMSB(count);
    uint mantissa = top >= 8 ? count >> uint(top - 8) : count << uint(8 - top);
    return kLodStepsPerOctave * top + int(mantissa & 255u);
}

// Returns 2^(shift / 256), computed by multiplications only, which all machines round equally.
float lodScale(int shift)
{
    int octaves = shift >> 8;
    float scale = uintBitsToFloat(uint(127 + octaves) << 23u);
    scale *= (shift & 128) != 0 ? 1.41421356f : 1.0f;
    scale *= (shift & 64) != 0 ? 1.18920712f : 1.0f;
    scale *= (shift & 32) != 0 ? 1.09050773f : 1.0f;
    scale *= (shift & 16) != 0 ? 1.04427378f : 1.0f;
    scale *= (shift & 8) != 0 ? 1.02189715f : 1.0f;
    scale *= (shift & 4) != 0 ? 1.01088929f : 1.0f;
    scale *= (shift & 2) != 0 ? 1.0054299f : 1.0f;
    scale *= (shift & 1) != 0 ? 1.00271128f : 1.0f;
    return scale;
}

// Returns the largest shift at which the scaled threshold is at most `limit`.
int lodShiftTo(float threshold, float limit)
{
    int shift = int(floatBitsToUint(limit) >> 15u) - int(floatBitsToUint(threshold) >> 15u);
    shift = clamp(shift, -kLodHighestShift, kLodHighestShift);
    for (int i = 0; i < 64 && threshold * lodScale(shift) > limit; i += 1)
        shift -= 1;
    for (int i = 0; i < 64 && threshold * lodScale(shift + 1) <= limit; i += 1)
        shift += 1;
    return shift;
}

// Returns the excess of leaves over the capacity (1 / 256 octaves), with all requested splits if some were refused.
// Negative: leaves are missing; 0: in the dead band.
int lodCapacityExcess(LodDemand d)
{
    int full = lodLog2(d.capacity);
    if (d.refused != 0u) return max(lodLog2(d.leaves + d.asked) - full, 0) + 12;
    int excess = lodLog2(d.leaves) - full;
    return excess < -22 ? excess + 11 : 0;
}

// Returns the excess of leaves in view over the budget's target (1 / 256 octaves); 0 in the dead band or if unknown.
int lodBudgetExcess(LodDemand d)
{
    if (d.target == 0u || d.drawn == 0u) return 0;
    int excess = lodLog2(d.drawn) - lodLog2(d.target);
    return abs(excess) > 4 ? excess : 0;
}

// Returns the excess over the capacity or over the budget, whichever needs the higher threshold.  Without a budget the
// threshold never falls below the configured one.
int lodExcess(LodControl c, LodDemand d)
{
    int room = lodCapacityExcess(d);
    if (d.target == 0u) return c.shift == 0 ? max(room, 0) : room;
    int excess = lodBudgetExcess(d);
    if (excess > 0 && c.shift >= d.highest) excess = 0;
    if (excess < 0 && (room >= 0 || c.shift <= d.lowest)) excess = 0;
    return room > 0 ? max(room, excess) : excess;
}

// Returns the controller's state after a round.  Its `wait` is 0 exactly if the shift has moved.
LodControl lodControl(LodControl before, LodDemand d)
{
    LodControl c = before;
    c.wait = min(c.wait + 1u, 1000u);
    int excess = lodExcess(c, d);
    int lowest = d.target == 0u ? 0 : min(d.lowest, c.shift);
    if (c.shift < lowest)  // a budget was removed
    {
        c.shift = lowest;
        c.wait = 0u;
        return c;
    }
    bool rests = d.changes <= d.leaves / 64u;
    uint patience = d.refused != 0u ? kLodPatienceWhenFull : kLodPatience;
    if (excess == 0 || c.turns >= kLodMostTurns || (!rests && c.wait < patience)) return c;
    int way = excess > 0 ? 1 : -1;
    if (way == -c.way) c.turns += 1u;
    int step = clamp(abs(excess) / 2, 1, max(1024 >> int(c.turns), 1));
    int highest = d.target == 0u || lodCapacityExcess(d) > 0 ? kLodHighestShift : max(d.highest, c.shift);
    c.shift = clamp(c.shift + way * step, lowest, highest);
    c.way = way;
    if (c.shift != before.shift) c.wait = 0u;
    return c;
}

// Returns the shift of the morph threshold, moved towards `target` by at most 3, which is 0.8 % of the threshold.  Call
// it once per frame.
int lodFollow(int shift, int target) { return shift + clamp(target - shift, -3, 3); }

#endif

// Cache of the criterion's verdicts (split, merge, keep): a leaf is evaluated again after enough camera motion.
//
// An edge that measures x pixels at 1 m exceeds a threshold t while it is nearer than x / t metres.  Its distance
// changes by no more than the camera moves.  So a verdict holds until the camera has moved by the difference between
// distance and x / t.  An error of x pixels at 1 m changes by at most x / r^2 pixels per metre of camera motion at
// distance r.
//
// An odometer sums up the camera's path.  Each leaf of the list (leaf_list.glsl) has a word with its verdict and the
// reading of the odometer at which the verdict expires.  The decode copies the words of leaves that stay, and stores 0,
// which counts as expired, for new ones.  All words are cleared when lens, thresholds, patch level or heights change,
// and when readings need more bits than a word has.
//
// Verdicts to split are cached only at the maximum depth: elsewhere the split's priority changes as the camera moves.
//
// Must be in scope: lod.glsl, lod_round.glsl, lod_wish.glsl, leaf_list.glsl.
#ifndef OROGEN_LOD_VERDICTS_GLSL
#define OROGEN_LOD_VERDICTS_GLSL

// Numbers of due leaves, which have no valid verdict, and the dispatch over them: from lod_due.comp for lod_mark.comp.
layout(std430, binding = kDueBinding) buffer DueBlock { uint dueGroups[3]; uint dueCount; uint dueList[]; };

layout(location = 0) uniform uint listed;          // 1: evaluates the leaves of dueList; 0: all, without cache
layout(location = 1) uniform uint readingBelow;    // odometer reading, rounded down
layout(location = 2) uniform uint readingAbove;    // odometer reading, rounded up
layout(location = 3) uniform float metresPerUnit;  // unit of the odometer

// Returns whether verdicts are cached.  A full tree and a triangle budget need the measure of every leaf, which the
// cache does not hold.
bool verdictsAreKept()
{
    return listed != 0u && state.thresholdShift == 0 && frame.triangleBudget <= 0.0;
}

// Returns the distance (metres) that the camera may move before an edge's measure crosses a threshold of `pixels`.  The
// distance is reduced by the uncertainty of single precision.  `measure`: edgeMeasure().
float verdictReach(vec2 measure, float pixels)
{
    float crossing = measure.x / pixels;
    float doubt = 1.0e-5 * (measure.y + crossing + 2.0 * measure.x / frame.pixelsPerRadian);
    return abs(measure.y - crossing) - doubt;
}

// Returns the distance (metres) that the camera may move before an error crosses a threshold of `pixels`.  Moving by d
// changes an error by at most x (1 / (r - d) - 1 / r) pixels.  `doubt` covers heights of some kilometres in single
// precision.  Detail in tiles (kDetailFades) depends on the camera's distance, so its verdicts are not cached.
float verdictReach(SeenError seen, float pixels)
{
#ifdef OROGEN_DETAIL
    if (kDetailFades) return 0.0;
#endif
    float most = 4.0004 * seen.atOneMetre, doubt = 2.0e-5 * (seen.pixels + pixels);
    float gap = max(abs(seen.pixels - pixels) - doubt, 0.0);
    float reach = seen.nearest - seen.nearest / (1.0 + gap * seen.nearest / max(seen.atOneMetre, 1.0e-20));
    return most < pixels ? 1.0e30 : 0.9999 * reach - 2.0e-3;
}

// Stores a verdict.  `reach`: distance (metres) that the camera may move until the verdict expires.
void keepVerdict(uint place, Verdict verdict, float reach)
{
    if (reach <= metresPerUnit) return;
    uint expires = readingBelow + uint(min(0.9999 * reach / metresPerUnit, float(kVerdictReadings - readingBelow)));
    uint bits = (verdict.split ? kLodWishSplit : 0u) | (verdict.merge ? kLodWishMerge : 0u);
    storeListedVerdict(place, (bits << kVerdictDigits) | min(expires, kVerdictReadings));
}

// byError() and byEdge() return the verdict on a leaf by one criterion.  `triangle`: the leaf's corners; `keep`:
// whether to cache the verdict.
Verdict byError(uint place, uint leaf, LebTriangle triangle, bool keep)
{
    Verdict verdict;
    verdict.pixels = 0.0;
    verdict.split = false;
    verdict.merge = leaf > 3u;
    float reach = 1.0e30;
    if (!outsideRaster(boxOf(triangle)))
    {
        SeenError own = seenError(lebBaseEdge(triangle));
        verdict.pixels = own.pixels;
        verdict.split = own.pixels > state.splitPixels;
        reach = verdictReach(own, state.splitPixels);
        if (leaf > 3u)
        {
            SeenError parent = seenError(lebParentBaseEdge(leaf, triangle));
            verdict.merge = parent.pixels < state.mergePixels;
            reach = min(reach, verdictReach(parent, state.mergePixels));
        }
    }
    if (keep && (!verdict.split || cbtDepth(leaf) >= cbtMaxDepth())) keepVerdict(place, verdict, reach);
    return verdict;
}

Verdict byEdge(uint place, uint leaf, LebTriangle triangle, bool keep)
{
    Verdict verdict;
    verdict.pixels = 0.0;
    verdict.split = false;
    verdict.merge = leaf > 3u;
    float reach = 1.0e30;
    if (!outsideRaster(boxOf(triangle)))
    {
        EdgeMeasures measures = edgeMeasures(leaf, triangle);
        vec2 own = measures.own, parent = measures.parent;
        verdict.pixels = own.x / own.y;
        verdict.split = verdict.pixels > state.splitPixels;
        reach = verdictReach(own, state.splitPixels);
        if (leaf > 3u)
        {
            verdict.merge = parent.x / parent.y < state.mergePixels;
            reach = min(reach, verdictReach(parent, state.mergePixels));
        }
    }
    if (keep && (!verdict.split || cbtDepth(leaf) >= cbtMaxDepth())) keepVerdict(place, verdict, reach);
    return verdict;
}

// Returns the verdict on a leaf.  There is one program per criterion, as software rasterisers execute both sides of a
// branch.
Verdict verdictOn(uint place, uint leaf)
{
#ifdef OROGEN_BY_ERROR
    return byError(place, leaf, listedTriangle(place), verdictsAreKept());
#else
    return byEdge(place, leaf, listedTriangle(place), verdictsAreKept());
#endif
}

#endif

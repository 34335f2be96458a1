// Cache of the criterion's verdicts (split, merge, keep): a leaf is evaluated again after enough camera motion.
//
// An edge that measures x pixels at 1 m exceeds a threshold t while it is nearer than x / t metres.  Its distance
// changes by no more than the camera moves.  So a verdict holds until the camera has moved by the difference between
// distance and x / t.  An error of x pixels at 1 m changes by at most x / r^2 pixels per metre of camera motion at
// distance r.
//
// An odometer sums up the camera's path.  A hash table by node stores the odometer's reading at which each verdict
// expires.  An entry is one word that identifies its node fully, so a leaf whose entry was overwritten is merely
// evaluated again.  A leaf may use any of the four entries of a set.  With a single entry, every tenth leaf would find
// it taken, even in a table ten times as large as the tree.  The table is cleared when lens, thresholds, patch level or
// heights change, and when readings need more bits than an entry has.
//
// Verdicts to split are cached only at the maximum depth: elsewhere the split's priority changes as the camera moves.
//
// Must be in scope: lod.glsl, lod_round.glsl, lod_wish.glsl.
#ifndef OROGEN_LOD_VERDICTS_GLSL
#define OROGEN_LOD_VERDICTS_GLSL

layout(std430, binding = kVerdictsBinding) buffer VerdictsBlock { uint verdicts[]; };
// Numbers of due leaves, which have no valid verdict, and the dispatch over them: from lod_due.comp for lod_mark.comp.
layout(std430, binding = kDueBinding) buffer DueBlock { uint dueGroups[3]; uint dueCount; uint dueList[]; };

layout(location = 0) uniform uint listed;          // 1: evaluates the leaves of dueList; 0: all, without cache
layout(location = 1) uniform uint verdictBits;     // the table has 2^verdictBits sets of four entries
layout(location = 2) uniform uint readingBelow;    // odometer reading, rounded down
layout(location = 3) uniform uint readingAbove;    // odometer reading, rounded up
layout(location = 4) uniform float metresPerUnit;  // unit of the odometer

// Returns whether verdicts are cached.  A full tree and a triangle budget need the measure of every leaf, which the
// cache does not hold.
bool verdictsAreKept()
{
    return listed != 0u && state.thresholdShift == 0 && frame.triangleBudget <= 0.0;
}

// Bits of an entry, from the highest: the node's hash without the verdictBits bits of the set's index (the tag); 2 bits
// of verdict; the odometer's reading at expiry, verdictDigits() bits.
uint verdictHash(uint node) { return node * 0x9e3779b1u; }  // the factor is odd, so this is a bijection
uint verdictIndex(uint hash) { return hash >> (32u - verdictBits); }
uint verdictTag(uint hash) { return hash << verdictBits; }
uint verdictDigits() { return verdictBits - 2u; }

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

// verdictDue() returns the reading at which an entry expires.  verdictIsOf() returns whether an entry of the node's set
// is the node's own.
uint verdictDue(uint entry) { return entry & ((1u << verdictDigits()) - 1u); }
bool verdictIsOf(uint entry, uint hash) { return ((entry ^ verdictTag(hash)) >> verdictBits) == 0u; }

// Stores a verdict in the leaf's own entry, or over the entry of its set that expires first.  `reach`: distance
// (metres) that the camera may move until the verdict expires.
void keepVerdict(uint hash, Verdict verdict, float reach)
{
    uint last = (1u << verdictDigits()) - 1u;
    if (reach <= metresPerUnit) return;
    uint due = readingBelow + uint(min(0.9999 * reach / metresPerUnit, float(last - readingBelow)));
    uint bits = (verdict.split ? kLodWishSplit : 0u) | (verdict.merge ? kLodWishMerge : 0u);
    uint place = 4u * verdictIndex(hash), taken = place;
    for (uint i = 0u; i < 4u; ++i)
    {
        uint entry = verdicts[place + i];
        if (verdictIsOf(entry, hash)) { taken = place + i; break; }
        if (verdictDue(entry) < verdictDue(verdicts[taken])) taken = place + i;
    }
    verdicts[taken] = verdictTag(hash) | (bits << verdictDigits()) | min(due, last);
}

// Returns the leaf's entry, or 0, which counts as expired.
uint verdictEntry(uint hash)
{
    uint place = 4u * verdictIndex(hash);
    uint entry = 0u;
    for (uint i = 0u; i < 4u; ++i) entry = verdictIsOf(verdicts[place + i], hash) ? verdicts[place + i] : entry;
    return entry;
}

// byError() and byEdge() return the verdict on a leaf by one criterion.  `keep`: whether to cache it.
Verdict byError(uint leaf, uint hash, bool keep)
{
    LebTriangle triangle = lebVertices(leaf);
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
    if (keep && (!verdict.split || cbtDepth(leaf) >= cbtMaxDepth())) keepVerdict(hash, verdict, reach);
    return verdict;
}

Verdict byEdge(uint leaf, uint hash, bool keep)
{
    LebTriangle triangle = lebVertices(leaf);
    Verdict verdict;
    verdict.pixels = 0.0;
    verdict.split = false;
    verdict.merge = leaf > 3u;
    float reach = 1.0e30;
    if (!outsideRaster(boxOf(triangle)))
    {
        vec2 own = edgeMeasure(lebBaseEdge(triangle));
        verdict.pixels = own.x / own.y;
        verdict.split = verdict.pixels > state.splitPixels;
        reach = verdictReach(own, state.splitPixels);
        if (leaf > 3u)
        {
            vec2 parent = edgeMeasure(lebParentBaseEdge(leaf, triangle));
            verdict.merge = parent.x / parent.y < state.mergePixels;
            reach = min(reach, verdictReach(parent, state.mergePixels));
        }
    }
    if (keep && (!verdict.split || cbtDepth(leaf) >= cbtMaxDepth())) keepVerdict(hash, verdict, reach);
    return verdict;
}

// Returns the verdict on a leaf.  There is one program per criterion, as software rasterisers execute both sides of a
// branch.
Verdict verdictOn(uint leaf)
{
#ifdef OROGEN_BY_ERROR
    return byError(leaf, verdictHash(leaf), verdictsAreKept());
#else
    return byEdge(leaf, verdictHash(leaf), verdictsAreKept());
#endif
}

#endif

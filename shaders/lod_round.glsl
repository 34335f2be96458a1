// One round of split and merge: mark, plan, apply.  Twin of core/leb/round.h, which says why it is sound.
//
// Whose leaves they are is told by tree_leaves.glsl (the implicit tree) or by pool_leaves.glsl (OROGEN_POOL: bisectors in
// slots).  A leaf stands at a place of the leaf list, leaves[place], and has a number by which what is known of it is
// kept: in the tree that is its place, in the pool its slot.
//
// Must be in scope: shaders/cbt.glsl, shaders/leb.glsl or shaders/pool.glsl, and
//     uint leafFlags[]      one a leaf number: three fields of kLodPriorities bits, kLodWantMerge, kLodMarked
//     uint leafPlan[]       one a leaf number: kLodKeep ...
//     uint roundCounters[]  kLodCounters words
// and, used only where the capacity binds,
//     uint pairBits[]       two words for every 32 leaf numbers: which head a pair of the cut's priority, which cost 2
//     uint pairPrefix[]     one word for every kLodBlock leaf numbers: what pairs headed there cost, then what those of
//                           all lower blocks do (in the pool: the functions of pool_leaves.glsl)
// and in the tree
//     uint changes[]        the field of bits that the round turns, 0 where it begins; whoever reduces folds it in
//
// Passes, a barrier between each, every one over all places with leaf = leaves[place] of the last decode:
//     decode   reduction done; lists leaves and calls lodClear(place, number)
//     mark     lodMark, then lodRequest: read the structure; atomics on leafFlags, roundCounters
//     plan     lodPlan: reads the structure, leafFlags; writes leafPlan[number], atomics on roundCounters; then
//              tree: lodApply, atomics on changes; pool: pool_change.glsl.  Then reduce, and decode again
// and between mark and plan, only if lodCapacityBinds():
//     cost     lodCost: reads leafFlags; clears pairBits, pair prefix; atomics on roundCounters
//     pairs    lodPairs: reads the structure, leafFlags; atomics on pairBits, pair prefix; place 0 stores the cut in
//              roundCounters.  After all of it, the pair prefix becomes the sum of all lower blocks'
//     serve    lodServe: reads the structure, pairBits, pair prefix, roundCounters; leafFlags[number] becomes what is
//              served
// Two rounds need two decodes: flags are cleared there and nowhere else.
//
// Wishes are passed in, and must be functions of the base edge alone (of the parent's base edge for merging): the same
// for both sides of it.  Where the raster does not fill the square, a bisector wholly outside never wishes to split and
// always wishes to merge.  It is split all the same when a path from inside ends in it: to refuse that would leave
// leaves inside stuck.
#ifndef OROGEN_LOD_ROUND_GLSL
#define OROGEN_LOD_ROUND_GLSL

// Flags.  A field holds a bit for every priority that asked: the leaf splits, its child 0 does, its child 1 does.
const uint kLodPriorities = 10u;
const uint kLodField = 1023u;
const uint kLodPin = 0u;  // where the fields begin
const uint kLodChild0 = 10u;
const uint kLodChild1 = 20u;
const uint kLodWantMerge = 0x40000000u;  // would merge if its whole diamond would
const uint kLodMarked = 0x80000000u;     // is half of a pair that ends a path

const uint kLodWishSplit = 1u;  // what the criterion says of a leaf: bits
const uint kLodWishMerge = 2u;
const uint kLodWishPriority = 2u;  // the split's priority begins at this bit

const uint kLodKeep = 0u;  // plan: the lowest two bits
const uint kLodSplit = 1u;
const uint kLodMerge = 2u;         // the odd child of a merging pair
const uint kLodRefused = 3u;       // would have split, but the capacity is used up
const uint kLodKind = 3u;          // the mask of these
const uint kLodSplitChild0 = 4u;   // the child splits, too
const uint kLodSplitChild1 = 8u;

// roundCounters: leaves after the round = leaves before + splits - merges; requested = splits + lodRefusals().
const uint kLodRequested = 0u;  // splits that all paths take
const uint kLodSplits = 1u;     // of leaves, and of children of those
const uint kLodMerges = 2u;     // pairs of siblings that merge
const uint kLodCosts = 4u;      // kLodPriorities words: splits by priority, where the capacity binds
const uint kLodFirstServed = 14u;  // the lowest priority that is served whole; 0 if everything is
const uint kLodRoom = 15u;         // leaves that pairs of the priority below it may add
const uint kLodCutGroups = 16u;    // 3 words: dispatch of the passes that only a full tree needs; 0 otherwise
const uint kLodDenied = 19u;       // splits at the thresholds that are set, but not at those of a full tree
const uint kLodPairsTicket = 20u;   // groups that are done: see last_group.glsl
const uint kLodReduceTicket = 21u;
const uint kLodCounters = 22u;
const uint kLodBlock = 1024u;       // leaf numbers that share a sum of what their pairs cost

// What lies across the base of a leaf, and the leaf there.
const uint kLodBorder = 0u;
const uint kLodPair = 1u;          // a leaf with the same base
const uint kLodBeyondChild0 = 2u;  // a leaf twice as large, whose child 0 will have the same base
const uint kLodBeyondChild1 = 3u;
struct LodAcross
{
    uint kind;
    uint leaf;  // 0 at the border, and so is the number
    uint number;
};

// In octaves of measure over threshold.
uint lodPriority(float ratio)
{
    int exponent = int((floatBitsToUint(ratio) >> 23u) & 255u) - 127;
    return uint(clamp(exponent, 0, int(kLodPriorities) - 1));
}

uint lodField(uint flags, uint field) { return (flags >> field) & kLodField; }

// The highest priority in a field, or -1.
int lodHighest(uint flags, uint field) { return findMSB(lodField(flags, field)); }

// Whether a leaf would merge and no path needs it.
bool lodIsFree(uint flags) { return (flags & kLodWantMerge) != 0u && lodField(flags, kLodPin) == 0u; }

#ifdef OROGEN_POOL
#include "shaders/pool_leaves.glsl"
#else
#include "shaders/tree_leaves.glsl"
#endif

// For every leaf, after the decode of a round and before its mark.
void lodClear(uint place, uint number)
{
    leafFlags[number] = 0u;
    if (place != 0u) return;
    for (uint i = 0u; i < kLodCounters; i += 1u)
        roundCounters[i] = 0u;
}

// How many of the mask's fields were empty before: splits that nobody had asked for.
uint lodNewFields(uint before, uint mask)
{
    uint added = 0u;
    for (uint field = kLodPin; field <= kLodChild1; field += kLodChild0)
        added += (lodField(mask, field) != 0u && lodField(before, field) == 0u) ? 1u : 0u;
    return added;
}

// Marks the pair of leaves that share a base, or the one at the border.  Any number of threads may arrive here.
uint lodMarkPair(uint number, LodAcross across, uint bit)
{
    atomicOr(leafFlags[number], kLodMarked);
    if (across.kind == kLodBorder) return 0u;
    uint mask = kLodMarked | bit;
    return lodNewFields(atomicOr(leafFlags[across.number], mask), mask);
}

// Notes a leaf's wish; one that would split walks its path.  Returns how many splits it was the first to ask for.
uint lodMark(uint number, uint leaf, bool wantsSplit, bool wantsMerge, uint priority)
{
    if (!wantsSplit || !lodMaySplit(leaf))
    {
        if (wantsMerge && lodHasParent(leaf)) atomicOr(leafFlags[number], kLodWantMerge);
        return 0u;
    }
    uint bit = 1u << priority;
    uint mask = bit;
    uint asked = 0u;
    uint current = leaf;
    uint currentNumber = number;
    for (uint tries = 0u; tries <= lodLongestPath(); tries += 1u)
    {
        uint before = atomicOr(leafFlags[currentNumber], mask);
        asked += lodNewFields(before, mask);
        if (lodField(before, kLodPin) >= bit) return asked;  // another walks on from here, at this priority or above
        LodAcross across = lodAcross(current);
        if (across.kind <= kLodPair) return asked + lodMarkPair(currentNumber, across, bit);
        current = across.leaf;  // coarser by one level
        currentNumber = across.number;
        mask = bit | (bit << (across.kind == kLodBeyondChild0 ? kLodChild0 : kLodChild1));
    }
    return asked;
}

bool lodCapacityBinds(uint capacity) { return cbtLeafCount() + roundCounters[kLodRequested] > capacity; }

// Adds what a leaf's walk asked for.  True for exactly one of them all if the capacity binds.
bool lodRequest(uint asked, uint capacity)
{
    if (asked == 0u) return false;
    uint before = cbtLeafCount() + atomicAdd(roundCounters[kLodRequested], asked);
    return before <= capacity && before + asked > capacity;
}

void lodCost(uint place, uint number)
{
    for (uint word = place; word < lodNumberWords(); word += cbtLeafCount())
    {
        pairBits[2u * word] = 0u;
        pairBits[2u * word + 1u] = 0u;
        if (word % (kLodBlock / 32u) == 0u) lodStorePairPrefix(word / (kLodBlock / 32u), 0u);
    }
    uint flags = leafFlags[number];
    for (uint field = kLodPin; field <= kLodChild1; field += kLodChild0)
        if (lodField(flags, field) != 0u) atomicAdd(roundCounters[kLodCosts + uint(lodHighest(flags, field))], 1u);
}

// The lowest priority that is served whole, all above it being, and what room that leaves: after all costs.
uvec2 lodCut(uint capacity)
{
    uint room = capacity - min(capacity, cbtLeafCount());
    uint first = kLodPriorities;
    while (first > 0u && roundCounters[kLodCosts + first - 1u] <= room)
    {
        first -= 1u;
        room -= roundCounters[kLodCosts + first];
    }
    return uvec2(first, room);
}

uint lodPairHead(uint number, LodAcross across) { return across.kind == kLodBorder ? number : min(number, across.number); }

// Lists the pairs of the priority that is served in part.
void lodPairs(uint place, uint number, uint leaf, uint capacity)
{
    uvec2 cut = lodCut(capacity);
    if (place == 0u)
    {
        roundCounters[kLodFirstServed] = cut.x;
        roundCounters[kLodRoom] = cut.y;
    }
    uint flags = leafFlags[number];
    if ((flags & kLodMarked) == 0u || lodHighest(flags, kLodPin) + 1 != int(cut.x)) return;
    LodAcross across = lodAcross(leaf);
    if (lodPairHead(number, across) != number) return;  // the other half lists it
    uint bit = 1u << (number & 31u);
    atomicOr(pairBits[2u * (number >> 5u)], bit);
    if (across.kind != kLodBorder) atomicOr(pairBits[2u * (number >> 5u) + 1u], bit);
    lodAddToPairBlock(number / kLodBlock, across.kind == kLodBorder ? 1u : 2u);
}

// How many sums there are.
uint lodPairBlocks() { return (32u * lodNumberWords() + kLodBlock - 1u) / kLodBlock; }

// What pairs of the bits in the mask cost, which are headed in a word of 32 leaf numbers.
uint lodWordCost(uint word, uint mask)
{
    return uint(bitCount(pairBits[2u * word] & mask) + bitCount(pairBits[2u * word + 1u] & mask));
}

// Pairs are served whole, by their lower leaf number, while they fit; this round's merges are not credited.
bool lodPairFits(uint head)
{
    uint block = head / kLodBlock;
    uint cost = lodPairPrefix(block) + lodWordCost(head >> 5u, 0xffffffffu >> (31u - (head & 31u)));
    for (uint word = block * (kLodBlock / 32u); word < head >> 5u; word += 1u)
        cost += lodWordCost(word, 0xffffffffu);
    return cost <= roundCounters[kLodRoom];
}

// Whether a pinned leaf may split.
bool lodServed(uint number, uint leaf, uint flags)
{
    int priority = lodHighest(flags, kLodPin);
    int first = int(roundCounters[kLodFirstServed]);
    if (priority < 0 || priority + 1 < first) return false;
    if (priority >= first) return true;
    return (flags & kLodMarked) != 0u && lodPairFits(lodPairHead(number, lodAcross(leaf)));
}

// Where not everything is served: of a leaf's flags, those stay whose splits are made.  A leaf that would have split and
// may not is marked and not pinned; from here on the marks mean nothing else.
void lodServe(uint number, uint leaf)
{
    uint flags = leafFlags[number];
    if (lodField(flags, kLodPin) == 0u) return;
    uint kept = flags & kLodWantMerge;
    if (lodServed(number, leaf, flags))
    {
        int first = int(roundCounters[kLodFirstServed]);
        kept |= lodField(flags, kLodPin) << kLodPin;
        if (lodHighest(flags, kLodChild0) >= first) kept |= lodField(flags, kLodChild0) << kLodChild0;
        if (lodHighest(flags, kLodChild1) >= first) kept |= lodField(flags, kLodChild1) << kLodChild1;
    }
    else
        kept |= kLodMarked;
    leafFlags[number] = kept;
}

uint lodDecide(uint leaf, uint flags)
{
    if (lodField(flags, kLodPin) != 0u)
    {
        uint child0 = lodField(flags, kLodChild0) != 0u ? kLodSplitChild0 : 0u;
        uint child1 = lodField(flags, kLodChild1) != 0u ? kLodSplitChild1 : 0u;
        return kLodSplit | child0 | child1;
    }
    if ((flags & kLodWantMerge) != 0u && lodDiamondMerges(leaf)) return kLodMerge;
    return (flags & kLodMarked) != 0u ? kLodRefused : kLodKeep;
}

// Stores and returns the plan.
uint lodPlan(uint number, uint leaf)
{
    uint flags = leafFlags[number];
    uint plan = flags == 0u ? kLodKeep : lodDecide(leaf, flags);
    leafPlan[number] = plan;
    if (plan != kLodKeep && plan != kLodRefused)
        atomicAdd(roundCounters[plan == kLodMerge ? kLodMerges : kLodSplits],
                  1u + uint(bitCount(plan & (kLodSplitChild0 | kLodSplitChild1))));
    return plan;
}

// After the plan.
uint lodRefusals() { return roundCounters[kLodRequested] - roundCounters[kLodSplits]; }

#endif

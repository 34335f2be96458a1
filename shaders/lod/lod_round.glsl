// One round of split and merge: mark, plan, apply.  core/leb/round.h does the same on the CPU and proves it sound.
//
// A split has a path.  If the leaf across the base is twice as large, that leaf must split first, and so on.  The path
// ends at a pair of leaves that share a base, or at the border.  To serve a split is to carry it out, together
// with all splits that it needs.
//
// tree_leaves.glsl (the implicit tree) or pool_leaves.glsl (OROGEN_POOL: bisectors in slots) provides the leaves.  A
// leaf has a place in the leaf list, leaves[place], and a number that indexes its data.  The number is the place (tree)
// or the slot (pool).
//
// Must be in scope: shaders/tree/cbt.glsl, shaders/tree/leb.glsl or shaders/pool/pool.glsl, and
//     uint leafFlags[]      one per leaf number: three fields of kLodPriorities bits, kLodWantMerge, kLodMarked
//     uint leafPlan[]       one per leaf number: kLodKeep ...
//     uint roundCounters[]  kLodCounters words
// and, used only if the requested splits exceed the free capacity of the tree ("the capacity binds"),
//     uint pairBits[]       two words for every 32 leaf numbers, about the pairs of the one priority that fits in part.
//                           A pair's head is the lower of its two numbers.  First word: a bit for each head; second
//                           word: a bit for each head whose pair costs two splits
//     uint pairPrefix[]     one word for every block of kLodBlock leaf numbers: cost of the pairs with heads in the
//                           block, later of the pairs in all lower blocks (in the pool: see pool_leaves.glsl)
// and in the tree
//     uint changes[]        field of bits that the round flips, 0 at its start; the reduction applies and clears it
//
// The passes run over all places, with a barrier after each, and with leaf = leaves[place] of the last decode:
//     decode   lists leaves, after the reduction, and calls lodClear(place, number)
//     mark     lodMark, then lodRequest: read the structure; atomics on leafFlags, roundCounters
//     plan     lodPlan: reads the structure, leafFlags; writes leafPlan[number], atomics on roundCounters; then
//              tree: lodApply, atomics on changes; pool: pool_change.glsl.  Reduction and decode follow
// and between mark and plan, only if lodCapacityBinds():
//     cost     lodCost: reads leafFlags; clears pairBits, pair prefix; atomics on roundCounters
//     pairs    lodPairs: reads the structure, leafFlags; atomics on pairBits, pair prefix; the thread of place 0
//              stores lodCut() in roundCounters.  Afterwards each word of the pair prefix is replaced by the sum of
//              all lower blocks
//     serve    lodServe: reads the structure, pairBits, pair prefix, roundCounters; clears refused splits in
//              leafFlags[number]
// Each round needs a decode before it, because only the decode clears all flags.
//
// The criterion's requests must be functions of the base edge alone, so that both sides of the edge agree; for a merge,
// of the parent's base edge.  Where the raster does not fill the square, a bisector wholly outside the raster never
// requests a split and always requests a merge.  It still splits if a path from inside the raster leads to it.
#ifndef OROGEN_LOD_ROUND_GLSL
#define OROGEN_LOD_ROUND_GLSL

// Flags.  Three fields request splits: of the leaf, of its child 0, of its child 1.  A path of priority p sets bit p of
// a field.
const uint kLodPriorities = 10u;
const uint kLodField = 1023u;
const uint kLodPin = 0u;      // first bit of the field for the leaf; a leaf that must split is called pinned
const uint kLodChild0 = 10u;  // first bit of the field for child 0
const uint kLodChild1 = 20u;  // first bit of the field for child 1
const uint kLodWantMerge = 0x40000000u;  // the leaf requests a merge, which needs the whole diamond
const uint kLodMarked = 0x80000000u;     // the leaf is half of a pair that ends a path

const uint kLodWishSplit = 1u;  // bits of a wish, the criterion's request for a leaf
const uint kLodWishMerge = 2u;
const uint kLodWishPriority = 2u;  // the split's priority begins at this bit

const uint kLodKeep = 0u;  // values of a plan's lowest two bits
const uint kLodSplit = 1u;
const uint kLodMerge = 2u;         // the odd child of a merging pair
const uint kLodRefused = 3u;       // must not split, because the capacity is used up
const uint kLodKind = 3u;          // mask of the lowest two bits
const uint kLodSplitChild0 = 4u;   // child 0 splits as well
const uint kLodSplitChild1 = 8u;

// roundCounters: leaves after the round = leaves before + splits - merges; requested = splits + lodRefusals().
const uint kLodRequested = 0u;  // splits required by all paths
const uint kLodSplits = 1u;     // splits of leaves and of their children
const uint kLodMerges = 2u;     // pairs of siblings that merge
const uint kLodCosts = 4u;      // kLodPriorities words: requested splits by priority, where the capacity binds
const uint kLodFirstServed = 14u;  // lowest priority of which all splits are served; 0: all splits are served
const uint kLodRoom = 15u;         // leaves that pairs of the next lower priority may add
const uint kLodCutGroups = 16u;    // 3 words: dispatch of cost, pairs and serve; 0 unless the capacity binds
const uint kLodDenied = 19u;       // splits above the configured threshold, but not above the raised one of a full tree
const uint kLodPairsTicket = 20u;   // number of finished groups: see last_group.glsl
const uint kLodReduceTicket = 21u;
const uint kLodCounters = 22u;
const uint kLodBlock = 1024u;       // leaf numbers that share one sum of pair costs

// Kinds of neighbours across a leaf's base.
const uint kLodBorder = 0u;
const uint kLodPair = 1u;          // a leaf with the same base
const uint kLodBeyondChild0 = 2u;  // a leaf twice as large, whose child 0 will share the base
const uint kLodBeyondChild1 = 3u;
struct LodAcross
{
    uint kind;
    uint leaf;  // 0 at the border; then the number is 0, too
    uint number;
};

// Returns the priority of a split: log2 of `ratio`, its measure over the threshold, rounded down and clamped.
uint lodPriority(float ratio)
{
    int exponent = int((floatBitsToUint(ratio) >> 23u) & 255u) - 127;
    return uint(clamp(exponent, 0, int(kLodPriorities) - 1));
}

uint lodField(uint flags, uint field) { return (flags >> field) & kLodField; }

// Returns the highest priority in a field, or -1 if the field is empty.
int lodHighest(uint flags, uint field) { return findMSB(lodField(flags, field)); }

// Returns whether a leaf requests a merge and no path needs it to split.
bool lodIsFree(uint flags) { return (flags & kLodWantMerge) != 0u && lodField(flags, kLodPin) == 0u; }

#ifdef OROGEN_POOL
#include "shaders/pool/pool_leaves.glsl"
#else
#include "shaders/tree/tree_leaves.glsl"
#endif

// Clears a leaf's data.  Call for every leaf, after the decode of a round and before its mark.
void lodClear(uint place, uint number)
{
    leafFlags[number] = 0u;
    if (place != 0u) return;
    for (uint i = 0u; i < kLodCounters; i += 1u)
        roundCounters[i] = 0u;
}

// Returns the number of newly requested splits: fields that the mask sets and that were empty before.
uint lodNewFields(uint before, uint mask)
{
    uint added = 0u;
    for (uint field = kLodPin; field <= kLodChild1; field += kLodChild0)
        added += (lodField(mask, field) != 0u && lodField(before, field) == 0u) ? 1u : 0u;
    return added;
}

// Marks the pair of leaves that share a base, or the single leaf at the border.  Returns the number of newly requested
// splits.  Safe for concurrent calls.
uint lodMarkPair(uint number, LodAcross across, uint bit)
{
    atomicOr(leafFlags[number], kLodMarked);
    if (across.kind == kLodBorder) return 0u;
    uint mask = kLodMarked | bit;
    return lodNewFields(atomicOr(leafFlags[across.number], mask), mask);
}

// Records a leaf's request; for a split, marks the leaves on its path.  Returns the number of splits on the path that
// no other call had requested before.
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
        if (lodField(before, kLodPin) >= bit) return asked;  // another thread continues at this or a higher priority
        LodAcross across = lodAcross(current);
        if (across.kind <= kLodPair) return asked + lodMarkPair(currentNumber, across, bit);
        current = across.leaf;  // one level coarser
        currentNumber = across.number;
        mask = bit | (bit << (across.kind == kLodBeyondChild0 ? kLodChild0 : kLodChild1));
    }
    return asked;
}

bool lodCapacityBinds(uint capacity) { return cbtLeafCount() + roundCounters[kLodRequested] > capacity; }

// Adds the splits that lodMark() returned to the round's requests.  If the capacity binds, returns true for exactly one
// call of the round.
bool lodRequest(uint asked, uint capacity)
{
    if (asked == 0u) return false;
    uint before = cbtLeafCount() + atomicAdd(roundCounters[kLodRequested], asked);
    return before <= capacity && before + asked > capacity;
}

// Counts a leaf's requested splits by priority.  All calls together also clear pairBits and the pair prefix.
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

// Returns x: lowest priority of which all splits are served; y: number of leaves that pairs of priority x - 1 may add.
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

// Returns the head of the leaf's pair: the lower of the two numbers.
uint lodPairHead(uint number, LodAcross across) { return across.kind == kLodBorder ? number : min(number, across.number); }

// Records the leaf's pair if its priority is the one that is served in part.
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
    if (lodPairHead(number, across) != number) return;  // the leaf with the lower number records the pair
    uint bit = 1u << (number & 31u);
    atomicOr(pairBits[2u * (number >> 5u)], bit);
    if (across.kind != kLodBorder) atomicOr(pairBits[2u * (number >> 5u) + 1u], bit);
    lodAddToPairBlock(number / kLodBlock, across.kind == kLodBorder ? 1u : 2u);
}

// Returns the number of sums in the pair prefix.
uint lodPairBlocks() { return (32u * lodNumberWords() + kLodBlock - 1u) / kLodBlock; }

// Returns the cost of the pairs with heads in a word of 32 leaf numbers; `mask` selects some of these numbers.
uint lodWordCost(uint word, uint mask)
{
    return uint(bitCount(pairBits[2u * word] & mask) + bitCount(pairBits[2u * word + 1u] & mask));
}

// Returns whether the capacity suffices for the pair with this head.  Pairs are served whole, in the order of their
// heads.  Merges of this round add no capacity.
bool lodPairFits(uint head)
{
    uint block = head / kLodBlock;
    uint cost = lodPairPrefix(block) + lodWordCost(head >> 5u, 0xffffffffu >> (31u - (head & 31u)));
    for (uint word = block * (kLodBlock / 32u); word < head >> 5u; word += 1u)
        cost += lodWordCost(word, 0xffffffffu);
    return cost <= roundCounters[kLodRoom];
}

// Returns whether a pinned leaf may split when the capacity binds.
bool lodServed(uint number, uint leaf, uint flags)
{
    int priority = lodHighest(flags, kLodPin);
    int first = int(roundCounters[kLodFirstServed]);
    if (priority < 0 || priority + 1 < first) return false;
    if (priority >= first) return true;
    return (flags & kLodMarked) != 0u && lodPairFits(lodPairHead(number, lodAcross(leaf)));
}

// Clears the flags of a leaf's refused splits.  Sets kLodMarked if the leaf's own split is refused, and clears it
// otherwise: after this pass kLodMarked only means "refused".
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

// Returns the plan of a leaf with these flags.
uint lodDecide(uint number, uint leaf, uint flags)
{
    if (lodField(flags, kLodPin) != 0u)
    {
        uint child0 = lodField(flags, kLodChild0) != 0u ? kLodSplitChild0 : 0u;
        uint child1 = lodField(flags, kLodChild1) != 0u ? kLodSplitChild1 : 0u;
        return kLodSplit | child0 | child1;
    }
    if ((flags & kLodWantMerge) != 0u && lodDiamondMerges(number, leaf)) return kLodMerge;
    return (flags & kLodMarked) != 0u ? kLodRefused : kLodKeep;
}

// Decides, stores and returns the plan of a leaf.
uint lodPlan(uint number, uint leaf)
{
    uint flags = leafFlags[number];
    uint plan = flags == 0u ? kLodKeep : lodDecide(number, leaf, flags);
    leafPlan[number] = plan;
    if (plan != kLodKeep && plan != kLodRefused)
        atomicAdd(roundCounters[plan == kLodMerge ? kLodMerges : kLodSplits],
                  1u + uint(bitCount(plan & (kLodSplitChild0 | kLodSplitChild1))));
    return plan;
}

// Returns the number of splits refused in this round.  Call after the pass plan.
uint lodRefusals() { return roundCounters[kLodRequested] - roundCounters[kLodSplits]; }

#endif

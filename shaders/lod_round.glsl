// One round of split and merge: mark, plan, apply.  Twin of core/leb/round.h, which says why it is sound.
//
// Must be in scope: shaders/cbt.glsl, shaders/leb.glsl, and
//     uint leafFlags[]      one a leaf number: kLodPin ...
//     uint leafPlan[]       one a leaf number: kLodKeep ...
//     uint pairBits[]       two words for every 32 leaf numbers: which head a marked pair, which of those cost 2
//     uint pairPrefix[]     one word for every 32 leaf numbers: what the pairs headed by all lower words cost
//     uint roundCounters[]  kLodCounters words
//
// Passes, a barrier between each, every one over all leaf numbers with leaf = leaves[number] of the last decode:
//     decode   reduction done; lists leaves and calls lodClear(number)
//     mark     lodMark: reads heap; atomics on leafFlags, pairBits, roundCounters
//     prefix   only if lodCapacityBinds(): pairPrefix[w] = sum of lodWordCost(v) over v < w, for every word w
//     plan     lodPlan: reads heap, leafFlags, pairBits, pairPrefix; writes leafPlan[number], atomics on roundCounters
//     apply    lodApply: reads leafPlan[number]; one atomic on heap.  Then reduce, and decode again
// Two rounds need two decodes: flags are cleared there and nowhere else.
//
// Wishes are passed in, and must be functions of the base edge alone (of the parent's base edge for merging): the same
// for both sides of it.  Where the raster does not fill the square, a bisector wholly outside never wishes to split and
// always wishes to merge.  It is marked all the same when a path from inside ends in it: to refuse that would leave
// leaves inside stuck.
#ifndef OROGEN_LOD_ROUND_GLSL
#define OROGEN_LOD_ROUND_GLSL

const uint kLodPin = 1u;        // flags: on the path of a split
const uint kLodMarked = 2u;     // is half of a terminal pair
const uint kLodWantMerge = 4u;  // would merge if its whole diamond would

const uint kLodWishSplit = 1u;  // what the criterion says of a leaf: bits
const uint kLodWishMerge = 2u;

const uint kLodKeep = 0u;  // plan
const uint kLodSplit = 1u;
const uint kLodMerge = 2u;    // the odd child of a merging pair
const uint kLodRefused = 3u;  // marked, but the capacity is used up

// roundCounters: leaves after the round = leaves before + splits - merges; requested = splits + refused.
const uint kLodRequested = 0u;  // leaves marked
const uint kLodSplits = 1u;     // leaves that split
const uint kLodMerges = 2u;     // pairs of siblings that merge
const uint kLodRefusals = 3u;   // leaves marked and refused
const uint kLodCounters = 4u;

// For every leaf number, after the decode of a round and before its mark.
void lodClear(uint number)
{
    leafFlags[number] = 0u;
    if ((number & 31u) == 0u)
    {
        pairBits[2u * (number >> 5u)] = 0u;
        pairBits[2u * (number >> 5u) + 1u] = 0u;
    }
    if (number != 0u) return;
    for (uint i = 0u; i < kLodCounters; i += 1u)
        roundCounters[i] = 0u;
}

// Marks the pair of leaves that share a base; `across` is 0 at the border.  Any number of threads may arrive here.
void lodMarkPair(uint number, uint across)
{
    uint head = number;
    atomicOr(leafFlags[number], kLodMarked | kLodPin);
    if (across != 0u)
    {
        uint other = cbtLeafNumber(across);
        atomicOr(leafFlags[other], kLodMarked | kLodPin);
        head = min(number, other);
    }
    uint bit = 1u << (head & 31u);
    if (across != 0u) atomicOr(pairBits[2u * (head >> 5u) + 1u], bit);
    if ((atomicOr(pairBits[2u * (head >> 5u)], bit) & bit) == 0u)
        atomicAdd(roundCounters[kLodRequested], across != 0u ? 2u : 1u);
}

void lodMark(uint number, uint leaf, bool wantsSplit, bool wantsMerge)
{
    if (wantsMerge && leaf > 3u) atomicOr(leafFlags[number], kLodWantMerge);
    if (!wantsSplit || cbtDepth(leaf) >= cbtMaxDepth()) return;

    uint current = leaf;
    uint currentNumber = number;
    for (uint tries = 0u; tries <= cbtMaxDepth(); tries += 1u)
    {
        if ((atomicOr(leafFlags[currentNumber], kLodPin) & kLodPin) != 0u) return;  // another walks on from here
        uint across = lebNeighbours(current).edge;
        if (across == 0u || cbtIsLeaf(across))
        {
            lodMarkPair(currentNumber, across);
            return;
        }
        current = across >> 1u;  // coarser by one level: a leaf, since the mesh conforms
        currentNumber = cbtLeafNumber(current);
    }
}

// What the marked pairs headed in a word of 32 leaf numbers cost.
uint lodWordCost(uint word) { return uint(bitCount(pairBits[2u * word]) + bitCount(pairBits[2u * word + 1u])); }

bool lodCapacityBinds(uint capacity) { return cbtLeafCount() + roundCounters[kLodRequested] > capacity; }

// Pairs are served whole, by their lower leaf number, while they fit; this round's merges are not credited.
bool lodPairFits(uint head, uint capacity)
{
    if (!lodCapacityBinds(capacity)) return true;
    uint mask = 0xffffffffu >> (31u - (head & 31u));  // this pair and those before it
    uint word = 2u * (head >> 5u);
    uint cost = uint(bitCount(pairBits[word] & mask) + bitCount(pairBits[word + 1u] & mask));
    return cbtLeafCount() + pairPrefix[head >> 5u] + cost <= capacity;
}

// Leaf, of that depth, free to go.  Only a leaf has a number: for an inner node the lookup would find another's flags.
bool lodMayMerge(uint node) { return cbtIsLeaf(node) && leafFlags[cbtLeafNumber(node)] == kLodWantMerge; }

bool lodDiamondMerges(uint leaf)
{
    if (!lodMayMerge(leaf ^ 1u)) return false;
    uint across = lebNeighbours(leaf >> 1u).edge;
    return across == 0u || (lodMayMerge(2u * across) && lodMayMerge(2u * across + 1u));
}

uint lodDecide(uint number, uint leaf, uint capacity)
{
    uint flags = leafFlags[number];
    if ((flags & kLodMarked) != 0u)
    {
        uint across = lebNeighbours(leaf).edge;
        uint head = across == 0u ? number : min(number, cbtLeafNumber(across));
        return lodPairFits(head, capacity) ? kLodSplit : kLodRefused;
    }
    bool merges = flags == kLodWantMerge && (leaf & 1u) != 0u && lodDiamondMerges(leaf);
    return merges ? kLodMerge : kLodKeep;
}

// Stores and returns the plan.
uint lodPlan(uint number, uint leaf, uint capacity)
{
    uint plan = lodDecide(number, leaf, capacity);
    leafPlan[number] = plan;
    if (plan != kLodKeep) atomicAdd(roundCounters[plan], 1u);  // kLodSplit, kLodMerge, kLodRefused are their counters
    return plan;
}

void lodApply(uint number, uint leaf)
{
    uint plan = leafPlan[number];
    if (plan == kLodSplit) cbtSplit(leaf);
    if (plan == kLodMerge) cbtMerge(leaf);
}

#endif

// Access to the leaves of the implicit tree (cbt.glsl, whose nodes are bisectors of leb.glsl), for lod_round.glsl.  A
// leaf is identified by its node.  Its number is its place among the leaves, counted from the left.
//
// Must be in scope: cbt.glsl, leb.glsl, flags and arrays of lod_round.glsl; with OROGEN_CHANGES also cbt_chunks.glsl.
#ifndef OROGEN_TREE_LEAVES_GLSL
#define OROGEN_TREE_LEAVES_GLSL

uint lodNumberAt(uint place) { return place; }
uint lodNumberWords() { return (cbtLeafCount() + 31u) / 32u; }  // words that hold a bit for each number
uint lodLongestPath() { return cbtMaxDepth(); }
bool lodMaySplit(uint leaf) { return cbtDepth(leaf) < cbtMaxDepth(); }
bool lodHasParent(uint leaf) { return leaf > 3u; }

uint lodPairPrefix(uint block) { return pairPrefix[block]; }
void lodStorePairPrefix(uint block, uint cost) { pairPrefix[block] = cost; }
void lodAddToPairBlock(uint block, uint cost) { atomicAdd(pairPrefix[block], cost); }

LodAcross lodAcross(uint leaf)
{
    LodAcross across;
    across.kind = kLodBorder;
    across.leaf = lebNeighbours(leaf).edge;
    across.number = 0u;
    if (across.leaf == 0u) return across;
    across.kind = kLodPair;
    if (!cbtIsLeaf(across.leaf))  // then its parent is a leaf, since the mesh has no T-junctions
    {
        across.kind = (across.leaf & 1u) == 0u ? kLodBeyondChild0 : kLodBeyondChild1;
        across.leaf >>= 1u;
    }
    across.number = cbtLeafNumber(across.leaf);
    return across;
}

// Returns whether an even node and its sibling are leaves that are free to merge.  `number`: the number that `node` has
// if it is a leaf.  Siblings that are leaves have consecutive numbers.
bool lodPairIsFree(uint node, uint number)
{
    return leaves[number] == node && leaves[number + 1u] == node + 1u && lodIsFree(leafFlags[number]) &&
           lodIsFree(leafFlags[number + 1u]);
}

// Returns whether the leaf is the odd leaf of a sibling pair in a diamond whose leaves are all free to merge.
bool lodDiamondMerges(uint number, uint leaf)
{
    if ((leaf & 1u) == 0u || !lodPairIsFree(leaf - 1u, number - 1u)) return false;
    uint across = lebNeighbours(leaf >> 1u).edge;
    if (across == 0u) return true;
    return cbtIsLeaf(2u * across) && lodPairIsFree(2u * across, cbtLeafNumber(2u * across));
}

#ifdef OROGEN_CHANGES
// Records that the round flips the first bit of a node (cbtTurn()), and marks the bit's chunk as dirty.
void lodTurn(uint node)
{
    cbtTurn(node);
    touchChunk(cbtFirstBit(node));
}

// Records the flips of a leaf's plan: one for a merge, one to three for the splits of the leaf and of its children.
void lodApply(uint leaf, uint plan)
{
    uint turns = plan == kLodMerge ? 2u : plan == kLodRefused ? 0u : plan & (kLodSplit | kLodSplitChild0 | kLodSplitChild1);
    for (; turns != 0u; turns &= turns - 1u)
    {
        uint turn = turns & (0u - turns);
        lodTurn(turn == 1u ? 2u * leaf + 1u : turn == 2u ? leaf : turn == kLodSplitChild0 ? 4u * leaf + 1u : 4u * leaf + 3u);
    }
}
#endif

#endif

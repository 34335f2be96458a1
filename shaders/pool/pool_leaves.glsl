// Access to the leaves of the pool, for lod_round.glsl.  A leaf is identified by the index of its slot, which is also
// its number.
//
// Must be in scope: cbt.glsl, pool.glsl, `frame`, the flags of lod_round.glsl and its arrays.
#ifndef OROGEN_POOL_LEAVES_GLSL
#define OROGEN_POOL_LEAVES_GLSL

uint lodNumberAt(uint place) { return leaves[place]; }
uint lodNumberWords() { return poolSlots() / 32u; }
uint lodLongestPath() { return kMostCubeDepth; }

// Returns whether a leaf may split: the triangles of its patch must not become finer than the lattice's unit.
bool lodMaySplit(uint leaf)
{
    uint depth = cubeLeafDepth(poolShape(leaf));
    return depth < poolMaxDepth() && depth + 2u * frame.patchLevel < kDrawnCubeDepths;
}
bool lodHasParent(uint leaf) { return cubeLeafDepth(poolShape(leaf)) > 0u; }

// The list of leaves for cbt_decode.comp.  pool_list.comp has listed the slots of the changed tree, so each listed leaf
// stays as it is.
struct ListedLeaf
{
    uint slot;
};
struct Listed
{
    ListedLeaf leaf;
    uint place;
};
Listed listedAt(uint place, bool changed) { return Listed(ListedLeaf(leaves[place]), place); }
uint firstPlaceAfter(Listed listed) { return listed.place; }
uint leavesAfter(Listed listed) { return 1u; }
ListedLeaf leafAfter(Listed listed, uint i) { return listed.leaf; }
void storeLeaf(uint place, ListedLeaf leaf, Listed listed) {}
uint numberOfLeaf(uint place, ListedLeaf leaf) { return leaf.slot; }
uint depthOfLeaf(ListedLeaf leaf) { return cubeLeafDepth(poolShape(leaf.slot)); }

// Returns the index in pool[] of a word of the pair prefix.
uint poolPairBlock(uint block) { return poolWord(block) + kPoolPairPrefix; }
uint lodPairPrefix(uint block) { return pool[poolPairBlock(block)]; }
void lodStorePairPrefix(uint block, uint cost) { pool[poolPairBlock(block)] = cost; }
void lodAddToPairBlock(uint block, uint cost) { atomicAdd(pool[poolPairBlock(block)], cost); }

LodAcross lodAcross(uint leaf)
{
    LodAcross across;
    across.leaf = poolLink(leaf, 2u);
    across.number = across.leaf;
    across.kind = poolLink(across.leaf, 2u) == leaf   ? kLodPair
                  : poolLink(across.leaf, 0u) == leaf ? kLodBeyondChild0
                                                      : kLodBeyondChild1;
    return across;
}

// Returns whether the leaf is a child 1 in a diamond of four leaves whose other three leaves are free to merge.  `leaf`
// itself must be free.  Visits the leaves around the vertex in the diamond's middle.
bool lodDiamondMerges(uint number, uint leaf)
{
    if (!poolIsChild1(leaf)) return false;
    uint depth = cubeLeafDepth(poolShape(leaf));
    uint next = leaf;
    for (uint i = 0u; i < 3u; i += 1u)
    {
        next = poolLink(next, 0u);
        if (cubeLeafDepth(poolShape(next)) != depth || !lodIsFree(leafFlags[next])) return false;
    }
    return poolLink(next, 0u) == leaf;
}

#endif

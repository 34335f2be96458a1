// Access for cbt_decode.comp to the list of the implicit tree's leaves: to a listed leaf, and to those that replace it.
// pool_leaves.glsl has the access to the pool's list.
//
// Must be in scope: leaf_list.glsl, leaf_changes.glsl.
#ifndef OROGEN_NEXT_LIST_GLSL
#define OROGEN_NEXT_LIST_GLSL

layout(std430, binding = kNextLeavesBinding) writeonly buffer NextLeavesBlock { uint nextLeaves[]; };

// A listed leaf, its cached verdict (split, merge or keep), what replaces the leaf, and where the replacement goes.
struct Listed
{
    ListedLeaf leaf;
    uint verdict;
    LeafChange change;
};

// Returns the leaf at a place of the list.  `changed`: the list is from before the last splits and merges.
Listed listedAt(uint place, bool changed)
{
    Listed listed;
    listed.leaf = ListedLeaf(leaves[place], listedTriangle(place));
    listed.change = LeafChange(kKept, place);
    listed.verdict = listedVerdict(place);
    if (changed) listed.change = changeOf(place);
    return listed;
}

uint firstPlaceAfter(Listed listed) { return listed.change.first; }
uint leavesAfter(Listed listed) { return leavesAfter(listed.change.code); }

// Returns leaf `i` of those that replace the listed one.
ListedLeaf leafAfter(Listed listed, uint i) { return leafAfter(listed.leaf, listed.change.code, i); }

// Stores a leaf in the next list.  `listed`: the leaf that it replaces.
void storeLeaf(uint place, ListedLeaf leaf, Listed listed)
{
    uint part = uint(nextLeaves.length()) / kListWords;
    nextLeaves[place] = leaf.node;
    nextLeaves[part + place] = lebPacked(leaf.triangle.apex);
    nextLeaves[2u * part + place] = lebPacked(leaf.triangle.base0);
    nextLeaves[3u * part + place] = lebPacked(leaf.triangle.base1);
    nextLeaves[4u * part + place] = listed.change.code == kKept ? listed.verdict : 0u;
}

uint numberOfLeaf(uint place, ListedLeaf leaf) { return place; }
uint depthOfLeaf(ListedLeaf leaf) { return cbtDepth(leaf.node); }

#endif

// The update of the list of the implicit tree's leaves (leaf_list.glsl) by a round of splits and merges.
//
// A decode that searches the tree for a leaf reads a word at each level.  So a round derives the new list from the old
// one, in three passes:
//     plan       noteChange(): for each leaf that changes, stores what replaces it
//     offsets    lod_offsets.comp: sums up by how many places the changes left of a leaf move it
//     decode     cbt_decode.comp: writes the leaves that replace each listed leaf
//
// leafChanges[word] describes the eight leaves from place 8 word on:
//     x    a code (kKept ...) of four bits for each leaf; 0 before the plan and after the offsets
//     y    the same codes, for the decode
//     z    number of leaves that the codes of lower words in the same block of kSumBlock words add, modulo 2^32
//     w    in word b: number of leaves that all blocks below block b add, modulo 2^32
//
// Must be in scope: leaf_list.glsl, lod_round.glsl.
#ifndef OROGEN_LEAF_CHANGES_GLSL
#define OROGEN_LEAF_CHANGES_GLSL

layout(std430, binding = kLeafChangesBinding) OROGEN_PREFIX_QUALIFIER buffer LeafChangesBlock { uvec4 leafChanges[]; };

// Codes.  The bits of value 1, 2 and 4 each stand for one leaf more, the bit of value 8 for one leaf less.
const uint kKept = 0u;
const uint kSplit = 1u;
const uint kSplitChild0 = 2u;    // with kSplit: the child splits as well
const uint kSplitChild1 = 4u;
const uint kVanishes = 8u;       // child 1 of a pair that merges
const uint kBecomesParent = 9u;  // child 0 of a pair that merges

// Returns the number of leaves that the codes add, modulo 2^32.
uint leavesAdded(uint codes) { return uint(bitCount(codes & 0x77777777u)) - uint(bitCount(codes & 0x88888888u)); }

void noteCode(uint place, uint code) { atomicOr(leafChanges[place / 8u].x, code << (4u * (place % 8u))); }

// Stores the code of a leaf with this plan.  The two leaves of a pair that merges have consecutive places.
void noteChange(uint place, uint plan)
{
    if (plan == kLodMerge)
    {
        noteCode(place, kVanishes);
        noteCode(place - 1u, kBecomesParent);
    }
    else if ((plan & kLodKind) == kLodSplit)
        noteCode(place, kSplit | ((plan & kLodSplitChild0) != 0u ? kSplitChild0 : 0u) |
                            ((plan & kLodSplitChild1) != 0u ? kSplitChild1 : 0u));
}

// Replacement of a listed leaf.
struct LeafChange
{
    uint code;
    uint first;  // place, in the new list, of the first leaf that replaces it
};

// Returns the change of the leaf at a place of the old list.
LeafChange changeOf(uint place)
{
    uint word = place / 8u, bit = 4u * (place % 8u), codes = leafChanges[word].y;
    LeafChange change;
    change.code = (codes >> bit) & 15u;
    uint before = leafChanges[word].z + leafChanges[word / kSumBlock].w;
    change.first = place + before + leavesAdded(codes & ((1u << bit) - 1u));
    return change;
}

// Returns the number of leaves that replace a listed leaf: 0 to 4.
uint leavesAfter(uint code) { return 1u + leavesAdded(code); }

struct ListedLeaf
{
    uint node;
    LebTriangle triangle;
};

ListedLeaf childOf(ListedLeaf leaf, uint child) { return ListedLeaf(2u * leaf.node + child, lebChild(leaf.triangle, child)); }

// Returns leaf `i` of those that replace a listed leaf, counted from the left.
ListedLeaf leafAfter(ListedLeaf leaf, uint code, uint i)
{
    if (code == kBecomesParent) return ListedLeaf(leaf.node / 2u, lebParentOfChild0(leaf.triangle));
    if (code == kKept) return leaf;
    uint ofChild0 = (code & kSplitChild0) != 0u ? 2u : 1u;  // leaves that replace child 0
    uint child = i < ofChild0 ? 0u : 1u;
    ListedLeaf below = childOf(leaf, child);
    if ((code & (child == 0u ? kSplitChild0 : kSplitChild1)) == 0u) return below;
    return childOf(below, i - child * ofChild0);
}

#endif

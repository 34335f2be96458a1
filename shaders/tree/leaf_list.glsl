// The list of the implicit tree's leaves, from left to right.  Its buffer has kListWords parts of equal length:
//     0          leaves[place], a leaf's node
//     1, 2, 3    apex, base0 and base1 of the leaf, packed (leb.glsl), so that no pass derives them from the node
//     4          the criterion's verdict on the leaf (split, merge or keep), and when it expires: see lod_verdicts.glsl
// leaf_changes.glsl describes how a round of splits and merges updates the list.
//
// Must be in scope: leb.glsl, leaves[].
#ifndef OROGEN_LEAF_LIST_GLSL
#define OROGEN_LEAF_LIST_GLSL

// Returns the corners of a listed leaf.
LebTriangle listedTriangle(uint place)
{
    uint part = uint(leaves.length()) / kListWords;
    LebTriangle triangle;
    triangle.apex = lebUnpacked(leaves[part + place]);
    triangle.base0 = lebUnpacked(leaves[2u * part + place]);
    triangle.base1 = lebUnpacked(leaves[3u * part + place]);
    return triangle;
}

// A verdict's word: in the upper 2 bits the verdict (kLodWishSplit, kLodWishMerge), below them the reading of the
// camera's odometer (lod_verdicts.glsl) at which it expires.
const uint kVerdictDigits = 30u;
const uint kVerdictReadings = (1u << kVerdictDigits) - 1u;
uint listedVerdict(uint place) { return leaves[4u * (uint(leaves.length()) / kListWords) + place]; }
void storeListedVerdict(uint place, uint word) { leaves[4u * (uint(leaves.length()) / kListWords) + place] = word; }

#endif

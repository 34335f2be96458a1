// Tree edits as text, one per line: the input of `orogen cbt replay`.  Also a tree that checks its mesh incrementally,
// in O(D) per changed leaf instead of O(2^D) (D: the maximum depth).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"

namespace orogen::leb {

enum class EditKind
{
    kSplit,
    kMerge,
    kSplitConforming,  // with all splits that conformity forces
    kMergeDiamond,     // with the pair of siblings across the parent's base
    kReduce,
};

struct Edit
{
    EditKind kind = EditKind::kReduce;
    std::uint64_t node = 0;  // heap index as the text gives it, >= 1; 0 for kReduce
    bool operator==(const Edit&) const = default;
};

// Parses `split K`, `merge K`, `leb-split K`, `leb-merge K` (K decimal) or `reduce`; `#` starts a comment.  Returns
// nothing for an empty line.  Error (kInput): the fault, without its place; it names `leaf`, too, which the command
// parses.
Result<std::optional<Edit>> parseEdit(std::string_view line);

// Applies an edit, checked against the current bits, reduced or not.  Only kReduce updates the counts.  Error (kInput),
// without change: one of the nodes to split or merge is not a leaf, a leaf of the maximum depth splits, or the root
// merges.
Status applyEdit(Cbt& tree, const Edit& edit);
Status applyEdit(PackedCbt& tree, const Edit& edit);
template <class Tree>
class EditedTree;
Status applyEdit(EditedTree<Cbt>& tree, const Edit& edit);
Status applyEdit(EditedTree<PackedCbt>& tree, const Edit& edit);

// Tree that maintains two numbers: the sum of the leaves' hashes, and the number of inner nodes whose partner (the node
// of equal depth across the base) exists but is not inner.  The children of such a node have a vertex inside an edge of
// another leaf: a T-junction.  A mesh of bisections has no other T-junctions, so it conforms if the second number is 0.
//
// Construction writes the tree's memory once: 2^(D - 2) bytes for Cbt, 2^(D - 1) for PackedCbt.  An edit takes O(D) per
// leaf that it splits or merges.
template <class Tree>
class EditedTree
{
public:
    explicit EditedTree(int maxDepth, int initialDepth = 0);

    Status apply(const Edit& edit);  // as applyEdit()

    // Updates the counts: along the paths of the changes since the last call, or all of them if cheaper.
    void reduce();

    const Tree& tree() const { return tree_; }
    std::uint64_t leafHash() const { return hash_; }
    bool conforming() const { return hanging_ == 0; }

    // Interface for applyEdit().  `leaf`: the leaf to split, or one of the two leaves to merge.
    int maxDepth() const { return tree_.maxDepth(); }
    bool bit(NodeId index) const { return tree_.bit(index); }
    void split(NodeId leaf);
    void merge(NodeId leaf);

private:
    void changed(NodeId bit);

    Tree tree_;
    std::uint64_t hash_ = 0;
    std::uint64_t hanging_ = 0;    // inner nodes with a partner that is not inner
    std::vector<NodeId> changed_;  // bits changed since the last reduction
    bool all_ = false;             // too many changes to list: reduce() counts all nodes
};

// Returns the sum of the hashes of all nodes of a depth.
std::uint64_t hashOfDepth(int depth);

extern template class EditedTree<Cbt>;
extern template class EditedTree<PackedCbt>;

}  // namespace orogen::leb

// A tree under edits with incremental checks of its mesh, at a cost that follows the edits instead of 2^D.
#pragma once

#include <cstdint>
#include <vector>

#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"
#include "core/leb/edit.h"

namespace orogen::leb {

// Maintains the sum of the leaves' hashes and the number of inner nodes whose partner (the node of equal depth across
// the base) exists but is not inner.  The children of such a node have a vertex inside an edge of another leaf: a
// T-junction.  A mesh of bisections has no other T-junctions, so it conforms if the number is 0.
//
// Construction writes the tree's memory once, 2^(D - 2) bytes wide and 2^(D - 1) packed.  An edit takes O(D) per leaf
// that it splits or merges.
template <class Tree>
class EditedTree
{
public:
    explicit EditedTree(int maxDepth, int initialDepth = 0);

    // Applies an edit as applyEdit() does.
    Status apply(const Edit& edit);

    // Updates the counts: along the paths of the changes since the last call, or all of them if cheaper.
    void reduce();

    const Tree& tree() const { return tree_; }
    std::uint64_t leafHash() const { return hash_; }
    bool conforming() const { return hanging_ == 0; }

    // Interface for edits; the node is a leaf, or one of two that merge.
    int maxDepth() const { return tree_.maxDepth(); }
    bool bit(NodeId index) const { return tree_.bit(index); }
    void split(NodeId leaf);
    void merge(NodeId leaf);

private:
    void changed(NodeId bit);

    Tree tree_;
    std::uint64_t hash_ = 0;
    std::uint64_t hanging_ = 0;    // inner nodes whose partner exists and is not inner
    std::vector<NodeId> changed_;  // bits changed since the last reduction
    bool all_ = false;             // too many changes to list
};

// Returns the sum of the hashes of all nodes of a depth.
std::uint64_t hashOfDepth(int depth);

extern template class EditedTree<Cbt>;
extern template class EditedTree<PackedCbt>;

}  // namespace orogen::leb

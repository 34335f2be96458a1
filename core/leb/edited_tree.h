// A tree under edits, and what is known of its mesh, at a cost that follows the edits instead of 2^D.
#pragma once

#include <cstdint>
#include <vector>

#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"
#include "core/leb/edit.h"

namespace orogen::leb {

// Holds the sum of the leaves' hashes, and the number of inner nodes whose partner (the node of equal depth across the
// base) exists in the square and is not inner.  Such a node's children have a vertex in the middle of an edge of
// another leaf: a T-junction.  A mesh of bisections has no others, so that it conforms where there is none.
//
// Making it takes the memory of the tree, 2^(D - 2) bytes wide and 2^(D - 1) packed, each written once; an edit takes
// O(D) for each leaf that it splits or merges.
template <class Tree>
class EditedTree
{
public:
    explicit EditedTree(int maxDepth, int initialDepth = 0);

    // As applyEdit() of the tree alone.
    Status apply(const Edit& edit);

    // Makes the counts right: along the paths of what has changed since the last time, or all of them where that is
    // cheaper.
    void reduce();

    const Tree& tree() const { return tree_; }
    std::uint64_t leafHash() const { return hash_; }
    bool conforming() const { return hanging_ == 0; }

    // What edits are made of; the node is a leaf, or one of two that merge.
    int maxDepth() const { return tree_.maxDepth(); }
    bool bit(NodeId index) const { return tree_.bit(index); }
    void split(NodeId leaf);
    void merge(NodeId leaf);

private:
    void changed(NodeId bit);

    Tree tree_;
    std::uint64_t hash_ = 0;
    std::uint64_t hanging_ = 0;    // inner nodes whose partner is not
    std::vector<NodeId> changed_;  // bits, since the last reduction
    bool all_ = false;             // so many changed that they are not listed any more
};

// The sum of the hashes of all nodes of a depth.
std::uint64_t hashOfDepth(int depth);

extern template class EditedTree<Cbt>;
extern template class EditedTree<PackedCbt>;

}  // namespace orogen::leb

// Trees of any shape, and properties that follow from their bits alone.
#pragma once

#include <vector>

#include "core/cbt/tree.h"
#include "tests/support/random.h"

namespace orogen::test {

// Splits every leaf with equal probability, from the top down; `percent` 100 gives the full tree. Returns it reduced.
template <class Tree>
Tree randomTree(Random& random, int maxDepth, int initialDepth, std::uint32_t percent)
{
    Tree tree(maxDepth, initialDepth);
    for (NodeId node = NodeId(1) << initialDepth; node < NodeId(1) << maxDepth; ++node)
        if (isLeafNow(tree, node) && random.chance(percent, 100)) tree.split(node);
    tree.reduce();
    return tree;
}

// Returns the leaves from the bits: each extends to the next set bit.
template <class Tree>
std::vector<NodeId> leavesByBits(const Tree& tree)
{
    std::vector<NodeId> leaves;
    const NodeId bits = NodeId(1) << tree.maxDepth();
    for (NodeId bit = 0, next; bit < bits; bit = next)
    {
        for (next = bit + 1; next < bits && !tree.bit(next);)
            ++next;
        leaves.push_back((bits + bit) / (next - bit));
    }
    return leaves;
}

}  // namespace orogen::test

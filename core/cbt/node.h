// Nodes of a full binary tree by heap index: the root is 1, the children of k are 2k and 2k + 1; 0 is invalid.
#pragma once

#include <bit>
#include <cstdint>

namespace orogen {

using NodeId = std::uint32_t;  // < 2^31: depth <= 30

constexpr int kMinTreeDepth = 6;   // one level of counts above one word of bits
constexpr int kMaxTreeDepth = 30;  // limit of a 32-bit index and half-open bit ranges

constexpr int depthOf(NodeId node) { return std::bit_width(node) - 1; }  // 0 for the root

// Returns the bit at which the node's range starts, in the field of 2^maxDepth bits: k 2^(D - d) - 2^D.
constexpr NodeId firstBit(NodeId node, int maxDepth)
{
    return (node << (maxDepth - depthOf(node))) - (NodeId(1) << maxDepth);
}

}  // namespace orogen

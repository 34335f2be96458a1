// Nodes of a full binary tree by heap index: the root is 1, the children of k are 2k and 2k + 1, 0 is no node.
#pragma once

#include <bit>
#include <cstdint>

namespace orogen {

using NodeId = std::uint32_t;  // below 2^31: depth 30 at most

constexpr int kMinTreeDepth = 6;   // one level of counts above one whole word of bits
constexpr int kMaxTreeDepth = 30;  // what a 32-bit index and the half-open bit ranges allow

constexpr int depthOf(NodeId node) { return std::bit_width(node) - 1; }  // 0 for the root

// Bit of the field of 2^maxDepth bits at which the node's range starts: k 2^(D - d) - 2^D.
constexpr NodeId firstBit(NodeId node, int maxDepth)
{
    return (node << (maxDepth - depthOf(node))) - (NodeId(1) << maxDepth);
}

}  // namespace orogen

// Two independent models of a binary tree with leaves, for tests of the concurrent binary tree. Neither has bits,
// counts or a maximum depth; they share only node numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace orogen::test {

using Node = std::uint32_t;

// Tree as the set of its leaves, ordered from left to right.
class LeafSet
{
public:
    void split(Node leaf)
    {
        leaves_.erase(leaf);
        leaves_.insert({2 * leaf, 2 * leaf + 1});
    }
    void merge(Node leaf)
    {
        leaves_.erase(leaf);
        leaves_.erase(leaf ^ 1u);
        leaves_.insert(leaf / 2);
    }
    bool contains(Node node) const { return leaves_.contains(node); }
    bool canMerge(Node leaf) const { return leaf > 1 && contains(leaf) && contains(leaf ^ 1u); }
    std::size_t size() const { return leaves_.size(); }
    std::vector<Node> ordered() const { return {leaves_.begin(), leaves_.end()}; }

private:
    // Leaves are disjoint: the leaf with the smaller binary fraction as its path lies left.
    struct LeftOf
    {
        static std::uint64_t fraction(Node node)
        {
            std::uint64_t path = node;
            while (path < std::uint64_t(1) << 40)
                path *= 2;
            return path;
        }
        bool operator()(Node a, Node b) const
        {
            const std::uint64_t fa = fraction(a), fb = fraction(b);
            return fa != fb ? fa < fb : a < b;
        }
    };
    std::set<Node, LeftOf> leaves_{1};
};

// Tree of nodes that own their children.
class PointerTree
{
public:
    void split(Node leaf)
    {
        Branch& branch = *find(leaf);
        branch.left = std::make_unique<Branch>();
        branch.right = std::make_unique<Branch>();
    }
    void merge(Node leaf)
    {
        Branch& parent = *find(leaf / 2);
        parent.left.reset();
        parent.right.reset();
    }
    std::vector<Node> ordered() const
    {
        std::vector<Node> leaves;
        append(root_, 1, leaves);
        return leaves;
    }
    // Returns 0 if there is no such node.
    std::size_t leavesBelow(Node node) const
    {
        const Branch* branch = const_cast<PointerTree*>(this)->find(node);
        std::vector<Node> leaves;
        if (branch) append(*branch, node, leaves);
        return leaves.size();
    }

private:
    struct Branch
    {
        std::unique_ptr<Branch> left, right;
    };

    Branch* find(Node node)
    {
        if (node == 1) return &root_;
        Branch* parent = find(node / 2);
        return !parent ? nullptr : node % 2 == 0 ? parent->left.get() : parent->right.get();
    }
    static void append(const Branch& branch, Node node, std::vector<Node>& leaves)
    {
        if (!branch.left) return leaves.push_back(node);
        append(*branch.left, 2 * node, leaves);
        append(*branch.right, 2 * node + 1, leaves);
    }

    Branch root_;
};

}  // namespace orogen::test

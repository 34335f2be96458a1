#include "core/leb/edited_tree.h"

#include <array>
#include <cassert>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/cbt/cbt.h"
#include "core/leb/leb.h"

namespace orogen::leb {
namespace {

constexpr std::pair<std::string_view, EditKind> kNames[] = {{"split", EditKind::kSplit},
                                                            {"merge", EditKind::kMerge},
                                                            {"leb-split", EditKind::kSplitConforming},
                                                            {"leb-merge", EditKind::kMergeDiamond},
                                                            {"reduce", EditKind::kReduce}};

std::string_view nameOf(EditKind kind) { return kNames[std::size_t(kind)].first; }

Error malformed(std::string message) { return Error{ExitCode::kInput, std::move(message)}; }

// Quotes a word for a message, shortened and printable: the file may hold anything.
std::string quoted(std::string_view word)
{
    constexpr std::size_t kLongest = 32;
    return fmt::format("'{}{}'", printableStart(word, kLongest), word.size() > kLongest ? "..." : "");
}

Result<std::uint64_t> parseNode(std::string_view word)
{
    const auto node = numberIn<std::uint64_t>(word);
    if (!node || *node == 0)
        return malformed(fmt::format("found {}, expected a node number, 1 or more",
                                     word.empty() ? std::string("no node") : quoted(word)));
    return *node;
}

template <class Tree>
Status refuse(const Tree& tree, const Edit& edit)
{
    const NodeId node = NodeId(edit.node);
    const bool splits = edit.kind == EditKind::kSplit || edit.kind == EditKind::kSplitConforming;
    const auto refused = [&](std::string_view why) {
        return malformed(fmt::format("{} {}: {}", nameOf(edit.kind), edit.node, why));
    };
    if (edit.node >= std::uint64_t(2) << tree.maxDepth() || !isLeafNow(tree, node)) return refused("not a leaf");
    if (splits && depthOf(node) == tree.maxDepth())
        return refused(fmt::format("a leaf of the maximum depth {} does not split", tree.maxDepth()));
    if (splits) return Status::ok();
    if (node == 1) return refused("the root has no sibling");
    if (!isLeafNow(tree, node ^ 1u)) return refused(fmt::format("its sibling {} is not a leaf", node ^ 1u));
    if (edit.kind == EditKind::kMergeDiamond && mergingDiamond(tree, node).empty())
        return refused(fmt::format("its diamond has inner nodes across the base of {}", node / 2));
    return Status::ok();
}

template <class Tree>
Status apply(Tree& tree, const Edit& edit)
{
    if (edit.kind == EditKind::kReduce)
    {
        tree.reduce();
        return Status::ok();
    }
    if (Status status = refuse(tree, edit); !status) return status;
    const NodeId node = NodeId(edit.node);
    switch (edit.kind)
    {
    case EditKind::kSplit:
        tree.split(node);
        break;
    case EditKind::kMerge:
        tree.merge(node);
        break;
    case EditKind::kSplitConforming:
        splitConforming(tree, node);
        break;
    case EditKind::kMergeDiamond:
        mergeDiamond(tree, node);
        break;
    case EditKind::kReduce:
        break;
    }
    return Status::ok();
}

}  // namespace

Result<std::optional<Edit>> parseEdit(std::string_view line)
{
    line = line.substr(0, line.find('#'));
    const std::string_view name = takeWord(line);
    if (name.empty()) return std::optional<Edit>{};
    Edit edit;
    const auto* const entry = std::ranges::find(kNames, name, &std::pair<std::string_view, EditKind>::first);
    if (entry == std::end(kNames))
        return malformed(
            fmt::format("found {}, expected split, merge, leb-split, leb-merge, reduce or leaf", quoted(name)));
    edit.kind = entry->second;
    if (edit.kind != EditKind::kReduce)
    {
        const Result<std::uint64_t> node = parseNode(takeWord(line));
        if (!node) return malformed(fmt::format("{}: {}", name, node.error().message));
        edit.node = *node;
    }
    if (const std::string_view rest = takeWord(line); !rest.empty())
        return malformed(fmt::format("{}: found {}, expected the end of the line", name, quoted(rest)));
    return std::optional(edit);
}

Status applyEdit(Cbt& tree, const Edit& edit) { return apply(tree, edit); }
Status applyEdit(PackedCbt& tree, const Edit& edit) { return apply(tree, edit); }
Status applyEdit(EditedTree<Cbt>& tree, const Edit& edit) { return apply(tree, edit); }
Status applyEdit(EditedTree<PackedCbt>& tree, const Edit& edit) { return apply(tree, edit); }

namespace {

// If more than one in kShareOfPaths bits changed, counting all nodes anew is cheaper than counting only the nodes above
// the changed bits.
constexpr std::size_t kShareOfPaths = 512;

// Sums of hashOfLeaf() over all nodes of depth 0, 1, ...
constexpr std::uint64_t kHashes[kMaxTreeDepth + 1] = {
    0xe220a8397b1dcdaf, 0x753cfb8321c2ab43, 0x94137bdd57b8cc52, 0xea030cbffd3cd467, 0x368af789dec1b4fb,
    0xef1c534444bacc29, 0xb6d130e9b5335a39, 0xf9778f7d5af3af6f, 0x320d48b83025e6be, 0xf3925fb4403667d1,
    0x47ff997de7a30dab, 0x4118a6468192cd71, 0x47812d608e371514, 0x3c11b5fd2288395e, 0x8c37fa44de86cf8a,
    0x4eca657590f5a394, 0x46d66f800bcac22a, 0x8bb55cd19017ed32, 0x62676c67d83853ec, 0xa817b9e82c522af3,
    0xadeb6638ecc116b2, 0x31c2c1af871332eb, 0x28a09ec1f6d5bfa9, 0x3132fa6191b2d610, 0x6ef8c974aa4438cf,
    0xa8a31e1486621d2d, 0xfa946f4a850442d3, 0x9725d9b8db93a66f, 0x0d51f040f11d7dbe, 0xa39363a965a9acfc,
    0xcb0f270f06cbb801};

void reducePaths(Cbt& tree, std::span<const NodeId> bits)
{
    SerialExecutor serial;
    ChangedReduction(serial).reduce(tree, bits);
}

void reducePaths(PackedCbt& tree, std::span<const NodeId> bits)
{
    for (const NodeId bit : bits)
        tree.reduceAbove(bit);
}

}  // namespace

std::uint64_t hashOfDepth(int depth)
{
    assert(0 <= depth && depth <= kMaxTreeDepth);
    return kHashes[depth];
}

template <class Tree>
EditedTree<Tree>::EditedTree(int maxDepth, int initialDepth)
    : tree_(maxDepth, initialDepth), hash_(hashOfDepth(initialDepth))
{
}

template <class Tree>
Status EditedTree<Tree>::apply(const Edit& edit)
{
    return applyEdit(*this, edit);
}

template <class Tree>
void EditedTree<Tree>::reduce()
{
    if (all_)
        tree_.reduce();
    else if (!changed_.empty())
        reducePaths(tree_, changed_);
    changed_.clear();
    all_ = false;
}

template <class Tree>
void EditedTree<Tree>::changed(NodeId bit)
{
    if (all_) return;
    changed_.push_back(bit);
    all_ = changed_.size() > (std::size_t(1) << maxDepth()) / kShareOfPaths;
}

template <class Tree>
void EditedTree<Tree>::split(NodeId leaf)
{
    tree_.split(leaf);
    changed(firstBit(2 * leaf + 1, maxDepth()));
    hash_ += hashOfLeaf(2 * leaf) + hashOfLeaf(2 * leaf + 1) - hashOfLeaf(leaf);
    if (const NodeId partner = neighbours(leaf).edge) isInnerNow(tree_, partner) ? --hanging_ : ++hanging_;
}

template <class Tree>
void EditedTree<Tree>::merge(NodeId leaf)
{
    const NodeId parent = leaf / 2;
    tree_.merge(leaf);
    changed(firstBit(leaf | 1, maxDepth()));
    hash_ += hashOfLeaf(parent) - hashOfLeaf(2 * parent) - hashOfLeaf(2 * parent + 1);
    if (const NodeId partner = neighbours(parent).edge) isInnerNow(tree_, partner) ? ++hanging_ : --hanging_;
}

template class EditedTree<Cbt>;
template class EditedTree<PackedCbt>;

}  // namespace orogen::leb

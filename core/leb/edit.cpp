#include "core/leb/edit.h"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/leb/edited_tree.h"
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
        return malformed(fmt::format("found {}, expected split, merge, leb-split, leb-merge or reduce", quoted(name)));
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

}  // namespace orogen::leb

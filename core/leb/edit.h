// Tree edits as text, one per line: the input of `orogen cbt replay`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/status.h"
#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"

namespace orogen::leb {

enum class EditKind
{
    kSplit,
    kMerge,
    kSplitConforming,  // with all splits that conformity forces
    kMergeDiamond,
    kReduce,
};

struct Edit
{
    EditKind kind = EditKind::kReduce;
    std::uint64_t node = 0;  // as written, >= 1; 0 for kReduce
    bool operator==(const Edit&) const = default;
};

// Parses `split K`, `merge K`, `leb-split K`, `leb-merge K` (K decimal) or `reduce`; `#` starts a comment.  Returns
// nothing for an empty line.  Error (kInput): the fault, without its place.
Result<std::optional<Edit>> parseEdit(std::string_view line);

// Applies an edit, checked against the current bits, reduced or not.  Only kReduce updates the counts.  Error (kInput),
// without change: the node is not a leaf or too deep to split, or not all nodes of a merge are leaves.
Status applyEdit(Cbt& tree, const Edit& edit);
Status applyEdit(PackedCbt& tree, const Edit& edit);
template <class Tree>
class EditedTree;
Status applyEdit(EditedTree<Cbt>& tree, const Edit& edit);
Status applyEdit(EditedTree<PackedCbt>& tree, const Edit& edit);

}  // namespace orogen::leb

// Edits of a tree as text, one a line: what `orogen cbt replay` reads.
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
    kSplitConforming,  // with all that conformity forces
    kMergeDiamond,
    kReduce,
};

struct Edit
{
    EditKind kind = EditKind::kReduce;
    std::uint64_t node = 0;  // as written, 1 or more; 0 for kReduce
    bool operator==(const Edit&) const = default;
};

// `split K`, `merge K`, `leb-split K`, `leb-merge K` (K decimal) or `reduce`; `#` starts a comment.  Empty for a line
// that holds nothing else.  Error (kInput): what is wrong with the line, without its place.
Result<std::optional<Edit>> parseEdit(std::string_view line);

// Judged by the tree as it is now, reduced or not; counts are left stale but by kReduce.  Error (kInput), and no
// change, if the node is not a leaf, is too deep to split, or a merge does not find all its leaves.
Status applyEdit(Cbt& tree, const Edit& edit);
Status applyEdit(PackedCbt& tree, const Edit& edit);
template <class Tree>
class EditedTree;
Status applyEdit(EditedTree<Cbt>& tree, const Edit& edit);
Status applyEdit(EditedTree<PackedCbt>& tree, const Edit& edit);

}  // namespace orogen::leb

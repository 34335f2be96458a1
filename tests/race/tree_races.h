// The wide tree of core/cbt on real threads.
#pragma once

#include <string_view>

namespace orogen::test {

// Runs "tree": edits, reductions and decodes, which must be silent; or "tree-reduced-while-split",
// "tree-decoded-while-changed" and "tree-reduced-by-all-pieces", which must be reported.  Returns the exit code.
int runTreeRaces(std::string_view kind, unsigned runs);

}  // namespace orogen::test

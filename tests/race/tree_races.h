// The wide tree of core/cbt on real threads.
#pragma once

#include <string_view>

namespace orogen::test {

// "tree": edits, reductions and decodes, which must be silent; "tree-reduced-while-split", "tree-decoded-while-changed"
// and "tree-reduced-by-all-pieces": what must be reported.  The exit code.
int runTreeRaces(std::string_view kind, unsigned runs);

}  // namespace orogen::test

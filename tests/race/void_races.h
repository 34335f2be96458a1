// Conjugate gradients and multigrid on the threads of a pool.
#pragma once

#include <string_view>

namespace orogen::test {

// "voids": holes that are filled, which must be silent; "voids-summed-by-all-pieces": what must be reported.  The exit
// code.
int runVoidRaces(std::string_view kind, unsigned runs);

}  // namespace orogen::test

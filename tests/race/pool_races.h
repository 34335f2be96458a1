// The pool of bisectors of core/leb on real threads.
#pragma once

#include <string_view>

namespace orogen::test {

// Runs "pool": rounds, which must be silent; or "pool-checked-while-applied" and "pool-slots-found-while-taken", which
// must be reported.  Returns the exit code.
int runPoolRaces(std::string_view kind, unsigned runs);

}  // namespace orogen::test

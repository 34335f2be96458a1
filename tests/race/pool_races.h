// The pool of bisectors of core/leb on real threads.
#pragma once

#include <string_view>

namespace orogen::test {

// "pool": rounds, which must be silent; "pool-checked-while-applied" and "pool-slots-found-while-taken": what must be
// reported.  The exit code.
int runPoolRaces(std::string_view kind, unsigned runs);

}  // namespace orogen::test

// Size of randomised tests: small by default, large in long tests.
#pragma once

#include <cstdlib>

namespace orogen::test {

// `./run tests --long` sets OROGEN_LONG_TESTS.
inline bool longTests() { return std::getenv("OROGEN_LONG_TESTS") != nullptr; }

template <class Count>
Count scaled(Count eachRun, Count longRun)
{
    return longTests() ? longRun : eachRun;
}

}  // namespace orogen::test

// Counts calls of OpenGL while a capture runs: each call costs time on the driver's thread, and a capture reports the
// number of calls.
#pragma once

#include <cstdint>

namespace orogen::app {

// While an instance lives, it counts the calls of this program, except those by the panels' own loader.  At most one
// instance may live at a time, on the thread that draws.
class GlCallCounter
{
public:
    GlCallCounter();
    ~GlCallCounter();
    GlCallCounter(const GlCallCounter&) = delete;
    GlCallCounter& operator=(const GlCallCounter&) = delete;

    std::uint64_t take();  // calls since the last take(), or since construction
};

}  // namespace orogen::app

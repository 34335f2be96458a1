// Counts calls of OpenGL while a capture runs: each call costs the driver's thread, and a capture reports their number.
#pragma once

#include <cstdint>

namespace orogen::app {

// Counts the calls of this program, without those of the panels' own loader, while it lives.  One at a time, on the
// thread that draws.
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

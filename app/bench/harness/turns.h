// Contenders in turns A B C A B C, so that what else the machine does falls on all of them alike.  Unlike
// app/bench/harness/paired_timing.h, which repeats a body without a look at its result, every timed section starts from
// a state that is made for it, and is checked.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace orogen::lab {

struct Contender
{
    std::function<void()> prepare = {};  // before each section, not timed
    std::function<void()> run;           // the section
    std::function<bool()> check = {};    // after each section, with the clock stopped; empty: nothing to check
};

struct TurnsOptions
{
    int leastRounds = 9;              // after a first one that counts for nothing
    int mostRounds = 41;              // up to here while `seconds` last
    double seconds = 1;               // of timed sections
    std::function<bool()> goOn = {};  // asked after each section; empty: always
};

struct Timing
{
    double minimumMs = 0, medianMs = 0;
    int rounds = 0;
    bool checked = false, equal = true;  // every section
    double spread() const { return minimumMs > 0 ? medianMs / minimumMs - 1 : 0; }
};

// One for each contender; empty if goOn() said no.
std::vector<Timing> timeTurns(std::span<const Contender> contenders, const TurnsOptions& options);

}  // namespace orogen::lab

// The one harness of all benchmarks: several ways to do one thing are timed in interleaved trials, A B C A B C, so that
// whatever else the machine does falls on all of them alike.  It runs to the end at once, or in steps between the
// frames of a viewer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "app/bench/harness/timing.h"
#include "core/base/status.h"

namespace orogen::app::bench {

// What is timed of a contender is one of three kinds.
using Repeatable = std::function<void(std::int64_t times)>;  // does it so often, without looking at a clock
using Slices = std::vector<std::function<void()>>;           // do it together; a step may end between two of them
using SelfTimed = std::function<Result<double>()>;           // does it once; milliseconds by a clock of its own

// A loop in which the compiler sees the body: the call through std::function is made once a section.
template <class Body>
Repeatable repeated(Body body)
{
    return [body](std::int64_t times) mutable {
        for (; times > 0; --times)
            body();
    };
}

struct Contender
{
    std::function<void()> prepare = {};  // before each timed section, with the clock stopped
    std::variant<Repeatable, Slices, SelfTimed> section;
    std::function<bool()> check = {};  // after each timed section, with the clock stopped
    std::function<bool()> finalCheck =
        {};        // after all, where a check would disturb what the next section finds in caches
    int uses = 1;  // of what is measured, in one run of the section; times are of one use
};

struct TrialOptions
{
    int warmUpRounds = 1;  // that count for nothing
    int leastRounds = 9;
    int mostRounds = 41;  // up to here while `seconds` last
    double seconds = 1;   // of timed sections
    // A section is repeated until it takes about so long, which the warm-up finds out; 0: it runs once.  Sections that
    // time themselves run once.
    double batchMs = 0;
    std::function<void()> synchronise = {};  // before and after slices that are timed: waits for the device
    std::function<bool()> shouldStop = {};   // asked after every preparation, section and check; empty: never
};

class InterleavedTrials
{
public:
    InterleavedTrials(std::vector<Contender> contenders, TrialOptions options);

    // Goes on for about that long, and for a slice or a section at least.  True: done, stopped or failed.
    bool step(double milliseconds);

    double fraction() const;  // 0 ... 1
    // One for each contender, once step() has returned true.  Errors: kInterrupted (stopped), and a section's own.
    Result<std::vector<Timing>> timings() const;

private:
    struct Series
    {
        std::int64_t times = 1;  // of the section, in a trial
        std::vector<double> milliseconds;
        bool checked = false, equal = true;
    };

    // Each returns whether the section is complete.
    bool run(const Repeatable& body, double milliseconds);
    bool run(const Slices& slices, double milliseconds);
    bool run(const SelfTimed& measure, double milliseconds);
    bool isWarmUp() const { return round_ < options_.warmUpRounds; }
    void runSection(double milliseconds);
    void endSection();
    void endRound();
    void check(const std::function<bool()>& holds, Series& series);
    bool stops();
    std::int64_t batchOf(const Repeatable& body);

    std::vector<Contender> contenders_;
    TrialOptions options_;
    std::vector<Series> series_;
    std::size_t contender_ = 0, slice_ = 0;  // next
    int round_ = 0;
    bool prepared_ = false;               // for the section that is under way
    std::int64_t repetition_ = 0;         // of that section's slices
    double sectionMs_ = 0, sliceMs_ = 0;  // so far; of a slice of the last run of them
    double spentMs_ = 0;                  // in timed sections
    bool done_ = false;
    std::optional<Error> error_;
};

// All of it at once.
Result<std::vector<Timing>> timeInterleaved(std::vector<Contender> contenders, const TrialOptions& options);

}  // namespace orogen::app::bench

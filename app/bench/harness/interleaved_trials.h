// Harness of all benchmarks. Times several contenders in interleaved trials, A B C A B C, so that other load on the
// machine affects all of them alike. A command runs them in one call, a viewer in steps between its frames.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "core/base/status.h"

namespace orogen::app::bench {

// ---- statistics of repeated measurements ----

struct Timing
{
    double minimumMs = 0, medianMs = 0;  // per operation
    double totalMs = 0;                  // duration of the counted rounds' sections, with all repetitions
    int rounds = 0;
    bool checked = false, equal = true;  // checked: a check ran; equal: every check found the right result
    // Returns by how much the median exceeds the minimum, as a fraction of the minimum.
    double spread() const { return minimumMs > 0 ? medianMs / minimumMs - 1 : 0; }
};

// Returns the median: the upper of the middle two for an even count, 0 without values.
double medianOf(std::vector<double> values);

Timing timingOf(std::vector<double> milliseconds);

// Returns the speed-up over the baseline, from the minima: other load on the machine changes them least.
inline double timesAsFast(const Timing& timing, const Timing& baseline)
{
    return baseline.minimumMs / timing.minimumMs;
}

// ---- trials ----

// A contender's timed section has one of three types.
using Repeatable = std::function<void(std::int64_t times)>;  // runs `times` times without reading a clock
using Slices = std::vector<std::function<void()>>;           // parts of one run; a step may end between two of them
using SelfTimed = std::function<Result<double>()>;           // runs once; milliseconds by its own clock

// Returns a loop over `body`, which the compiler can inline: std::function wraps the whole loop.
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
    // Return whether the section's result is right.
    std::function<bool()> check = {};       // after each timed section, with the clock stopped
    std::function<bool()> finalCheck = {};  // once at the end, if a check would disturb the next section's caches
    int uses = 1;                           // operations in a run of the section; times are per operation
};

struct TrialOptions
{
    int warmUpRounds = 1;  // rounds that are not counted
    int leastRounds = 9;
    int mostRounds = 41;  // maximum; fewer once `seconds` are spent
    double seconds = 1;   // total of timed sections
    // Wanted duration of a section (ms). The first round finds how often the section must be repeated to take that
    // long; for slices it must be a warm-up round. 0: a section runs once. Self-timed sections always run once.
    double batchMs = 0;
    std::function<void()> synchronise = {};  // waits for the device, before and after timed slices
    std::function<bool()> shouldStop = {};   // checked after every preparation, section and check; empty: never
};

// Trials in rounds. In each round, every contender runs its section, repeated as TrialOptions::batchMs requires.
class InterleavedTrials
{
public:
    InterleavedTrials(std::vector<Contender> contenders, TrialOptions options);

    // Runs for about `milliseconds`, at least one slice or section. Returns true once done, stopped or failed.
    bool step(double milliseconds);

    double fraction() const;  // 0 ... 1
    // Returns one timing per contender, once step() has returned true. Errors: a section's own; kInterrupted.
    Result<std::vector<Timing>> timings() const;

private:
    struct Series
    {
        std::int64_t times = 1;            // repetitions of the section in a trial
        std::vector<double> milliseconds;  // per operation
        double totalMs = 0;                // duration of counted sections
        bool checked = false, equal = true;
    };

    // The three run() return whether the section is complete.
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
    std::size_t contender_ = 0, slice_ = 0;  // indices of the contender and the slice that run next
    int round_ = 0;
    bool prepared_ = false;               // the section's prepare() has run
    std::int64_t repetition_ = 0;         // current repetition of a section given as slices
    double sectionMs_ = 0, sliceMs_ = 0;  // time of the section so far; mean time of its last slices
    double spentMs_ = 0;                  // total of timed sections
    bool done_ = false;
    std::optional<Error> error_;
};

// Runs all trials to the end.  Errors: those of InterleavedTrials::timings().
Result<std::vector<Timing>> timeInterleaved(std::vector<Contender> contenders, const TrialOptions& options);

}  // namespace orogen::app::bench

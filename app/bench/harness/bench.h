// A benchmark: cases measured by interleaved trials (interleaved_trials.h), with one format of table and JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/bench/harness/interleaved_trials.h"
#include "core/base/json.h"
#include "core/base/status.h"

namespace orogen::app::bench {

struct BenchOptions
{
    bool quick = false, fullGpu = false;  // --quick: smaller cases; --full-gpu: with --quick, full cases on the GPU
    int threads = 2;                      // number of threads in rows with more than one thread
    // Called with the fraction done and the current measurement. Return false to stop.
    std::function<bool(double fraction, const std::string& now)> progress = {};
};

// ---- rows and their text ----

// Column of a table. `text` formats its cell from a row of the JSON report.
struct Column
{
    std::string title;
    std::function<std::string(const Json& row)> text;
    bool left = false;  // left-aligned, for words
};

// Return columns that show the row's value at a JSON pointer ("/ratio"). A missing value or null is shown as "-".
Column wordColumn(std::string title, const std::string& pointer);
Column integerColumn(std::string title, const std::string& pointer);
Column numberColumn(std::string title, const std::string& pointer, int decimals);
Column percentColumn(std::string title, const std::string& pointer);
Column checkColumn();  // shows "check": equal, DIFFERENT, or "-" if nothing can be checked

struct Table
{
    std::string key = "rows";  // name of the table's array in the JSON; several tables may have the same key
    std::string title = {};
    std::vector<Column> columns;
    std::vector<Json> rows = {};
};

// Adds a contender's times, spread and "ratio" (timesAsFast()). Also adds its baseline's number of rounds, and the
// baseline's times and spread with a prefix: "gmp_minimum".
void addPair(Json& row, const Timing& timing, const Timing& baseline, const std::string& prefix);

// ---- parts of a benchmark ----

class BenchRun;

struct Case
{
    std::string name;         // shown as progress, and in the reason if the case is left out
    std::uint64_t bytes = 0;  // memory that the case needs (bytes); the case is left out if less is available
    std::function<Status(BenchRun&)> run;
};

struct Plan
{
    Json head;           // facts about the whole run
    std::string legend;  // text above the tables
    std::vector<Table> tables;
    std::vector<Case> cases;
    std::vector<std::string> leftOut = {};  // cases left out, and why
    // true: time_ms.total is the sum of Timing::totalMs of all contenders; false: the time of the whole run.
    bool totalIsOfSections = false;
};

struct Bench
{
    const char *name, *about, *quickHelp;  // as on the command line
    Plan (*plan)(const BenchOptions& options);
    const char* fullGpuHelp = nullptr;  // help of --full-gpu, if offered
    void (*beforeAll)() = nullptr;      // runs first; may restart the program
};

// Measures for a running case and collects its rows.
class BenchRun
{
public:
    BenchRun(Plan& plan, const BenchOptions& options) : plan_(plan), options_(options) {}

    // Times the contenders, with `now` as the progress text.
    Result<std::vector<Timing>> time(const std::string& now, std::vector<Contender> contenders, TrialOptions trials);
    // Reports progress and returns whether to stop; for cases that do not use time().
    bool shouldStop(const std::string& now) const;

    void add(Json row, std::size_t table = 0) { plan_.tables[table].rows.push_back(std::move(row)); }
    std::vector<Json>& rows(std::size_t table = 0) { return plan_.tables[table].rows; }
    Json& head() { return plan_.head; }
    void leaveOut(std::string reason) { plan_.leftOut.push_back(std::move(reason)); }

private:
    friend Result<struct BenchReport> runBench(const Bench&, const BenchOptions&);

    Plan& plan_;
    const BenchOptions& options_;
    double fraction_ = 0, sectionsMs_ = 0;
};

struct BenchReport
{
    Json head;  // includes the system load before the run
    std::string legend;
    std::vector<Table> tables;
    std::vector<std::string> leftOut;
    double totalMs = 0;

    bool isRight() const;  // whether no check found a difference
    Json json() const;
    std::string text() const;
};

// Runs all cases of a benchmark. Errors: kInterrupted; kLimit if nothing could be measured; errors of a case.
Result<BenchReport> runBench(const Bench& bench, const BenchOptions& options);

// All benchmarks, as `orogen bench` offers them.

Bench treeBench();
Bench multiwordBench();
Bench signedDigitBench();
Bench conjugateGradientBench();
Bench exactBench();
Bench renderBench();

inline std::span<const Bench> benches()
{
    static const Bench all[] = {treeBench(),  multiwordBench(), signedDigitBench(), conjugateGradientBench(),
                                exactBench(), renderBench()};
    return all;
}

}  // namespace orogen::app::bench

// A benchmark: cases that are measured one after another, each by interleaved trials (interleaved_trials.h), and one
// form of table and of JSON for their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/bench/harness/interleaved_trials.h"
#include "compute/device/kernel_plan.h"
#include "core/base/status.h"

namespace orogen::app::bench {

using Json = nlohmann::ordered_json;

struct BenchOptions
{
    bool quick = false, fullGpu = false;
    int threads = 2;  // of the rows with more than one
    // Done of all, and what is measured now.  False: stop.
    std::function<bool(double fraction, const std::string& now)> progress = {};
};

// ---- rows and how they are printed ----

// A column of the table: what it says of a row, which is an object of the JSON.
struct Column
{
    std::string title;
    std::function<std::string(const Json& row)> text;
    bool left = false;  // aligned to the left, as words are
};

// Of the value at a JSON pointer; a null is "-".
Column wordColumn(std::string title, const std::string& pointer);
Column integerColumn(std::string title, const std::string& pointer);
Column numberColumn(std::string title, const std::string& pointer, int decimals);
Column percentColumn(std::string title, const std::string& pointer);
Column checkColumn();  // of "check": equal, DIFFERENT, or "-" where nothing can be checked

struct Table
{
    std::string key = "rows";  // of the array in the JSON, which tables may share
    std::string title = {};
    std::vector<Column> columns;
    std::vector<Json> rows = {};
};

// "time_ms", "ratio", "spread" and "rounds" of a contender, and of its baseline with a prefix: "gmp_minimum".
void addPair(Json& row, const Timing& timing, const Timing& baseline, const std::string& prefix);

// ---- what a benchmark consists of ----

class BenchRun;

struct Case
{
    std::string name;         // for progress, and in the reason why it is left out
    std::uint64_t bytes = 0;  // of memory that it takes; where they are not to be had, it is left out
    std::function<Status(BenchRun&)> run;
};

struct Plan
{
    Json head;           // what all rows have in common
    std::string legend;  // of the table
    std::vector<Table> tables;
    std::vector<Case> cases;
    std::vector<std::string> leftOut = {};  // and why
    bool totalIsOfSections = false;         // time_ms.total: of the trials' medians, and not of the whole run
};

struct Bench
{
    const char *name, *about, *quickHelp;  // as on the command line
    Plan (*plan)(const BenchOptions& options);
    const char* fullGpuHelp = nullptr;            // of --full-gpu, where that is offered
    void (*beforeAll)() = nullptr;                // may start the program again
    compute::PlannedLaunches launches = nullptr;  // that --plan lists, where its subject has kernels
};

// What a case is given to measure with, and to leave its rows in.
class BenchRun
{
public:
    BenchRun(Plan& plan, const BenchOptions& options) : plan_(plan), options_(options) {}

    // Shows `now` meanwhile.
    Result<std::vector<Timing>> time(const std::string& now, std::vector<Contender> contenders, TrialOptions trials);
    // For what is measured elsewhere.  True: stop.
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
    Json head;  // with the load before
    std::string legend;
    std::vector<Table> tables;
    std::vector<std::string> leftOut;
    double totalMs = 0;

    bool isRight() const;  // no check found a difference
    Json json() const;
    std::string text() const;
};

// Errors: kInterrupted; kLimit, if nothing could be measured; and what a case returns.
Result<BenchReport> runBench(const Bench& bench, const BenchOptions& options);

}  // namespace orogen::app::bench

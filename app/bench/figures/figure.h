// Figures of the four papers behind this program (000 to 003, see assets/docs/understand/papers.md) measured again, as
// plots of times, errors or counts over size. `orogen reproduce` writes all; the Laboratory panel runs those of paper
// 002.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/bench/harness/interleaved_trials.h"
#include "core/base/memory.h"
#include "core/base/status.h"
#include "core/frames/pages/svg_chart.h"

namespace orogen::compute {
class KernelTarget;
}

namespace orogen::app::bench {

struct FigureOptions
{
    double secondsPerPoint = 30;            // a point whose expected time is longer is not measured
    std::vector<std::uint64_t> sizes = {};  // x of the points, ascending, instead of the figure's own
    // Called at least once per point, with the fraction done and the next step. Return false to stop.
    std::function<bool(double fraction, const std::string& next)> progress;

    bool goesOn(double fraction, const std::string& next) const { return !progress || progress(fraction, next); }
};

inline Error stoppedError() { return {ExitCode::kInterrupted, "reproduce: stopped"}; }

// One x of the plot, and the value of each line there. A value is empty if it would take too long to measure, or if the
// line has no value there.
struct FigureRow
{
    double x = 0;
    std::vector<std::optional<double>> values;
};

struct FigureData
{
    std::string xName;
    std::vector<std::string> names;  // names of the lines
    std::vector<FigureRow> rows;
    std::vector<std::string> notes;  // lines for the reader, such as why points are empty
};

inline constexpr double kWholePlot = std::numeric_limits<double>::infinity();

struct Figure
{
    std::string name;   // base name of the CSV and SVG files; argument of `orogen reproduce`
    std::string about;  // one-line description for lists
    LinePlot plot;      // titles and axes; the lines are added from the measured data
    std::function<Result<FigureData>(const FigureOptions&)> measure;
    double lastX = kWholePlot;  // largest x in the plot; the CSV file has all rows
    bool takesSizes = false;    // whether FigureOptions::sizes may be given
};

// Returns the notes as lines that begin with '#', then a header with x and the names of the lines, then one row per x.
// Missing values are empty.
std::string figureCsv(const FigureData& data);
// Returns the plot. Lines for formulas, values printed in the paper, and ratios to GMP are dashed.
std::string figureSvg(const Figure& figure, const FigureData& data);

std::span<const Figure> signedDigitFigures();    // paper 000
std::span<const Figure> multiwordFigures();      // paper 001
std::span<const Figure> treeFigures();           // paper 002
std::span<const Figure> linearAlgebraFigures();  // paper 003

std::vector<const Figure*> allFigures();

// ---- plots of time over problem size ----

// Tracks which lines have ended. A line ends before the first point that is expected to exceed the time limit.
class LineEnds
{
public:
    LineEnds(std::size_t lines, double secondsPerPoint) : last_(lines, 0.0), seconds_(secondsPerPoint) {}

    bool hasEnded(std::size_t line) const { return !last_[line]; }
    // Returns whether to measure a line's next point, expected to take `timesAsLong` times as long as the last one.
    bool allows(std::size_t line, double timesAsLong) const
    {
        return !hasEnded(line) && *last_[line] * timesAsLong <= 1000 * seconds_;
    }
    void record(std::size_t line, std::optional<double> milliseconds) { last_[line] = milliseconds; }
    std::string note(const std::string& line, const std::string& where) const;  // "LINE: more than 30 s from WHERE on"

private:
    std::vector<std::optional<double>> last_;  // milliseconds; empty: the line has ended
    double seconds_;
};

// Runs once, then again until `seconds` are spent or `mostRuns` runs are done. Returns the shortest time (ms). Errors:
// those of `run`; kInterrupted if `shouldStop` returned true.
Result<double> shortestOf(const SelfTimed& run, double seconds, int mostRuns, const std::function<bool()>& shouldStop);

// Line of a plot: one algorithm, timed at each size.
template <class Problem>
struct SweepLine
{
    std::string name;
    double growth = 1;       // assumed: time proportional to size^growth
    bool inKernels = false;  // runs compute kernels that are limited to kLargestOnHost without a GPU
    std::function<Result<double>(const Problem& problem)> run = {};  // milliseconds of one run; error kNo: wrong result
    std::uint64_t largest = ~std::uint64_t(0);                       // largest measured size
};

// Plot of time over problem size: its lines, sizes and problems.
template <class Problem>
struct Sweep
{
    std::string xName;
    std::vector<SweepLine<Problem>> lines;
    std::vector<std::uint64_t> sizes;
    std::function<std::string(std::uint64_t size)> nameOf;     // "n = 32"
    std::function<std::uint64_t(std::uint64_t size)> bytesOf;  // bytes of main memory that a problem takes
    std::function<Problem(std::uint64_t size)> make;
    std::vector<std::string> notes = {};
    int mostRuns = 20;  // maximum number of timed runs per point
};

// Largest size at which lines with `inKernels` run on the CPU, unless FigureOptions::sizes is given.
inline constexpr std::uint64_t kLargestOnHost = 128;

const char* kernelBackend();                                    // "cuda", or "host-kernel" where there is no GPU
Result<std::unique_ptr<compute::KernelTarget>> kernelTarget();  // target of kernelBackend()

// Returns the note for lines with `inKernels` that run on the CPU; empty if there is a GPU.
std::optional<std::string> noteOfMissingCuda();

// Measurement of a sweep: each line at each size, until the line ends.
template <class Problem>
class SweepRun
{
public:
    SweepRun(const Sweep<Problem>& sweep, const FigureOptions& options)
        : sweep_(sweep), options_(options), sizes_(options.sizes.empty() ? sweep.sizes : options.sizes),
          ends_(sweep.lines.size(), options.secondsPerPoint)
    {
        data_.xName = sweep.xName;
        data_.notes = sweep.notes;
        const std::optional<std::string> missing = noteOfMissingCuda();
        for (const SweepLine<Problem>& line : sweep.lines)
            data_.names.push_back(line.name + " (ms)");
        onHost_ = missing.has_value() && options.sizes.empty();
        if (missing && std::ranges::any_of(sweep.lines, &SweepLine<Problem>::inKernels))
            data_.notes.push_back(*missing);
    }

    Result<FigureData> run()
    {
        for (index_ = 0; index_ < sizes_.size(); ++index_)
        {
            const std::uint64_t size = sizes_[index_];
            if (!goesOn(0, "making it")) return stoppedError();
            endLines(size);
            const auto runs = [&](const SweepLine<Problem>& line) { return willRun(line, size); };
            if (std::ranges::none_of(sweep_.lines, runs)) break;
            if (const Status fits = checkMemory(sweep_.nameOf(size), sweep_.bytesOf(size)); !fits)
            {
                data_.notes.push_back("left out: " + fits.error().message);
                break;
            }
            if (Status status = addRow(size); !status) return status.error();
        }
        return std::move(data_);
    }

private:
    std::size_t numberOf(const SweepLine<Problem>& line) const { return std::size_t(&line - sweep_.lines.data()); }
    bool willRun(const SweepLine<Problem>& line, std::uint64_t size) const
    {
        if (line.inKernels && onHost_ && size > kLargestOnHost) return false;
        return size <= line.largest && !ends_.hasEnded(numberOf(line));
    }

    bool goesOn(std::size_t line, const std::string& next) const
    {
        const double part = double(line) / double(sweep_.lines.size());
        return options_.goesOn((double(index_) + part) / double(sizes_.size()),
                               sweep_.nameOf(sizes_[index_]) + ", " + next);
    }

    void endLines(std::uint64_t size)
    {
        const double larger = index_ == 0 ? 1 : double(size) / double(sizes_[index_ - 1]);
        for (const SweepLine<Problem>& line : sweep_.lines)
        {
            if (!willRun(line, size) || ends_.allows(numberOf(line), std::pow(larger, line.growth))) continue;
            data_.notes.push_back(ends_.note(line.name, sweep_.nameOf(size)));
            ends_.record(numberOf(line), {});
        }
    }

    Status addRow(std::uint64_t size)
    {
        const Problem problem = sweep_.make(size);
        FigureRow row{double(size), std::vector<std::optional<double>>(sweep_.lines.size())};
        for (const SweepLine<Problem>& line : sweep_.lines)
        {
            if (!willRun(line, size)) continue;
            const std::size_t number = numberOf(line);
            if (!goesOn(number, line.name)) return stoppedError();
            const Result<double> ms =
                shortestOf([&] { return line.run(problem); }, std::min(options_.secondsPerPoint, 0.2), sweep_.mostRuns,
                           [&] { return !goesOn(number, line.name); });
            if (!ms) return ms.error();
            row.values[number] = *ms;
            ends_.record(number, *ms);
        }
        data_.rows.push_back(std::move(row));
        return Status::ok();
    }

    const Sweep<Problem>& sweep_;
    const FigureOptions& options_;
    const std::vector<std::uint64_t> sizes_;
    LineEnds ends_;
    bool onHost_ = false;    // lines with `inKernels` stop at kLargestOnHost: no GPU, and no sizes given
    std::size_t index_ = 0;  // index of the size
    FigureData data_;
};

template <class Problem>
Result<FigureData> measured(const Sweep<Problem>& sweep, const FigureOptions& options)
{
    return SweepRun<Problem>(sweep, options).run();
}

}  // namespace orogen::app::bench

#include "core/frames/report/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <set>
#include <thread>

#include <sys/utsname.h>

#include <fmt/format.h>

#include "core/base/cpu.h"
#include "core/base/sha256.h"
#include "core/base/text.h"

namespace orogen {
namespace {

std::optional<std::string> firstLine(const char* path)
{
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || line.empty()) return std::nullopt;
    return line;
}

// Returns the work hash of all runs if equal.
std::optional<std::string> commonHash(const std::vector<ReportRun>& runs)
{
    for (const ReportRun& run : runs)
        if (!run.workHash || run.workHash != runs.front().workHash) return std::nullopt;
    return runs.empty() ? std::nullopt : runs.front().workHash;
}

std::optional<bool> commonConformity(const std::vector<ReportRun>& runs)
{
    const auto says = [](std::optional<bool> value) {
        return [value](const ReportRun& run) { return run.conforming == value; };
    };
    if (std::ranges::any_of(runs, says(false))) return false;
    if (runs.empty() || std::ranges::any_of(runs, says(std::nullopt))) return std::nullopt;
    return true;
}

std::optional<std::uint64_t> allErrors(const std::vector<ReportRun>& runs)
{
    std::uint64_t sum = 0;
    for (const ReportRun& run : runs)
    {
        if (!run.glErrors) return std::nullopt;
        sum += *run.glErrors;
    }
    return sum;
}

// Returns the tile use in the rows; nothing if no row has tile counts.
std::optional<TileUse> tilesOf(std::span<const FrameSample> rows)
{
    std::optional<TileUse> use;
    for (const FrameSample& row : rows)
    {
        if (!row.tilesMissing) continue;
        if (!use) use.emplace();
        if (!row.measured()) continue;
        ++use->frames;
        use->framesMissing += *row.tilesMissing > 0;
        use->mostMissing = std::max(use->mostMissing, *row.tilesMissing);
        use->loaded += row.tilesLoaded.value_or(0);
    }
    return use;
}

template <class T>
std::optional<T> largestOf(const std::optional<T>& a, const std::optional<T>& b)
{
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

std::optional<std::uint64_t> sumOf(const std::optional<std::uint64_t>& a, const std::optional<std::uint64_t>& b)
{
    return a && b ? std::optional(*a + *b) : std::nullopt;
}

// Returns `use`, which describes the tile cache, with the counts of frames and of loaded tiles from `rows`.
TileUse withRows(TileUse use, const TileUse& rows)
{
    use.frames = rows.frames;
    use.framesMissing = rows.framesMissing;
    use.mostMissing = rows.mostMissing;
    use.loaded = rows.loaded;
    return use;
}

std::optional<TileUse> tilesOf(const std::vector<ReportRun>& runs)
{
    std::optional<TileUse> all;
    for (const ReportRun& run : runs)
        if (run.tiles) all = all ? together(*all, *run.tiles) : *run.tiles;
    return all;
}

// Removes the animation error, which compares a frame's interval with the time from the previous frame's begin to its
// own.  In captures with --settled that time includes the wait for tiles, which the interval leaves out.
void leaveOutAnimation(FrameReport& report)
{
    const auto reset = [](Statistics& s) {
        s.animationErrorMeanMs.reset();
        s.animationErrorP99Ms.reset();
    };
    reset(report.statistics);
    for (ReportRun& run : report.runs)
        reset(run.statistics);
    for (SectionStatistics& section : report.sections)
        reset(section.statistics);
}

}  // namespace

std::optional<double> TileUse::hitRate() const
{
    if (!requests || !hits || *requests == 0) return std::nullopt;
    return double(*hits) / double(*requests);
}

TileUse fromCache(const TileStats& before, const TileStats& after)
{
    TileUse use;
    use.budgetBytes = after.budgetBytes;
    use.residentBytes = std::max(before.residentBytes, after.residentBytes);
    use.resident = std::uint64_t(std::max({before.resident, after.resident, 0}));
    use.capacity = std::uint64_t(std::max(after.capacity, 0));
    use.bytesRead = after.bytesRead - std::min(before.bytesRead, after.bytesRead);
    use.requests = after.requests - std::min(before.requests, after.requests);
    use.hits = std::min(after.hits - std::min(before.hits, after.hits), *use.requests);
    use.coarser = double(std::max(before.coarser, after.coarser));
    return use;
}

TileUse together(const TileUse& a, const TileUse& b)
{
    TileUse both;
    both.frames = a.frames + b.frames;
    both.framesMissing = a.framesMissing + b.framesMissing;
    both.mostMissing = std::max(a.mostMissing, b.mostMissing);
    both.loaded = a.loaded + b.loaded;
    both.budgetBytes = largestOf(a.budgetBytes, b.budgetBytes);
    both.residentBytes = largestOf(a.residentBytes, b.residentBytes);
    both.resident = largestOf(a.resident, b.resident);
    both.capacity = largestOf(a.capacity, b.capacity);
    both.bytesRead = sumOf(a.bytesRead, b.bytesRead);
    both.requests = sumOf(a.requests, b.requests);
    both.hits = sumOf(a.hits, b.hits);
    both.coarser = largestOf(a.coarser, b.coarser);
    return both;
}

std::string tilesSentence(const FrameReport& report)
{
    if (!report.tiles || report.tiles->frames == 0) return {};
    const TileUse& tiles = *report.tiles;
    if (tiles.framesMissing > 0)
        return fmt::format("in {} of {} tiles were missing, up to {} at once, and an ancestor of each was drawn{}",
                           grouped(tiles.framesMissing), counted(tiles.frames, "frame"), grouped(tiles.mostMissing),
                           report.settled ? ", although each frame waited for its tiles: they could not be read in time"
                                          : ": capture --settled waits for them");
    return report.settled ? "each frame waited for its tiles, and none was missing"
                          : "no tile was missing in any frame";
}

std::string throttleSentence(const Statistics& statistics)
{
    if (!statistics.throttled || statistics.throttled->count == 0) return {};
    const ThrottledFrames& throttled = *statistics.throttled;
    std::string reasons = textOf(Throttle{throttled.reasons});
    for (std::size_t bar = reasons.find('|'); bar != std::string::npos; bar = reasons.find('|', bar))
        reasons.replace(bar, 1, ", ");
    return fmt::format("in {} of {} a clock was lowered ({}): their times are not the program's alone",
                       grouped(throttled.count), counted(throttled.frames, "frame"), reasons);
}

std::string untilSentence(const FrameReport& report)
{
    if (!report.until) return {};
    const UntilDecided& until = *report.until;
    const char* what = report.interleaving ? "the ratio of the medians" : "the median";
    const std::string runs = counted(report.runs.size(), "run");
    if (!until.halfWidthPercent) return fmt::format("not decided: no interval after {}", runs);
    return fmt::format("{} after {}: {} is known to within {} % ({:g} % wanted)",
                       until.decided ? "decided" : "not decided", runs, what, significant(*until.halfWidthPercent, 3),
                       until.percent);
}

std::string sentenceText(std::string_view note)
{
    std::string text(note);
    const std::size_t end = std::min(note.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), note.size());
    const bool word = end == note.size() || note[end] == ' ' || note[end] == ',' || note[end] == ':';
    if (end > 0 && word) text[0] = char(text[0] - 'a' + 'A');
    return text;
}

std::string_view textOf(GpuTimer timer)
{
    switch (timer)
    {
    case GpuTimer::kHardware:
        return "hardware";
    case GpuTimer::kSoftware:
        return "software";
    case GpuTimer::kNone:
        break;
    }
    return "none";
}

std::string_view meaningOf(GpuTimer timer)
{
    switch (timer)
    {
    case GpuTimer::kHardware:
        return "Time stamps of the GPU's own clock: each pass has the time it took.";
    case GpuTimer::kSoftware:
        return "OpenGL runs on the CPU, and its time stamps say when commands were taken, not how long the work "
               "took: no GPU time is shown or compared; go by the frame time.";
    case GpuTimer::kNone:
        break;
    }
    return "No time was measured on the GPU.";
}

std::string nowUtc()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min, parts.tm_sec);
}

void describeMachine(ReportMetadata& metadata)
{
    metadata.created = nowUtc();
    metadata.cpu = cpuModel();
    metadata.governor = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (utsname system = {}; uname(&system) == 0)
        metadata.kernel = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
    metadata.load = loadAverage();
    if (const unsigned processors = std::thread::hardware_concurrency(); processors > 0)
        metadata.processors = processors;
}

void summarize(ReportRun& run, std::span<const FrameSample> rows, double budgetMs)
{
    run.rows = rows.size();
    run.warmupFrames = std::uint64_t(std::ranges::count_if(rows, [](const auto& row) { return !row.measured(); }));
    run.statistics = statisticsOf(rows, budgetMs);
    run.workHash = workHash(rows);
    if (const std::optional<TileUse> tiles = tilesOf(rows)) run.tiles = withRows(run.tiles.value_or(TileUse{}), *tiles);
}

void summarize(FrameReport& report, std::span<const std::vector<FrameSample>> rows, double budgetMs)
{
    const std::vector<std::span<const FrameSample>> spans(rows.begin(), rows.end());
    report.statistics = statisticsOf(spans, budgetMs);
    report.sections = sectionsOf(spans, budgetMs);
    if (report.settled) leaveOutAnimation(report);
    report.workHash = commonHash(report.runs);
    report.tiles = tilesOf(report.runs);
    report.conforming = commonConformity(report.runs);
    report.glErrors = allErrors(report.runs);
    report.interrupted = report.interrupted || report.runs.size() < report.runsPlanned ||
                         std::ranges::any_of(report.runs, &ReportRun::interrupted);
    report.unsettled = std::ranges::any_of(report.runs, &ReportRun::unsettled);
}

std::optional<std::string> workHash(std::span<const FrameSample> run)
{
    Sha256 hash;
    bool any = false;
    for (const FrameSample& sample : run)
    {
        if (!sample.measured()) continue;
        any = true;
        for (const std::optional<std::uint64_t>& counter : {sample.leaves, sample.triangles, sample.splits})
        {
            if (!counter) return std::nullopt;
            std::array<std::uint8_t, 8> bytes;
            for (std::size_t i = 0; i < bytes.size(); ++i)
                bytes[i] = std::uint8_t(*counter >> (8 * i));
            hash.add(std::as_bytes(std::span(bytes)));
        }
    }
    if (!any) return std::nullopt;
    return hex(hash.finish()).substr(0, 16);
}

// ---- noise detection: reasons why equal runs differ ----

namespace {

// Names of the CPU frequency governors that adapt the clock to the load.
constexpr std::array<std::string_view, 4> kFollowing = {"powersave", "ondemand", "schedutil", "conservative"};

}  // namespace

std::optional<RunSpread> runSpread(std::span<const double> meanIntervalMs)
{
    if (meanIntervalMs.size() < 2 || !(std::ranges::min(meanIntervalMs) > 0)) return std::nullopt;
    const double n = double(meanIntervalMs.size());
    double sum = 0, squares = 0;
    for (const double ms : meanIntervalMs)
        sum += std::log(ms) / n;
    for (const double ms : meanIntervalMs)
        squares += (std::log(ms) - sum) * (std::log(ms) - sum);
    return RunSpread{1000 / std::ranges::max(meanIntervalMs), 1000 / std::ranges::min(meanIntervalMs),
                     std::sqrt(squares / (n - 1))};
}

std::string textOf(const RunSpread& spread)
{
    return fmt::format("differ by {:.0f} % ({:.2f} to {:.2f} fps, standard deviation {:.0f} %)",
                       100 * (spread.fastestFps / spread.slowestFps - 1), spread.slowestFps, spread.fastestFps,
                       100 * spread.deviation);
}

std::vector<std::string> machineWarnings(const ReportMetadata& metadata)
{
    std::vector<std::string> warnings;
    if (metadata.load && metadata.processors && *metadata.load >= kBusyLoad * double(*metadata.processors))
        warnings.push_back(fmt::format("the load average was {:.1f} on {} when the capture began: other "
                                       "programs took time from it",
                                       *metadata.load, counted(*metadata.processors, "processor")));
    if (metadata.governor && std::ranges::find(kFollowing, *metadata.governor) != kFollowing.end())
        warnings.push_back(fmt::format("the governor is {}, with which the clock follows the load; performance keeps "
                                       "it",
                                       *metadata.governor));
    return warnings;
}

std::vector<std::string> noiseWarnings(const FrameReport& report)
{
    std::vector<double> means;
    for (const ReportRun& run : report.runs)
        if (run.statistics.intervalMs && !run.interrupted) means.push_back(run.statistics.intervalMs->mean);
    std::vector<std::string> warnings;
    if (const std::optional<RunSpread> spread = runSpread(means); spread && spread->noisy())
        warnings.push_back("equal runs " + textOf(*spread));
    for (std::string& warning : machineWarnings(report.metadata))
        warnings.push_back(std::move(warning));
    return warnings;
}

}  // namespace orogen

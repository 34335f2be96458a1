// Statistical comparison of two sets of runs, called sides: the candidate against the baseline.
//
// The run is the unit of observation.  Each metric is one number per run; the means of its logarithms are compared, so
// that a difference is a ratio.  Interleaved runs are compared in pairs (pairedDifference).  Other runs use Welch's t
// interval if a side has fewer than kRunsForBootstrap runs, else a hierarchical bootstrap.  Holm's adjustment covers
// all compared metrics.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/text_file.h"
#include "core/frames/compare/comparison_math.h"
#include "core/frames/report/report_json.h"

namespace orogen {

inline constexpr double kDefaultMarginPercent = 2;
inline constexpr std::size_t kRunsForBootstrap = 8;
inline constexpr double kSignificance = 0.05;
inline constexpr std::size_t kMostRunsWanted = 99;

enum class Verdict
{
    kFaster,        // significant, in the candidate's favour
    kSlower,        // significant, to the candidate's disadvantage
    kEquivalent,    // the 90 % interval lies within the margin, significant or not (two one-sided tests at 5 %)
    kInconclusive,  // neither a difference nor equivalence was shown
};
std::string_view textOf(Verdict verdict);

struct ComparisonOptions
{
    double marginPercent = kDefaultMarginPercent;  // > 0; ratios within 1 + margin and its inverse count as equal
    std::vector<std::string> metrics;              // empty: the usual ones
    std::size_t among = 1;                         // comparisons made at once: p is multiplied by their number
};

struct MetricComparison
{
    std::string name;  // as in report.json: "interval_ms.p99", "gpu_draw_ms.mean", "fps_average"
    std::string unit;  // "ms" or "fps"
    bool higherIsBetter = false;
    std::vector<double> baselineRuns, candidateRuns;  // metric of each run
    double baseline = 0, candidate = 0;               // geometric means of the runs
    double ratio = 1;                                 // candidate / baseline
    std::optional<Interval> interval95, interval90;   // intervals of the ratio; empty with one run on a side
    std::optional<double> p, pHolm;                   // p-value of no difference, plain and after Holm's adjustment
    double spread = 0;  // standard deviation of the logarithm: of a pair's difference, or of a run
    Verdict verdict = Verdict::kInconclusive;
    // Pairs, or runs per side, that likely give a verdict (runsWanted()).  Empty if there is a verdict already, if a
    // side has one run, or if kMostRunsWanted do not suffice.
    std::optional<std::size_t> runsWanted;
};

struct ComparedSide
{
    std::vector<std::string> folders;
    std::size_t runs = 0;
    std::string settingsHash, workHash;
    std::optional<double> leavesMean, trianglesMean;  // per frame
};

struct SettingDifference
{
    std::string key, baseline, candidate;  // "none" if a side lacks the key
};

struct SectionComparison;

struct Comparison
{
    ComparedSide baseline, candidate;
    std::size_t frames = 0;  // measured frames of every run
    double marginPercent = kDefaultMarginPercent;
    std::size_t pairs = 0;  // number of interleaved pairs; 0: unpaired
    std::string method;     // "paired t interval", "Welch's t interval", "hierarchical bootstrap"; "none": too few runs
    std::vector<SettingDifference> settings;
    std::optional<double> leavesRatio, trianglesRatio;  // candidate / baseline
    std::vector<MetricComparison> metrics;
    std::vector<std::string> notes;           // one line each: what was left out, other differences
    std::vector<SectionComparison> sections;  // see addSections(); empty in a section's own comparison
    std::vector<std::string> noise;           // one line each: signs that noise disturbed the measurement

    bool anySlower() const;
    // Returns the metric of the headline: the mean interval if compared, else the first one.  Null without metrics.
    const MetricComparison* first() const;
    bool decidable() const { return method != "none"; }
};

// Comparison of the frames of one section of the camera path.
struct SectionComparison
{
    std::string name;
    Comparison comparison;
};

// Texts for users give a difference as the change of time: "+12.3 %" if the candidate takes longer.  A rate is shown as
// the change of its time.
double timeRatio(const MetricComparison& metric, double ratio);  // candidate's time over the baseline's
std::string changeText(double timeRatio);                        // "+12.3 %", "-0.45 %"
std::string changeText(const MetricComparison& metric);
// Returns the range of changes within the margin: "-2.0 % to +2.0 %".
std::string marginText(double marginPercent);

// Interval of timeRatio() that supports the verdict: 90 % if equivalent, else 95 %.
struct ShownInterval
{
    int percent = 95;
    Interval timeRatio;
};
std::optional<ShownInterval> shownInterval(const MetricComparison& metric);  // empty with one run on a side
std::string textOf(const ShownInterval& interval);                           // "-1.2 % to +7.4 %"

// Returns the comparison in one sentence: "slower: mean frame time +131 % (95 % interval +84.0 % to +189 %), 3 runs a
// side"; "inconclusive: mean frame time +3.0 % (95 % interval -1.2 % to +7.4 %), 4 pairs of runs; about 5 more
// pairs would decide".
std::string sentenceOf(const Comparison& comparison);

// Return the valid names for ComparisonOptions::metrics, and the default ones.
std::vector<std::string> allMetricNames();
std::vector<std::string> usualMetricNames();

// Compares two sides.  Errors: kInput if the sides, or a requested metric of theirs, are not comparable; kUsage for an
// unknown metric.
Result<Comparison> compareCaptures(std::span<const Capture> baseline, std::span<const Capture> candidate,
                                   const ComparisonOptions& options = {});

// Compares the sections of the path that all captures have; used by compareCaptures().  Multiplies their
// p-values by the number of sections, too.  A section that cannot be compared leaves a note.
void addSections(Comparison& to, std::span<const Capture> baseline, std::span<const Capture> candidate,
                 const ComparisonOptions& options);

// Return the comparison in the program's own formats.  `milliseconds`: time that the comparison took.
std::string comparisonToJson(const Comparison& comparison, double milliseconds);
std::string comparisonToHtml(const Comparison& comparison, std::span<const Capture> baseline,
                             std::span<const Capture> candidate);

// Return the verdicts in formats for other programs.  Markdown: a sentence and a table.  JUnit: one test per metric; a
// slower metric fails, an inconclusive one is skipped.  GitHub: one workflow command (error, warning or notice) per
// metric, and a warning per line of Comparison::noise.
std::string comparisonToMarkdown(const Comparison& comparison);
std::string comparisonToJunit(const Comparison& comparison);
std::string comparisonToGithub(const Comparison& comparison);

// ---- captures in folders, for the command line and the Capture panel ----

struct ComparedFolders
{
    std::vector<Capture> baseline, candidate;
    Comparison comparison;

    std::string html() const { return comparisonToHtml(comparison, baseline, candidate); }
};

// Reads the captures of a side.  Errors: those of readCapture(); kInput for a folder with the two sides of one capture;
// kInterrupted if `stop` returns true.
Result<std::vector<Capture>> readSide(std::span<const std::string> folders, const StopReading& stop = {});

// Reads the captures of two sides and compares them.  Errors: those of readSide() and compareCaptures().
Result<ComparedFolders> compareFolders(std::span<const std::string> baseline, std::span<const std::string> candidate,
                                       const ComparisonOptions& options, const StopReading& stop = {});

// Comparison of several sides with the first one, for one output.  A side is a named list of captures.

inline constexpr std::size_t kLeastSides = 3, kMostSides = 6;  // number of sides in such a comparison

struct NamedFolders
{
    std::string name;
    std::vector<std::string> folders;
};

struct ComparedSides
{
    std::vector<std::string> names;              // the first one is the baseline
    std::vector<std::vector<Capture>> captures;  // one list per name
    std::vector<Comparison> comparisons;         // names[i + 1] with names[0]

    bool anySlower() const;
};

// Compares every other side with the first one.  Errors: as compareFolders().  Multiplies p-values by the number of
// candidates.
Result<ComparedSides> compareSides(std::span<const NamedFolders> sides, const ComparisonOptions& options,
                                   const StopReading& stop = {});

// Return all sides in the formats of a single comparison.
std::string sidesToJson(const ComparedSides& sides, double milliseconds);
std::string sidesToHtml(const ComparedSides& sides);
std::string sidesToMarkdown(const ComparedSides& sides);
std::string sidesToJunit(const ComparedSides& sides);
std::string sidesToGithub(const ComparedSides& sides);

}  // namespace orogen

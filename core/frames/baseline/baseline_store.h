// Baselines: captures kept in one folder, one file each, to compare later captures with and to draw their trend.
//
//   STORE/NAME-MACHINE-SCENE-2026-05-01T12.34.56Z-COMMIT.json     if that file exists: COMMIT-2.json
//
// The baselines with the same name, machine and scene form a series.  The machine is the processor and the renderer;
// the scene is terrain, camera path, size, number of frames and whether panels were drawn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text_file.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/report/report_json.h"

namespace orogen {

inline constexpr std::string_view kBaselineSchema = "orogen.baseline/1";
inline constexpr std::size_t kLongestBaselineName = 64;

// Series of baselines.  `machine` and `scene`: 8 hexadecimal digits.
struct BaselineSeries
{
    std::string name, machine, scene;
    bool operator==(const BaselineSeries&) const = default;
    auto operator<=>(const BaselineSeries&) const = default;
};

// Returns whether a name is valid: letters, digits, '.', '_' and '-'; 1 to kLongestBaselineName characters, the first a
// letter or a digit.
bool isBaselineName(std::string_view name);
// Returns the series that a report belongs to under this name.
BaselineSeries seriesOf(const std::string& name, const FrameReport& report);

struct Baseline
{
    std::string file;  // path of the baseline's file
    BaselineSeries series;
    Capture capture;  // with `file` as its folder
};

// Writes the capture into the store, a folder that is created if missing.  Returns the file.  Errors: kOutput if the
// series has the capture already or the file cannot be written; kInput for a capture without a measured frame, or if
// an unreadable file has its name.
Result<std::string> addBaseline(const std::string& store, const std::string& name, const Capture& capture);

// Returns whether two captures have the same report and rows, wherever they lie.
bool sameCapture(const Capture& a, const Capture& b);

// Reads a file of a store.  Error kInput: one line with file, place, found and expected.
Result<Baseline> readBaseline(const std::string& file);

// Selection of the files of a store.  An empty member selects all.
struct BaselineFilter
{
    std::string name = {}, machine = {}, scene = {};
};

// Reads the baselines of a store, ordered by series and then by time, the oldest first.  A missing store is empty.
// Files with other names are ignored.  Errors: those of readBaseline(); kInterrupted after `stop`.
Result<std::vector<Baseline>> readBaselines(const std::string& store, const BaselineFilter& filter = {},
                                            const StopReading& stop = {});

// Removes all but the newest `keep` files of each series that the filter selects.  Returns the removed files.  Error
// kOutput if a file cannot be removed.
Result<std::vector<std::string>> pruneBaselines(const std::string& store, const BaselineFilter& filter,
                                                std::uint64_t keep);

// One step of a series: a baseline, compared with the one before.
struct TrendPoint
{
    const Baseline* baseline = nullptr;
    std::vector<double> medians;           // median frame interval of each run (ms), ascending
    double median = 0;                     // geometric mean of `medians` (ms)
    std::optional<Comparison> comparison;  // empty: the first baseline, or one that is not comparable
    std::string obstacle;                  // why the baseline is not comparable
};
// Returns the points of one series, oldest first.  Each is compared with the one before, by the mean and the median
// frame interval.  `marginPercent`: differences up to this count as equal.
std::vector<TrendPoint> trendOf(std::span<const Baseline> series, double marginPercent = kDefaultMarginPercent);

// Returns a section of a page with the trend of each series; empty text without baselines.
std::string trendSection(std::span<const Baseline> baselines);
std::string trendPage(std::span<const Baseline> baselines);  // a page with this section

}  // namespace orogen

#include "core/view/camera_path.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/planet/ellipsoid.h"
#include "core/settings.h"
#include "core/view/key_spline.h"

namespace orogen {
namespace {

constexpr std::string_view kFirstLine = "orogen camera path ";
constexpr std::string_view kVersion = "1";
constexpr std::string_view kSuffix = ".path";
constexpr std::uint64_t kLargest = 64 << 20;  // bytes: enough for kMostKeys with all digits
constexpr double kFurthestFraction = 10;      // largest coordinate, as a multiple of the terrain's extent
constexpr double kMostSmooth = 60;            // limit of CameraPath::smoothSeconds
constexpr std::string_view kColumns = "TIME EAST NORTH UP YAW PITCH FOV";

bool isControl(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

std::string quotable(std::string_view text)
{
    constexpr std::size_t kLongest = 64;
    return printableStart(text, kLongest);
}

Error malformed(std::string_view found, std::string_view expected)
{
    return {ExitCode::kInput, fmt::format("found '{}', expected {}", quotable(found), expected)};
}

struct Range
{
    double least, most;
};

Range rangeOf(std::string_view setting)
{
    const SettingInfo* info = findSetting(setting);
    return {info->minimum, info->maximum};
}

Result<double> checkedNumber(std::string_view text, std::string_view what, Range range)
{
    if (const std::optional<double> value = numberIn<double>(text, range.least, range.most)) return *value;
    return malformed(text, fmt::format("{} from {} to {}", what, range.least, range.most));
}

// Parser of a path, line by line; finish() checks for missing lines.
class PathParser
{
public:
    Status line(std::string_view text);
    Result<CameraPath> finish() const;

private:
    enum Seen
    {
        kName,
        kUnits,
        kLoop,
        kSmooth,
        kSeenCount,
    };
    Status header(Seen which, std::string_view rest);
    Status units(std::string_view rest);
    Status seconds(std::string_view rest, std::string_view what, Range range, double& value);
    Status key(std::string_view rest);
    Status mark(std::string_view name);
    Status place(const PathKey& key);

    CameraPath path_;
    std::array<bool, kSeenCount> seen_{};
    std::optional<std::string> mark_;  // begins at the next key
    bool began_ = false, ended_ = false;
};

constexpr std::array<std::string_view, 3> kUnitNames = {"terrain", "metres", "earth"};
constexpr double kDeepest = 6.0e6;  // least distance from the Earth's centre (metres), where verticals are well defined
constexpr std::array<std::string_view, 4> kHeaders = {"name", "units", "loop", "smooth"};

Status PathParser::line(std::string_view text)
{
    text = trimmed(text.substr(0, text.find('#')));
    if (!began_)
    {
        began_ = true;
        if (text == fmt::format("{}{}", kFirstLine, kVersion)) return Status::ok();
        return malformed(text, fmt::format("{}{}", kFirstLine, kVersion));
    }
    if (text.empty()) return Status::ok();
    if (ended_) return malformed(text, "nothing after end");
    std::string_view rest = text;
    const std::string_view word = takeWord(rest);
    if (const auto found = std::ranges::find(kHeaders, word); found != kHeaders.end())
        return header(Seen(found - kHeaders.begin()), rest);
    if (word == "mark") return mark(rest);
    if (text == "end")
    {
        if (mark_) return malformed("end", fmt::format("a key after mark {}", *mark_));
        ended_ = true;
        return Status::ok();
    }
    const bool number = word.find_first_not_of("+-.0123456789eE") == word.npos;
    return number ? key(text) : malformed(word, "name, units, loop, smooth, mark, end or the numbers of a key");
}

Status PathParser::header(Seen which, std::string_view rest)
{
    const std::string_view name = kHeaders[which];
    if (seen_[which]) return malformed(name, fmt::format("no second {}", name));
    seen_[which] = true;
    if (!path_.keys.empty()) return malformed(name, fmt::format("{} before the first key", name));
    switch (which)
    {
    case kUnits:
        return units(rest);
    case kLoop:
        return seconds(rest, "the seconds of a round,", {kLeastKeySeconds, kMostPathSeconds}, path_.loopSeconds);
    case kSmooth:
        return seconds(rest, "seconds", {0, kMostSmooth}, path_.smoothSeconds);
    default:
        break;
    }
    if (std::ranges::any_of(rest, isControl)) return malformed(rest, "a name without control characters");
    path_.name = rest;
    return Status::ok();
}

Status PathParser::units(std::string_view rest)
{
    const auto unit = std::ranges::find(kUnitNames, rest);
    if (unit == kUnitNames.end()) return malformed(rest, "units terrain, units metres or units earth");
    path_.units = PathUnits(unit - kUnitNames.begin());
    return Status::ok();
}

Status PathParser::seconds(std::string_view rest, std::string_view what, Range range, double& value)
{
    const Result<double> number = checkedNumber(rest, what, range);
    if (!number) return number.error();
    value = *number;
    return Status::ok();
}

Status PathParser::key(std::string_view rest)
{
    if (!seen_[kUnits]) return malformed(rest, "units terrain, units metres or units earth before the first key");
    if (path_.keys.size() == kMostKeys) return malformed(rest, fmt::format("at most {} keys", kMostKeys));
    const bool terrain = path_.units == PathUnits::kTerrain;
    const double furthest = terrain ? kFurthestFraction : rangeOf("view.position").most;
    PathKey key;
    struct Column
    {
        std::string_view what;
        Range range;
        double& value;
    };
    const std::array<Column, 7> columns = {{{"a time", {0, kMostPathSeconds}, key.time},
                                            {"east", {-furthest, furthest}, key.position.x},
                                            {"north", {-furthest, furthest}, key.position.y},
                                            {"up", {terrain ? 0 : -furthest, furthest}, key.position.z},
                                            {"a yaw", {-3600, 3600}, key.yaw},
                                            {"a pitch", rangeOf("view.pitch"), key.pitch},
                                            {"a field of view", rangeOf("view.fov"), key.fov}}};
    const std::string_view line = rest;
    for (const Column& column : columns)
    {
        const std::string_view word = takeWord(rest);
        if (word.empty()) return malformed(line, fmt::format("seven numbers: {}", kColumns));
        const Result<double> number = checkedNumber(word, column.what, column.range);
        if (!number) return number.error();
        column.value = *number + 0.0;  // -0 becomes 0: they are equal but print differently
    }
    const double fromCentre = glm::length(key.position);
    if (path_.units == PathUnits::kEarth &&
        (fromCentre < kDeepest || geodeticOf(key.position).height > kMostEarthHeight))
        return malformed(line, fmt::format("a place from {:.0f} km from the Earth's centre to {:.0f} km above it",
                                           kDeepest / 1000, kMostEarthHeight / 1000));
    if (!rest.empty()) return malformed(rest, fmt::format("no more than seven numbers: {}", kColumns));
    return place(key);
}

Status PathParser::place(const PathKey& key)
{
    const std::string time = fmt::format("time {}", key.time);
    if (path_.keys.empty() && key.time != 0) return malformed(time, "time 0 for the first key");
    if (!path_.keys.empty() && key.time < path_.keys.back().time + kLeastKeySeconds)
        return malformed(
            time, fmt::format("a time at least {} s after the {} before", kLeastKeySeconds, path_.keys.back().time));
    if (path_.loopSeconds > 0 && key.time + kLeastKeySeconds > path_.loopSeconds)
        return malformed(time, fmt::format("a time at least {} s before the round's {} s are over", kLeastKeySeconds,
                                           path_.loopSeconds));
    path_.keys.push_back(key);
    if (mark_) path_.marks.push_back({key.time, *std::exchange(mark_, std::nullopt)});
    return Status::ok();
}

Status PathParser::mark(std::string_view name)
{
    const std::string expected = fmt::format("mark NAME, of 1 to {} bytes, one before a key", kLongestMark);
    if (name.empty() || name.size() > kLongestMark || std::ranges::any_of(name, isControl) || mark_)
        return malformed(fmt::format("mark {}", name), expected);
    if (path_.marks.size() == kMostMarks) return malformed(name, fmt::format("at most {} marks", kMostMarks));
    mark_ = name;
    return Status::ok();
}

Result<CameraPath> PathParser::finish() const
{
    const std::string_view missing = !began_              ? "orogen camera path 1"
                                     : path_.keys.empty() ? "a key"
                                     : !ended_            ? "end"
                                                          : "";
    if (missing.empty()) return path_;
    return Error{ExitCode::kInput, fmt::format("found the end of the file, expected {}", missing)};
}

void appendKey(std::string& text, const PathKey& key)
{
    fmt::format_to(std::back_inserter(text), "{} {} {} {} {} {} {}\n", key.time, key.position.x, key.position.y,
                   key.position.z, key.yaw, key.pitch, key.fov);
}

}  // namespace

CameraPath standingPath(const Camera& camera, World world)
{
    CameraPath path;
    path.name = "view";
    path.units = world == World::kEarth ? PathUnits::kEarth : PathUnits::kMetres;
    path.keys = {{0, camera.position, camera.yaw, camera.pitch, camera.fov}};
    return path;
}

Status checkPathWorld(const CameraPath& path, World world)
{
    const bool earth = path.units == PathUnits::kEarth;
    if (earth == (world == World::kEarth)) return Status::ok();
    const std::string name = path.name.empty() ? "camera path" : "camera path '" + quotable(path.name) + '\'';
    return Error{ExitCode::kInput,
                 fmt::format("{}: found units {}, expected {}", name, kUnitNames[std::size_t(path.units)],
                             earth ? "units terrain or metres: this terrain is not the Earth"
                                   : "units earth: this is the Earth")};
}

double CameraPath::duration() const { return loopSeconds > 0 ? loopSeconds : keys.back().time; }

std::string CameraPath::sectionAt(double seconds) const
{
    const double time = duration() > 0 ? std::fmod(seconds, duration()) : 0.0;
    const bool atEnd = time == 0 && seconds > 0 && loopSeconds == 0 && duration() > 0;  // as CameraFlight does
    const auto after = std::ranges::upper_bound(marks, atEnd ? duration() : time, {}, &PathMark::time);
    return after == marks.begin() ? std::string() : std::prev(after)->name;
}

Result<CameraPath> parseCameraPath(std::string_view text, const std::string& file)
{
    PathParser parser;
    int number = 0;
    const auto at = [&](const Error& error) {
        return Error{error.code, fmt::format("{}:{}: {}", file, std::max(number, 1), error.message)};
    };
    while (!text.empty())
    {
        ++number;
        const auto end = std::min(text.find('\n'), text.size());
        if (Status status = parser.line(text.substr(0, end)); !status) return at(status.error());
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    Result<CameraPath> path = parser.finish();
    return path ? path : Result<CameraPath>(at(path.error()));
}

Result<CameraPath> readCameraPath(const std::string& file)
{
    const Result<std::string> text = readTextFile(file, kLargest);
    if (!text) return text.error();
    return parseCameraPath(*text, file);
}

std::string formatCameraPath(const CameraPath& path)
{
    std::string text = fmt::format("{}{}\n", kFirstLine, kVersion);
    if (!path.name.empty()) text += fmt::format("name {}\n", path.name);
    text += fmt::format("units {}\n", kUnitNames[std::size_t(path.units)]);
    if (path.loopSeconds > 0) text += fmt::format("loop {}\n", path.loopSeconds);
    text += fmt::format("smooth {}\n# time east north up yaw pitch fov\n", path.smoothSeconds);
    auto mark = path.marks.begin();
    for (const PathKey& key : path.keys)
    {
        if (mark != path.marks.end() && mark->time == key.time) text += fmt::format("mark {}\n", (mark++)->name);
        appendKey(text, key);
    }
    return text + "end\n";
}

Status saveCameraPath(const CameraPath& path, const std::string& file, const FileCalls& calls)
{
    return writeFileAtomically(file, formatCameraPath(path), calls);
}

std::string hashOf(const CameraPath& path)
{
    CameraPath nameless = path;
    nameless.name.clear();
    nameless.marks.clear();
    return sha256(formatCameraPath(nameless));
}

std::vector<std::string> pathNames(const std::filesystem::path& folder)
{
    std::vector<std::string> names;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed))
        if (entry->path().extension() == kSuffix) names.push_back(entry->path().stem().string());
    std::ranges::sort(names);
    return names;
}

Result<CameraPath> findCameraPath(const std::string& nameOrFile, const std::filesystem::path& folder)
{
    if (nameOrFile.find_first_of("/.") != nameOrFile.npos) return readCameraPath(nameOrFile);
    const std::vector<std::string> names = pathNames(folder);
    if (std::ranges::find(names, nameOrFile) != names.end())
        return readCameraPath((folder / (nameOrFile + std::string(kSuffix))).string());
    if (std::error_code ignored; std::filesystem::exists(nameOrFile, ignored)) return readCameraPath(nameOrFile);
    return Error{ExitCode::kInput, fmt::format("{}: no such camera path, expected a file or one of {}",
                                               quotable(nameOrFile), fmt::join(names, ", "))};
}

// ---- paths from flying ----

namespace {

constexpr double kLeastSeconds = 0.004;  // between two samples
constexpr double kStillSeconds = 0.5;    // between samples of a camera at rest, unless a frame takes longer
// Rounding of recorded values, well below the tolerances.
constexpr double kTicks = 10'000;     // per second
constexpr double kStepsAMetre = 100;  // per metre
constexpr double kParts = 1'000;      // per degree

double rounded(double value, double parts) { return std::round(value * parts) / parts + 0.0; }

PathKey keyOf(const Camera& camera, double time)
{
    const glm::dvec3& p = camera.position;
    return {rounded(time, kTicks),
            {rounded(p.x, kStepsAMetre), rounded(p.y, kStepsAMetre), rounded(p.z, kStepsAMetre)},
            rounded(camera.yaw, kParts),
            rounded(camera.pitch, kParts),
            rounded(camera.fov, kParts)};
}

bool sameCamera(const PathKey& a, const PathKey& b)
{
    return a.position == b.position && a.yaw == b.yaw && a.pitch == b.pitch && a.fov == b.fov;
}

}  // namespace

bool PathRecorder::add(double seconds, const Camera& camera, double heightAboveGround)
{
    if (samples_.empty()) started_ = seconds;
    const double time = seconds - started_;
    if (!samples_.empty() && time < samples_.back().key.time + kLeastSeconds) return true;
    if (time > kMostPathSeconds) return false;
    const PathKey key = keyOf(camera, time);
    const std::size_t count = samples_.size();
    const auto still = [&](std::size_t i) {
        return key.time - samples_[i].key.time < kStillSeconds && sameCamera(key, samples_[i].key);
    };
    if (count >= 2 && still(count - 1) && still(count - 2))
    {
        samples_.back().key.time = key.time;
        return true;
    }
    if (count == kMostSamples) return false;
    samples_.push_back({key, std::max(tolerance_.metres, tolerance_.relative * heightAboveGround)});
    return true;
}

PathRecorder::Curve PathRecorder::curveThrough(const std::vector<PathKey>& keys) const
{
    if (world_ == World::kEarth) return [curve = EarthSpline(keys)](double seconds) { return curve.at(seconds); };
    return [curve = KeySpline(keys)](double seconds) { return curve.at(seconds); };
}

double PathRecorder::missedBy(const Sample& sample, const Curve& curve) const
{
    const PathKey found = curve(sample.key.time);
    const auto turn = [&](double a, double b) { return std::abs(std::remainder(a - b, 360.0)) / tolerance_.degrees; };
    return std::max({glm::distance(sample.key.position, found.position) / sample.metres,
                     turn(sample.key.yaw, found.yaw), turn(sample.key.pitch, found.pitch),
                     turn(sample.key.fov, found.fov)});
}

std::optional<std::size_t> PathRecorder::worst(std::size_t from, std::size_t to, const Curve& curve) const
{
    std::optional<std::size_t> found;
    double most = 1;
    for (std::size_t i = from + 1; i < to; ++i)
        if (const double missed = missedBy(samples_[i], curve); missed > most)
        {
            most = missed;
            found = i;
        }
    return found;
}

// Starts with the first and last sample as keys.  Adds the worst sample of every span between keys as a key, until the
// curve is within the tolerance of all samples.
CameraPath PathRecorder::path(std::string name) const
{
    assert(!empty());
    CameraPath path;
    path.name = std::move(name);
    path.units = world_ == World::kEarth ? PathUnits::kEarth : PathUnits::kMetres;
    std::vector<std::size_t> chosen = {0};
    if (samples_.size() > 1) chosen.push_back(samples_.size() - 1);
    for (;;)
    {
        path.keys.clear();
        for (const std::size_t index : chosen)
            path.keys.push_back(samples_[index].key);
        const Curve curve = curveThrough(path.keys);
        std::vector<std::size_t> next = {0};
        for (std::size_t span = 1; span < chosen.size(); ++span)
        {
            if (const auto missed = worst(chosen[span - 1], chosen[span], curve)) next.push_back(*missed);
            next.push_back(chosen[span]);
        }
        if (next.size() == chosen.size()) return path;
        chosen = std::move(next);
    }
}

}  // namespace orogen

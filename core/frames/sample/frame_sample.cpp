#include "core/frames/sample/frame_sample.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/base/text_file.h"

namespace orogen {
namespace {

// Returns the header, in the order of forEachCell().
std::string csvColumns(RunColumns wanted)
{
    std::string columns = "frame,t_ms,interval_ms,cpu_ms,wait_ms,swap_ms,gpu_ms";
    for (std::size_t pass = 0; pass < kReportedPasses; ++pass)
        columns += fmt::format(",gpu_{}_ms", kGpuPassNames[pass]);
    for (std::size_t i = 0; i < kCounters.size(); ++i)
    {
        if (i == kCountersBeforeErrors) columns += ",error_max_px,error_p99_px";
        columns += fmt::format(",{}", kCounters[i].column);
    }
    columns += ",module,event,flags";
    if (hasState(wanted))
    {
        for (const MachineColumn& column : kMachineColumns)
            columns += fmt::format(",{}", column.column);
        columns += ",throttle,section";
    }
    return columns + (hasTiles(wanted) ? ",tiles_missing,tiles_loaded" : "");
}

constexpr double kLargest = 1e9;  // exclusive limit of real numbers; as milliseconds, eleven days

// Visits the cells of a sample in the order of the columns.
template <class Sample, class Visit>
void forEachCell(Sample& s, RunColumns columns, Visit visit)
{
    visit(s.frame);
    visit(s.tMs);
    for (auto* cell : {&s.intervalMs, &s.cpuMs, &s.waitMs, &s.swapMs, &s.gpuMs})
        visit(*cell);
    for (auto& cell : s.passMs)
        visit(cell);
    for (std::size_t i = 0; i < kCounters.size(); ++i)
    {
        if (i == kCountersBeforeErrors)
        {
            visit(s.errorMaxPx);
            visit(s.errorP99Px);
        }
        visit(s.*kCounters[i].cell);
    }
    visit(s.module);
    visit(s.event);
    visit(s.flags);
    if (hasState(columns))
    {
        for (const MachineColumn& column : kMachineColumns)
            visit(s.machine.*column.cell);
        visit(s.machine.throttle);
        visit(s.section);
    }
    if (!hasTiles(columns)) return;
    visit(s.tilesMissing);
    visit(s.tilesLoaded);
}

// Returns the names of the set bits, joined by '|'.
std::string bitsText(std::span<const std::string_view> names, std::uint32_t bits)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if ((bits >> i & 1u) == 0) continue;
        if (!text.empty()) text += '|';
        text += names[i];
    }
    return text;
}

double roundedTime(double value)
{
    static const double units = std::pow(10.0, kTimeDecimals);
    return std::round(value * units) / units + 0.0;
}

struct Rounder
{
    void operator()(double& value) const { value = value >= 0 && value < kLargest ? roundedTime(value) : 0; }
    void operator()(std::optional<double>& value) const
    {
        if (value && !(*value >= 0 && *value < kLargest)) value.reset();  // also rejects NaN
        if (value) value = roundedTime(*value);
    }
    void operator()(std::string& text) const
    {
        for (char& c : text)
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    }
    void operator()(Throttle&) const {}
    template <class Integer>
    void operator()(Integer&) const
    {
    }
};

class RowWriter
{
public:
    explicit RowWriter(std::string& to) : to_(to) {}

    void operator()(const std::optional<double>& value)
    {
        next();
        if (value) fmt::format_to(std::back_inserter(to_), "{:.{}f}", *value, kTimeDecimals);
    }
    void operator()(double value) { (*this)(std::optional(value)); }
    void operator()(const std::optional<std::uint64_t>& value)
    {
        next();
        if (value) fmt::format_to(std::back_inserter(to_), "{}", *value);
    }
    void operator()(std::uint64_t value) { (*this)(std::optional(value)); }
    void operator()(std::uint32_t flags)
    {
        next();
        to_ += flagsText(flags);
    }
    void operator()(const Throttle& throttle)
    {
        next();
        to_ += textOf(throttle);
    }
    void operator()(const std::string& text)
    {
        next();
        if (text.find_first_of(",\"") == std::string::npos)
        {
            to_ += text;
            return;
        }
        to_ += '"';
        for (const char c : text)
            to_.append(c == '"' ? 2 : 1, c);
        to_ += '"';
    }

private:
    void next()
    {
        if (!first_) to_ += ',';
        first_ = false;
    }
    std::string& to_;
    bool first_ = true;
};

// Splits a row into cells and parses each by its column's type; keeps the first error.
class SampleRowReader
{
public:
    SampleRowReader(std::string_view row, const std::string& place, RunColumns columns)
        : rest_(row), place_(place), columns_(columns)
    {
    }

    void operator()(double& value)
    {
        const std::string_view cell = next();
        if (!error_ && !readReal(cell, value)) fail(cell, "a number of at least 0");
    }
    void operator()(std::optional<double>& value)
    {
        const std::string_view cell = next();
        if (error_ || cell.empty()) return;
        if (!readReal(cell, value.emplace())) fail(cell, "a number of at least 0, or nothing");
    }
    void operator()(std::uint64_t& value)
    {
        const std::string_view cell = next();
        if (!error_ && !readInteger(cell, value)) fail(cell, "an integer");
    }
    void operator()(std::optional<std::uint64_t>& value)
    {
        const std::string_view cell = next();
        if (error_ || cell.empty()) return;
        if (!readInteger(cell, value.emplace())) fail(cell, "an integer, or nothing");
    }
    void operator()(std::string& text)
    {
        next();
        text = cell_;
    }
    void operator()(std::uint32_t& flags)
    {
        next();
        readBits(kFrameFlagNames, flags);
    }
    void operator()(Throttle& throttle)
    {
        next();
        if (error_ || cell_.empty()) return;
        throttle.reasons = 0;
        if (cell_ != kNoThrottle) readBits(kThrottleNames, *throttle.reasons);
    }
    void atEnd()
    {
        if (!error_ && !ended_) error_ = failure(fmt::format("found more than {} columns", column_ + 1));
    }
    const std::optional<Error>& error() const { return error_; }

private:
    // Returns the next cell without its quotes; valid until the next call.
    std::string_view next()
    {
        if (error_) return {};
        if (ended_)
        {
            error_ = failure(fmt::format("found {} columns, expected those of the header", column_ + 1));
            return {};
        }
        ++column_;
        cell_.clear();
        const bool whole = rest_.starts_with('"') ? quoted() : plain();
        if (!whole) fail(rest_, "a cell with its closing quote");
        return cell_;
    }
    bool plain()
    {
        const std::size_t comma = rest_.find(',');
        cell_ = rest_.substr(0, comma);
        return cell_.find('"') == std::string::npos && advance(comma);
    }
    bool quoted()
    {
        for (std::size_t i = 1; i < rest_.size(); ++i)
        {
            if (rest_[i] != '"')
                cell_ += rest_[i];
            else if (i + 1 < rest_.size() && rest_[i + 1] == '"')
                cell_ += rest_[i++];
            else if (i + 1 == rest_.size())
                return advance(std::string_view::npos);
            else
                return rest_[i + 1] == ',' && advance(i + 1);
        }
        return false;
    }
    bool advance(std::size_t comma)
    {
        ended_ = comma == std::string_view::npos;
        rest_ = ended_ ? std::string_view() : rest_.substr(comma + 1);
        return true;
    }

    static bool readReal(std::string_view cell, double& value)
    {
        const auto [end, error] =
            std::from_chars(cell.data(), cell.data() + cell.size(), value, std::chars_format::fixed);
        const bool digits = !cell.empty() && cell.front() >= '0' && cell.front() <= '9';
        return digits && error == std::errc{} && end == cell.data() + cell.size() && value < kLargest;
    }
    static bool readInteger(std::string_view cell, std::uint64_t& value)
    {
        const auto number = numberIn<std::uint64_t>(cell);
        value = number.value_or(value);
        return number.has_value();
    }
    // Reads names that are joined by '|', each at most once.
    void readBits(std::span<const std::string_view> names, std::uint32_t& bits)
    {
        std::string_view rest = cell_;
        while (!error_ && !rest.empty())
        {
            const std::size_t bar = rest.find('|');
            const std::string_view name = rest.substr(0, bar);
            const auto found = std::ranges::find(names, name);
            const std::uint32_t bit = found == names.end() ? 0u : 1u << (found - names.begin());
            if (bit == 0 || (bits & bit) != 0) fail(name, fmt::format("{}, joined by '|'", fmt::join(names, ", ")));
            bits |= bit;
            rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
            if (bar != std::string_view::npos && rest.empty()) fail(cell_, "a name after '|'");
        }
    }

    Error failure(const std::string& what) const { return {ExitCode::kInput, fmt::format("{}: {}", place_, what)}; }
    std::string columnName() const
    {
        std::string_view names = frameColumns(columns_);
        for (int i = 0; i < column_; ++i)
            names.remove_prefix(names.find(',') + 1);
        return std::string(names.substr(0, names.find(',')));
    }
    void fail(std::string_view found, std::string_view expected)
    {
        if (error_) return;
        std::string shown(found.substr(0, 40));
        Rounder()(shown);
        error_ = failure(fmt::format("{}: found '{}', expected {}", columnName(), shown, expected));
    }

    std::string_view rest_;
    const std::string& place_;
    RunColumns columns_;
    std::string cell_;
    int column_ = -1;
    bool ended_ = false;
    std::optional<Error> error_;
};

}  // namespace

void setWork(FrameSample& sample, const WorkCounters& work)
{
    for (const Counter& counter : kCounters)
        if (counter.counted) sample.*counter.cell = counter.counted(work);
}

FrameSample rounded(FrameSample sample)
{
    forEachCell(sample, RunColumns::kWithTiles, Rounder());
    return sample;
}

std::string_view frameColumns(RunColumns columns)
{
    static const std::array<std::string, 4> all = {csvColumns(RunColumns::kOfAll), csvColumns(RunColumns::kWithTiles),
                                                   csvColumns(RunColumns::kEarlier),
                                                   csvColumns(RunColumns::kEarlierWithTiles)};
    return all[std::size_t(columns)];
}

void appendRow(std::string& to, const FrameSample& sample, RunColumns columns)
{
    forEachCell(sample, columns, RowWriter(to));
    to += '\n';
}

Result<FrameSample> parseRow(std::string_view row, const std::string& place, RunColumns columns)
{
    FrameSample sample;
    SampleRowReader reader(row, place, columns);
    forEachCell(sample, columns, [&reader](auto& cell) { reader(cell); });
    reader.atEnd();
    if (reader.error()) return *reader.error();
    return sample;
}

std::string flagsText(std::uint32_t flags) { return bitsText(kFrameFlagNames, flags); }

std::string textOf(const Throttle& throttle)
{
    if (!throttle.reasons) return {};
    return throttle.throttled() ? bitsText(kThrottleNames, *throttle.reasons) : std::string(kNoThrottle);
}

// ---- events of compute jobs ----

namespace {

constexpr double kLongBefore = -1e12;  // least begin of a job (ms); a job may begin before the run

std::string cleaned(std::string text)
{
    for (char& c : text)
        if (c == ';' || c == '@' || static_cast<unsigned char>(c) < 0x20) c = ' ';
    return text;
}

// Parses a number (>= `lowest`) followed by the character `after`, and removes both from the front.
bool takeNumber(std::string_view& text, char after, double& value, double lowest = 0)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || end == text.data() + text.size() || *end != after || !(value >= lowest)) return false;
    text.remove_prefix(std::size_t(end - text.data()) + 1);
    return std::isfinite(value);
}

std::optional<ComputeEvent> parseEvent(std::string_view text)
{
    const std::size_t at = text.find('@');
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t colon = text.find(':', at);
    if (colon == std::string_view::npos) return std::nullopt;
    ComputeEvent event;
    event.name = text.substr(0, at);
    event.clock = text.substr(at + 1, colon - at - 1);
    text.remove_prefix(colon + 1);
    const bool whole = takeNumber(text, '[', event.durationMs) && takeNumber(text, ':', event.beginMs, kLongBefore) &&
                       takeNumber(text, ']', event.endMs) && text.empty();
    if (!whole || event.endMs < event.beginMs) return std::nullopt;
    return event;
}

}  // namespace

std::string eventText(std::span<const ComputeEvent> events)
{
    std::string text;
    for (const ComputeEvent& event : events)
    {
        if (!text.empty()) text += ';';
        text += fmt::format("{}@{}:{:.4f}[{:.4f}:{:.4f}]", cleaned(event.name), cleaned(event.clock), event.durationMs,
                            event.beginMs, event.endMs);
    }
    return text;
}

std::vector<ComputeEvent> computeEvents(std::string_view text)
{
    std::vector<ComputeEvent> events;
    while (!text.empty())
    {
        const std::size_t end = std::min(text.find(';'), text.size());
        if (std::optional<ComputeEvent> event = parseEvent(text.substr(0, end))) events.push_back(std::move(*event));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return events;
}

// ---- reading of a run ----

namespace {

constexpr std::uint64_t kLargestRun = std::uint64_t(256) << 20;  // bytes: about a million rows

std::string placeOf(const std::string& path, std::size_t line) { return fmt::format("{}:{}", path, line); }

Error wrongHeader(const std::string& path, std::string_view found)
{
    return {ExitCode::kInput, fmt::format("{}: found '{}', expected the header 'frame,t_ms,...,flags' of a run",
                                          placeOf(path, 1), printableStart(found, 60))};
}

// Removes the text up to the next line end, and returns it; nothing if there is no line end.
std::optional<std::string_view> takeLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
}

// Returns the column set that a header names; nothing if it is not the header of a run.
std::optional<RunColumns> columnsOf(std::string_view header)
{
    for (const RunColumns columns :
         {RunColumns::kOfAll, RunColumns::kWithTiles, RunColumns::kEarlier, RunColumns::kEarlierWithTiles})
        if (header == frameColumns(columns)) return columns;
    return std::nullopt;
}

Result<FrameSample> nextRow(std::string_view line, const std::string& path, const RunRows& run)
{
    const std::vector<FrameSample>& rows = run.rows;
    const std::string place = placeOf(path, rows.size() + 2);
    Result<FrameSample> sample = parseRow(line, place, run.columns);
    if (sample && !rows.empty() && sample->frame != rows.back().frame + 1)
        return Error{ExitCode::kInput,
                     fmt::format("{}: frame: found {}, expected {}", place, sample->frame, rows.back().frame + 1)};
    return sample;
}

}  // namespace

Result<RunRows> readRun(const std::string& path)
{
    const Result<std::string> text = readTextFile(path, kLargestRun);
    if (!text) return text.error();
    return parseRun(*text, path);
}

Result<RunRows> parseRun(std::string_view rest, const std::string& path)
{
    const std::optional<std::string_view> header = takeLine(rest);
    const std::optional<RunColumns> columns = columnsOf(header.value_or(std::string_view()));
    if (!columns) return wrongHeader(path, header.value_or(rest));
    RunRows run;
    run.columns = *columns;
    while (!rest.empty())
    {
        const std::optional<std::string_view> line = takeLine(rest);
        if (!line)
            return Error{ExitCode::kInput, fmt::format("{}: found a last row without its line end, expected whole rows",
                                                       placeOf(path, run.rows.size() + 2))};
        Result<FrameSample> row = nextRow(*line, path, run);
        if (!row) return row.error();
        run.rows.push_back(std::move(*row));
    }
    return run;
}

Result<RunRows> readPartialRun(const std::string& path)
{
    const Result<std::string> text = readTextFile(path, kLargestRun);
    if (!text) return text.error();
    return parsePartialRun(*text, path);
}

Result<RunRows> parsePartialRun(std::string_view text, const std::string& path)
{
    std::string_view rest = text.substr(0, text.find('\0'));
    RunRows run;
    if (rest.find('\n') == rest.npos)  // killed before the header was complete
    {
        if (!frameColumns(RunColumns::kWithTiles).starts_with(rest)) return wrongHeader(path, rest);
        run.ignoredBytes = rest.size();
        return run;
    }
    const std::optional<std::string_view> header = takeLine(rest);
    const std::optional<RunColumns> columns = columnsOf(header.value_or(std::string_view()));
    if (!columns) return wrongHeader(path, header.value_or(rest));
    run.columns = *columns;
    while (!rest.empty())
    {
        std::string_view after = rest;
        const std::optional<std::string_view> line = takeLine(after);
        if (!line) break;
        Result<FrameSample> row = nextRow(*line, path, run);
        if (!row) break;
        run.rows.push_back(std::move(*row));
        rest = after;
    }
    run.ignoredBytes = rest.size();
    return run;
}

}  // namespace orogen

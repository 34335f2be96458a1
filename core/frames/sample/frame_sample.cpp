#include "core/frames/sample/frame_sample.h"

#include <charconv>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen {
namespace {

// Returns the header, in the order of forEachCell().
std::string csvColumns()
{
    std::string columns = "frame,t_ms,interval_ms,cpu_ms,wait_ms,swap_ms,gpu_ms";
    for (std::size_t pass = 0; pass < kReportedPasses; ++pass)
        columns += fmt::format(",gpu_{}_ms", kGpuPassNames[pass]);
    for (std::size_t i = 0; i < kCounters.size(); ++i)
    {
        if (i == kCountersBeforeErrors) columns += ",error_max_px,error_p99_px";
        columns += fmt::format(",{}", kCounters[i].column);
    }
    return columns + ",module,event,flags";
}

constexpr double kLargest = 1e9;  // milliseconds (eleven days), exclusive limit of measured times

// Visits the cells of a sample in the order of the columns: reals, integers, texts or flags.
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
    if (columns == RunColumns::kOfAll) return;
    visit(s.tilesMissing);
    visit(s.tilesLoaded);
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
class RowReader
{
public:
    RowReader(std::string_view row, const std::string& place, RunColumns columns)
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
        std::string_view rest = cell_;
        while (!error_ && !rest.empty())
        {
            const std::size_t bar = rest.find('|');
            flag(rest.substr(0, bar), flags);
            rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
            if (bar != std::string_view::npos && rest.empty()) fail(cell_, "a flag after '|'");
        }
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
    void flag(std::string_view name, std::uint32_t& flags)
    {
        for (std::size_t i = 0; i < kFrameFlagNames.size(); ++i)
            if (name == kFrameFlagNames[i] && (flags >> i & 1u) == 0)
            {
                flags |= 1u << i;
                return;
            }
        fail(name, "warmup, resize, reload, hitch and gpu_missing, joined by '|'");
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
    static const std::string ofAll = csvColumns(), withTiles = ofAll + ",tiles_missing,tiles_loaded";
    return columns == RunColumns::kWithTiles ? withTiles : ofAll;
}

void appendRow(std::string& to, const FrameSample& sample, RunColumns columns)
{
    forEachCell(sample, columns, RowWriter(to));
    to += '\n';
}

Result<FrameSample> parseRow(std::string_view row, const std::string& place, RunColumns columns)
{
    FrameSample sample;
    RowReader reader(row, place, columns);
    forEachCell(sample, columns, [&reader](auto& cell) { reader(cell); });
    reader.atEnd();
    if (reader.error()) return *reader.error();
    return sample;
}

std::string flagsText(std::uint32_t flags)
{
    std::string text;
    for (std::size_t i = 0; i < kFrameFlagNames.size(); ++i)
    {
        if ((flags >> i & 1u) == 0) continue;
        if (!text.empty()) text += '|';
        text += kFrameFlagNames[i];
    }
    return text;
}

}  // namespace orogen

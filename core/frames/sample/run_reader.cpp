#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "core/base/terminal_text.h"
#include "core/base/text_file.h"
#include "core/frames/sample/frame_sample.h"

namespace orogen {
namespace {

constexpr std::uint64_t kLargestRun = std::uint64_t(256) << 20;  // bytes: eight hours at 60 Hz

std::string placeOf(const std::string& path, std::size_t line) { return fmt::format("{}:{}", path, line); }

Error wrongHeader(const std::string& path, std::string_view found)
{
    return {ExitCode::kInput, fmt::format("{}: found '{}', expected the header 'frame,t_ms,...,flags' of a run",
                                          placeOf(path, 1), printableStart(found, 60))};
}

// Removes and returns the text up to the next line end; nothing if there is none.
std::optional<std::string_view> takeLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
}

// Returns the columns for a header; nothing if it is not a run's.
std::optional<RunColumns> columnsOf(std::string_view header)
{
    for (const RunColumns columns : {RunColumns::kOfAll, RunColumns::kWithTiles})
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

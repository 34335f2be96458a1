#include "app/bench/harness/bench.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/base/cpu.h"
#include "core/base/memory.h"

namespace orogen::app::bench {
namespace {

// Returns the value at a JSON pointer ("/time_ms/minimum"), null if there is none.
const Json& valueAt(const Json& row, std::string_view pointer)
{
    static const Json nothing;
    const Json* value = &row;
    for (std::size_t at = 1, end = 0; value && at <= pointer.size(); at = end + 1)
    {
        end = std::min(pointer.find('/', at), pointer.size());
        value = value->find(pointer.substr(at, end - at));
    }
    return value ? *value : nothing;
}

std::string wordOf(const Json& value)
{
    if (value.isNull()) return "-";
    return value.isText() ? value.get<std::string>() : value.dump();
}

std::string tableText(const Table& table)
{
    std::vector<std::vector<std::string>> lines(1);
    for (const Column& column : table.columns)
        lines[0].push_back(column.title);
    for (const Json& row : table.rows)
    {
        lines.emplace_back();
        for (const Column& column : table.columns)
            lines.back().push_back(column.text(row));
    }
    std::vector<std::size_t> widths(table.columns.size());
    for (const std::vector<std::string>& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], line[i].size());
    std::string text = table.title.empty() ? "\n" : "\n" + table.title + "\n";
    for (const std::vector<std::string>& line : lines)
    {
        std::string joined;
        for (std::size_t i = 0; i < line.size(); ++i)
            joined += table.columns[i].left ? fmt::format("  {:<{}}", line[i], widths[i])
                                            : fmt::format("  {:>{}}", line[i], widths[i]);
        text += joined.substr(0, joined.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string headText(const Json& head)
{
    std::string text;
    for (const auto& [key, value] : head.members())
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", key,
                            value.isFloat() ? fmt::format("{:.3g}", value.get<double>()) : wordOf(value));
    std::ranges::replace(text, '_', ' ');
    return text + "\n";
}

Column scaledColumn(std::string title, const std::string& pointer, double factor, int decimals, const char* unit)
{
    return {std::move(title), [=](const Json& row) {
                const Json& value = valueAt(row, pointer);
                return value.isNull() ? "-" : fmt::format("{:.{}f}{}", factor * value.get<double>(), decimals, unit);
            }};
}

}  // namespace

Column wordColumn(std::string title, const std::string& pointer)
{
    return {std::move(title), [pointer](const Json& row) { return wordOf(valueAt(row, pointer)); }, true};
}

Column integerColumn(std::string title, const std::string& pointer)
{
    Column column = wordColumn(std::move(title), pointer);
    column.left = false;
    return column;
}

Column numberColumn(std::string title, const std::string& pointer, int decimals)
{
    return scaledColumn(std::move(title), pointer, 1, decimals, "");
}

Column percentColumn(std::string title, const std::string& pointer)
{
    return scaledColumn(std::move(title), pointer, 100, 0, "%");
}

Column checkColumn()
{
    return {"check",
            [](const Json& row) {
                const Json& check = row.at("check");
                return check.isNull() ? "-" : check.get<bool>() ? "equal" : "DIFFERENT";
            },
            true};
}

void addPair(Json& row, const Timing& timing, const Timing& baseline, const std::string& prefix)
{
    Json& ms = row["time_ms"];
    ms["minimum"] = timing.minimumMs;
    ms["median"] = timing.medianMs;
    ms[prefix + "_minimum"] = baseline.minimumMs;
    ms[prefix + "_median"] = baseline.medianMs;
    row["ratio"] = timesAsFast(timing, baseline);
    row["spread"] = timing.spread();
    row[prefix + "_spread"] = baseline.spread();
    row["rounds"] = baseline.rounds;
}

bool BenchRun::shouldStop(const std::string& now) const
{
    return options_.progress && !options_.progress(fraction_, now);
}

Result<std::vector<Timing>> BenchRun::time(const std::string& now, std::vector<Contender> contenders,
                                           TrialOptions trials)
{
    trials.shouldStop = [&] { return shouldStop(now); };
    Result<std::vector<Timing>> timings = timeInterleaved(std::move(contenders), trials);
    if (timings)
        for (const Timing& timing : *timings)
            sectionsMs_ += timing.totalMs;
    return timings;
}

Result<BenchReport> runBench(const Bench& bench, const BenchOptions& options)
{
    const double load = loadAverage().value_or(0);  // shows how reliable the times are
    const Clock::time_point start = Clock::now();
    Plan plan = bench.plan(options);
    plan.head["load_before"] = load;
    BenchRun run(plan, options);
    for (std::size_t i = 0; i < plan.cases.size(); ++i)
    {
        const Case& one = plan.cases[i];
        run.fraction_ = double(i) / double(plan.cases.size());
        if (run.shouldStop(one.name)) return Error{ExitCode::kInterrupted, "interrupted"};
        const Status fits = checkMemory(one.name, one.bytes);
        if (!fits)
            run.leaveOut(fits.error().message);
        else if (const Status status = one.run(run); !status)
            return status.error();
    }
    if (std::ranges::all_of(plan.tables, [](const Table& table) { return table.rows.empty(); }))
        return Error{ExitCode::kLimit, plan.leftOut.empty() ? "nothing to measure" : plan.leftOut.front()};
    return BenchReport{std::move(plan.head), std::move(plan.legend), std::move(plan.tables), std::move(plan.leftOut),
                       plan.totalIsOfSections ? run.sectionsMs_ : millisecondsSince(start)};
}

bool BenchReport::isRight() const
{
    return std::ranges::none_of(tables, [](const Table& table) {
        return std::ranges::any_of(table.rows, [](const Json& row) { return row.at("check") == false; });
    });
}

Json BenchReport::json() const
{
    Json json = head;
    for (const Table& table : tables)
    {
        Json& rows = json[table.key];
        if (rows.isNull()) rows = Json::array();
        for (const Json& row : table.rows)
            rows.push_back(row);
    }
    json["left_out"] = leftOut;
    json["time_ms"]["total"] = totalMs;
    return json;
}

std::string BenchReport::text() const
{
    std::string text = legend + "\n" + headText(head);
    for (const Table& table : tables)
        if (!table.rows.empty()) text += tableText(table);
    for (const std::string& reason : leftOut)
        text += "left out: " + reason + "\n";
    return text;
}

}  // namespace orogen::app::bench

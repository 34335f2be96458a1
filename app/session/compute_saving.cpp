#include "app/session/compute_saving.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/output_file.h"

namespace orogen::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFigureColumns =
    "check,main_time,samples,median_ms,lower_quartile_ms,upper_quartile_ms,shortest_ms,longest_ms,warm_up_ms,"
    "end_to_end_ms,gb_per_s,copy_gb_per_s,share_of_copy,gop_per_s,ms_per_iteration,speed_up,error\n";

// Quotes text that contains field or line separators.
std::string field(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.9g}", *value) : ""; }

std::string textIn(const compute::JobResult& result, const char* key)
{
    const auto found = result.json->find(key);
    return found != result.json->end() && found->is_string() ? found->get<std::string>() : "";
}

// Returns the fields from `check` to `error`, with the line end.
std::string figureFields(const compute::JobResult* result, const std::string& error)
{
    const auto figures = result ? compute::figuresOf(*result) : std::nullopt;
    std::string line = result ? std::string(compute::textOf(result->check)) : "";
    line += "," + (result ? field(result->mainTime) : "");
    line += "," + (figures ? std::to_string(figures->samples) : "");
    const compute::RunFigures none, &of = figures ? *figures : none;
    for (const double value :
         {of.medianMs, of.lowerMs, of.upperMs, of.shortestMs, of.longestMs, of.warmUpMs, of.endToEndMs})
        line += "," + (value > 0 ? number(value) : "");
    for (const auto& value : {of.gbPerS, of.copyGbPerS, of.copyShare, of.gopPerS, of.msPerIteration})
        line += "," + number(value);
    line += "," + (result && result->speedup ? number(result->speedup->factor) : "");
    return line + "," + field(error) + "\n";
}

Json parametersOf(const std::vector<std::pair<std::string, std::string>>& assignments)
{
    Json parameters = Json::object();
    for (const auto& [name, value] : assignments)
        parameters[name] = value;
    return parameters;
}

Json resultOf(const std::optional<compute::JobResult>& result) { return result ? *result->json : Json(); }

Json curveOf(const compute::Curve& curve)
{
    if (curve.name.empty()) return nullptr;
    return {{"name", curve.name}, {"goal", curve.goal}, {"steps", curve.steps}, {"values", curve.values}};
}

Status write(const std::string& base, const std::string& csv, const std::string& json, std::string& told)
{
    for (const auto& [end, text] : {std::pair{".csv", &csv}, std::pair{".json", &json}})
    {
        const std::string name = freeFileName(base + end);
        if (Status status = writeFileAtomically(name, *text); !status) return status;
        told += (told.empty() ? "wrote " : ", ") + name;
    }
    return Status::ok();
}

}  // namespace

std::string commandOf(const ModuleRequest& request)
{
    std::string text = request.module;
    for (const auto& [name, value] : request.assignments)
        text += fmt::format(" {}={}", name, value);
    return text;
}

std::string runsCsv(const std::vector<ModuleRun>& runs)
{
    std::string csv = std::string("run,state,parameters,algorithm,backend,device,") + kFigureColumns;
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        const ModuleRun& run = runs[i];
        if (run.state == compute::JobState::kRunning) continue;
        const std::string command = commandOf(run.request);
        const std::size_t parameters = std::min(command.size(), run.request.module.size() + 1);
        const compute::JobResult* result = run.result ? &*run.result : nullptr;
        csv += fmt::format("{},{},{},{},{},{},", i + 1, compute::textOf(run.state), field(command.substr(parameters)),
                           result ? textIn(*result, "algorithm") : "", result ? textIn(*result, "backend") : "",
                           result ? result->device : "");
        csv += figureFields(result, run.error);
    }
    return csv;
}

std::string sweepCsv(const ModuleSweep& sweep)
{
    std::string csv = std::string("algorithm,backend,size,") + kFigureColumns;
    for (const ModuleSweepPoint& point : sweep.points())
    {
        const compute::Variant& variant = sweep.request().variants[point.variant];
        csv += fmt::format("{},{},{},", variant.algorithm, variant.backend, point.size);
        csv += figureFields(point.result ? &*point.result : nullptr, point.error);
    }
    return csv;
}

std::string runsJson(const std::string& module, const std::vector<ModuleRun>& runs)
{
    Json json = {{"module", module}, {"runs", Json::array()}};
    for (const ModuleRun& run : runs)
        if (run.state != compute::JobState::kRunning)
            json["runs"].push_back({{"parameters", parametersOf(run.request.assignments)},
                                    {"state", compute::textOf(run.state)},
                                    {"whole_run_ms", run.ms},
                                    {"error", run.error.empty() ? Json() : Json(run.error)},
                                    {"curve", curveOf(run.curve)},
                                    {"result", resultOf(run.result)}});
    return json.dump(2) + "\n";
}

std::string sweepJson(const ModuleSweep& sweep)
{
    Json json = {{"module", sweep.request().module},
                 {"parameters", parametersOf(sweep.request().assignments)},
                 {"points", Json::array()}};
    for (const ModuleSweepPoint& point : sweep.points())
    {
        const compute::Variant& variant = sweep.request().variants[point.variant];
        json["points"].push_back({{"algorithm", variant.algorithm},
                                  {"backend", variant.backend},
                                  {"size", point.size},
                                  {"error", point.error.empty() ? Json() : Json(point.error)},
                                  {"result", resultOf(point.result)}});
    }
    return json.dump(2) + "\n";
}

Result<std::string> saveResults(const ComputeSession& session, const std::string& module, const std::string& folder)
{
    const std::vector<ModuleRun>& runs = session.runs(module);
    const bool any =
        std::ranges::any_of(runs, [](const ModuleRun& run) { return run.state != compute::JobState::kRunning; });
    const ModuleSweep* sweep = session.sweep(module);
    if (!any && (!sweep || sweep->points().empty()))
        return Error{ExitCode::kUsage, fmt::format("{}: nothing was run yet", module)};
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    std::string told;
    const std::string base = folder + "/" + module;
    if (any)
        if (Status status = write(base + "-runs", runsCsv(runs), runsJson(module, runs), told); !status)
            return status.error();
    if (sweep && !sweep->points().empty())
        if (Status status = write(base + "-sweep", sweepCsv(*sweep), sweepJson(*sweep), told); !status)
            return status.error();
    return told;
}

}  // namespace orogen::app

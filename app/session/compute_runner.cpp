#include "app/session/compute_runner.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "compute/modules.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/memory.h"

namespace orogen::app {

namespace {

// ---- runs and sweeps ----

std::string namesOfAll()
{
    std::string names;
    for (const compute::Module* module : compute::modules())
        names += (names.empty() ? "" : ", ") + std::string(module->name());
    return names;
}

// Returns which clock measured the run's main time: that of the CPU, or CUDA events.
const char* clockOf(const compute::JobResult& result) { return result.device == "cpu" ? "cpu" : "cuda_event"; }

// ---- saving ----

constexpr const char* kFigureColumns =
    "check,main_time,samples,median_ms,lower_quartile_ms,upper_quartile_ms,shortest_ms,longest_ms,warm_up_ms,"
    "end_to_end_ms,gb_per_s,copy_gb_per_s,share_of_copy,gop_per_s,ms_per_iteration,speed_up,error\n";

// Quotes text that contains commas, quotes or line ends, for CSV.
std::string field(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.9g}", *value) : ""; }

// Returns the fields of kFigureColumns, with the line end.
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

Json resultOf(const std::optional<compute::JobResult>& result) { return result ? result->json : Json(); }

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

// Returns a header and a line for each finished run, oldest first.  The field `parameters` has NAME=VALUE, separated by
// blanks.  Missing figures are empty fields.
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
        csv +=
            fmt::format("{},{},{},{},{},{},", i + 1, compute::textOf(run.state), field(command.substr(parameters)),
                        result ? result->algorithm : "", result ? result->backend : "", result ? result->device : "");
        csv += figureFields(result, run.error);
    }
    return csv;
}

// Returns a header and a line for each point of a sweep.
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

// Returns {"module", "runs": [{"parameters", "state", "whole_run_ms", "error", "curve", "result"}]}.
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

// Returns {"module", "parameters", "points": [{"algorithm", "backend", "size", "error", "result"}]}.
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

}  // namespace

std::vector<ComputeRunner::Entry> ComputeRunner::entriesOfAll()
{
    std::vector<Entry> entries;
    for (const compute::Module* module : compute::modules())
    {
        entries.emplace_back();
        entries.back().module = module;
    }
    return entries;
}

const ComputeRunner::Entry* ComputeRunner::find(std::string_view module) const
{
    const auto found = std::ranges::find(entries_, module, [](const Entry& entry) { return entry.module->name(); });
    return found == entries_.end() ? nullptr : &*found;
}

ComputeRunner::Entry* ComputeRunner::find(std::string_view module)
{
    return const_cast<Entry*>(std::as_const(*this).find(module));
}

Status ComputeRunner::checkIdle(const Entry* entry, const std::string& module) const
{
    if (!entry) return Error{ExitCode::kUsage, fmt::format("unknown module '{}': expected {}", module, namesOfAll())};
    if (entry->job || entry->sweeping) return Error{ExitCode::kUsage, fmt::format("{}: a run is under way", module)};
    return Status::ok();
}

Status ComputeRunner::startJob(Entry& entry, const ModuleRequest& request)
{
    compute::ParameterValues values(entry.module->parameters());
    for (const auto& [name, value] : request.assignments)
        if (Status s = values.set(name, value); !s) return s;
    Result<std::unique_ptr<compute::Job>> job =
        compute::startJob(*entry.module, std::move(values), {.wholeResult = request.wholeResult, .measureCopy = true});
    if (!job) return job.error();
    entry.job = std::move(*job);
    entry.beganMs = nowMs_;
    entry.state = compute::JobState::kRunning;
    return Status::ok();
}

Status ComputeRunner::start(const ModuleRequest& request)
{
    Entry* entry = find(request.module);
    if (Status status = checkIdle(entry, request.module); !status) return status;
    if (Status status = startJob(*entry, request); !status) return status;
    if (entry->runs.size() == kMostRuns) entry->runs.erase(entry->runs.begin());
    entry->runs.push_back({.request = request});
    return Status::ok();
}

Status ComputeRunner::start(ModuleSweepRequest request)
{
    Entry* entry = find(request.module);
    if (Status status = checkIdle(entry, request.module); !status) return status;
    if (entry->module->description().size.empty() || request.sizes.empty() || request.variants.empty())
        return Error{ExitCode::kUsage, fmt::format("{}: a sweep has a size and an algorithm at least", request.module)};
    entry->sweep.emplace(std::move(request));
    entry->sweeping = true;
    entry->state = compute::JobState::kRunning;
    goOn(*entry);
    return Status::ok();
}

void ComputeRunner::cancel(std::string_view module)
{
    Entry* entry = find(module);
    if (!entry) return;
    if (entry->sweeping) entry->sweep->cancel();
    if (entry->job) entry->job->cancel();
}

void ComputeRunner::update(double nowMs)
{
    nowMs_ = nowMs;
    for (Entry& entry : entries_)
    {
        if (entry.job && entry.job->state() != compute::JobState::kRunning) finish(entry, nowMs);
        if (entry.sweeping && !entry.job) goOn(entry);
    }
    lookAtMemory();
}

void ComputeRunner::lookAtMemory()
{
    if (lookedAtMemoryMs_ && nowMs_ < *lookedAtMemoryMs_ + 1000) return;
    lookedAtMemoryMs_ = nowMs_;
    freeMemory_ = availableMemory();
}

void ComputeRunner::finish(Entry& entry, double nowMs)
{
    ModuleRun run{.request =
                      entry.sweeping ? ModuleRequest{std::string(entry.module->name())} : entry.runs.back().request,
                  .state = entry.job->state(),
                  .ms = std::chrono::duration<double, std::milli>(entry.job->elapsed()).count(),
                  .curve = entry.job->progress().curve()};
    if (Result<compute::JobResult> result = entry.job->take())
        run.result = std::move(*result);
    else
        run.error = result.error().message;
    events_.push_back({.name = run.request.module,
                       .clock = run.result ? clockOf(*run.result) : "cpu",
                       .durationMs = run.ms,
                       .beginMs = entry.beganMs,
                       .endMs = nowMs});
    entry.job.reset();
    if (entry.sweeping) return finishOfSweep(entry, std::move(run));
    entry.state = run.state;
    entry.runs.back() = std::move(run);
}

// Adds a run's result to the sweep; cancelled runs are not added.
void ComputeRunner::finishOfSweep(Entry& entry, ModuleRun run)
{
    if (run.state != compute::JobState::kCancelled) entry.sweep->add(std::move(run.result), std::move(run.error));
}

// Starts the next run of a sweep, or ends the sweep.  After error kLimit (the device is in use), a later update() tries
// again.
void ComputeRunner::goOn(Entry& entry)
{
    while (const auto assignments = entry.sweep->next(entry.module->description().size))
    {
        const Status started =
            startJob(entry, {.module = std::string(entry.module->name()), .assignments = *assignments});
        if (started || started.error().code == ExitCode::kLimit) return;
        entry.sweep->add({}, started.error().message);
    }
    entry.sweeping = false;
    const bool any = std::ranges::any_of(entry.sweep->points(),
                                         [](const ModuleSweepPoint& point) { return point.result.has_value(); });
    entry.state = entry.sweep->cancelled() ? compute::JobState::kCancelled
                  : any                    ? compute::JobState::kDone
                                           : compute::JobState::kFailed;
}

ComputeState ComputeRunner::panelState() const
{
    ComputeState state;
    state.keepsFrames = keepFrames_;
    state.freeMemory = freeMemory_;
    state.cuda = [this]() -> decltype(auto) { return (cuda()); };
    for (const Entry& entry : entries_)
    {
        const std::string_view name = entry.module->name();
        state.modules.emplace(name, ModuleState{progress(name), &entry.runs, sweep(name)});
    }
    return state;
}

bool ComputeRunner::running() const
{
    return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.job || entry.sweeping; });
}

std::optional<ModuleProgress> ComputeRunner::progress(std::string_view module) const
{
    const Entry* entry = find(module);
    if (!entry || (!entry->job && !entry->sweeping)) return std::nullopt;
    ModuleProgress progress;
    if (entry->job)
    {
        const compute::Progress& at = entry->job->progress();
        progress = {at.fraction(), at.phase(), std::chrono::duration<double>(entry->job->elapsed()).count(),
                    at.curve()};
    }
    if (!entry->sweeping) return progress;
    const ModuleSweep& sweep = *entry->sweep;
    progress.fraction = (double(sweep.done()) + progress.fraction) / double(sweep.todo());
    progress.phase = fmt::format("{} of {}: {}", std::min(sweep.done() + 1, sweep.todo()), sweep.todo(),
                                 entry->job ? sweep.nextName() : "waiting for the device");
    return progress;
}

const ModuleSweep* ComputeRunner::sweep(std::string_view module) const
{
    const Entry* entry = find(module);
    return entry && entry->sweep ? &*entry->sweep : nullptr;
}

const std::vector<ModuleRun>& ComputeRunner::runs(std::string_view module) const
{
    static const std::vector<ModuleRun> kNone;
    const Entry* entry = find(module);
    return entry ? entry->runs : kNone;
}

std::optional<std::string> ComputeRunner::state(std::string_view module) const
{
    const Entry* entry = find(module);
    if (!entry) return std::nullopt;
    return entry->state ? std::string(compute::textOf(*entry->state)) : "idle";
}

std::optional<std::string> ComputeRunner::result(std::string_view module) const
{
    const Entry* entry = find(module);
    if (!entry) return std::nullopt;
    for (auto run = entry->runs.rbegin(); run != entry->runs.rend(); ++run)
        if (run->result) return run->result->value.empty() ? "null" : run->result->value;
    return "null";
}

std::string ComputeRunner::runningNames() const
{
    std::string names;
    for (const Entry& entry : entries_)
        if (entry.job || entry.sweeping) names += (names.empty() ? "" : ", ") + std::string(entry.module->name());
    return names;
}

std::uint32_t ComputeRunner::runningMask() const
{
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        mask |= std::uint32_t(entries_[i].job || entries_[i].sweeping) << i;
    return mask;
}

const compute::CudaReport& ComputeRunner::cuda() const
{
    static const compute::CudaReport kLooking = {.built = true, .reason = "looking for CUDA devices", .devices = {}};
    if (std::shared_ptr<const compute::CudaReport> known = compute::knownCuda(cudaCalls_))
    {
        cuda_ = std::move(known);
        return *cuda_;
    }
    if (looking_) return kLooking;
    auto task = BackgroundTask<bool>::start("CUDA devices", [&cuda = cudaCalls_](const TaskContext&) -> Result<bool> {
        return compute::discoverCuda(cuda).available;
    });
    if (task) looking_ = std::move(*task);  // if no thread starts, the next call tries again
    return kLooking;
}

Result<std::string> saveResults(const ComputeRunner& runner, const std::string& module, const std::string& folder)
{
    const std::vector<ModuleRun>& runs = runner.runs(module);
    const bool any =
        std::ranges::any_of(runs, [](const ModuleRun& run) { return run.state != compute::JobState::kRunning; });
    const ModuleSweep* sweep = runner.sweep(module);
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

#include "app/session/compute_session.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "compute/modules.h"

namespace orogen::app {
namespace {

std::string namesOfAll()
{
    std::string names;
    for (const compute::Module* module : compute::modules())
        names += (names.empty() ? "" : ", ") + std::string(module->name());
    return names;
}

// The clock that the run's main time was taken with.
const char* clockOf(const compute::JobResult& result) { return result.device == "cpu" ? "cpu" : "cuda_event"; }

}  // namespace

std::vector<ComputeSession::Entry> ComputeSession::entriesOfAll()
{
    std::vector<Entry> entries;
    for (const compute::Module* module : compute::modules())
    {
        entries.emplace_back();
        entries.back().module = module;
    }
    return entries;
}

const ComputeSession::Entry* ComputeSession::find(std::string_view module) const
{
    const auto found = std::ranges::find(entries_, module, [](const Entry& entry) { return entry.module->name(); });
    return found == entries_.end() ? nullptr : &*found;
}

ComputeSession::Entry* ComputeSession::find(std::string_view module)
{
    return const_cast<Entry*>(std::as_const(*this).find(module));
}

Status ComputeSession::start(const ModuleRequest& request)
{
    Entry* entry = find(request.module);
    if (!entry)
        return Error{ExitCode::kUsage, fmt::format("unknown module '{}': expected {}", request.module, namesOfAll())};
    if (entry->job) return Error{ExitCode::kUsage, fmt::format("{}: a run is under way", request.module)};
    compute::ParameterValues values(entry->module->parameters());
    for (const auto& [name, value] : request.assignments)
        if (Status s = values.set(name, value); !s) return s;
    Result<std::unique_ptr<compute::Job>> job =
        compute::Job::start(*entry->module, std::move(values), request.wholeResult);
    if (!job) return job.error();
    entry->job = std::move(*job);
    entry->beganMs = nowMs_;
    if (entry->runs.size() == kMostRuns) entry->runs.erase(entry->runs.begin());
    entry->runs.push_back({.request = request});
    return Status::ok();
}

void ComputeSession::cancel(std::string_view module)
{
    if (Entry* entry = find(module); entry && entry->job) entry->job->cancel();
}

void ComputeSession::update(double nowMs)
{
    nowMs_ = nowMs;
    for (Entry& entry : entries_)
        if (entry.job && entry.job->state() != compute::JobState::kRunning) finish(entry, nowMs);
}

void ComputeSession::finish(Entry& entry, double nowMs)
{
    ModuleRun& run = entry.runs.back();
    run.state = entry.job->state();
    run.ms = std::chrono::duration<double, std::milli>(entry.job->elapsed()).count();
    run.curve = entry.job->progress().curve();
    if (const compute::JobResult* result = entry.job->result()) run.result = *result;
    if (const Error* error = entry.job->error()) run.error = error->message;
    events_.push_back({.name = run.request.module,
                       .clock = run.result ? clockOf(*run.result) : "cpu",
                       .durationMs = run.ms,
                       .beginMs = entry.beganMs,
                       .endMs = nowMs});
    entry.job.reset();
}

bool ComputeSession::running() const
{
    return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.job != nullptr; });
}

std::optional<ModuleProgress> ComputeSession::progress(std::string_view module) const
{
    const Entry* entry = find(module);
    if (!entry || !entry->job) return std::nullopt;
    const compute::Progress& at = entry->job->progress();
    return ModuleProgress{at.fraction(), at.phase(), std::chrono::duration<double>(entry->job->elapsed()).count(),
                          at.curve()};
}

const std::vector<ModuleRun>& ComputeSession::runs(std::string_view module) const
{
    static const std::vector<ModuleRun> kNone;
    const Entry* entry = find(module);
    return entry ? entry->runs : kNone;
}

std::optional<std::string> ComputeSession::state(std::string_view module) const
{
    const Entry* entry = find(module);
    if (!entry) return std::nullopt;
    return entry->runs.empty() ? "idle" : std::string(compute::textOf(entry->runs.back().state));
}

std::optional<std::string> ComputeSession::result(std::string_view module) const
{
    const Entry* entry = find(module);
    if (!entry) return std::nullopt;
    for (auto run = entry->runs.rbegin(); run != entry->runs.rend(); ++run)
    {
        if (!run->result) continue;
        const auto value = run->result->json->find(run->result->mainKey);
        if (value == run->result->json->end()) return "null";
        return value->is_string() ? value->get<std::string>() : value->dump();
    }
    return "null";
}

std::string ComputeSession::runningNames() const
{
    std::string names;
    for (const Entry& entry : entries_)
        if (entry.job) names += (names.empty() ? "" : ", ") + std::string(entry.module->name());
    return names;
}

std::uint32_t ComputeSession::runningMask() const
{
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        mask |= std::uint32_t(entries_[i].job != nullptr) << i;
    return mask;
}

const compute::CudaReport& ComputeSession::cuda() const
{
    if (!cuda_) cuda_ = compute::discoverCuda();
    return *cuda_;
}

}  // namespace orogen::app

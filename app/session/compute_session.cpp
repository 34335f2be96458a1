#include "app/session/compute_session.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "compute/modules.h"
#include "core/base/memory.h"

namespace orogen::app {
namespace {

std::string namesOfAll()
{
    std::string names;
    for (const compute::Module* module : compute::modules())
        names += (names.empty() ? "" : ", ") + std::string(module->name());
    return names;
}

// Returns the clock that measured the run's main time.
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

Status ComputeSession::checkIdle(const Entry* entry, const std::string& module) const
{
    if (!entry) return Error{ExitCode::kUsage, fmt::format("unknown module '{}': expected {}", module, namesOfAll())};
    if (entry->job || entry->sweeping) return Error{ExitCode::kUsage, fmt::format("{}: a run is under way", module)};
    return Status::ok();
}

Status ComputeSession::startJob(Entry& entry, const ModuleRequest& request)
{
    compute::ParameterValues values(entry.module->parameters());
    for (const auto& [name, value] : request.assignments)
        if (Status s = values.set(name, value); !s) return s;
    Result<std::unique_ptr<compute::Job>> job = compute::Job::start(
        *entry.module, std::move(values), {.wholeResult = request.wholeResult, .measureCopy = true});
    if (!job) return job.error();
    entry.job = std::move(*job);
    entry.beganMs = nowMs_;
    entry.state = compute::JobState::kRunning;
    return Status::ok();
}

Status ComputeSession::start(const ModuleRequest& request)
{
    Entry* entry = find(request.module);
    if (Status status = checkIdle(entry, request.module); !status) return status;
    if (Status status = startJob(*entry, request); !status) return status;
    if (entry->runs.size() == kMostRuns) entry->runs.erase(entry->runs.begin());
    entry->runs.push_back({.request = request});
    return Status::ok();
}

Status ComputeSession::start(ModuleSweepRequest request)
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

void ComputeSession::cancel(std::string_view module)
{
    Entry* entry = find(module);
    if (!entry) return;
    if (entry->sweeping) entry->sweep->cancel();
    if (entry->job) entry->job->cancel();
}

void ComputeSession::update(double nowMs)
{
    nowMs_ = nowMs;
    for (Entry& entry : entries_)
    {
        if (entry.job && entry.job->state() != compute::JobState::kRunning) finish(entry, nowMs);
        if (entry.sweeping && !entry.job) goOn(entry);
    }
    lookAtMemory();
}

void ComputeSession::lookAtMemory()
{
    if (lookedAtMemoryMs_ && nowMs_ < *lookedAtMemoryMs_ + 1000) return;
    lookedAtMemoryMs_ = nowMs_;
    freeMemory_ = availableMemory();
}

void ComputeSession::finish(Entry& entry, double nowMs)
{
    ModuleRun run{.request =
                      entry.sweeping ? ModuleRequest{std::string(entry.module->name())} : entry.runs.back().request,
                  .state = entry.job->state(),
                  .ms = std::chrono::duration<double, std::milli>(entry.job->elapsed()).count(),
                  .curve = entry.job->progress().curve()};
    if (const compute::JobResult* result = entry.job->result()) run.result = *result;
    if (const Error* error = entry.job->error()) run.error = error->message;
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
void ComputeSession::finishOfSweep(Entry& entry, ModuleRun run)
{
    if (run.state != compute::JobState::kCancelled) entry.sweep->add(std::move(run.result), std::move(run.error));
}

// Starts the next run of a sweep, or ends it.  If the device is in use, a later update() tries again.
void ComputeSession::goOn(Entry& entry)
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

bool ComputeSession::running() const
{
    return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.job || entry.sweeping; });
}

std::optional<ModuleProgress> ComputeSession::progress(std::string_view module) const
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

const ModuleSweep* ComputeSession::sweep(std::string_view module) const
{
    const Entry* entry = find(module);
    return entry && entry->sweep ? &*entry->sweep : nullptr;
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
    return entry->state ? std::string(compute::textOf(*entry->state)) : "idle";
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
        if (entry.job || entry.sweeping) names += (names.empty() ? "" : ", ") + std::string(entry.module->name());
    return names;
}

std::uint32_t ComputeSession::runningMask() const
{
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        mask |= std::uint32_t(entries_[i].job || entries_[i].sweeping) << i;
    return mask;
}

const compute::CudaReport& ComputeSession::cuda() const
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

}  // namespace orogen::app

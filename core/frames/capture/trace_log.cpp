#include "core/frames/capture/trace_log.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/base/json.h"

namespace orogen {
namespace {

std::string jsonText(std::string_view text) { return Json(std::string(text)).dump(); }

std::string member(std::string_view name, const std::optional<std::uint64_t>& value)
{
    return value ? fmt::format(",\"{}\":{}", name, *value) : std::string();
}

}  // namespace

void TraceLog::append(const std::string& line)
{
    full_ = full_ || events_.size() + line.size() > kMostBytes;
    if (full_) return;
    if (!events_.empty()) events_ += ",\n";
    events_ += line;
}

void TraceLog::nameThread(int thread, std::string_view name)
{
    append(fmt::format("{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":{}}}}}", run_,
                       thread, jsonText(name)));
    append(fmt::format(
        "{{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":{},\"tid\":{},\"args\":{{\"sort_index\":{}}}}}", run_,
        thread, thread));
}

// Adds an event.  Rounds both ends to nanoseconds, so that nested events stay nested and disjoint events stay disjoint.
void TraceLog::event(int thread, std::string_view name, std::string_view category, double beginMs, double endMs,
                     const Arguments& arguments)
{
    const auto nanoseconds = [&](double at) { return std::llround(1e6 * (at - *zeroMs_)); };
    const long long begin = std::max(nanoseconds(beginMs), 0LL), length = std::max(nanoseconds(endMs) - begin, 0LL);
    append(fmt::format(
        "{{\"name\":{},\"cat\":\"{}\",\"ph\":\"X\",\"ts\":{}.{:03},\"dur\":{}.{:03},\"pid\":{},\"tid\":{},"
        "\"args\":{{{}}}}}",
        jsonText(name), category, begin / 1000, begin % 1000, length / 1000, length % 1000, run_, thread, arguments));
}

// Adds an event within the frame.  Clamps its times, so that the events of a frame follow each other even if clocks
// disagree.
void TraceLog::inFrame(std::string_view name, double beginMs, double endMs)
{
    const double begin = std::clamp(beginMs, cpuEndMs_, endMs_);
    cpuEndMs_ = std::clamp(endMs, begin, endMs_);
    event(kFrame, name, "cpu", begin, cpuEndMs_);
}

void TraceLog::beginRun(const std::string& name)
{
    ++run_;
    append(fmt::format("{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{},\"tid\":0,\"args\":{{\"name\":{}}}}}", run_,
                       jsonText(name)));
    for (const auto& [thread, label] : {std::pair(kFrame, "frame"), std::pair(kGpu, "GPU"), std::pair(kTiles, "tiles"),
                                        std::pair(kSections, "sections")})
        nameThread(thread, label);
    runMs_.reset();
    gpuEndMs_ = 0;
    jobEndsMs_.clear();
    section_.clear();
}

void TraceLog::frame(const FrameRecord& record, const FrameSample& sample)
{
    const double beginMs = std::max(record.cpu.beginMs, endMs_);
    if (!zeroMs_) zeroMs_ = beginMs;
    if (!runMs_) runMs_ = beginMs;
    section(sample.section, beginMs);
    cpuEndMs_ = beginMs;
    endMs_ = beginMs + record.cpu.frameMs;
    std::string arguments = fmt::format("\"frame\":{}", sample.frame);
    if (sample.intervalMs) arguments += fmt::format(",\"interval_ms\":{:.4f}", *sample.intervalMs);
    arguments += member("leaves", sample.leaves) + member("triangles", sample.triangles) +
                 member("splits", sample.splits) + member("merges", sample.merges);
    if (sample.flags != 0) arguments += ",\"flags\":" + jsonText(flagsText(sample.flags));
    event(kFrame, "frame", "frame", beginMs, endMs_, arguments);
    if (record.gpu.frame == record.frame) passes(record, sample.frame);
    const auto phase = [&](std::string_view name, double atMs, double ms) {
        inFrame(name, beginMs + atMs, beginMs + atMs + ms);
    };
    if (record.cpu.swapMs) phase("present", record.cpu.swapAtMs, *record.cpu.swapMs);
    if (record.cpu.waitMs > 0) phase("wait", record.cpu.waitAtMs, record.cpu.waitMs);
    if (sample.tilesLoaded.value_or(0) > 0 || sample.tilesMissing.value_or(0) > 0)
        event(kTiles, "tiles", "tiles", beginMs, endMs_,
              fmt::format("\"loaded\":{},\"missing\":{}", sample.tilesLoaded.value_or(0),
                          sample.tilesMissing.value_or(0)));
    jobs(sample);
}

// Adds the frame's passes.  The GPU runs passes in order, but the measured offset of its clock fluctuates.  So no event
// begins before the last one ended.
void TraceLog::passes(const FrameRecord& record, std::uint64_t frameOfRun)
{
    const double toSession = record.cpu.beginMs - record.cpu.clockMs;
    for (const PassSpan& span : record.gpu.spans)
    {
        const std::string_view name = kGpuPassNames[std::size_t(span.pass)];
        inFrame(name, span.cpuBeginMs + toSession, span.cpuBeginMs + span.cpuMs + toSession);
        const double begin = std::max({span.gpuBeginMs + toSession, gpuEndMs_, *zeroMs_});
        gpuEndMs_ = std::max(begin, span.gpuBeginMs + span.gpuMs + toSession);
        event(kGpu, name, "gpu", begin, gpuEndMs_, fmt::format("\"frame\":{}", frameOfRun));
    }
}

void TraceLog::jobs(const FrameSample& sample)
{
    for (const ComputeEvent& job : computeEvents(sample.event))
    {
        // Times in rows count from the run's first frame.
        const double begin = std::max(*runMs_ + job.beginMs, *zeroMs_), end = std::max(begin, *runMs_ + job.endMs);
        const auto free = std::ranges::find_if(jobEndsMs_, [begin](double lastMs) { return lastMs <= begin; });
        const std::size_t place = std::size_t(free - jobEndsMs_.begin());
        if (free == jobEndsMs_.end())
        {
            jobEndsMs_.push_back(0);
            nameThread(kJobs + int(place), place == 0 ? "jobs" : fmt::format("jobs {}", place + 1));
        }
        jobEndsMs_[place] = end;
        event(kJobs + int(place), job.name, "job", begin, end,
              fmt::format("\"clock\":{},\"ms\":{:.4f}", jsonText(job.clock), job.durationMs));
    }
}

// Ends the open section where another one begins.
void TraceLog::section(const std::string& name, double beginMs)
{
    if (name == section_) return;
    if (!section_.empty()) event(kSections, section_, "section", sectionMs_, beginMs);
    section_ = name;
    sectionMs_ = beginMs;
}

void TraceLog::endRun() { section({}, endMs_); }

std::string TraceLog::json() const { return "{\"traceEvents\":[\n" + events_ + "\n],\n\"displayTimeUnit\":\"ms\"}\n"; }

}  // namespace orogen

#include "compute/job/job.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <new>
#include <optional>

#include <fmt/format.h>

namespace orogen::compute {
namespace {

template <class Number>
std::optional<Number> numberOf(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool isTrue(std::string_view text) { return text == "true" || text == "on"; }
bool isFalse(std::string_view text) { return text == "false" || text == "off"; }

bool holds(const Parameter& parameter, std::string_view text)
{
    switch (parameter.kind)
    {
    case ParameterKind::kInteger: {
        const std::optional<std::int64_t> value = numberOf<std::int64_t>(text);
        return value && *value >= parameter.lowest && *value <= parameter.highest;
    }
    case ParameterKind::kReal: {
        const std::optional<double> value = numberOf<double>(text);
        return value && *value >= parameter.low && *value <= parameter.high;
    }
    case ParameterKind::kChoice:
        return std::ranges::find(parameter.choices, text) != parameter.choices.end();
    case ParameterKind::kFlag:
        return isTrue(text) || isFalse(text);
    case ParameterKind::kText:
    case ParameterKind::kFile:
        return true;
    }
    return false;
}

Parameter made(ParameterKind kind, std::string name, std::string standard, std::string help)
{
    Parameter parameter;
    parameter.name = std::move(name);
    parameter.kind = kind;
    parameter.help = std::move(help);
    parameter.standard = std::move(standard);
    return parameter;
}

}  // namespace

// ---- parameters ----

Parameter Parameter::integer(std::string name, std::int64_t lowest, std::int64_t highest, std::string standard,
                             std::string help)
{
    Parameter parameter = made(ParameterKind::kInteger, std::move(name), std::move(standard), std::move(help));
    parameter.lowest = lowest;
    parameter.highest = highest;
    return parameter;
}

Parameter Parameter::real(std::string name, double low, double high, std::string standard, std::string help)
{
    Parameter parameter = made(ParameterKind::kReal, std::move(name), std::move(standard), std::move(help));
    parameter.low = low;
    parameter.high = high;
    return parameter;
}

Parameter Parameter::choice(std::string name, std::vector<std::string> choices, std::string standard, std::string help)
{
    Parameter parameter = made(ParameterKind::kChoice, std::move(name), std::move(standard), std::move(help));
    parameter.choices = std::move(choices);
    return parameter;
}

Parameter Parameter::text(std::string name, std::string help)
{
    return made(ParameterKind::kText, std::move(name), {}, std::move(help));
}

Parameter Parameter::file(std::string name, std::string help)
{
    return made(ParameterKind::kFile, std::move(name), {}, std::move(help));
}

Parameter Parameter::flag(std::string name, std::string help)
{
    return made(ParameterKind::kFlag, std::move(name), "false", std::move(help));
}

std::string Parameter::range() const
{
    switch (kind)
    {
    case ParameterKind::kInteger:
        return fmt::format("an integer from {} to {}", lowest, highest);
    case ParameterKind::kReal:
        return fmt::format("a number from {} to {}", low, high);
    case ParameterKind::kFlag:
        return "true or false";
    case ParameterKind::kChoice: {
        std::string text;
        for (std::size_t i = 0; i < choices.size(); ++i)
            text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
        return text;
    }
    case ParameterKind::kText:
    case ParameterKind::kFile:
        break;
    }
    return "any text";
}

ParameterValues::ParameterValues(std::span<const Parameter> parameters)
    : parameters_(parameters), given_(parameters.size())
{
    for (const Parameter& parameter : parameters)
        values_.push_back(parameter.standard);
}

std::size_t ParameterValues::indexOf(std::string_view name) const
{
    return std::size_t(std::ranges::find(parameters_, name, &Parameter::name) - parameters_.begin());
}

Status ParameterValues::set(std::string_view name, std::string_view value)
{
    const std::size_t i = indexOf(name);
    if (i == parameters_.size()) return Error{ExitCode::kUsage, fmt::format("{}: there is no such parameter", name)};
    if (!holds(parameters_[i], value))
        return Error{ExitCode::kUsage, fmt::format("{}: {}: expected {}", name, value, parameters_[i].range())};
    values_[i] = parameters_[i].kind == ParameterKind::kFlag ? (isTrue(value) ? "true" : "false") : std::string(value);
    given_[i] = true;
    return Status::ok();
}

Status ParameterValues::setAssignment(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) return set(text.substr(0, equals), text.substr(equals + 1));
    const std::size_t i = indexOf(text);
    if (i < parameters_.size() && parameters_[i].kind != ParameterKind::kFlag)
        return Error{ExitCode::kUsage, fmt::format("{}: expected {}=VALUE", text, text)};
    return set(text, "true");
}

bool ParameterValues::given(std::string_view name) const
{
    assert(indexOf(name) < given_.size());
    return given_[indexOf(name)];
}

std::int64_t ParameterValues::integer(std::string_view name) const { return *numberOf<std::int64_t>(text(name)); }
double ParameterValues::real(std::string_view name) const { return *numberOf<double>(text(name)); }
bool ParameterValues::flag(std::string_view name) const { return isTrue(text(name)); }

const std::string& ParameterValues::text(std::string_view name) const
{
    assert(indexOf(name) < values_.size());
    return values_[indexOf(name)];
}

// ---- a run ----

std::string_view textOf(CheckAnswer answer)
{
    switch (answer)
    {
    case CheckAnswer::kNotMade:
        return "not made";
    case CheckAnswer::kEqual:
        return "equal";
    case CheckAnswer::kDifferent:
        return "different";
    }
    return {};
}

Result<JobResult> runModule(const Module& module, const ParameterValues& values, const RunContext& context)
{
    try
    {
        return module.run(values, context);
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, fmt::format("{}: out of memory", module.name())};
    }
}

// ---- jobs ----

bool JobDevices::take(const std::string& device)
{
    const std::lock_guard lock(mutex_);
    return taken_.insert(device).second;
}

void JobDevices::release(const std::string& device)
{
    const std::lock_guard lock(mutex_);
    taken_.erase(device);
}

JobDevices& processJobDevices()
{
    static JobDevices devices;
    return devices;
}

std::string_view textOf(JobState state)
{
    switch (state)
    {
    case JobState::kRunning:
        return "running";
    case JobState::kDone:
        return "done";
    case JobState::kFailed:
        return "failed";
    case JobState::kCancelled:
        return "cancelled";
    }
    return {};
}

Result<std::unique_ptr<Job>> Job::start(const Module& module, ParameterValues values, bool wholeResult,
                                        JobDevices& devices)
{
    std::string device = module.device(values);
    if (!devices.take(device))
        return Error{ExitCode::kLimit, fmt::format("{}: {} is running another job", module.name(), device)};
    return std::unique_ptr<Job>(new Job(module, std::move(values), wholeResult, std::move(device), devices));
}

Job::Job(const Module& module, ParameterValues values, bool wholeResult, std::string device, JobDevices& devices)
    : module_(module), values_(std::move(values)), wholeResult_(wholeResult), device_(std::move(device)),
      devices_(devices), outcome_(Error{}), thread_([this](const std::stop_token& stop) { run(stop); })
{
}

Job::~Job() = default;  // std::jthread asks it to stop and waits

void Job::run(const std::stop_token& stop)
{
    Result<JobResult> outcome = runModule(module_, values_, {progress_, stop, wholeResult_});
    // What was finished before the request was seen is done; anything that fails after it is cancelled.
    const JobState state = outcome ? JobState::kDone : stop.stop_requested() ? JobState::kCancelled : JobState::kFailed;
    outcome_ = std::move(outcome);
    ran_.store(std::max<Clock::duration::rep>(1, (Clock::now() - start_).count()), std::memory_order_relaxed);
    devices_.release(device_);
    state_.store(state, std::memory_order_release);
}

std::chrono::nanoseconds Job::elapsed() const
{
    const Clock::duration::rep ran = ran_.load(std::memory_order_relaxed);
    return ran != 0 ? Clock::duration(ran) : Clock::now() - start_;
}

const JobResult* Job::result() const { return state() == JobState::kDone ? &*outcome_ : nullptr; }
const Error* Job::error() const
{
    return state() == JobState::kFailed || state() == JobState::kCancelled ? &outcome_.error() : nullptr;
}

}  // namespace orogen::compute

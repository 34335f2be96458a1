#include "app/cli/module_options.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/interrupt.h"
#include "app/base/progress.h"

namespace orogen::app {
namespace {

using compute::Parameter;
using compute::ParameterKind;

std::string typeName(const Parameter& parameter)
{
    switch (parameter.kind)
    {
    case ParameterKind::kInteger:
        return "N";
    case ParameterKind::kReal:
        return "X";
    case ParameterKind::kFile:
        return "FILE";
    case ParameterKind::kText:
        return "TEXT";
    case ParameterKind::kFlag:
        return {};
    case ParameterKind::kChoice:
        break;
    }
    std::string names;
    for (const std::string& name : parameter.choices)
        names += (names.empty() ? "" : "/") + name;
    return names.size() <= 40 ? names : "NAME";
}

std::string helpText(const Parameter& parameter)
{
    if (parameter.standard.empty() || parameter.kind == ParameterKind::kFlag) return parameter.help;
    return fmt::format("{} ({})", parameter.help, parameter.standard);
}

void addOption(CLI::App& command, const Parameter& parameter, Assignments& assignments)
{
    const std::string name = "--" + parameter.name;
    if (parameter.kind == ParameterKind::kFlag)
    {
        command.add_flag_callback(
            name, [&assignments, key = parameter.name] { assignments.emplace_back(key, "true"); }, parameter.help);
        return;
    }
    const auto take = [&assignments, key = parameter.name](const std::string& text) {
        assignments.emplace_back(key, text);
    };
    command.add_option_function<std::string>(name, take, helpText(parameter))->type_name(typeName(parameter));
}

// Until the job is over; false if it was cancelled on the user's wish.
bool await(compute::Job& job)
{
    using namespace std::chrono_literals;
    ProgressLine line;
    bool goOn = true;
    while (job.state() == compute::JobState::kRunning)
    {
        if (goOn && !line.show(job.progress().fraction(), job.progress().phase()))
        {
            goOn = false;
            job.cancel();
        }
        std::this_thread::sleep_for(job.elapsed() < 50ms ? 200us : 10000us);
    }
    return goOn;
}

}  // namespace

void addModuleOptions(CLI::App& command, const compute::Module& module, std::span<const std::string_view> except,
                      Assignments& assignments)
{
    for (const Parameter& parameter : module.parameters())
        if (std::ranges::find(except, parameter.name) == except.end()) addOption(command, parameter, assignments);
}

Result<compute::ParameterValues> valuesOf(const compute::Module& module, const Assignments& assignments)
{
    compute::ParameterValues values(module.parameters());
    for (const auto& [name, text] : assignments)
        if (const Status status = values.set(name, text); !status)
            return Error{status.error().code, "--" + status.error().message};
    return values;
}

std::string resultText(const compute::JobResult& result)
{
    std::string text;
    for (const auto& [what, value] : result.table)
        text += fmt::format("{:<24} {}\n", what, value);
    for (const compute::Timing& time : result.times)
        text += fmt::format("{:<24} {:.4f} ms\n", "time, " + time.name, time.ms);
    return text;
}

std::string shortened(const std::string& number)
{
    constexpr std::size_t kShown = 200, kEnd = 32;
    if (number.size() <= kShown) return number;
    return fmt::format("{}...{}  ({} characters; --json has all)", number.substr(0, kEnd),
                       number.substr(number.size() - kEnd), number.size());
}

Result<compute::JobResult> runOnCommandLine(const compute::Module& module, compute::ParameterValues values)
{
    const Result<std::unique_ptr<compute::Job>> job = compute::Job::start(module, std::move(values), true);
    if (!job) return job.error();
    if (!await(**job) || interruption()) return interruption().value_or(Error{ExitCode::kInterrupted, "interrupted"});
    if (const Error* error = (*job)->error()) return *error;
    return *(*job)->result();
}

}  // namespace orogen::app

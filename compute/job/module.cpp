// Functions common to all modules: the error for exhausted memory, and results as text.
#include "compute/job/module.h"

#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "compute/job/figures.h"

namespace orogen::compute {

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

Result<std::string> Module::readable(const JobResult& result, const ParameterValues&) const
{
    const auto value = result.json->find(result.mainKey);
    if (value == result.json->end()) return resultText(result);
    return (value->is_string() ? value->get<std::string>() : value->dump()) + "\n\n" + resultText(result);
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

std::string resultText(const JobResult& result)
{
    std::string text;
    for (const auto& [what, value] : result.table)
        text += fmt::format("{:<24} {}\n", what, value);
    for (const Timing& time : result.times)
        text += fmt::format("{:<24} {:.4f} ms\n", "time, " + time.name, time.ms);
    if (const std::optional<RunFigures> figures = figuresOf(result))
        for (const auto& [what, value] : figureRows(*figures))
            text += fmt::format("{:<24} {}\n", what, value);
    return text;
}

std::string shortened(const std::string& number)
{
    constexpr std::size_t kShown = 200, kEnd = 32;
    if (number.size() <= kShown) return number;
    return fmt::format("{}...{}  ({} characters; --json has all)", number.substr(0, kEnd),
                       number.substr(number.size() - kEnd), number.size());
}

}  // namespace orogen::compute

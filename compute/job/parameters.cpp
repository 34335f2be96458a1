// Values are parsed and validated when set, so reading them later cannot fail.
#include "compute/job/parameters.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen::compute {
namespace {

Parameter made(ParameterKind kind, std::string name, std::string standard, std::string help)
{
    Parameter parameter;
    parameter.name = std::move(name);
    parameter.kind = kind;
    parameter.help = std::move(help);
    parameter.standard = std::move(standard);
    return parameter;
}

// Returns "a, b or c".
std::string oneOf(std::span<const std::string> words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return text;
}

}  // namespace

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
    case ParameterKind::kChoice:
        return oneOf(choices);
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
        values_.push_back(parsed(parameter, parameter.standard).value_or(Value()));
}

std::optional<ParameterValues::Value> ParameterValues::parsed(const Parameter& parameter, std::string_view text)
{
    const auto within = [](auto number, auto low, auto high) {
        return number && *number >= low && *number <= high ? std::optional<Value>(*number) : std::nullopt;
    };
    const std::optional<Value> word = std::string(text);
    switch (parameter.kind)
    {
    case ParameterKind::kInteger:
        return within(numberIn<std::int64_t>(text), parameter.lowest, parameter.highest);
    case ParameterKind::kReal:
        return within(numberIn<double>(text), parameter.low, parameter.high);
    case ParameterKind::kChoice:
        return std::ranges::find(parameter.choices, text) != parameter.choices.end() ? word : std::nullopt;
    case ParameterKind::kFlag:
        if (text == "true" || text == "on") return true;
        return text == "false" || text == "off" ? std::optional<Value>(false) : std::nullopt;
    case ParameterKind::kText:
    case ParameterKind::kFile:
        break;
    }
    return word;
}

std::size_t ParameterValues::indexOf(std::string_view name) const
{
    return std::size_t(std::ranges::find(parameters_, name, &Parameter::name) - parameters_.begin());
}

Status ParameterValues::set(std::string_view name, std::string_view value)
{
    const std::size_t i = indexOf(name);
    if (i == parameters_.size())
    {
        std::vector<std::string> names;
        std::ranges::transform(parameters_, std::back_inserter(names), &Parameter::name);
        return Error{ExitCode::kUsage, fmt::format("{}: there is no such parameter, expected {}", name, oneOf(names))};
    }
    std::optional<Value> parsed = ParameterValues::parsed(parameters_[i], value);
    if (!parsed)
        return Error{ExitCode::kUsage, fmt::format("{}: {}: expected {}", name, value, parameters_[i].range())};
    values_[i] = std::move(*parsed);
    given_[i] = true;
    return Status::ok();
}

bool ParameterValues::given(std::string_view name) const
{
    assert(indexOf(name) < given_.size());
    return given_[indexOf(name)];
}

const ParameterValues::Value& ParameterValues::valueOf(std::string_view name) const
{
    assert(indexOf(name) < values_.size());
    return values_[indexOf(name)];
}

}  // namespace orogen::compute

// Values are kept as text and validated when set, so reading them later cannot fail.
#include "compute/job/parameters.h"

#include <algorithm>
#include <cassert>
#include <charconv>
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

}  // namespace orogen::compute

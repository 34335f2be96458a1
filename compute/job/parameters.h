// Parameters of compute modules (kind, range, default, help) and their values.  Command-line options, `run MODULE
// key=value` in scripts and the controls of panels are generated from them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/status.h"

namespace orogen::compute {

enum class ParameterKind
{
    kInteger,
    kReal,
    kChoice,  // one of `choices`
    kText,
    kFile,
    kFlag,  // "true" or "on", "false" or "off"
};

struct Parameter
{
    std::string name;  // long option without its dashes
    ParameterKind kind = ParameterKind::kText;
    std::string help;      // one line, with units
    std::string standard;  // default value as text; empty: none
    std::int64_t lowest = 0, highest = 0;
    double low = 0, high = 0;
    std::vector<std::string> choices;

    static Parameter integer(std::string name, std::int64_t lowest, std::int64_t highest, std::string standard,
                             std::string help);
    static Parameter real(std::string name, double low, double high, std::string standard, std::string help);
    static Parameter choice(std::string name, std::vector<std::string> choices, std::string standard, std::string help);
    static Parameter text(std::string name, std::string help);
    static Parameter file(std::string name, std::string help);
    static Parameter flag(std::string name, std::string help);

    std::string range() const;  // "an integer from 1 to 64", "cpu, cuda or auto"
};

// Values for a list of parameters.  The list must outlive the values.
class ParameterValues
{
public:
    explicit ParameterValues(std::span<const Parameter> parameters);

    // Sets a value.  Error kUsage: unknown parameter, or an invalid value; the message names the valid ones.
    Status set(std::string_view name, std::string_view value);

    bool given(std::string_view name) const;  // whether set() has set the value, even to the default
    // Return a value.  The parameter must exist, have that kind and have a value; all else is a programming error.
    std::int64_t integer(std::string_view name) const { return std::get<std::int64_t>(valueOf(name)); }
    double real(std::string_view name) const { return std::get<double>(valueOf(name)); }
    bool flag(std::string_view name) const { return std::get<bool>(valueOf(name)); }
    // Choices, texts and files; empty where there is no value.
    const std::string& text(std::string_view name) const { return std::get<std::string>(valueOf(name)); }

private:
    using Value = std::variant<std::string, std::int64_t, double, bool>;  // empty text: no value

    static std::optional<Value> parsed(const Parameter& parameter, std::string_view text);  // empty: invalid
    std::size_t indexOf(std::string_view name) const;  // parameters_.size() if not found
    const Value& valueOf(std::string_view name) const;

    std::span<const Parameter> parameters_;
    std::vector<Value> values_;
    std::vector<bool> given_;
};

}  // namespace orogen::compute

// Option checks for CLI11.
#pragma once

#include <cmath>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen::app {

// Accepts finite numbers in [low, high].  CLI::Range would accept NaN.
inline CLI::Validator realIn(double low, double high)
{
    const auto check = [low, high](const std::string& text) -> std::string {
        if (numberIn<double>(text, low, high)) return {};
        return fmt::format("{}: expected a number from {} to {}", text, low, high);
    };
    return CLI::Validator(check, "");
}

}  // namespace orogen::app

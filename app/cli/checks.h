// Checks of option values, for CLI11.
#pragma once

#include <charconv>
#include <cmath>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace orogen::app {

// A finite real number in [low, high].  (CLI::Range lets NaN through.)
inline CLI::Validator realIn(double low, double high)
{
    const auto check = [low, high](const std::string& text) -> std::string {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool read = error == std::errc{} && end == text.data() + text.size();
        if (read && value >= low && value <= high) return {};
        return fmt::format("{}: expected a number from {} to {}", text, low, high);
    };
    return CLI::Validator(check, "");
}

}  // namespace orogen::app

#include "app/cli/command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen::app {
namespace {

constexpr int kMinSide = 16, kMaxSide = 16384;

}  // namespace

std::optional<Extent> parseExtent(std::string_view text)
{
    const std::size_t separator = text.find('x');
    if (separator == std::string_view::npos) return std::nullopt;
    const std::optional<int> width = numberIn<int>(text.substr(0, separator), kMinSide, kMaxSide);
    const std::optional<int> height = numberIn<int>(text.substr(separator + 1), kMinSide, kMaxSide);
    if (!width || !height) return std::nullopt;
    return Extent{*width, *height};
}

CLI::Option* addSizeOption(CLI::App& command, int& width, int& height)
{
    const auto set = [&width, &height](const std::string& text) {
        const std::optional<Extent> extent = parseExtent(text);
        if (!extent)
            throw CLI::ValidationError("--size",
                                       fmt::format("{}: expected WxH, each {} to {}", text, kMinSide, kMaxSide));
        width = extent->width;
        height = extent->height;
    };
    return command.add_option_function<std::string>("--size", set, fmt::format("pixels ({}x{})", width, height))
        ->type_name("WxH");
}

}  // namespace orogen::app

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/frames/sample/frame_sample.h"

namespace orogen {
namespace {

constexpr double kLongBefore = -1e12;  // ms; a job may have begun before the run

std::string cleaned(std::string text)
{
    for (char& c : text)
        if (c == ';' || c == '@' || static_cast<unsigned char>(c) < 0x20) c = ' ';
    return text;
}

// Parses a number (>= `lowest`) followed by the character `after`, and removes both from the front.
bool takeNumber(std::string_view& text, char after, double& value, double lowest = 0)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || end == text.data() + text.size() || *end != after || !(value >= lowest)) return false;
    text.remove_prefix(std::size_t(end - text.data()) + 1);
    return std::isfinite(value);
}

std::optional<ComputeEvent> parseEvent(std::string_view text)
{
    const std::size_t at = text.find('@');
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t colon = text.find(':', at);
    if (colon == std::string_view::npos) return std::nullopt;
    ComputeEvent event;
    event.name = text.substr(0, at);
    event.clock = text.substr(at + 1, colon - at - 1);
    text.remove_prefix(colon + 1);
    const bool whole = takeNumber(text, '[', event.durationMs) && takeNumber(text, ':', event.beginMs, kLongBefore) &&
                       takeNumber(text, ']', event.endMs) && text.empty();
    if (!whole || event.endMs < event.beginMs) return std::nullopt;
    return event;
}

}  // namespace

std::string eventText(std::span<const ComputeEvent> events)
{
    std::string text;
    for (const ComputeEvent& event : events)
    {
        if (!text.empty()) text += ';';
        text += fmt::format("{}@{}:{:.4f}[{:.4f}:{:.4f}]", cleaned(event.name), cleaned(event.clock), event.durationMs,
                            event.beginMs, event.endMs);
    }
    return text;
}

std::vector<ComputeEvent> computeEvents(std::string_view text)
{
    std::vector<ComputeEvent> events;
    while (!text.empty())
    {
        const std::size_t end = std::min(text.find(';'), text.size());
        if (std::optional<ComputeEvent> event = parseEvent(text.substr(0, end))) events.push_back(std::move(*event));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return events;
}

}  // namespace orogen

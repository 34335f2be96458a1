#include "core/report/report_html.h"

#include <fmt/format.h>

#include "core/report/html_text.h"

namespace orogen {
namespace {

std::string row(std::string_view name, const std::optional<double>& value, const char* unit)
{
    const std::string text = value ? fmt::format("{:.3f} {}", *value, unit) : "not measured";
    return fmt::format("<tr><th>{}<td class=n>{}</tr>\n", escaped(name), text);
}

}  // namespace

std::string reportToHtml(const FrameReport& report, std::span<const std::vector<FrameSample>>)
{
    const Statistics& s = report.statistics;
    std::string body =
        fmt::format("<h1>Frame-time report</h1><p class=soft>{}</p><table>\n", escaped(report.metadata.heightmap));
    body += row("frames", double(s.frames), "");
    body += row("average", s.fpsAverage, "fps");
    if (s.intervalMs)
    {
        body += row("p50", s.intervalMs->p50, "ms");
        body += row("p99", s.intervalMs->p99, "ms");
    }
    return htmlPage("Frame-time report", body + "</table>\n");
}

}  // namespace orogen

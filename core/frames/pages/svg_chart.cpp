#include "core/frames/pages/svg_chart.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/frames/pages/html_text.h"

namespace orogen {
namespace {

// Rounds up to 1, 2 or 5 times a power of ten.
double roundStep(double about)
{
    const double power = std::pow(10.0, std::floor(std::log10(about)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (about <= factor * power) return factor * power;
    return 10 * power;
}

std::string tickLabel(double value, double step)
{
    const int decimals = std::max(0, int(std::ceil(-std::log10(step) - 1e-9)));
    return fmt::format("{:.{}f}", value + 0.0, decimals);
}

int unit(double position, int units) { return int(std::lround(std::clamp(position, 0.0, 1.0) * units)); }

std::string percent(double position) { return fmt::format("{:.4g}%", 100 * position); }

std::string gridLines(const Chart& chart)
{
    SvgPath path;
    for (const Tick& tick : chart.y.ticks)
    {
        path.move(0, kChartHeight - unit(tick.at, kChartHeight));
        path.line(kChartWidth, kChartHeight - unit(tick.at, kChartHeight));
    }
    return pathElement("grid", path);
}

std::string markLines(const Chart& chart)
{
    SvgPath path;
    for (const Mark& mark : chart.across)
    {
        path.move(0, kChartHeight - unit(mark.at, kChartHeight));
        path.line(kChartWidth, kChartHeight - unit(mark.at, kChartHeight));
    }
    for (const Mark& mark : chart.up)
    {
        path.move(unit(mark.at, kChartWidth), 0);
        path.line(unit(mark.at, kChartWidth), kChartHeight);
    }
    return pathElement("mark", path);
}

// Joins labels that would overlap, at the upper line.
std::vector<Mark> withoutOverprint(std::vector<Mark> marks)
{
    constexpr double kLabelHeight = 0.08;  // height of a text line in the smaller plot, as a share of the plot
    std::ranges::sort(marks, {}, &Mark::at);
    std::vector<Mark> apart;
    for (Mark& mark : marks)
    {
        const bool overprints = !apart.empty() && mark.at - apart.back().at < kLabelHeight;
        if (overprints)
            apart.back() = {mark.at, apart.back().label + ", " + mark.label};
        else
            apart.push_back(std::move(mark));
    }
    return apart;
}

std::string labels(const Chart& chart)
{
    std::string html;
    for (const Tick& tick : chart.y.ticks)
        fmt::format_to(std::back_inserter(html), "<span class=yt style=\"bottom:{}\">{}</span>", percent(tick.at),
                       escaped(tick.label));
    for (const Tick& tick : chart.x.ticks)
        fmt::format_to(std::back_inserter(html), "<span class=xt style=\"left:{}\">{}</span>", percent(tick.at),
                       escaped(tick.label));
    for (const Mark& mark : withoutOverprint(chart.across))
        fmt::format_to(std::back_inserter(html), "<span class=ml style=\"bottom:{}\">{}</span>", percent(mark.at),
                       escaped(mark.label));
    int level = 0;  // staggers neighbouring labels
    for (const Mark& mark : chart.up)
        fmt::format_to(std::back_inserter(html), "<span class=\"mu{}\" style=\"left:{};top:{:.1f}em\">{}</span>",
                       mark.at > 0.8 ? " r" : "", percent(mark.at), 1.2 * level++, escaped(mark.label));
    return html;
}

}  // namespace

Axis linearAxis(double low, double high, std::string title, int ticks)
{
    Axis axis{low, high, std::move(title), {}};
    const double step = roundStep((high - low) / ticks);
    for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i)
        axis.ticks.push_back({axis.position(i * step), tickLabel(i * step, step)});
    return axis;
}

void SvgPath::number(int value)
{
    const bool apart = !text_.empty() && text_.back() >= '0' && text_.back() <= '9' && value >= 0;
    if (apart) text_ += ' ';
    text_ += std::to_string(value);
}

void SvgPath::flush()
{
    if (!pending_) return;
    pending_ = false;
    if (!lines_) text_ += 'l';
    lines_ = true;
    number(nextX_ - x_);
    number(nextY_ - y_);
    x_ = nextX_;
    y_ = nextY_;
}

void SvgPath::move(int x, int y)
{
    flush();
    text_ += 'M';
    number(x);
    number(y);
    x_ = x;
    y_ = y;
    lines_ = false;
}

void SvgPath::line(int x, int y)
{
    const int lastX = pending_ ? nextX_ : x_, lastY = pending_ ? nextY_ : y_;
    if (x == lastX && y == lastY) return;
    const bool goesOn = pending_ && ((y == nextY_ && nextY_ == y_ && (x > nextX_) == (nextX_ > x_)) ||
                                     (x == nextX_ && nextX_ == x_ && (y > nextY_) == (nextY_ > y_)));
    if (!goesOn) flush();
    nextX_ = x;
    nextY_ = y;
    pending_ = true;
}

void SvgPath::close()
{
    flush();
    text_ += 'z';
    lines_ = false;
}

std::string pathElement(std::string_view cssClass, SvgPath& path)
{
    if (path.empty()) return {};
    return fmt::format("<path class=\"{}\" d=\"{}\"/>", cssClass, path.text());
}

int Chart::column(double x_) const { return unit(x.position(x_), kChartWidth); }
int Chart::row(double y_) const { return kChartHeight - unit(y.position(y_), kChartHeight); }

std::string chartHtml(const Chart& chart)
{
    return fmt::format("<figure><div class=yn>{}</div><div class=\"plot{}\" role=img aria-label=\"{}\">"
                       "<svg viewBox=\"0 0 {} {}\" preserveAspectRatio=none>{}{}{}</svg>{}</div>"
                       "<div class=xn>{}</div><figcaption>{}</figcaption></figure>\n",
                       escaped(chart.y.title), chart.tall ? " tall" : "", escaped(chart.description), kChartWidth,
                       kChartHeight, gridLines(chart), chart.marks, markLines(chart), labels(chart),
                       escaped(chart.x.title), chart.caption);
}

std::string legendHtml(const std::vector<LegendItem>& items)
{
    std::string html = "<p class=legend>";
    for (const LegendItem& item : items)
        fmt::format_to(std::back_inserter(html),
                       "<span><svg viewBox=\"0 0 16 10\"><path class=\"{}\" d=\"{}\"/></svg>{}</span>", item.cssClass,
                       item.line ? "M0 5h16" : "M0 0h16v10h-16z", escaped(item.name));
    return html + "</p>\n";
}

}  // namespace orogen

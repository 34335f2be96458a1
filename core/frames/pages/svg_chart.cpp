#include "core/frames/pages/svg_chart.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "core/base/ticks.h"
#include "core/frames/pages/html_text.h"

namespace orogen {
namespace {

std::string tickLabel(double value, double step)
{
    const int decimals = std::max(0, int(std::ceil(-std::log10(step) - 1e-9)));
    return fmt::format("{:.{}f}", value + 0.0, decimals);
}

int unit(double position, int units) { return int(std::lround(std::clamp(position, 0.0, 1.0) * units)); }

std::string cssPercent(double position) { return fmt::format("{:.4g}%", 100 * position); }

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

struct AcrossLabel
{
    Mark mark;
    bool joined = false;  // stands above its lines, not on them
};

// Joins labels that would overlap into one, at the uppermost of their lines.
std::vector<AcrossLabel> withoutOverprint(std::vector<Mark> marks)
{
    constexpr double kLabelHeight = 0.08;  // height of a text line as a share of the lower plot's height
    std::ranges::sort(marks, {}, &Mark::at);
    std::vector<AcrossLabel> apart;
    for (Mark& mark : marks)
    {
        const bool overprints = !apart.empty() && mark.at - apart.back().mark.at < kLabelHeight;
        if (overprints)
            apart.back() = {{mark.at, apart.back().mark.label + ", " + mark.label}, true};
        else
            apart.push_back({std::move(mark)});
    }
    return apart;
}

std::string labels(const Chart& chart)
{
    std::string html;
    for (const Tick& tick : chart.y.ticks)
        fmt::format_to(std::back_inserter(html), "<span class=yt style=\"bottom:{}\">{}</span>", cssPercent(tick.at),
                       escaped(tick.label));
    for (const Tick& tick : chart.x.ticks)
        fmt::format_to(std::back_inserter(html), "<span class=xt style=\"left:{}\">{}</span>", cssPercent(tick.at),
                       escaped(tick.label));
    for (const auto& [mark, joined] : withoutOverprint(chart.across))
        fmt::format_to(std::back_inserter(html), "<span class={} style=\"bottom:{}\">{}</span>",
                       joined ? "\"ml over\"" : "ml", cssPercent(mark.at), escaped(mark.label));
    int level = 0;  // staggers neighbouring labels
    for (const Mark& mark : chart.up)
        fmt::format_to(std::back_inserter(html), "<span class=\"mu{}\" style=\"left:{};top:{:.1f}em\">{}</span>",
                       mark.at > 0.8 ? " r" : "", cssPercent(mark.at), 1.2 * level++, escaped(mark.label));
    return html;
}

}  // namespace

Axis linearAxis(double low, double high, std::string title, int ticks)
{
    assert(ticks >= 4);  // fewer would be thinned, and need more decimals than their distance tells
    Axis axis{low, high, std::move(title), {}};
    const std::vector<double> values = ticksIn({low, high}, ticks + 1);
    for (const double value : values)
        axis.ticks.push_back({axis.position(value), tickLabel(value, values[1] - values[0])});
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

// ---- line plots as standalone SVG files, for figures ----

namespace {

constexpr int kWidth = 1060, kHeight = 540, kLeft = 90, kRight = 380, kTop = 50, kBottom = 70;
constexpr int kNoteHeight = 16, kNoteColumns = 138;
constexpr int kPlotWidth = kWidth - kLeft - kRight, kPlotHeight = kHeight - kTop - kBottom;
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
constexpr const char* kMarks[] = {"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", "M-4 -4h8v8h-8z", "M0 -5l5 9h-10z",
                                  "M0 -5l5 5l-5 5l-5 -5z", "M-4 -4l8 8m0 -8l-8 8"};

constexpr const char* kRing = "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0";
constexpr int kMostLogarithmicTicks = 9;
constexpr double kNarrow = 2;  // decades; Scale::narrow() makes logarithmic axes that are shorter and lack a 0

const char* colourOf(const PlotLine& line, std::size_t number)
{
    return line.ring ? "#000000" : kColours[number % std::size(kColours)];
}
const char* markOf(const PlotLine& line, std::size_t number)
{
    return line.ring ? kRing : kMarks[number % std::size(kMarks)];
}
const char* fillOf(const PlotLine& line, std::size_t number) { return line.ring ? "none" : colourOf(line, number); }

// Linear or logarithmic axis.  On a logarithmic one, 0 is placed at the low end.
class Scale
{
public:
    Scale(const LinePlot& plot, bool x) : logarithmic_(x ? plot.logarithmicX : plot.logarithmicY)
    {
        double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
        bool zero = false;
        for (const PlotLine& line : plot.lines)
            for (const auto& point : line.points)
            {
                const double value = x ? point.first : point.second;
                zero = zero || value == 0;
                if (logarithmic_ && value == 0) continue;
                low = std::min(low, moved(value));
                high = std::max(high, moved(value));
            }
        if (low > high) low = 0, high = 1;
        if (!logarithmic_) low = std::min(low, 0.0);
        if (high - low < 1e-12) high = low + 1;
        const std::string& title = x ? plot.xTitle : plot.yTitle;
        axis_ = !logarithmic_                   ? linearAxis(low, high, title)
                : !zero && high - low < kNarrow ? narrow(low, high, title)
                                                : decades(std::floor(low), std::ceil(high), zero, title);
    }
    double position(double value) const { return logarithmic_ && value == 0 ? 0 : axis_.position(moved(value)); }
    const Axis& axis() const { return axis_; }

private:
    double moved(double value) const { return logarithmic_ ? std::log10(value) : value; }
    static Axis decades(double low, double high, bool zero, const std::string& title)
    {
        const double step = std::max(1.0, std::ceil((high - low) / 8));
        Axis axis{zero ? low - step : low, high, title, {}};
        if (zero) axis.ticks.push_back({0, "0"});
        for (const double value : ticksIn({std::pow(10.0, low), std::pow(10.0, high), true}, kMostLogarithmicTicks))
        {
            const double power = std::floor(std::log10(value) + 1e-9);
            const std::string label = fmt::format("{:.4g}e{:.0f}", value / std::pow(10.0, power), power);
            axis.ticks.push_back({axis.position(std::log10(value)), label});
        }
        return axis;
    }

    // Makes a logarithmic axis that ends at 1, 2 or 5 times powers of ten.  Below one decade the factors are 1, 1.5, 2,
    // 3, 5 and 7.  `low`, `high`: decimal logarithms.
    static Axis narrow(double low, double high, const std::string& title)
    {
        std::vector<double> round;
        for (double power = std::floor(low); power <= std::ceil(high); ++power)
            for (const double factor :
                 high - low < 1 ? std::vector{1.0, 1.5, 2.0, 3.0, 5.0, 7.0} : std::vector{1.0, 2.0, 5.0})
                round.push_back(power + std::log10(factor));
        const double first = *(std::ranges::find_if(round, [&](double r) { return r > low + 1e-9; }) - 1);
        const double last = *std::ranges::find_if(round, [&](double r) { return r >= high - 1e-9; });
        Axis axis{first, last, title, {}};
        for (const double value : ticksIn({std::pow(10.0, first), std::pow(10.0, last), true}, kMostLogarithmicTicks))
            axis.ticks.push_back({axis.position(std::log10(value)), tickText(value)});
        return axis;
    }
    static std::string tickText(double value)
    {
        return value >= 1e6   ? fmt::format("{:g}M", value / 1e6)
               : value >= 1e3 ? fmt::format("{:g}k", value / 1e3)
                              : fmt::format("{:.4g}", value);
    }

    bool logarithmic_;
    Axis axis_;
};

double column(double position) { return kLeft + position * kPlotWidth; }
double row(double position) { return kTop + (1 - position) * kPlotHeight; }

std::string text(double x, double y, const char* anchor, const std::string& content, const std::string& more = {})
{
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                       escaped(content));
}

std::string axesSvg(const LinePlot& plot, const Scale& x, const Scale& y)
{
    std::string svg = text(kLeft, 28, "start", plot.title, " font-size=\"17\"");
    for (const Tick& tick : x.axis().ticks)
    {
        svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {}v{}\"/>\n", column(tick.at), kTop, kPlotHeight);
        svg += text(column(tick.at), kTop + kPlotHeight + 20, "middle", tick.label);
    }
    for (const Tick& tick : y.axis().ticks)
    {
        svg += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}h{}\"/>\n", kLeft, row(tick.at), kPlotWidth);
        svg += text(kLeft - 8, row(tick.at) + 4, "end", tick.label);
    }
    svg += text(kLeft + kPlotWidth / 2.0, kHeight - 22, "middle", x.axis().title);
    svg += text(24, kTop + kPlotHeight / 2.0, "middle", y.axis().title,
                fmt::format(" transform=\"rotate(-90 24 {})\"", kTop + kPlotHeight / 2));
    return svg;
}

std::string lineSvg(const PlotLine& line, std::size_t number, const Scale& x, const Scale& y)
{
    std::string path, marks;
    for (const auto& [px, py] : line.points)
    {
        const double cx = column(x.position(px)), cy = row(y.position(py));
        fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? "M" : "L", cx, cy);
        fmt::format_to(std::back_inserter(marks), "<path transform=\"translate({:.1f} {:.1f})\" d=\"{}\"/>\n", cx, cy,
                       markOf(line, number));
    }
    if (path.empty()) return {};
    return fmt::format(
        "<g stroke=\"{0}\" fill=\"none\"{1}><path d=\"{2}\"/></g>\n<g fill=\"{4}\" stroke=\"{0}\">\n{3}</g>\n",
        colourOf(line, number), line.dashed ? " stroke-dasharray=\"6 4\"" : "", path, marks, fillOf(line, number));
}

std::string legendSvg(const LinePlot& plot)
{
    std::string svg;
    for (std::size_t i = 0; i < plot.lines.size(); ++i)
    {
        const double x = kLeft + kPlotWidth + 24, y = kTop + 10 + 22.0 * double(i);
        svg += fmt::format("<path transform=\"translate({:.1f} {:.1f})\" d=\"{}\" fill=\"{}\" stroke=\"{}\"/>\n", x, y,
                           markOf(plot.lines[i], i), fillOf(plot.lines[i], i), colourOf(plot.lines[i], i));
        svg += text(x + 14, y + 4, "start", plot.lines[i].name);
    }
    return svg;
}

// Wraps the notes at blanks, and longer words between characters of UTF-8.
std::vector<std::string> notesOf(const LinePlot& plot)
{
    std::vector<std::string> lines;
    for (const std::string& note : plot.notes)
        for (std::size_t begin = 0; begin < note.size();)
        {
            std::size_t end = note.size();
            if (end - begin > kNoteColumns)
            {
                end = note.rfind(' ', begin + kNoteColumns);
                if (end == std::string::npos || end <= begin)
                {
                    end = begin + kNoteColumns;
                    for (int i = 0; i < 3 && (note[end] & 0xc0) == 0x80; ++i)
                        --end;  // to the first byte of a character
                }
            }
            lines.push_back(note.substr(begin, end - begin));
            begin = end + (end < note.size() && note[end] == ' ');
        }
    return lines;
}

}  // namespace

std::string linePlotSvg(const LinePlot& plot)
{
    const Scale x(plot, true), y(plot, false);
    const std::vector<std::string> notes = notesOf(plot);
    const int height = kHeight + kNoteHeight * int(notes.size());
    std::string svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                                  "height=\"{1}\" font-family=\"sans-serif\" font-size=\"13\">\n"
                                  "<style>.grid{{stroke:#ccc;stroke-width:1}}</style>\n"
                                  "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
                                  kWidth, height);
    svg += axesSvg(plot, x, y);
    for (std::size_t i = 0; i < plot.lines.size(); ++i)
        svg += lineSvg(plot.lines[i], i, x, y);
    for (std::size_t i = 0; i < notes.size(); ++i)
        svg += text(24, kHeight + kNoteHeight * double(i), "start", notes[i], " font-size=\"12\" fill=\"#555\"");
    return svg + legendSvg(plot) + "</svg>\n";
}

}  // namespace orogen

// Charts of the reports' pages, and line plots as standalone SVG files.  Marks of charts are inline SVG, stretched to
// the page's width; texts are HTML around it, so that they stay legible on a narrow screen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orogen {

inline constexpr int kChartWidth = 1000, kChartHeight = 1000;  // SVG units, independent of the size on the page

struct Tick
{
    double at = 0;  // 0 ... 1 along the axis
    std::string label;
};

struct Axis
{
    double low = 0, high = 1;
    std::string title;  // with its unit
    std::vector<Tick> ticks;

    double position(double value) const { return (value - low) / (high - low); }
};

// Returns an axis from `low` to `high` exactly, with 2 to `ticks` + 1 ticks at round numbers.
Axis linearAxis(double low, double high, std::string title, int ticks = 5);

// SVG path with integer coordinates, written compactly.
class SvgPath
{
public:
    void move(int x, int y);
    void line(int x, int y);  // merges collinear horizontal or vertical segments
    void close();
    bool empty() const { return text_.empty(); }
    const std::string& text() { return flush(), text_; }

private:
    void flush();
    void number(int value);

    std::string text_;
    int x_ = 0, y_ = 0;          // end point of the path in `text_`
    int nextX_ = 0, nextY_ = 0;  // point that may still be merged
    bool pending_ = false, lines_ = false;
};

// Returns <path class="..." d="..."/>; empty text for an empty path.
std::string pathElement(std::string_view cssClass, SvgPath& path);

// Labelled line across the chart at a value of the y axis (or of the x axis).
struct Mark
{
    double at = 0;  // 0 ... 1
    std::string label;
};

struct Chart
{
    std::string description;  // for screen readers
    Axis x, y;
    std::string marks;             // SVG, y down from the top
    std::vector<Mark> across, up;  // dashed lines: horizontal, vertical
    std::string caption;           // HTML
    bool tall = false;

    int column(double x_) const;  // x coordinate of a value, clamped to the chart
    int row(double y_) const;
};
std::string chartHtml(const Chart& chart);

// Legend entry: a symbol of the mark's style, and its name.
struct LegendItem
{
    std::string cssClass, name;
    bool line = false;  // symbol is a line, not an area
};
std::string legendHtml(const std::vector<LegendItem>& items);

// ---- line plots as standalone SVG files, for figures ----

struct PlotLine
{
    std::string name;
    std::vector<std::pair<double, double>> points;  // in the order of joining
    bool dashed = false;
    bool ring = false;  // black rings around the points of other lines, to mark some of them
};

struct LinePlot
{
    std::string title, xTitle, yTitle;                // with units
    bool logarithmicX = false, logarithmicY = false;  // values >= 0; 0 is placed at the low end
    std::vector<PlotLine> lines;
    std::vector<std::string> notes{};  // below the axis, each on a new line
};

// Renders the plot.  Lines without points appear only in the legend.  Colours are safe for colour-blind readers (Okabe,
// Ito).  Colours repeat after seven lines and the shapes of points after five.
std::string linePlotSvg(const LinePlot& plot);

}  // namespace orogen

// Charts of the reports' pages.  Marks are inline SVG that is stretched to the page's width; texts are HTML around it,
// so that they stay legible on a narrow screen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orogen {

inline constexpr int kChartWidth = 1000, kChartHeight = 1000;  // units of the SVG, whatever its size on the page

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

// From `low` to `high` as they are, with ticks at round numbers.
Axis linearAxis(double low, double high, std::string title, int ticks = 5);

// A path of whole units, written in as few characters as possible.
class SvgPath
{
public:
    void move(int x, int y);
    void line(int x, int y);  // points in a row on one horizontal or vertical line become one
    void close();
    bool empty() const { return text_.empty(); }
    const std::string& text() { return flush(), text_; }

private:
    void flush();
    void number(int value);

    std::string text_;
    int x_ = 0, y_ = 0;          // where the text ends
    int nextX_ = 0, nextY_ = 0;  // of the point that may still be merged
    bool pending_ = false, lines_ = false;
};

// <path class="..." d="...">; nothing for an empty path.
std::string pathElement(std::string_view cssClass, SvgPath& path);

// A line across the chart at a value of the y axis (or of the x axis), with its name beside it.
struct Mark
{
    double at = 0;  // 0 ... 1
    std::string label;
};

struct Chart
{
    std::string description;  // for readers that do not see it
    Axis x, y;
    std::string marks;             // SVG, y downwards from the top
    std::vector<Mark> across, up;  // dashed lines: at heights, at positions
    std::string caption;           // HTML
    bool tall = false;

    int column(double x_) const;  // of a value, clamped to the chart
    int row(double y_) const;
};
std::string chartHtml(const Chart& chart);

// What stands for a class of marks: a small picture of its colour and its name.
struct LegendItem
{
    std::string cssClass, name;
    bool line = false;  // drawn as a line, not as an area
};
std::string legendHtml(const std::vector<LegendItem>& items);

}  // namespace orogen

#include "core/terrain/bounds/diamond_deviations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace orogen {
namespace {

// Bound of the rounding error of a deviation, relative to the highest of the heights involved.  Heights are >= 0.
constexpr double kRounding = 1.0 / (1 << 20);

// Rounds a deviation up; a deviation of 0 stays 0 if the corner heights a, b, c, d are equal.
inline float roundedUp(double deviation, double a, double b, double c, double d)
{
    if (deviation == 0 && a == b && b == c && c == d) return 0;
    const double most = std::max(std::max(a, b), std::max(c, d));
    return float(deviation * (1 + kRounding) + most * kRounding);
}

inline double largest(double a, double b) { return a > b ? a : b; }

// Returns the largest distance of the samples from a line, whose height at sample k is value + slope k.  Takes eight
// samples at a time, for vectorisation.
template <class Sample>
float longRowDeviation(const Sample* samples, int count, float value, float slope)
{
    float most = 0, lanes[8] = {};
    int k = 0;
    for (; k + 8 <= count; k += 8)
    {
        const float start = value + slope * float(k);
        for (int l = 0; l < 8; ++l)
        {
            const float d = std::fabs(float(samples[k + l]) - (start + slope * float(l)));
            lanes[l] = d > lanes[l] ? d : lanes[l];
        }
    }
    for (; k < count; ++k)
        most = std::max(most, std::fabs(float(samples[k]) - (value + slope * float(k))));
    for (const float lane : lanes)
        most = std::max(most, lane);
    return most;
}

// Returns the result of longRowDeviation(), except for rounding. Has less overhead for short rows; most rows have one
// or two samples.
template <class Sample>
inline float rowDeviation(const Sample* samples, int count, float value, float slope)
{
    if (count >= 16) return longRowDeviation(samples, count, value, slope);
    float most = 0;
    for (int k = 0; k < count; ++k)
        most = std::max(most, std::fabs(float(samples[k]) - (value + slope * float(k))));
    return most;
}

}  // namespace

template <class Sample>
DiamondDeviations<Sample>::DiamondDeviations(const SampleGrid<Sample>& field, const SurfaceLattice& lattice, int bits,
                                             int firstColumn, int lastColumn)
    : field_(field), lattice_(lattice), unit_(double(1u << bits)), lastPoint_(int(leb::kDrawSide >> bits)),
      firstColumn_(firstColumn - 1), across_(lattice.columns * unit_), down_(lattice.rows * unit_)
{
    for (int i = firstColumn_; i <= lastColumn + 1; ++i)
    {
        columns_.push_back(lattice.column(double(i) * unit_));
        const double inside = std::clamp(columns_.back(), 0.0, double(field.width - 1));
        sampleColumns_.push_back(std::min(int(inside), field.width - 2));
        fractions_.push_back(inside - sampleColumns_.back());
    }
}

template <class Sample>
void DiamondDeviations<Sample>::Rows::fill(const DiamondDeviations& of, int first, int last)
{
    first_ = first;
    firstColumn_ = of.firstColumn_;
    width_ = of.columns_.size();
    heights_.resize(width_ * std::size_t(last - first + 1));
    double* out = heights_.data();
    for (int j = first; j <= last; ++j)
    {
        const double inside = std::clamp(of.lattice_.row(double(j) * of.unit_), 0.0, double(of.field_.height - 1));
        const int r = std::min(int(inside), of.field_.height - 2);
        const double v = inside - r;
        const Sample *above = of.row(r), *below = of.row(r + 1);
        for (std::size_t i = 0; i < width_; ++i)
        {
            const std::size_t c = std::size_t(of.sampleColumns_[i]);
            const double u = of.fractions_[i];
            const double north = above[c] + u * (above[c + 1] - above[c]);
            const double south = below[c] + u * (below[c + 1] - below[c]);
            *out++ = north + v * (south - north);
        }
    }
}

// Returns the largest distance of samples of row r between two columns from a line with `value` at column `at` and this
// slope per column.
template <class Sample>
inline float DiamondDeviations<Sample>::span(int r, double from, double to, double at, double value, double slope) const
{
    const int begin = ceilOf(std::max(from, 0.0)), end = floorOf(std::min(to, double(field_.width - 1))) + 1;
    if (begin >= end) return 0;
    return rowDeviation(row(r) + begin, end - begin, float(value + slope * (begin - at)), float(slope));
}

template <class Sample>
double DiamondDeviations<Sample>::baseAlongX(Place middle, double west, double east) const
{
    const double last = field_.height - 1;
    if (middle.row < -kSampleTolerance || middle.row > last + kSampleTolerance) return 0;
    const double inside = std::clamp(middle.row, 0.0, last);
    const int r = std::min(int(inside), field_.height - 2);
    const double v = inside - r, slope = (east - west) / (2 * across_), centre = (east + west) / 2;
    const Sample *above = row(r), *below = row(r + 1);
    const int begin = ceilOf(std::max(middle.column - across_, 0.0));
    const int end = floorOf(std::min(middle.column + across_, double(field_.width - 1))) + 1;
    double most = 0;
    for (int c = begin; c < end; ++c)
    {
        const double height = above[c] + v * (below[c] - above[c]);
        most = largest(most, std::fabs(height - (centre + slope * (c - middle.column))));
    }
    return most;
}

template <class Sample>
double DiamondDeviations<Sample>::baseAlongY(Place middle, double north, double south) const
{
    const double last = field_.width - 1;
    if (middle.column < -kSampleTolerance || middle.column > last + kSampleTolerance) return 0;
    const double inside = std::clamp(middle.column, 0.0, last);
    const int c = std::min(int(inside), field_.width - 2);
    const double u = inside - c, slope = (south - north) / (2 * down_), centre = (south + north) / 2;
    double most = 0;
    for (int r = firstRow(middle.row - down_), end = endRow(middle.row + down_); r < end; ++r)
    {
        const Sample* at = row(r) + c;
        const double height = at[0] + u * (at[1] - at[0]);
        most = largest(most, std::fabs(height - (centre + slope * (r - middle.row))));
    }
    return most;
}

// Returns the surface's height at a crossing with a grid line, where the column or the row is an integer.
template <class Sample>
inline double DiamondDeviations<Sample>::crossing(double column, double row_, bool onColumn) const
{
    const double x = std::clamp(column, 0.0, double(field_.width - 1)),
                 y = std::clamp(row_, 0.0, double(field_.height - 1));
    if (onColumn)
    {
        const int c = int(x + 0.5), r = std::min(int(y), field_.height - 2);
        const Sample *above = row(r) + c, *below = above + field_.width;
        return *above + (y - r) * (*below - *above);
    }
    const int r = int(y + 0.5), c = std::min(int(x), field_.width - 2);
    const Sample* at = row(r) + c;
    return at[0] + (x - c) * (at[1] - at[0]);
}

// Returns the largest deviation along a diagonal from a, in the west, to b. Evaluates crossings with grid lines and,
// where the surface between two crossings is a parabola, the parabola's vertex.
template <class Sample>
double DiamondDeviations<Sample>::baseAcross(Place a, Place b, double heightA, double heightB) const
{
    const double dx = b.column - a.column, dy = b.row - a.row, rise = heightB - heightA;
    const bool southwards = dy > 0;
    const double lastColumn = field_.width - 1, lastRow = field_.height - 1;
    // Restricts the diagonal to the part over the raster.
    const double top = southwards ? 0.0 : lastRow, bottom = lastRow - top;
    const double from = std::max({0.0, (0.0 - a.column) / dx, (top - a.row) / dy});
    const double to = std::min({1.0, (lastColumn - a.column) / dx, (bottom - a.row) / dy});
    if (from >= to) return 0;
    const double perColumn = 1 / dx, perRow = 1 / std::fabs(dy);
    int column = floorOf(std::max(a.column + from * dx, 0.0) + kSampleTolerance) + 1;  // next column to cross
    const double startRow = a.row + from * dy;
    int row_ = southwards ? floorOf(std::max(startRow, 0.0) + kSampleTolerance) + 1
                          : ceilOf(std::min(startRow, lastRow) - kSampleTolerance) - 1;

    const auto heightAt = [&](double t) {
        const double x = std::clamp(a.column + t * dx, 0.0, lastColumn), y = std::clamp(a.row + t * dy, 0.0, lastRow);
        const int c = std::min(int(x), field_.width - 2), r = std::min(int(y), field_.height - 2);
        const Sample *above = row(r) + c, *below = above + field_.width;
        const double north = above[0] + (x - c) * (above[1] - above[0]),
                     south = below[0] + (x - c) * (below[1] - below[0]);
        return north + (y - r) * (south - north);
    };
    double t0 = from, d0 = from == 0 ? 0 : heightAt(from) - (heightA + from * rise);
    double most = std::fabs(d0);
    for (bool more = true; more;)
    {
        const double atColumn = (column - a.column) * perColumn;
        const double atRow = (southwards ? row_ - a.row : a.row - row_) * perRow;
        const int cellColumn = column - 1, cellRow = southwards ? row_ - 1 : row_;  // cell of the segment from t0
        double t1 = to, d1;
        more = std::min(atColumn, atRow) < to;
        if (!more)
            d1 = to == 1 ? 0 : heightAt(to) - (heightA + to * rise);
        else if (atColumn <= atRow)
        {
            t1 = atColumn;
            d1 = crossing(column, a.row + t1 * dy, true) - (heightA + t1 * rise);
            ++column;
        }
        else
        {
            t1 = atRow;
            d1 = crossing(a.column + t1 * dx, row_, false) - (heightA + t1 * rise);
            row_ += southwards ? 1 : -1;
        }
        most = largest(most, std::fabs(d1));
        if (cellColumn >= 0 && cellColumn < field_.width - 1 && cellRow >= 0 && cellRow < field_.height - 1)
        {
            const Sample *above = row(cellRow) + cellColumn, *below = above + field_.width;
            const double bend = double(above[0] - above[1] - below[0] + below[1]) * dx * dy * (t1 - t0) * (t1 - t0);
            if (std::fabs(bend) > std::fabs(d1 - d0))
            {
                const double p = (1 - (d1 - d0) / bend) / 2;
                most = largest(most, std::fabs(d0 + p * (d1 - d0) - bend * p * (1 - p)));
            }
        }
        t0 = t1, d0 = d1;
    }
    return most;
}

template <class Sample>
HalfDeviations DiamondDeviations<Sample>::alongX(const Rows& rows, int i, int j) const
{
    const Place middle = place(i, j);
    const double west = rows.at(i - 1, j), east = rows.at(i + 1, j);
    const double centre = (west + east) / 2, slope = (east - west) / (2 * across_);
    const double base = baseAlongX(middle, west, east);
    double inSouth = base, inNorth = base, north = centre, south = centre;
    if (j < lastPoint_)
    {
        north = rows.at(i, j + 1);
        for (int r = firstRow(middle.row - down_), end = endRow(middle.row); r < end; ++r)
        {
            const double up = (middle.row - r) / down_, half = across_ * (1 - up);
            inNorth = largest(inNorth, double(span(r, middle.column - half, middle.column + half, middle.column,
                                                   centre + up * (north - centre), slope)));
        }
    }
    if (j > 0)
    {
        south = rows.at(i, j - 1);
        for (int r = firstRow(middle.row), end = endRow(middle.row + down_); r < end; ++r)
        {
            const double down = (r - middle.row) / down_, half = across_ * (1 - down);
            inSouth = largest(inSouth, double(span(r, middle.column - half, middle.column + half, middle.column,
                                                   centre + down * (south - centre), slope)));
        }
    }
    return {roundedUp(inSouth, north, south, west, east), roundedUp(inNorth, north, south, west, east)};
}

template <class Sample>
HalfDeviations DiamondDeviations<Sample>::alongY(const Rows& rows, int i, int j) const
{
    const Place middle = place(i, j);
    const double north = rows.at(i, j + 1), south = rows.at(i, j - 1);
    const double centre = (north + south) / 2, slope = (south - north) / (2 * down_);
    const bool hasWest = i > 0, hasEast = i < lastPoint_;
    const double west = hasWest ? rows.at(i - 1, j) : centre, east = hasEast ? rows.at(i + 1, j) : centre;
    double inWest = baseAlongY(middle, north, south), inEast = inWest;
    for (int r = firstRow(middle.row - down_), end = endRow(middle.row + down_); r < end; ++r)
    {
        const double value = centre + slope * (r - middle.row);
        const double half = across_ * (1 - std::fabs(r - middle.row) / down_);
        if (hasWest)
            inWest = largest(inWest, double(span(r, middle.column - half, middle.column, middle.column, value,
                                                 (centre - west) / across_)));
        if (hasEast)
            inEast = largest(inEast, double(span(r, middle.column, middle.column + half, middle.column, value,
                                                 (east - centre) / across_)));
    }
    return {roundedUp(inWest, north, south, west, east), roundedUp(inEast, north, south, west, east)};
}

template <class Sample>
float DiamondDeviations<Sample>::diagonal(const Rows& rows, int i, int j) const
{
    const Place middle = place(i, j);
    const double nw = rows.at(i - 1, j + 1), ne = rows.at(i + 1, j + 1), sw = rows.at(i - 1, j - 1),
                 se = rows.at(i + 1, j - 1);
    const double west = middle.column - across_, east = middle.column + across_;
    const double north = middle.row - down_, south = middle.row + down_;
    const double width = 2 * across_, height = 2 * down_;
    const bool rising = (((i >> 1) + (j >> 1)) & 1) == 0 && lastPoint_ > 2;  // towards the north-east
    double most =
        rising ? baseAcross({west, south}, {east, north}, sw, ne) : baseAcross({west, north}, {east, south}, nw, se);
    for (int r = firstRow(north), end = endRow(south); r < end; ++r)
    {
        const double down = (r - north) / height, split = west + width * (rising ? 1 - down : down);
        // The triangles' right angles are in the north-west and south-east if the base rises, else in the south-west
        // and north-east.
        const double left = rising ? nw + down * (sw - nw) : sw + (1 - down) * (nw - sw);
        const double right = rising ? se + (1 - down) * (ne - se) : ne + down * (se - ne);
        const double leftSlope = (rising ? ne - nw : se - sw) / width;
        const double rightSlope = (rising ? se - sw : ne - nw) / width;
        most = largest(most, double(span(r, west, split, west, left, leftSlope)));
        most = largest(most, double(span(r, split, east, east, right, rightSlope)));
    }
    return roundedUp(most, nw, ne, sw, se);
}

template class DiamondDeviations<std::uint16_t>;
template class DiamondDeviations<float>;

}  // namespace orogen

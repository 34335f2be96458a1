#include "core/terrain/bounds/finer_bounds.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace orogen {
namespace {

// Returns g(w) of CellKinks, for a window `samples` wide.
float kinksOver(double samples) { return float(samples <= 1.7 ? samples / 4 : (samples * samples + 1) / 8); }

}  // namespace

template <class Sample>
CellKinks<Sample>::CellKinks(const SampleGrid<Sample>& field, const SurfaceLattice& lattice, int bits) noexcept
    : field_(field), lattice_(lattice), unit_(double(1u << bits)), cells_(int(leb::kDrawSide >> bits))
{
    const double across = lattice.columns * unit_ / 2, down = lattice.rows * unit_ / 2;
    wideX_ = kinksOver(across), wideY_ = kinksOver(down);
    halfX_ = kinksOver(across / 2), halfY_ = kinksOver(down / 2);
    twistLegs_ = float(across * down / 4), twistBase_ = float(0.1415 * across * down / 2);
}

template <class Sample>
void CellKinks<Sample>::Window::fill(const CellKinks& of, int firstColumn, int lastColumn, int first, int last)
{
    firstColumn_ = firstColumn, first_ = first, width_ = lastColumn - firstColumn + 1;
    bounds_.assign(std::size_t(width_) * std::size_t(last - first + 1), Bounds{});
    chooseSamples(of, lastColumn);
    for (int j = std::max(first, 0); j <= std::min(last, of.cells_ - 1); ++j)
    {
        gather(of, j);
        for (int i = std::max(firstColumn, 0); i <= std::min(lastColumn, of.cells_ - 1); ++i)
            bounds_[std::size_t(j - first) * std::size_t(width_) + std::size_t(i - firstColumn)] = cell(of, i);
    }
}

template <class Sample>
void CellKinks<Sample>::Window::chooseSamples(const CellKinks& of, int lastColumn)
{
    const int last = of.field_.width - 1;
    const auto sample = [&](double column) { return int(std::clamp(column, 0.0, double(last))); };
    firstSample_ = sample(of.lattice_.column(double(firstColumn_) * of.unit_) - 2);
    lastSample_ = sample(of.lattice_.column(double(lastColumn + 1) * of.unit_) + 3);
}

// Gathers ranges for each column c of samples, over the sample rows that row j of cells touches: jumps of the slope in
// x, jumps of the slope in y at the rows inside, and twists between columns c and c + 1.
template <class Sample>
void CellKinks<Sample>::Window::gather(const CellKinks& of, int j)
{
    const int width = of.field_.width, height = of.field_.height;
    // Both limits are moved inwards by a tolerance, so that grid lines on the cells' border do not count as crossings.
    const double north = of.lattice_.row(double(j + 1) * of.unit_) + kSampleTolerance;
    const double south = of.lattice_.row(double(j) * of.unit_) - kSampleTolerance;
    jumpX_.assign(std::size_t(width), Range{0, 0});
    jumpY_.assign(std::size_t(width), Range{0, 0});
    twist_.assign(std::size_t(width), Range{0, 0});
    addJumpsAlong(of, north);
    addJumpsAlong(of, south);
    for (int r = floorOf(north); r < ceilOf(south); ++r)
    {
        const bool within = r >= 0 && r < height - 1;  // rows r and r + 1 are in the field
        const Sample* at = of.field_.row(std::clamp(r, 0, height - 1));
        for (int c = firstSample_; c < std::min(lastSample_ + 1, width - 1) && within; ++c)
            twist_[std::size_t(c)].add(float(at[c] - at[c + 1] - at[c + width] + at[c + width + 1]));
        if (r < north || r < 0 || r > height - 1) continue;
        addJumpsAlong(of, r);
        const Sample *above = r > 0 ? at - width : at, *below = r < height - 1 ? at + width : at;
        for (int c = firstSample_; c <= lastSample_; ++c)
            jumpY_[std::size_t(c)].add(float(above[c] - 2 * at[c] + below[c]));
    }
}

// Adds the jumps of the slope in x along a row, which may lie between two sample rows.
template <class Sample>
void CellKinks<Sample>::Window::addJumpsAlong(const CellKinks& of, double at)
{
    const int width = of.field_.width, last = of.field_.height - 1;
    const double inside = std::clamp(at, 0.0, double(last));
    const int r = std::min(int(inside), last - 1);
    const float v = float(inside - r);
    const Sample *above = of.field_.row(r), *below = above + width;
    const auto add = [&](int before, int c, int after) {
        const auto jump = [&](const Sample* row) { return float(row[before] - 2 * row[c] + row[after]); };
        jumpX_[std::size_t(c)].add((1 - v) * jump(above) + v * jump(below));
    };
    if (firstSample_ == 0) add(0, 0, 1);
    for (int c = std::max(firstSample_, 1); c <= std::min(lastSample_, width - 2); ++c)
        add(c - 1, c, c + 1);
    if (lastSample_ == width - 1) add(width - 2, width - 1, width - 1);
}

// Returns the range of the jumps of the slope in y at a column, which may lie between two sample columns.
template <class Sample>
typename CellKinks<Sample>::Window::Range CellKinks<Sample>::Window::jumpYAt(double column) const
{
    const std::size_t c = std::min(std::size_t(column), jumpY_.size() - 2);
    const float u = float(column - double(c));
    return {(1 - u) * jumpY_[c].low + u * jumpY_[c + 1].low, (1 - u) * jumpY_[c].high + u * jumpY_[c + 1].high};
}

template <class Sample>
KinkBounds CellKinks<Sample>::Window::cell(const CellKinks& of, int i) const
{
    const int last = of.field_.width - 1;
    const double west = of.lattice_.column(double(i) * of.unit_) + kSampleTolerance;
    const double east = of.lattice_.column(double(i + 1) * of.unit_) - kSampleTolerance;
    const int from = floorOf(west), to = ceilOf(east);
    if (to < 0 || from > last) return {};
    Range x{0, 0}, y{0, 0}, twist{0, 0};
    for (int c = std::max(from + 1, 0); c <= std::min(to - 1, last); ++c)
        x.add(jumpX_[std::size_t(c)]);
    for (int c = std::max(from + 1, 0); c <= std::min(to - 1, last); ++c)
        y.add(jumpY_[std::size_t(c)]);
    y.add(jumpYAt(std::clamp(west, 0.0, double(last))));
    y.add(jumpYAt(std::clamp(east, 0.0, double(last))));
    for (int c = std::max(from, 0); c < std::min(to, last); ++c)
        twist.add(twist_[std::size_t(c)]);
    const float mixed = std::max(-twist.low, twist.high);
    const auto kinks = [&](float inX, float inY) {
        return std::max(inX * x.high + inY * y.high, -inX * x.low - inY * y.low);
    };
    return {kinks(of.wideX_, of.wideY_) + mixed * of.twistLegs_,
            std::max(kinks(of.wideX_, of.halfY_), kinks(of.halfX_, of.wideY_)) + mixed * of.twistBase_};
}

namespace {

constexpr float kRoot2 = 1.414214f;  // rounded up

}  // namespace

template <class Sample>
FinerBounds<Sample>::FinerBounds(const SampleGrid<Sample>& field, const SurfaceLattice& lattice, int bits,
                                 int firstColumn, int lastColumn)
    : firstColumn_(firstColumn - 3), lastColumn_(lastColumn + 2), cellCount_(int(leb::kDrawSide >> bits)),
      deviations_(field, lattice, bits - 1, 2 * firstColumn_, 2 * lastColumn_ + 3), kinks_(field, lattice, bits)
{
}

template <class Sample>
void FinerBounds<Sample>::Window::fill(const FinerBounds& of, int first, int last)
{
    first_ = first - 3, firstColumn_ = of.firstColumn_, width_ = of.lastColumn_ - of.firstColumn_ + 1;
    kinks_.fill(of.kinks_, of.firstColumn_, of.lastColumn_, first_, last + 3);
    measure(of, last + 3);
}

template <class Sample>
void FinerBounds<Sample>::Window::measure(const FinerBounds& of, int last)
{
    const int count = of.cellCount_, firstColumn = std::max(firstColumn_, 0), first = std::max(first_, 0);
    const int endColumn = std::min(firstColumn_ + width_, count), end = std::min(last + 1, count);
    heights_.fill(of.deviations_, 2 * first_ - 1, 2 * last + 3);
    cells_.assign(std::size_t(width_) * std::size_t(last - first_ + 1), Cell{});
    alongX_.assign(std::size_t(width_ + 1) * std::size_t(last - first_ + 2), 0.0f);
    alongY_.assign(alongX_.size(), 0.0f);
    for (int j = first; j <= end; ++j)
        for (int i = firstColumn; i <= endColumn; ++i)
        {
            if (i < count) alongX_[side(i, j)] = of.deviations_.alongX(heights_, 2 * i + 1, 2 * j).largest();
            if (j < end) alongY_[side(i, j)] = of.deviations_.alongY(heights_, 2 * i, 2 * j + 1).largest();
        }
    for (int j = first; j < end; ++j)
        for (int i = firstColumn; i < endColumn; ++i)
        {
            const float diagonal = of.deviations_.diagonal(heights_, 2 * i + 1, 2 * j + 1);
            const float largestSide =
                std::max({alongX_[side(i, j)], alongX_[side(i, j + 1)], alongY_[side(i, j)], alongY_[side(i + 1, j)]});
            const KinkBounds small = kinks_.at(i, j);
            Cell& cell = cells_[std::size_t(j - first_) * std::size_t(width_) + std::size_t(i - firstColumn_)];
            cell.beyond = small;
            cell.within = std::max({diagonal, largestSide, small.legs, small.base});
            // For a base 1 / f as long as the cell's diagonal, share() is divided by f. So an error counts times its
            // base's f. Beyond the 2 x 2 cells of share() it counts times the f of the longest base inside from which
            // bisection reaches it: 1 for `legs`, 2 for `base`.
            cell.shareBeyond = std::max(small.legs, 2 * small.base);
            cell.shareWithin =
                std::max({diagonal, kRoot2 * largestSide, 2 * small.legs, 2 * kRoot2 * small.base, cell.shareBeyond});
        }
}

template <class Sample>
float FinerBounds<Sample>::Window::around(int i, int j) const
{
    float most = 0;
    for (int v = j - 2; v <= j + 1; ++v)
        for (int u = i - 2; u <= i + 1; ++u)
        {
            const bool touches = (u == i - 1 || u == i) && (v == j - 1 || v == j);
            const Cell& cell = at(u, v);
            most = std::max(most, touches ? cell.within : std::max(cell.beyond.legs, cell.beyond.base));
        }
    return most;
}

template <class Sample>
float FinerBounds<Sample>::Window::patchAlongAxis(int i, int j) const
{
    float most = 0;
    for (int v = j - 3; v <= j + 2; ++v)
        for (int u = i - 3; u <= i + 2; ++u)
        {
            // Twice the distance between the cell's centre and the point, along each axis, in units.
            const int x = std::abs(2 * (u - i) + 1), y = std::abs(2 * (v - j) + 1);
            const Cell& cell = at(u, v);
            most = std::max(most, cell.beyond.base);
            if (x + y < 6) most = std::max(most, cell.beyond.legs);
            if (x + std::abs(2 * (v - j)) < 4) most = std::max(most, alongX_[side(u, v)]);
            if (std::abs(2 * (u - i)) + y < 4) most = std::max(most, alongY_[side(u, v)]);
        }
    return most;
}

template <class Sample>
float FinerBounds<Sample>::Window::patchDiagonal(int i, int j) const
{
    float most = 0;
    for (int v = j - 3; v <= j + 2; ++v)
        for (int u = i - 3; u <= i + 2; ++u)
        {
            const bool inside = u >= i - 2 && u <= i + 1 && v >= j - 2 && v <= j + 1;
            const Cell& cell = at(u, v);
            most = std::max(most, inside ? cell.within : std::max(cell.beyond.legs, cell.beyond.base));
        }
    return most;
}

template <class Sample>
float FinerBounds<Sample>::Window::share(int i, int j) const
{
    float most = 0;
    for (int v = j - 1; v <= j + 2; ++v)
        for (int u = i - 1; u <= i + 2; ++u)
        {
            const bool inside = (u == i || u == i + 1) && (v == j || v == j + 1);
            most = std::max(most, inside ? at(u, v).shareWithin : at(u, v).shareBeyond);
        }
    return most;
}

template class CellKinks<std::uint16_t>;
template class CellKinks<float>;
template class FinerBounds<std::uint16_t>;
template class FinerBounds<float>;

}  // namespace orogen

// An independent level-of-detail criterion: world coordinates in double precision, from the height field and the bounds
// in memory; shares no code with shaders/lod/lod.glsl.
//
// Where a box ends on the border of a pyramid cell, single precision may or may not count that cell.  Each measure is
// therefore a range, which has one value wherever this cannot happen.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/leb/leb.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "tests/gl/lod_support.h"

namespace orogen::app::test {

struct MeasureRange
{
    double low = 0, high = 0;
    bool certain() const { return low == high; }
};

class LodOracle
{
public:
    // `slack`: maximum error of the shader's sample coordinates along x and y (samples); 0 where they are dyadic.
    LodOracle(const TestTerrain& terrain, glm::dvec2 slack) : terrain_(terrain), slack_(slack) {}

    void look(const LodView& view)
    {
        if (patch_.empty() || view.patchLevel != view_.patchLevel)
            patch_ = patchErrors(terrain_.bounds.errors, view.patchLevel);
        view_ = view;
        focal_ = view.height / (2.0 * std::tan(view.camera.fov * std::numbers::pi / 360.0));
    }

    // Returns an empty string if the request (1: split, 2: merge) follows from the criterion within `tolerance`.
    std::string fault(NodeId leaf, std::uint32_t wish, double tolerance)
    {
        const leb::Triangle triangle = leb::vertices(leaf);
        const bool split = (wish & 1) != 0, merge = (wish & 2) != 0;
        if (outside(triangle))
            return !split && merge == (leaf > 3) ? "" : fmt::format("leaf {} outside: wish {}", leaf, wish);
        const MeasureRange own = measure(leb::baseEdge(triangle));
        if (!agrees(split, own, view_.split, tolerance, false))
            return fmt::format("leaf {}: split is {}, measure {} to {}, threshold {}", leaf, split, own.low, own.high,
                               view_.split);
        if (leaf <= 3) return merge ? fmt::format("leaf {} wants to merge", leaf) : "";
        const MeasureRange parent = measure(parentBase(triangle, leaf));
        if (!agrees(merge, parent, view_.merge, tolerance, true))
            return fmt::format("leaf {}: merge is {}, measure {} to {}, threshold {}", leaf, merge, parent.low,
                               parent.high, view_.merge);
        return "";
    }

    // Measure of a leaf's base by the view's criterion (pixels).
    MeasureRange ofLeaf(NodeId leaf) const { return ofBase(leb::baseEdge(leb::vertices(leaf))); }
    MeasureRange ofBase(const leb::Edge& base) const { return measure(base); }

    // Number of verdicts so far, and of those left open by a range or the tolerance.
    std::uint64_t verdicts() const { return verdicts_; }
    std::uint64_t open() const { return open_; }

private:
    // Base of the parent: a child's apex is its middle, and the child keeps one of its ends.
    static leb::Edge parentBase(const leb::Triangle& t, NodeId leaf)
    {
        const leb::Point kept = leaf % 2 == 0 ? t.base0 : t.base1;
        return leb::makeEdge(kept, {2 * t.apex.x - kept.x, 2 * t.apex.y - kept.y});
    }

    bool agrees(bool verdict, const MeasureRange& range, double threshold, double tolerance, bool below)
    {
        const bool mayExceed = range.high > threshold * (1 - tolerance),
                   mayFall = range.low < threshold * (1 + tolerance);
        ++verdicts_;
        open_ += mayExceed && mayFall;
        return verdict != below ? mayExceed : mayFall;
    }

    glm::dvec2 world(leb::Point p) const { return (glm::dvec2(p.x, p.y) / double(leb::kSide) - 0.5) * terrain_.side(); }
    glm::dvec2 sample(leb::Point p) const
    {
        const Raster& r = terrain_.raster;
        const glm::dvec2 w = world(p);
        return {(w.x + r.east() / 2) / r.pixelWidth, (r.north() / 2 - w.y) / r.pixelHeight};
    }

    // Bilinear height; points outside use the nearest edge.
    glm::dvec3 onGround(leb::Point p) const
    {
        const HeightField& f = terrain_.field;
        const glm::dvec2 s = glm::clamp(sample(p), glm::dvec2(0.0), glm::dvec2(f.width - 1, f.height - 1));
        const int x = std::min(int(s.x), f.width - 2), y = std::min(int(s.y), f.height - 2);
        const double u = s.x - x, v = s.y - y;
        const double code = (1 - v) * ((1 - u) * f.code(x, y) + u * f.code(x + 1, y)) +
                            v * ((1 - u) * f.code(x, y + 1) + u * f.code(x + 1, y + 1));
        return {world(p), (double(f.offset) + double(f.scale) * code) * double(view_.heightScale)};
    }

    bool outside(const leb::Triangle& t) const
    {
        const Raster& r = terrain_.raster;
        bool west = true, east = true, south = true, north = true;
        for (const leb::Point p : {t.apex, t.base0, t.base1})
        {
            const glm::dvec2 w = world(p);
            west = west && w.x <= -r.east() / 2;
            east = east && w.x >= r.east() / 2;
            south = south && w.y <= -r.north() / 2;
            north = north && w.y >= r.north() / 2;
        }
        return west || east || south || north;
    }

    MeasureRange measure(const leb::Edge& edge) const
    {
        if (view_.criterion == gpu::kCriterionError) return errorMeasure(edge);
        const double pixels = edgeMeasure(edge);
        return {pixels, pixels};
    }

    double edgeMeasure(const leb::Edge& edge) const
    {
        const glm::dvec3 a = onGround(edge.low), b = onGround(edge.high), eye = view_.camera.position;
        const double length = glm::distance(a, b);
        const double along = std::clamp(glm::dot(eye - a, b - a) / (length * length), 0.0, 1.0);
        return length * focal_ / glm::distance(eye, a + along * (b - a));
    }

    MeasureRange errorMeasure(const leb::Edge& edge) const
    {
        // The diamond: the base and the two apexes across its middle, clipped to the square.
        const glm::dvec2 a(edge.low.x, edge.low.y), b(edge.high.x, edge.high.y), middle = (a + b) / 2.0;
        const glm::dvec2 across = glm::dvec2(a.y - b.y, b.x - a.x) / 2.0;
        const glm::dvec2 corners[4] = {a, b, middle + across, middle - across};
        glm::dvec2 low = middle, high = middle;
        for (const glm::dvec2 corner : corners)
        {
            low = glm::min(low, corner);
            high = glm::max(high, corner);
        }
        low = glm::max(low, glm::dvec2(0.0));
        high = glm::min(high, glm::dvec2(leb::kSide));
        const leb::Point lowest{std::uint32_t(low.x), std::uint32_t(low.y)};
        const leb::Point highest{std::uint32_t(high.x), std::uint32_t(high.y)};

        const leb::Point twice{edge.low.x + edge.high.x, edge.low.y + edge.high.y};
        const leb::Point onDrawLattice{twice.x << (gpu::kPatchBits - 1), twice.y << (gpu::kPatchBits - 1)};
        const double error = double(leafError(terrain_.bounds.errors, patch_, view_.patchLevel, onDrawLattice)) *
                             double(view_.heightScale);
        MeasureRange range{1e300, 0};
        for (const double grown : {-1.0, 0.0, 1.0})
        {
            const double pixels = error * focal_ * largestSight(lowest, highest, grown * slack_);
            range = {std::min(range.low, pixels), std::max(range.high, pixels)};
        }
        return range;
    }

    // The largest sine of the angle between a view ray and the vertical, over the ray's length, within a box.
    double largestSight(leb::Point lowest, leb::Point highest, glm::dvec2 grown) const
    {
        const glm::dvec2 range = heightRange(lowest, highest, grown) * double(view_.heightScale);
        const glm::dvec3 low(world(lowest), range.x), high(world(highest), range.y);
        const glm::dvec3 eye = view_.camera.position, nearest = glm::clamp(eye, low, high);
        const glm::dvec2 across =
            glm::max(glm::abs(glm::dvec2(low) - glm::dvec2(eye)), glm::abs(glm::dvec2(high) - glm::dvec2(eye)));
        const double height = std::max(std::abs(nearest.z - eye.z), 0.125);
        const double from = glm::distance(glm::dvec2(eye), glm::dvec2(nearest)), to = glm::length(across);
        const auto sight = [&](double distance) { return distance / (distance * distance + height * height); };
        return from <= height && height <= to ? 0.5 / height : std::max(sight(from), sight(to));
    }

    glm::dvec2 heightRange(leb::Point lowest, leb::Point highest, glm::dvec2 grown) const
    {
        const Raster& r = terrain_.raster;
        const glm::dvec2 last(r.width - 1, r.height - 1);
        const glm::dvec2 a = sample(lowest), b = sample(highest);
        const glm::dvec2 first = glm::min(a, b) - grown, end = glm::max(a, b) + grown;
        const double intervals = std::max(end.x - first.x, end.y - first.y);
        const std::vector<PyramidLevel>& levels = terrain_.bounds.heights.levels;
        int level = 0;
        while (level + 1 < int(levels.size()) && double(2 << level) < intervals)
            ++level;
        const PyramidLevel& cells = levels[std::size_t(level)];
        const double cell = double(2 << level);
        const auto index = [&](double at, double most, int count) {
            return std::min(int(std::clamp(at, 0.0, most) / cell), count - 1);
        };
        double least = 1e300, most = -1e300;
        for (int y = index(first.y, last.y, cells.height); y <= index(end.y, last.y, cells.height); ++y)
            for (int x = index(first.x, last.x, cells.width); x <= index(end.x, last.x, cells.width); ++x)
            {
                const PyramidLevel::Cell& range =
                    cells.cells[std::size_t(y) * std::size_t(cells.width) + std::size_t(x)];
                const HeightField& field = terrain_.field;
                least = std::min(least, double(field.offset + field.scale * float(range.lowest)));
                most = std::max(most, double(field.offset + field.scale * float(range.highest)));
            }
        return {least, most};
    }

    const TestTerrain& terrain_;
    glm::dvec2 slack_;
    LodView view_;
    double focal_ = 0;
    std::vector<std::uint8_t> patch_;
    std::uint64_t verdicts_ = 0, open_ = 0;
};

}  // namespace orogen::app::test

#include "core/terrain/earth/inset_membrane.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <glm/common.hpp>

namespace orogen {
namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
constexpr double kLeastReach = 2'500.0, kMostReach = 20'000.0;  // limits of membraneReach() (metres)
constexpr int kBand = 16;                                       // largest width of the band of a finer grid (nodes)
constexpr int kMostCoarse = 384;                                // rough limit on nodes along the coarsest grid
constexpr int kMostOfImage = 2048;      // limit on nodes along an inset's longer side in the finest grid
constexpr int kMostOfTiles = 1024;      // as kMostOfImage, for insets in tiles: all samples of that density are read
constexpr double kFadeFrom = 0.15;      // share of the distance to the membrane's end up to which heights do not fade
constexpr double kSmoothing = 1.0;      // blur radius of the smoothed copy, as a share of membraneReach()
constexpr double kHillsEnd = 900.0;     // distance from the raster where the change to the smoothed copy ends (metres)
constexpr std::uint8_t kFarAway = 255;  // count of nodes that is 255 or more, or not known yet

// Replaces each value(i) along a line by the minimum over j of (i - j)^2 step^2 + value(j). See Felzenszwalb and
// Huttenlocher, "Distance transforms of sampled functions", Theory of Computing 8, 2012.
void lowerEnvelope(std::vector<double>& line, double step)
{
    const int count = int(line.size());
    std::vector<int> at;       // parabolas of the envelope
    std::vector<double> from;  // where each begins
    std::vector<double> result(line.size(), std::numeric_limits<double>::infinity());
    const double square = step * step;
    for (int j = 0; j < count; ++j)
    {
        if (std::isinf(line[std::size_t(j)])) continue;
        double begin = -std::numeric_limits<double>::infinity();
        while (!at.empty())
        {
            const int k = at.back();
            begin = ((line[std::size_t(j)] - line[std::size_t(k)]) / square + double(j) * j - double(k) * k) /
                    (2.0 * (j - k));
            if (begin > from.back()) break;
            at.pop_back(), from.pop_back();
            begin = -std::numeric_limits<double>::infinity();
        }
        at.push_back(j), from.push_back(begin);
    }
    std::size_t k = 0;
    for (int i = 0; i < count && !at.empty(); ++i)
    {
        while (k + 1 < at.size() && from[k + 1] < i)
            ++k;
        result[std::size_t(i)] = square * (i - at[k]) * (i - at[k]) + line[std::size_t(at[k])];
    }
    line = std::move(result);
}

// Returns the distance of each node from the nearest one with data (metres).
std::vector<float> metresFromData(std::span<const std::uint8_t> away, int width, int height, glm::dvec2 metres)
{
    std::vector<double> squares(away.size());
    std::ranges::transform(away, squares.begin(), [](std::uint8_t nodes) {
        return nodes == 0 ? 0.0 : std::numeric_limits<double>::infinity();
    });
    std::vector<double> line;
    const auto pass = [&](std::size_t first, std::size_t stride, int count, double step) {
        line.resize(std::size_t(count));
        for (std::size_t i = 0; i < line.size(); ++i)
            line[i] = squares[first + i * stride];
        lowerEnvelope(line, step);
        for (std::size_t i = 0; i < line.size(); ++i)
            squares[first + i * stride] = line[i];
    };
    for (int y = 0; y < height; ++y)
        pass(std::size_t(y) * std::size_t(width), 1, width, metres.x);
    for (int x = 0; x < width; ++x)
        pass(std::size_t(x), std::size_t(width), height, metres.y);
    std::vector<float> distances(away.size());
    std::ranges::transform(squares, distances.begin(), [](double square) { return float(std::sqrt(square)); });
    return distances;
}

// Replaces kFarAway by the number of steps, diagonal ones included, to the nearest 0, at most 255.
void countNodesAway(std::span<std::uint8_t> away, int width, int height)
{
    const auto relax = [&](int x, int y, int dx, int dy) {
        const int i = x + dx, j = y + dy;
        if (i < 0 || i >= width || j < 0 || j >= height) return;
        std::uint8_t& own = away[std::size_t(y) * std::size_t(width) + std::size_t(x)];
        const std::uint8_t other = away[std::size_t(j) * std::size_t(width) + std::size_t(i)];
        if (other < kFarAway) own = std::min<std::uint8_t>(own, std::uint8_t(other + 1));
    };
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            relax(x, y, -1, -1), relax(x, y, 0, -1), relax(x, y, 1, -1), relax(x, y, -1, 0);
    for (int y = height; y-- > 0;)
        for (int x = width; x-- > 0;)
            relax(x, y, 1, 1), relax(x, y, 0, 1), relax(x, y, -1, 1), relax(x, y, 1, 0);
}

// Replaces `sums` by sums over 2 radius + 1 nodes along a line. Nodes beyond its ends count as 0.
void sumAlong(std::span<double> sums, std::size_t first, std::size_t stride, int count, int radius,
              std::vector<double>& line)
{
    line.assign(std::size_t(count) + 1, 0.0);
    for (int i = 0; i < count; ++i)
        line[std::size_t(i) + 1] = line[std::size_t(i)] + sums[first + std::size_t(i) * stride];
    for (int i = 0; i < count; ++i)
        sums[first + std::size_t(i) * stride] =
            line[std::size_t(std::min(i + radius + 1, count))] - line[std::size_t(std::max(i - radius, 0))];
}

// Blurs a grid by three box sums in each direction, about a Gaussian whose standard deviation is `radius` (nodes). The
// sums are not normalised.
void blur(std::span<double> values, int width, int height, glm::ivec2 radius)
{
    std::vector<double> line;
    for (int pass = 0; pass < 3; ++pass)
    {
        for (int y = 0; y < height; ++y)
            sumAlong(values, std::size_t(y) * std::size_t(width), 1, width, radius.x, line);
        for (int x = 0; x < width; ++x)
            sumAlong(values, std::size_t(x), std::size_t(width), height, radius.y, line);
    }
}

// Returns a share that fades with the distance: 1 up to a distance of 0, 0 from `end` on, with zero slope at both ends.
float fadeAt(double metres, double end)
{
    const double t = std::clamp(metres / end, 0.0, 1.0);
    return float(1.0 - t * t * (3.0 - 2.0 * t));
}

}  // namespace

double membraneReach(const EarthInset& inset)
{
    const InsetMap& map = inset.map();
    const double shorter = std::min((map.columns() - 1) * map.metresOfColumn(), (map.rows() - 1) * map.metresOfRow());
    return std::clamp(shorter / 2, kLeastReach, kMostReach);
}

// ---- making ----

class InsetMembrane::Maker
{
public:
    Maker(InsetReader& inset, const BaseAt& base, bool overData, const SolveVoids& solve)
        : inset_(inset), base_(base), overData_(overData), solve_(solve), reach_(membraneReach(inset.inset())),
          samples_(inset.map().columns(), inset.map().rows()),
          metres_(inset.map().metresOfColumn(), inset.map().metresOfRow())
    {
    }
    Result<InsetMembrane> make();

private:
    void chooseSteps();
    Nodes nodesOf(int halvings) const;
    Status findData();
    bool besideOthers(int x, int y) const;
    Status setKnown(const InsetMembrane& made);
    Status setOutside(int x, int y, const InsetMembrane& made);
    Status fill();
    std::vector<float> smoothed() const;
    std::vector<float> fades() const;

    InsetReader& inset_;
    const BaseAt& base_;
    const bool overData_;
    const SolveVoids& solve_;
    const double reach_;
    const glm::dvec2 samples_;  // number of the inset's columns and rows
    const glm::dvec2 metres_;   // size of a column and of a row
    glm::dvec2 finest_{1.0};    // steps of the finest grid, in samples
    int halvings_ = 0;          // number of halvings of the step from the coarsest to the finest grid

    // The grid that is being made.
    Nodes nodes_;
    bool coarsest_ = true;
    int band_ = kBand;                 // nodes around the data that a grid finer than the coarsest covers
    std::vector<std::uint8_t> away_;   // nodes to the nearest one with data
    std::vector<std::uint8_t> inner_;  // 1: a value that only the solver needs; it is not stored
    std::vector<float> values_;
};

// Chooses steps that are powers of two, such that nodes are about as far apart in both directions.
void InsetMembrane::Maker::chooseSteps()
{
    const int most = inset_.inset().tiles() ? kMostOfTiles : kMostOfImage;
    const auto powerOfTwo = [](double ratio) { return std::exp2(std::round(std::log2(std::max(ratio, 1.0)))); };
    finest_ = {powerOfTwo(metres_.y / metres_.x), powerOfTwo(metres_.x / metres_.y)};
    const auto longer = [](glm::dvec2 nodes) { return std::max(nodes.x, nodes.y); };
    while (longer(samples_ / finest_) > most)
        finest_ *= 2.0;
    const glm::dvec2 whole = samples_ + 2.0 * reach_ / metres_;
    while (longer(whole / (finest_ * std::ldexp(1.0, halvings_))) > kMostCoarse)
        ++halvings_;
}

InsetMembrane::Nodes InsetMembrane::Maker::nodesOf(int halvings) const
{
    Nodes nodes;
    nodes.step = finest_ * std::ldexp(1.0, halvings);
    const glm::dvec2 margin =
        halvings == halvings_ ? reach_ / metres_ + 2.0 * nodes.step : double(kBand + 2) * nodes.step;
    const glm::dvec2 low = glm::floor(-margin / nodes.step);
    const glm::dvec2 high = glm::ceil((samples_ - 1.0 + margin) / nodes.step);
    nodes.first = glm::ivec2(low);
    nodes.width = int(high.x - low.x) + 1;
    nodes.height = int(high.y - low.y) + 1;
    return nodes;
}

Status InsetMembrane::Maker::findData()
{
    const double apart = std::min(nodes_.step.x * metres_.x, nodes_.step.y * metres_.y);
    if (Status status = inset_.load(glm::dvec2(0.0), samples_ - 1.0, apart); !status) return status;
    away_.assign(nodes_.at(0, nodes_.height), kFarAway);
    for (int y = 0; y < nodes_.height; ++y)
        for (int x = 0; x < nodes_.width; ++x)
            if (const glm::dvec2 sample = nodes_.sampleOf(x, y);
                inset_.covers(sample) && !std::isnan(inset_.heightAt(sample)))
                away_[nodes_.at(x, y)] = 0;
    countNodesAway(away_, nodes_.width, nodes_.height);
    return Status::ok();
}

// Returns whether a node with data has a neighbour without data.
bool InsetMembrane::Maker::besideOthers(int x, int y) const
{
    for (int j = std::max(y - 1, 0); j <= std::min(y + 1, nodes_.height - 1); ++j)
        for (int i = std::max(x - 1, 0); i <= std::min(x + 1, nodes_.width - 1); ++i)
            if (away_[nodes_.at(i, j)] > 0) return true;
    return false;
}

Status InsetMembrane::Maker::setKnown(const InsetMembrane& made)
{
    values_.assign(away_.size(), 0.0f);
    inner_.assign(away_.size(), 0);
    const double apart = std::min(nodes_.step.x * metres_.x, nodes_.step.y * metres_.y);
    for (int y = 0; y < nodes_.height; ++y)
        for (int x = 0; x < nodes_.width; ++x)
        {
            const std::size_t i = nodes_.at(x, y);
            if (away_[i] > 0)
            {
                if (Status status = setOutside(x, y, made); !status) return status;
                continue;
            }
            if (!besideOthers(x, y))
            {
                inner_[i] = 1;
                continue;
            }
            const glm::dvec2 sample = nodes_.sampleOf(x, y);
            const LatLong place = inset_.map().placeOf(sample);
            if (!std::isfinite(place.latitude + place.longitude)) continue;
            const Result<BaseGround> base = base_(place, apart);
            if (!base) return base.error();
            values_[i] = inset_.heightAt(sample) - base->height;
        }
    return Status::ok();
}

// Sets a node without data: NaN, which the solver fills, or a known value where the membrane or the grid's band ends.
Status InsetMembrane::Maker::setOutside(int x, int y, const InsetMembrane& made)
{
    const std::size_t i = nodes_.at(x, y);
    if (!coarsest_ && away_[i] > band_ + 1)
    {
        inner_[i] = 1;
        return Status::ok();
    }
    if (overData_ && away_[i] > 1)
    {
        const double apart = std::min(nodes_.step.x * metres_.x, nodes_.step.y * metres_.y);
        const LatLong place = inset_.map().placeOf(nodes_.sampleOf(x, y));
        const bool onEarth = std::isfinite(place.latitude + place.longitude);
        const Result<BaseGround> base = onEarth ? base_(place, apart) : Result<BaseGround>(BaseGround{});
        if (!base) return base.error();
        const double halo = kHaloSamples * std::max(base->spacing, inset_.inset().spacing());
        if (base->spacing > 0 && away_[i] * apart >= halo) return Status::ok();
    }
    values_[i] = !coarsest_ && away_[i] == band_ + 1 ? made.hilly(nodes_.sampleOf(x, y)) : kNoValue;
    return Status::ok();
}

Status InsetMembrane::Maker::fill()
{
    if (std::ranges::none_of(values_, [](float value) { return std::isnan(value); })) return Status::ok();
    const Result<std::vector<double>> solved = solve_(values_, nodes_.width, nodes_.height);
    if (!solved) return solved.error();
    auto next = solved->begin();
    for (float& value : values_)
        if (std::isnan(value)) value = float(*next++);
    return Status::ok();
}

// Returns, for each node of the coarsest grid, the weighted mean of the values around it at nodes without data.
std::vector<float> InsetMembrane::Maker::smoothed() const
{
    const glm::dvec2 radius = glm::max(glm::round(kSmoothing * reach_ / (nodes_.step * metres_)), 1.0);
    std::vector<double> sums(values_.size()), weights(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i)
        if (away_[i] > 0) sums[i] = double(values_[i]), weights[i] = 1;
    blur(sums, nodes_.width, nodes_.height, glm::ivec2(radius));
    blur(weights, nodes_.width, nodes_.height, glm::ivec2(radius));
    std::vector<float> means(values_.size(), 0.0f);
    for (std::size_t i = 0; i < values_.size(); ++i)
        if (weights[i] > 0.5) means[i] = float(sums[i] / weights[i]);
    return means;
}

// Returns the share of the membrane that remains at each node of the coarsest grid. Finer grids take their outer
// borders from that grid, and so fade as well. Shares become 0 one diagonal of a cell before the reach, since values
// are interpolated, but not before half the reach; then at() fades the rest.
std::vector<float> InsetMembrane::Maker::fades() const
{
    const glm::dvec2 cell = nodes_.step * metres_;
    std::vector<float> shares = metresFromData(away_, nodes_.width, nodes_.height, cell);
    const double end = std::max(reach_ - std::hypot(cell.x, cell.y), reach_ / 2);
    const double begin = kFadeFrom * end;
    std::ranges::transform(shares, shares.begin(),
                           [&](float metres) { return fadeAt(double(metres) - begin, end - begin); });
    return shares;
}

Result<InsetMembrane> InsetMembrane::Maker::make()
{
    chooseSteps();
    InsetMembrane made;
    made.last_ = samples_ - 1.0, made.metres_ = metres_;
    for (int halvings = halvings_; halvings >= 0; --halvings)
    {
        coarsest_ = halvings == halvings_;
        nodes_ = nodesOf(halvings);
        // Keeps the band within the reach, because its outer border takes values of the coarser grid.
        const glm::dvec2 cell = nodes_.step * metres_;
        const double diagonal = std::hypot(cell.x, cell.y);
        band_ = std::clamp(int(reach_ / diagonal) - 1, 0, kBand);
        if (coarsest_ && diagonal > reach_ / 2) made.end_ = reach_;
        if (Status status = findData(); !status) return status.error();
        if (std::ranges::none_of(away_, [](std::uint8_t nodes) { return nodes == 0; })) continue;
        if (Status status = setKnown(made); !status) return status.error();
        if (Status status = fill(); !status) return status.error();
        if (coarsest_)
        {
            const std::vector<float> shares = fades();
            std::vector<float> means = overData_ ? std::vector<float>() : smoothed();
            for (std::size_t i = 0; i < values_.size(); ++i)
                values_[i] *= shares[i];
            for (std::size_t i = 0; i < means.size(); ++i)
                means[i] *= shares[i];
            if (!means.empty()) made.smoothed_.emplace_back(nodes_, means);
        }
        for (std::size_t i = 0; i < values_.size(); ++i)
            if (inner_[i]) values_[i] = kNoValue;
        made.levels_.emplace_back(nodes_, values_);
    }
    return made;
}

Result<InsetMembrane> InsetMembrane::make(InsetReader& inset, const BaseAt& base, bool overData,
                                          const SolveVoids& solve)
{
    return Maker(inset, base, overData, solve).make();
}

// ---- access ----

InsetMembrane::Level::Level(const Nodes& nodes, std::span<const float> values) : nodes_(nodes)
{
    const int side = 1 << kBits;
    blocksAcross_ = (nodes.width + side - 1) >> kBits;
    const int blocksDown = (nodes.height + side - 1) >> kBits;
    for (int block = 0; block < blocksAcross_ * blocksDown; ++block)
    {
        const int left = block % blocksAcross_ * side, upper = block / blocksAcross_ * side;
        std::vector<float> own(std::size_t(side) * std::size_t(side), kNoValue);
        for (int y = upper; y < std::min(upper + side, nodes.height); ++y)
            for (int x = left; x < std::min(left + side, nodes.width); ++x)
                own[std::size_t((y - upper) * side + x - left)] = values[nodes.at(x, y)];
        const bool none = std::ranges::all_of(own, [](float value) { return std::isnan(value); });
        blocks_.push_back(none ? -1 : std::int32_t(values_.size() / own.size()));
        if (!none) values_.insert(values_.end(), own.begin(), own.end());
    }
}

float InsetMembrane::Level::value(int x, int y) const
{
    if (x < 0 || y < 0 || x >= nodes_.width || y >= nodes_.height) return kNoValue;
    const int mask = (1 << kBits) - 1;
    const std::int32_t block = blocks_[std::size_t((y >> kBits) * blocksAcross_ + (x >> kBits))];
    if (block < 0) return kNoValue;
    return values_[(std::size_t(block) << 2 * kBits) + std::size_t(((y & mask) << kBits) + (x & mask))];
}

float InsetMembrane::Level::at(glm::dvec2 sample) const
{
    const glm::dvec2 at = sample / nodes_.step - glm::dvec2(nodes_.first), low = glm::floor(at);
    if (!(low.x >= 0 && low.y >= 0 && low.x < nodes_.width && low.y < nodes_.height)) return kNoValue;
    const glm::vec2 part(at - low);
    const int x = int(low.x), y = int(low.y);
    const auto inRow = [&](int row) {
        return part.x > 0 ? glm::mix(value(x, row), value(x + 1, row), part.x) : value(x, row);
    };
    // A node with weight 0 is not read: 0 times NaN would be NaN.
    return part.y > 0 ? glm::mix(inRow(y), inRow(y + 1), part.y) : inRow(y);
}

float InsetMembrane::hilly(glm::dvec2 sample) const
{
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
        if (const float value = level->at(sample); !std::isnan(value)) return value;
    return 0;
}

float InsetMembrane::at(glm::dvec2 sample) const
{
    const glm::dvec2 beside = (sample - glm::clamp(sample, glm::dvec2(0.0), last_)) * metres_;
    const double metres = std::hypot(beside.x, beside.y);
    const float kept = fadeAt(metres, end_);
    const float smooth = smoothed_.empty() ? kNoValue : smoothed_.front().at(sample);
    if (std::isnan(smooth)) return kept * hilly(sample);
    const float share = fadeAt(metres, kHillsEnd);
    return kept * (share > 0 ? glm::mix(smooth, hilly(sample), share) : smooth);
}

double InsetMembrane::finestStep() const
{
    if (levels_.empty()) return 1;
    const glm::dvec2 step = levels_.back().nodes().step;
    return std::max(step.x, step.y);
}

}  // namespace orogen

#include "core/terrain/earth/earth_source.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/base/terminal_text.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_reader.h"

namespace orogen {
namespace {

using Insets = std::vector<std::shared_ptr<const EarthInset>>;

Status openInsets(const std::vector<InsetRequest>& requests, const LoadProgress& progress, Insets& insets)
{
    for (const InsetRequest& request : requests)
    {
        Result<std::shared_ptr<const EarthInset>> inset = EarthInset::open(request, progress);
        if (!inset) return inset.error();
        insets.push_back(std::move(*inset));
    }
    return Status::ok();
}

// Returns a rank of the spacing in steps of 5 %; insets with equal ranks count as equally fine.
int fineness(const EarthInset& inset) { return int(std::lround(-std::log(inset.spacing()) / std::log(1.05))); }

// Returns the number of levels of the cube until its samples are as dense as the inset's.
int levelsFor(const EarthInset& inset)
{
    const double coarsest = double(kCubeSide) / kTileCells;
    return std::clamp(1 + int(std::ceil(std::log2(coarsest / inset.latticeSpacing()))), 1, kMostCubeLevels);
}

}  // namespace

EarthSource::~EarthSource() = default;

Result<std::shared_ptr<EarthSource>> EarthSource::open(const std::filesystem::path& relief,
                                                       std::vector<InsetRequest> requests, const LoadProgress& progress)
{
    Result<EarthRelief> read = EarthRelief::read(relief.string());
    if (!read) return read.error();
    Insets insets;
    if (const Status status = openInsets(requests, progress, insets); !status) return status.error();
    return make(std::make_shared<const EarthRelief>(std::move(*read)), std::move(insets));
}

Result<std::shared_ptr<EarthSource>> EarthSource::with(std::vector<InsetRequest> more,
                                                       const LoadProgress& progress) const
{
    Insets insets = insets_;
    if (const Status status = openInsets(more, progress, insets); !status) return status.error();
    return make(relief_, std::move(insets));
}

Result<std::shared_ptr<EarthSource>> EarthSource::make(std::shared_ptr<const EarthRelief> relief, Insets insets)
{
    const std::shared_ptr<EarthSource> earth(new EarthSource);
    earth->relief_ = std::move(relief);
    earth->insets_ = std::move(insets);
    earth->layOut();
    earth->describe();
    return earth;
}

void EarthSource::layOut()
{
    order_.resize(insets_.size());
    std::iota(order_.begin(), order_.end(), std::size_t(0));
    std::ranges::stable_sort(order_, {}, [this](std::size_t i) { return fineness(*insets_[i]); });
    int levels = kReliefLevels;
    for (const auto& inset : insets_)
    {
        levels = std::max(levels, levelsFor(*inset));
        reach_ = std::max(reach_, kHaloSamples * inset->spacing());
    }
    grid_ = TileGrid::onCube(levels);
    for (const auto& inset : insets_)
        levels_.push_back(levels - levelsFor(*inset));
}

void EarthSource::describe()
{
    raster_.name = raster_.format = kEarthName;
    raster_.crs = "WGS 84";
    raster_.heightUnit = HeightUnit::kMetre;
    raster_.width = grid_.width(), raster_.height = grid_.height();
    raster_.pixelWidth = raster_.pixelHeight = latticeStep(grid_, 0) * metresOfCubeUnit();
    raster_.minHeight = relief_->lowest(), raster_.maxHeight = relief_->highest();
    for (const auto& inset : insets_)
    {
        about_.push_back(inset->about());
        raster_.minHeight = std::min(raster_.minHeight, inset->raster().minHeight);
        raster_.maxHeight = std::max(raster_.maxHeight, inset->raster().maxHeight);
        decimated_ = decimated_ && !inset->tiles();
        for (const std::string& warning : inset->about().warnings)
            raster_.warnings.push_back(fmt::format("{}: {}", printable(inset->about().name), warning));
    }
}

bool EarthSource::remote() const
{
    return std::ranges::any_of(insets_, [](const auto& inset) { return inset->tiles() && inset->tiles()->remote(); });
}

bool EarthSource::refines(const TileKey& key) const
{
    if (key.level == 0) return false;
    if (key.level > reliefLevel()) return true;
    const double side = latticeStep(grid_, key.level) * kTileCells;
    const glm::dvec2 low = glm::dvec2(key.x, key.y) * side;
    const FaceBox box{key.face, low, low + side};
    for (std::size_t i = 0; i < insets_.size(); ++i)
        if (levels_[i] < key.level && insets_[i]->meets(box, kHaloSamples * insets_[i]->spacing())) return true;
    return false;
}

Result<std::unique_ptr<TileReader>> EarthSource::openReader() const
{
    return std::unique_ptr<TileReader>(std::make_unique<EarthReader>(*this));
}

Result<std::optional<double>> EarthSource::heightAt(double latitude, double longitude) const
{
    if (!(std::fabs(latitude) <= 90.0) || !std::isfinite(longitude)) return std::optional<double>();
    const std::lock_guard lock(mutex_);
    if (!own_) own_ = std::make_unique<EarthReader>(*this);
    const Result<double> height = own_->heightAt({latitude, wrappedLongitude(longitude)});
    if (!height) return height.error();
    return std::optional(*height);
}

}  // namespace orogen

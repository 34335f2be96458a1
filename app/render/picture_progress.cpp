#include "app/render/picture_progress.h"

#include <algorithm>

namespace orogen::app {

bool PictureProgress::Input::sameButCamera(Input other) const
{
    other.camera = camera;
    other.settings.view = settings.view;
    other.scale = scale;
    other.coarser = coarser;
    other.viewHeights = viewHeights;
    other.seen = seen;
    other.heights = heights;
    return *this == other;
}

bool PictureProgress::Input::sameScene(Input other) const
{
    other.tiles = tiles;
    other.lines = lines;
    return scale == other.scale && sameButCamera(other);
}

PictureProgress::Input PictureProgress::inputOf(const Camera& camera) const
{
    const HeightStore* heights = parts_.terrain ? &parts_.terrain->heights() : nullptr;
    const TiledColours* imagery = parts_.terrain ? parts_.terrain->imagery() : nullptr;
    return {camera,
            parts_.settings,
            parts_.target.width(),
            parts_.target.height(),
            parts_.lod.scale(parts_.settings),
            parts_.lod.detail(parts_.settings).coarser,
            parts_.options.contourInterval,
            parts_.options.viewHeights,
            parts_.options.seen,
            parts_.lines.changes(),
            parts_.terrain ? parts_.terrain->heightChanges() : 0,
            (heights ? heights->shown() : 0) + (imagery ? imagery->shown() : 0),
            parts_.checks.validating(),
            parts_.checks.errorPeriod(),
            parts_.checks.measuringJumps()};
}

bool PictureProgress::sameButCamera(const Camera& camera) const
{
    return picture_ && picture_->sameButCamera(inputOf(camera));
}

void PictureProgress::begin(const Camera& camera, std::uint64_t frame)
{
    frame_ = frame;
    const Input input = inputOf(camera);
    if (!picture_ || !picture_->sameScene(input)) forgetFigures(frame);
    const bool same = picture_ && *picture_ == input;
    sameFrames_ = same ? sameFrames_ + 1 : 0;
    if (!same) sameFrom_ = frame;
    picture_ = input;
    if (!same || !stable())
        calmFrom_.reset();
    else if (!calmFrom_)
    {
        calmFrom_ = frame;
        parts_.checks.measureErrorOnce();
    }
}

bool PictureProgress::rests(const Camera& camera, int width, int height) const
{
    const RenderTarget& target = parts_.target;
    if (!parts_.terrain) return true;
    if (parts_.steps.waiting() || !picture_ || target.width() != std::max(width, 1) ||
        target.height() != std::max(height, 1))
        return false;
    if (!(*picture_ == inputOf(camera)) || !stable()) return false;
    return errorRead() || (calmFrom_ && parts_.checks.errorsInFlight() > 0);
}

bool PictureProgress::stable() const
{
    const TerrainGpu& terrain = *parts_.terrain;
    return terrain.lightRowsLeft() == 0 && terrain.heights().rests() &&
           (!terrain.imagery() || terrain.imagery()->rests()) && parts_.lod.calm(sameFrames_);
}

bool PictureProgress::errorRead() const
{
    const std::optional<PixelFigures>& error = parts_.stats.error;
    return parts_.checks.errorPeriod() == 0 || (calmFrom_ && error && error->frame >= *calmFrom_);
}

Pending PictureProgress::pending(const Camera& camera, int width, int height) const
{
    Pending left;
    if (!parts_.terrain) return left;
    const auto add = [&left](const std::optional<TileStats>& tiles, bool fading) {
        if (!tiles) return;
        left.tiles += std::uint64_t(tiles->missing);
        left.fades += std::uint64_t(std::max(tiles->fading, fading ? 1 : 0));
    };
    add(parts_.terrain->heights().stats(), parts_.terrain->heights().fading());
    if (const TiledColours* imagery = parts_.terrain->imagery()) add(imagery->stats(), imagery->fading());
    const FrameRecord& stats = parts_.stats;
    if (!stats.settled) left.changes = std::max(parts_.lod.roundChanges(), 1u);
    left.lightRows = std::uint64_t(parts_.terrain->lightRowsLeft());
    const bool counted = stats.workIsCurrent && stats.work.frame >= sameFrom_ && errorRead();
    left.frames = !counted || (left.total() == 0 && !rests(camera, width, height));
    return left;
}

int PictureProgress::framesInFlight() const
{
    return std::max(parts_.tree->recordsInFlight(), parts_.checks.inFlight());
}

void PictureProgress::leaveScene()
{
    forget();
    forgetFigures(frame_ + 1);
}

// Discards the figures of frames before `from`, which show another scene.
void PictureProgress::forgetFigures(std::uint64_t from)
{
    figuresFrom_ = from;
    parts_.stats.workIsCurrent = false;
    parts_.checks.forgetFigures(from);
}

}  // namespace orogen::app

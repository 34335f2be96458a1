// The split picture of a session: its other side, from the command line or from panels.
#include <algorithm>
#include <utility>

#include "app/base/installation.h"
#include "app/session/session.h"
#include "core/view/earth_view.h"

namespace orogen::app {

// Opens the split picture of --compare.
Status Session::openOptionsSplit()
{
    if (!options.other) return Status::ok();
    const SessionOptions& other = *options.other;
    SessionSettings others;
    if (Status s = others.read(other, false, root_, messages); !s) return s;
    if (Status s = others.choosePresetForDevice(graphics.context().info().software, messages); !s) return s;
    SplitSource source{.dem = other.dem.empty() ? (root_ / kShippedTerrain).string() : other.dem,
                       .overrides = other.overrides,
                       .insets = other.insets,
                       .layers = other.sceneImagery,
                       .shared = other.dem == options.dem && other.overrides == options.overrides &&
                                 other.insets == options.insets};
    for (const std::string& name : other.imagery)
        source.layers.push_back({.name = name});
    if (Status s = openSplit(source, options.sides, std::move(others)); !s) return s;
    split->view() = options.split;
    return Status::ok();
}

Status Session::openSplit(const Settings& left)
{
    if (!terrain.info() || terrain.loading()) return Error{ExitCode::kUsage, "a terrain is being loaded"};
    if (steered()) return Error{ExitCode::kUsage, "a capture or a film is running"};
    SessionSettings others;
    others.want(left);
    SplitSource source{.dem = terrain.raster().name,
                       .overrides = terrain.overrides(),
                       .insets = {},
                       .layers = imagery.layers(),
                       .shared = true};
    for (const InsetRequest& inset : requests.insets())
        source.insets.push_back(inset.name);
    return openSplit(source, {"A, held", "B, now"}, std::move(others));
}

Status Session::openSplit(const SplitSource& source, SplitNames names, SessionSettings others)
{
    closeSplit();
    const Settings left = others.wanted();
    Result<std::unique_ptr<SplitPicture>> made = SplitPicture::create(*this, std::move(names), std::move(others));
    if (!made) return made.error();
    const bool earth = source.dem == kEarthName;
    const TileChoices choices{left.terrain.tiles, left.terrain.tileBudget};
    const std::string shipped = (root_ / kShippedImagery).string();
    const ImageryToLoad pictures{.shippedFolder = earth ? shipped : std::string(),
                                 .aroundFolder = earth ? std::string() : shipped,
                                 .layers = source.layers,
                                 .opened = terrain.pictures(),
                                 .budgetMegabytes = left.imagery.tileBudget,
                                 .view = std::nullopt};
    Status opens = Status::ok();
    const Settings& right = settings.wanted();
    if (source.shared && left.terrain.tiles == right.terrain.tiles && left.earth.heights == right.earth.heights)
        (*made)->share(choices, pictures);
    else if (!earth)
        opens = (*made)->terrain().open(source.dem, source.overrides, choices, pictures);
    else
    {
        EarthToLoad wanted{.relief = (root_ / kShippedRelief).string(), .base = nullptr, .insets = {}, .replaced = {}};
        if (!options.relief.empty()) wanted.replaced = InsetRequest{options.relief, {}, left.earth.heights};
        for (const std::string& inset : source.insets)
            wanted.insets.push_back({inset, source.overrides, left.earth.heights});
        opens = (*made)->terrain().openEarth(wanted, choices, pictures);
    }
    if (!opens) return opens;
    split = std::move(*made);
    return Status::ok();
}

void Session::closeSplit()
{
    terrain.lead(std::nullopt);
    split.reset();
    graphics.showComposed(std::nullopt);
}

ViewSurroundings Session::flownSurroundings() const
{
    const ViewSurroundings around = surroundings();
    if (!split || !split->shown()) return around;
    // A flight keeps the result and may outlive the split picture, so the result checks whether that is still open.
    return higherOf(around, split->surroundings(),
                    [this, side = split.get()] { return split.get() == side && side->shown(); });
}

PathControl::Ground Session::flownGround() const
{
    PathControl::Ground ground{terrain.opened(), double(settings.wanted().terrain.heightScale)};
    if (split && split->shown()) ground.besideScale = double(split->settings().terrain.heightScale);
    return ground;
}

// Takes the terrain of the other side, and lifts the camera above it.  An error closes the split picture.  Returns the
// error if --compare asked for the split picture, and the session is headless or has drawn no frame yet.  Otherwise
// reports the error as a message.
Status Session::takeSplit()
{
    if (!split) return Status::ok();
    const bool shown = split->shown();
    const Status taken = split->takeTerrain(*this);
    if (taken && !shown && split->shown() && terrain.info() && !(options.other && settings.viewGiven()))
    {
        const ViewSurroundings around = flownSurroundings();
        storeCamera(camera.over(around).lifted(cameraOf(settings.wanted().view), around), settings.view());
    }
    if (taken) return taken;
    closeSplit();
    if (options.other && (headless || frame == 0)) return taken;
    messages.reportError(taken);
    return Status::ok();
}

}  // namespace orogen::app

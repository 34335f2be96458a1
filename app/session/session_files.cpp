#include "app/session/session_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/session/graphics.h"
#include "app/session/session.h"
#include "core/base/text.h"
#include "core/colour/colour_ramp.h"
#include "core/terrain/imagery/image_source.h"
#include "core/terrain/overlays/overlay.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

// ---- all files ----

// Returns FOLDER/NAME, and creates the folder; an absolute NAME as it is.
Result<std::string> within(const std::string& folder, const std::string& name)
{
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    if (std::filesystem::path(name).is_absolute()) return name;
    std::error_code failed;
    std::filesystem::create_directories(path.parent_path(), failed);
    if (failed) return Error{ExitCode::kOutput, fmt::format("{}: {}", path.parent_path().string(), failed.message())};
    return path.string();
}

}  // namespace

bool isTerrainName(const std::string& file) { return !isPicture(file) && !isRampName(file) && !isOverlayName(file); }

void FolderReader::read(const std::string& folder, const std::vector<std::string>& files)
{
    if (task_)
    {
        task_->cancel();
        abandoned_.push_back(std::move(task_));
    }
    const auto work = [folder, files](const TaskContext& context) -> Result<Found> {
        Found found;
        const auto stop = [&context] { return context.stop.stop_requested(); };
        Result<FolderListing> listing = listFolder(folder, stop);
        if (!listing && listing.error().code == ExitCode::kInterrupted) return listing.error();
        if (listing)
            found.listing = std::move(*listing);
        else
            found.error = listing.error().message;
        for (const std::string& file : files)
        {
            std::error_code none;
            if (!stop() && !std::filesystem::exists(file, none)) found.missing.insert(file);
        }
        found.places = userFolders();
        return found;
    };
    Result<std::unique_ptr<BackgroundTask<Found>>> task = BackgroundTask<Found>::start(folder, work);
    if (task)
        task_ = std::move(*task);
    else
        error_ = task.error().message;
}

void FolderReader::update()
{
    std::erase_if(abandoned_, [](const auto& task) { return !task->running(); });
    if (!task_ || task_->running()) return;
    Result<Found> found = std::exchange(task_, nullptr)->take();
    error_ = found ? found->error : found.error().message;
    if (!found) return;
    if (error_.empty()) listing_ = std::move(found->listing);
    missing_ = std::move(found->missing);
    places_ = std::move(found->places);
}

void SessionFiles::begin(bool keeps, Messages& messages)
{
    if (!keeps) return;
    if (const std::optional<std::string> notice = memory_.begin(rememberedPath()))
        messages.report(MessageKind::kWarning, *notice);
    const auto terrain = std::ranges::find_if(memory_.now.recent, isTerrainName);
    if (terrain != memory_.now.recent.end()) reopen_ = *terrain;
}

SessionOptions SessionFiles::shaped(const SessionOptions& options) const
{
    SessionOptions shaped = options;
    const std::optional<WindowPlace>& window = memory_.now.window;
    if (!window || options.sizeGiven) return shaped;
    shaped.width = window->width;
    shaped.height = window->height;
    return shaped;
}

void SessionFiles::restore(const SessionOptions& options, Graphics& graphics) const
{
    if (!memory_.keeps()) return;
    const Remembered& from = memory_.now;
    Window* window = graphics.window();
    if (window && from.window && !options.sizeGiven && !options.fullscreen) window->moveTo(*from.window);
    graphics.ui().recall(from, options.uiScale.has_value());
}

void SessionFiles::keep(Graphics& graphics)
{
    if (!memory_.keeps()) return;
    if (Window* window = graphics.window()) memory_.now.window = window->place();
    graphics.ui().remember(memory_.now);
}

void SessionFiles::update(double seconds, Graphics& graphics, Messages& messages)
{
    folders_.update();
    if (!memory_.due(seconds)) return;
    keep(graphics);
    if (const std::optional<std::string> notice = memory_.write()) messages.report(MessageKind::kWarning, *notice);
}

void SessionFiles::flush(Graphics& graphics)
{
    keep(graphics);
    (void)memory_.write();
}

Bookmarks SessionFiles::bookmarks() const
{
    Bookmarks bookmarks;
    for (std::size_t i = 0; i < bookmarks.size(); ++i)
        bookmarks[i] = bookmarkIn(memory_.now.bookmarks[i]);
    return bookmarks;
}

void SessionFiles::keepBookmarks(const Bookmarks& bookmarks)
{
    if (!memory_.keeps()) return;
    for (std::size_t i = 0; i < bookmarks.size(); ++i)
        memory_.now.bookmarks[i] = bookmarks[i] ? bookmarkText(*bookmarks[i]) : std::string();
}

void SessionFiles::opened(const std::string& dem, bool ofUser)
{
    if (!memory_.keeps()) return;
    std::error_code failed;
    const std::string path = std::filesystem::absolute(dem, failed).lexically_normal().string();
    if (ofUser && !failed) memory_.now.opened(path);
    if (path == reopen_) reopen_.clear();
}

std::string SessionFiles::pictureFolder() const
{
    if (!memory_.keeps()) return "";
    return memory_.now.pictures.empty() ? defaultPictureFolder() : memory_.now.pictures;
}

std::string SessionFiles::dataFolder() const
{
    if (!memory_.keeps()) return "";
    return memory_.now.captures.empty() ? defaultDataFolder() : memory_.now.captures;
}

Result<std::string> SessionFiles::placeForPicture(const std::string& name) const
{
    const std::string folder = pictureFolder();
    return folder.empty() ? Result<std::string>(name) : within(folder, name);
}

Result<std::string> SessionFiles::placeForData(const std::string& relative) const
{
    const std::string folder = dataFolder();
    return folder.empty() ? Result<std::string>(relative) : within(folder, relative);
}

FilesState SessionFiles::state() const
{
    return {folders_.state(), memory_.now.recent, reopen_, pictureFolder(), dataFolder()};
}

void SessionFiles::perform(const FilesActions& actions)
{
    if (actions.read) folders_.read(*actions.read, memory_.now.recent);
    if (actions.pictures) memory_.now.pictures = *actions.pictures;
    if (actions.captures) memory_.now.captures = *actions.captures;
}

namespace {

Error noBookmarks() { return {ExitCode::kInput, "a bookmark is a place of the Earth: expected the Earth to be shown"}; }

// Error of a place that the terrain's map projection does not reach.
Error beyondMap(const OpenTerrain& terrain, double latitude, double longitude)
{
    return {ExitCode::kInput,
            fmt::format("{}: {} lies outside its coordinate system, {}", printable(terrain.info()->name),
                        placeText(latitude, longitude, 3), printable(terrain.raster().crs))};
}

}  // namespace

Places::Places(Session& session) : session_(session), terrain_(session.terrain), settings_(session.settings) {}

Status Places::goTo(const Geodetic& place)
{
    if (Status s = terrain_.checkGeoreferenced(); !s) return s;
    const std::optional<glm::dvec3> position = terrain_.positionOf(place);
    if (!position) return beyondMap(terrain_, place.latitude, place.longitude);
    const Settings::View& view = settings_.wanted().view;
    Camera there = orogen::goTo(place, view.fov);
    there.position = *position;
    if (view.mode == ViewMode::kMap) there.pitch = -90;
    session_.camera.goTo(there, session_.flownSurroundings(), settings_);
    return Status::ok();
}

// Shows the place that the camera `flying` looks at (mode kFly), in the present view mode.
void Places::show(const Camera& flying)
{
    const ViewSurroundings around = session_.flownSurroundings();
    Settings::View& view = settings_.view();
    const ViewMode mode = std::exchange(view.mode, ViewMode::kFly);
    storeCamera(keptAbove(flying, around), view);
    view = session_.camera.over(around).switched(view, mode, around);
}

Status Places::showExtent(double west, double south, double east, double north)
{
    const ViewSurroundings around = session_.surroundings();
    const double fov = settings_.wanted().view.fov;
    if (terrain_.earth())
    {
        show(viewOfExtent(wrappedLongitude(west), std::max(south, -90.0), wrappedLongitude(east), std::min(north, 90.0),
                          around, fov));
        return Status::ok();
    }
    const LatLong middle{0.5 * (south + north), wrappedLongitude(0.5 * (west + east))};
    if (Status s = terrain_.checkGeoreferenced(); !s) return s;
    const std::optional<glm::dvec3> at = terrain_.positionOf({middle.latitude, middle.longitude, 0});
    if (!at) return beyondMap(terrain_, middle.latitude, middle.longitude);
    const glm::dvec2 half = 0.5 * around.terrain.size;
    if (std::abs(at->x) > half.x || std::abs(at->y) > half.y)
        return Error{ExitCode::kInput, fmt::format("{}: {} lies outside", printable(terrain_.raster().name),
                                                   orogen::placeText(middle.latitude, middle.longitude, 3))};
    const double side = 111'320 * std::max(north - south, (east - west) * std::cos(middle.latitude / kDegreesARadian));
    const double distance = std::clamp(1.2 * side, 100.0, 1.4 * glm::length(half)), down = 30;
    Camera there{.position = {}, .yaw = 0, .pitch = -down, .fov = fov};
    there.position = glm::dvec3(at->x, at->y, around.ground(at->x, at->y)) - forward(there) * distance;
    show(there);
    return Status::ok();
}

Status Places::setBookmark(int number)
{
    if (!terrain_.earth()) return noBookmarks();
    bookmarks_[std::size_t(number - 1)] = cameraOf(settings_.wanted().view);
    session_.files.keepBookmarks(bookmarks_);
    return Status::ok();
}

Status Places::goToBookmark(int number)
{
    const std::optional<Camera>& kept = bookmarks_[std::size_t(number - 1)];
    if (!terrain_.earth()) return noBookmarks();
    if (!kept)
        return Error{ExitCode::kInput, fmt::format("bookmark {}: found none, expected one that was kept", number)};
    show(*kept);
    return Status::ok();
}

void Places::showInset(std::size_t number)
{
    if (number >= terrain_.insets().size()) return;
    const EarthExtent& extent = terrain_.insets()[number].extent;
    show(viewOfExtent(extent.west, extent.south, extent.east, extent.north, session_.surroundings(),
                      settings_.wanted().view.fov));
}

}  // namespace orogen::app

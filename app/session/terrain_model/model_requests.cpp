// Requests to the terrain model: what is allowed, and the queue.
#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "app/session/session.h"
#include "app/session/terrain_model/live_model.h"
#include "app/session/terrain_model/window_ground.h"
#include "core/base/atomic_file.h"

namespace orogen::app {

std::string whyNoModel(const OpenTerrain& terrain)
{
    if (!terrain.info()) return "No terrain is open.";
    if (!terrain.changeable()) return "The terrain model changes a terrain on a plane, not the Earth.";
    if (std::min(terrain.raster().width, terrain.raster().height) < kLeastWindowSide)
        return "The terrain model needs at least 3 x 3 samples.";
    return {};
}

Status LiveModel::allowed(const Session& session) const
{
    const std::string why = whyNoModel(session.terrain);
    if (!why.empty()) return Error{ExitCode::kUsage, "model: " + why};
    if (session.terrain.voids().running()) return Error{ExitCode::kUsage, "model: voids are being filled"};
    return Status::ok();
}

Status LiveModel::run(std::uint64_t steps, const Session& session)
{
    if (Status s = allowed(session); !s) return s;
    if (!anyRate(session.settings.wanted().model))
        return Error{ExitCode::kUsage, "model: nothing would change, expected one of model.creep, model.incision, "
                                       "model.uplift and model.repose to be set"};
    if (steps > 0) requests_.push_back(Steps{steps});
    return Status::ok();
}

void LiveModel::stop()
{
    std::erase_if(requests_, [](const Request& request) { return std::holds_alternative<Steps>(request); });
    if (task_ && work_ == Work::kStep) stopsStep_.request_stop();
    inRun_ = false;
}

Status LiveModel::undoRun(const Session& session)
{
    if (Status s = allowed(session); !s) return s;
    // A run that has not begun has changed nothing: stop() takes it back.
    const bool waiting = std::ranges::any_of(requests_, [](const Request& request) {
        const auto* steps = std::get_if<Steps>(&request);
        return steps && steps->first;
    });
    stop();
    if (waiting) return Status::ok();
    if (runs_ == 0 && !(task_ && work_ == Work::kStep))
        return Error{ExitCode::kUsage, "model undo: found no run to take back"};
    requests_.push_back(Plain::kUndoRun);
    return Status::ok();
}

Status LiveModel::reset(const Session& session)
{
    if (Status s = allowed(session); !s) return s;
    stop();
    requests_.clear();
    if (begun() || task_ || windows_ > 1) requests_.push_back(Plain::kReset);
    return Status::ok();
}

Status LiveModel::save(const std::string& file, const Session& session)
{
    if (Status s = allowed(session); !s) return s;
    if (Status s = checkOutputFile(file, session.filesRead(), Existing::kReplace); !s) return s;
    if (session.terrain.tiles())
        if (Status s = checkTilesFile(file, session.filesRead()); !s) return s;
    requests_.push_back(Save{file});
    return Status::ok();
}

Status LiveModel::chooseWindow(const std::optional<ModelPlace>& place, const Session& session)
{
    if (Status s = allowed(session); !s) return s;
    const TileSource* tiles = session.terrain.tiles();
    if (!tiles) return Error{ExitCode::kUsage, "model window: this terrain is one image, all of which changes"};
    if (windows_ >= kMostWindows)
        return Error{ExitCode::kUsage, fmt::format("model window: {} windows lie over each other, expected at most {} "
                                                   "(model save writes the terrain, which can be opened instead)",
                                                   windows_, kMostWindows)};
    if (Result<ChangeWindow> window = windowIn(place, session); !window) return window.error();
    stop();
    requests_.push_back(Window{place});
    return Status::ok();
}

// Returns the window at `place`, or the part in view, at the level of the settings.
Result<ChangeWindow> LiveModel::windowIn(const std::optional<ModelPlace>& place, const Session& session) const
{
    const int level = session.settings.wanted().model.level;
    return windowAt(*session.terrain.tiles(), place ? *place : placeInView(session),
                    level < 0 ? std::nullopt : std::optional(level), place.has_value());
}

// Chooses the heights that the model starts from: the terrain as it is shown now.
Status LiveModel::chooseGround(const std::optional<ModelPlace>& place, const Session& session)
{
    const std::shared_ptr<const TileSource> shown = session.terrain.sharedTiles();
    if (!shown)
    {
        ground_ = std::make_unique<ImageGround>(session.terrain.field());
        return Status::ok();
    }
    const Result<ChangeWindow> window = windowIn(place, session);
    if (!window) return window.error();
    auto overview = std::make_shared<const HeightField>(session.terrain.field());
    if (!opened_.tiles) opened_ = {shown, overview};
    ++windows_;
    ground_ = std::make_unique<WindowGround>(opened_, OpenedTiles{shown, std::move(overview)}, *window);
    return Status::ok();
}

Status LiveModel::paint(const compute::Dab& dab, bool begins, const Session& session)
{
    if (Status s = allowed(session); !s) return s;
    requests_.push_back(Paint{dab, begins});
    return Status::ok();
}

Status LiveModel::undoStroke(const Session& session)
{
    if (Status s = allowed(session); !s) return s;
    requests_.push_back(Plain::kUndoStroke);
    return Status::ok();
}

Status LiveModel::redoStroke(const Session& session)
{
    if (Status s = allowed(session); !s) return s;
    requests_.push_back(Plain::kRedoStroke);
    return Status::ok();
}

}  // namespace orogen::app

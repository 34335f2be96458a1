// Camera path of a session: loading, recording, saving and playing it over the open terrain.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/view/camera_path.h"
#include "core/view/path_player.h"
#include "core/view/path_recorder.h"
#include "core/view/view_controller.h"

namespace orogen::app {

class CameraPathSession
{
public:
    // Ground that a path is placed on; a changed value places the path again.
    struct Ground
    {
        std::uint64_t terrain = 0;  // number of terrains opened so far
        double heightScale = 1;
        bool operator==(const Ground&) const = default;
    };

    // Sets the folder of the shipped paths.
    void useFolder(std::filesystem::path folder);
    const std::filesystem::path& folder() const { return folder_; }
    const std::vector<std::string>& shipped() const { return shipped_; }

    // Sets the folder where unsaved recordings are kept, and lists the paths in it.
    void keepIn(std::filesystem::path folder);
    const std::vector<std::string>& kept() const { return kept_; }

    // Loads a shipped path or a file, rewound and paused.  A running recording is lost.
    Status load(const std::string& nameOrFile);
    void take(CameraPath path) { use(std::move(path)); }  // load() for a path in memory
    // Errors: kOutput; kUsage without a path.
    Status save(const std::string& file);
    // Writes an unsaved recording to a new file in the keepIn() folder, at the end of a session, and returns its name.
    // Returns an empty name if there is no recording or no folder.  Error: kOutput.
    Result<std::string> keepUnsaved();

    // Recording: begin, record() once a frame, and end, which makes the recording the path.
    void beginRecording(World world = World::kPlane);
    bool recording() const { return recorder_.has_value(); }
    double recordedSeconds() const { return recorder_ ? recorder_->duration() : 0; }
    void record(double seconds, const Camera& camera, double heightAboveGround);
    bool endRecording();  // false: not recording, or nothing recorded yet

    // Places the path on the open terrain, unless it is placed there already.  `around` must stay valid until the next
    // call.  Error kInput (reported once): the path belongs to another world and is not played.
    Status placeOn(const Ground& ground, const ViewSurroundings& around);
    void play();  // ends a recording first
    void pause() { player_.pause(); }
    bool playing() const { return player_.playing(); }
    void scrub(double fraction) { player_.scrub(fraction); }
    double fraction() const { return player_.fraction(); }
    // Returns the camera `seconds` after the last call; empty if the path does not move it.
    std::optional<Camera> advanced(double seconds) { return player_.advanced(seconds); }

    const std::optional<CameraPath>& path() const { return path_; }

private:
    void use(CameraPath path);

    std::filesystem::path folder_;
    std::filesystem::path ownFolder_;  // empty: recordings are not kept
    std::vector<std::string> shipped_, kept_;
    bool unsaved_ = false;  // path_ is a recording that was not saved
    std::optional<CameraPath> path_;
    std::optional<PathRecorder> recorder_;
    std::optional<Ground> placed_;
    bool startAtOnce_ = false;  // plays as soon as the path is placed
    PathPlayer player_;
};

}  // namespace orogen::app

// The camera path of a session: loaded, recorded, saved, played over the terrain that is open.
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
    // What a path is placed on; another value places it anew.
    struct Ground
    {
        std::uint64_t terrain = 0;  // counts the terrains that were opened
        double heightScale = 1;
        bool operator==(const Ground&) const = default;
    };

    // `folder`: of the paths that come with the program.
    void useFolder(std::filesystem::path folder);
    const std::filesystem::path& folder() const { return folder_; }
    const std::vector<std::string>& shipped() const { return shipped_; }

    // Where recordings that nobody saved are kept, and the files of paths that lie there.
    void keepIn(std::filesystem::path folder);
    const std::vector<std::string>& kept() const { return kept_; }

    // A shipped name or a file becomes the path, at its beginning, not playing.  Ends a recording, which is lost.
    Status load(const std::string& nameOrFile);
    void take(CameraPath path) { use(std::move(path)); }  // the same with one that is there
    // Errors: kOutput; kUsage without a path.
    Status save(const std::string& file);
    // At the end of a session: a recording that was not saved becomes a file of its own in the folder of keepIn(),
    // whose name is returned; empty where there is none, or no folder.  Error: kOutput.
    Result<std::string> keepUnsaved();

    // Recording: begin, one moment a frame, and end, which makes what was recorded the path.
    void beginRecording(World world = World::kPlane);
    bool recording() const { return recorder_.has_value(); }
    double recordedSeconds() const { return recorder_ ? recorder_->duration() : 0; }
    void record(double seconds, const Camera& camera, double heightAboveGround);
    bool endRecording();  // false: there was none, or it had not a moment

    // Places the path on what is open, if it is not placed there already.  `around` must stay valid until the next.
    // Error kInput, once: it is one of another world, and is not followed here.
    Status placeOn(const Ground& ground, const ViewSurroundings& around);
    void play();  // ends a recording first
    void pause() { player_.pause(); }
    bool playing() const { return player_.playing(); }
    void scrub(double fraction) { player_.scrub(fraction); }
    double fraction() const { return player_.fraction(); }
    // The camera of this frame, `seconds` after the last one; none where the path does not move it.
    std::optional<Camera> advanced(double seconds) { return player_.advanced(seconds); }

    const std::optional<CameraPath>& path() const { return path_; }

private:
    void use(CameraPath path);

    std::filesystem::path folder_;
    std::filesystem::path ownFolder_;  // empty: nothing is kept
    std::vector<std::string> shipped_, kept_;
    bool unsaved_ = false;  // path_ was recorded, and not saved
    std::optional<CameraPath> path_;
    std::optional<PathRecorder> recorder_;
    std::optional<Ground> placed_;
    bool startAtOnce_ = false;  // plays as soon as it is placed
    PathPlayer player_;
};

}  // namespace orogen::app

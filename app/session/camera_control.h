// Camera of a session: moved by the user or by a playing path, and optionally recorded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/model/session_state.h"
#include "app/session/messages.h"
#include "app/session/session_settings.h"
#include "core/base/status.h"
#include "core/settings.h"
#include "core/view/camera.h"
#include "core/view/camera_flight.h"
#include "core/view/camera_path.h"
#include "core/view/earth_controller.h"
#include "core/view/navigation.h"
#include "core/view/view_controller.h"

namespace orogen::app {

// Motion of a session's camera over one of the two worlds, a plane or the Earth.

class Navigator
{
public:
    virtual ~Navigator() = default;

    virtual World world() const = 0;
    // Moves a view by input held for `seconds`, and continues movements in progress.  `cursor`: in [-1, 1]², y up.
    virtual Settings::View moved(const Settings::View& view, const CameraInput& input, double seconds,
                                 glm::dvec2 cursor, const ViewSurroundings& around) = 0;
    virtual bool moving() const = 0;  // also true without input, while the speed decays
    // Returns the view in the mode `to`.
    virtual Settings::View switched(const Settings::View& view, ViewMode to, const ViewSurroundings& around) = 0;
    // Returns the view from the world's home position.
    virtual Settings::View home(const Settings::View& view, const ViewSurroundings& around) = 0;

    virtual double heightAboveGround(const Camera& camera, const ViewSurroundings& around) const = 0;  // metres
    // Returns the speed of the camera while a movement key is held (metres per second).
    virtual double speed(const Camera& camera, const ViewSurroundings& around) const = 0;
    // Returns the camera, lifted to kEyeHeight above the ground if it is below that height.
    virtual Camera lifted(const Camera& camera, const ViewSurroundings& around) const = 0;
    // Returns whether ground that is still loading may come to lie above a camera at rest.
    virtual bool groundRises() const = 0;
    // Returns the shift of the picture's centre (Camera::shift).
    virtual glm::dvec2 shift(const glm::dvec3& position, const ViewSurroundings& around) const = 0;
};

class PlaneNavigator final : public Navigator
{
public:
    World world() const override { return World::kPlane; }
    Settings::View moved(const Settings::View& view, const CameraInput& input, double seconds, glm::dvec2 cursor,
                         const ViewSurroundings& around) override
    {
        return controller_.moved(view, input, seconds, cursor, around);
    }
    bool moving() const override { return controller_.moving(); }
    Settings::View switched(const Settings::View& view, ViewMode to, const ViewSurroundings& around) override
    {
        return controller_.switched(view, to, around);
    }
    Settings::View home(const Settings::View& view, const ViewSurroundings& around) override
    {
        return controller_.home(view, around);
    }
    double heightAboveGround(const Camera& camera, const ViewSurroundings& around) const override
    {
        return camera.position.z - groundBelow(camera, around);
    }
    double speed(const Camera& camera, const ViewSurroundings& around) const override
    {
        return controller_.speed(camera, groundBelow(camera, around));
    }
    Camera lifted(const Camera& camera, const ViewSurroundings& around) const override
    {
        return aboveGround(camera, groundBelow(camera, around));
    }
    bool groundRises() const override { return false; }
    glm::dvec2 shift(const glm::dvec3&, const ViewSurroundings&) const override { return glm::dvec2(0.0); }

private:
    static double groundBelow(const Camera& camera, const ViewSurroundings& around)
    {
        return around.ground(camera.position.x, camera.position.y);
    }

    ViewController controller_;
};

class EarthNavigator final : public Navigator
{
public:
    World world() const override { return World::kEarth; }
    Settings::View moved(const Settings::View& view, const CameraInput& input, double seconds, glm::dvec2 cursor,
                         const ViewSurroundings& around) override
    {
        return controller_.moved(view, input, seconds, cursor, around);
    }
    bool moving() const override { return controller_.moving(); }
    Settings::View switched(const Settings::View& view, ViewMode to, const ViewSurroundings& around) override
    {
        return controller_.switched(view, to, around);
    }
    Settings::View home(const Settings::View& view, const ViewSurroundings& around) override
    {
        Settings::View home = view;
        storeCamera(earthHome(around, view.fov), home);  // straight down with north up, as a map
        return home;
    }
    double heightAboveGround(const Camera& camera, const ViewSurroundings& around) const override
    {
        return geodeticOf(camera.position).height - around.earthGround(camera.position);
    }
    double speed(const Camera& camera, const ViewSurroundings& around) const override
    {
        return controller_.speed(heightAboveEarth(poseOf(camera), around.earthGround));
    }
    Camera lifted(const Camera& camera, const ViewSurroundings& around) const override
    {
        return aboveEarth(camera, around.earthGround);
    }
    bool groundRises() const override { return true; }
    glm::dvec2 shift(const glm::dvec3& position, const ViewSurroundings& around) const override
    {
        return globeShift(around, position);
    }

private:
    EarthController controller_;
};

// ---- camera path: loads, records, saves and plays it over the open terrain ----

class PathControl
{
public:
    // Terrain to which a path is fitted.  If it changed, placeOn() fits the path again.
    struct Ground
    {
        std::uint64_t terrain = 0;  // number of terrains opened so far
        double heightScale = 1;
        std::optional<double> besideScale = {};  // height scale of the other side of a split picture
        bool operator==(const Ground&) const = default;
    };

    // Sets the folder of the shipped paths.
    void useFolder(std::filesystem::path folder);
    const std::filesystem::path& folder() const { return folder_; }
    const std::vector<std::string>& shipped() const { return shipped_; }

    // Sets the folder where unsaved recordings are kept, and lists the paths in it.
    void keepIn(std::filesystem::path folder);
    const std::vector<std::string>& kept() const { return kept_; }

    // Loads a shipped path or a file, rewound and paused.  A running recording is lost.  Errors: those of
    // findCameraPath().
    Status load(const std::string& nameOrFile);
    void take(CameraPath path) { use(std::move(path)); }  // like load(), for a path in memory
    // Writes the path to `file`, which must be a free name or a camera path.  Errors: kOutput; kUsage without a path.
    Status save(const std::string& file);
    // Ends a recording.  Writes an unsaved recording to a new file in the keepIn() folder, and returns the file's name.
    // Returns an empty name if there is no unsaved recording or no folder.  Error: kOutput.
    Result<std::string> keepUnsaved();

    // beginRecording() begins a recording.  Call record() once a frame, with the time since any fixed moment (seconds)
    // and the camera's height above the ground (metres).  endRecording() ends the recording.
    void beginRecording(World world = World::kPlane);
    bool recording() const { return recorder_.has_value(); }
    double recordedSeconds() const { return recorder_ ? recorder_->duration() : 0; }
    void record(double seconds, const Camera& camera, double heightAboveGround);
    bool endRecording();  // makes the recording the path; false: not recording, or nothing recorded yet

    // Fits the path to the open terrain, unless that is done already.  `around` must stay valid until the next call.
    // Error kInput (reported once): the path belongs to another world and is not played.
    Status placeOn(const Ground& ground, const ViewSurroundings& around);
    void play();  // ends a recording first
    void pause() { player_.pause(); }
    bool playing() const { return player_.playing(); }
    void scrub(double fraction) { player_.scrub(fraction); }
    double fraction() const { return player_.fraction(); }
    // Plays the path on by `seconds` and returns the camera there; empty if the path does not move the camera.
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

// ---- camera ----

class CameraControl
{
public:
    PathControl& path() { return path_; }
    const PathControl& path() const { return path_; }
    PathState pathState() const;

    // Performs the requests of panel and keys on the path.
    void perform(const PathActions& asked, Messages& messages);

    // Moves the camera by input held for `seconds`.  May be called several times a frame, because the panels may be
    // drawn several times.
    void move(const CameraInput& input, glm::dvec2 cursor, double seconds, const ViewSurroundings& around,
              SessionSettings& settings);
    bool moving() const { return plane_.moving() || earth_.moving(); }
    // Returns the rules by which a camera moves over that ground.
    Navigator& over(const ViewSurroundings& around);
    const Navigator& over(const ViewSurroundings& around) const;
    // Returns the camera to which the next follow() moves a camera at rest: above the ground that has loaded.
    Camera overGround(const Camera& seen, const ViewSurroundings& around) const;
    // Moves the camera to `wanted`, or above the ground there if the ground is higher.  Until the camera moves again,
    // follow() repeats this for finer ground that has loaded.  So the camera may also sink back towards `wanted`.
    void goTo(const Camera& wanted, const ViewSurroundings& around, SessionSettings& settings);
    // Keeps a camera at rest above ground that is still loading.  Part of follow() unless a path moves the camera.
    void followGround(const ViewSurroundings& around, SessionSettings& settings);
    // Follows a playing path and records the camera; once a frame, `seconds` after the last one.
    void follow(double seconds, const ViewSurroundings& around, const PathControl::Ground& ground,
                SessionSettings& settings, Messages& messages);

private:
    void togglePlaying(Messages& messages);
    void endRecording(Messages& messages);
    bool keepUnsaved(Messages& messages);
    void load(const std::string& nameOrFile, Messages& messages);
    void save(const std::string& file, Messages& messages);
    void reportPath(const std::string& done, Messages& messages) const;

    void keepAbove(const ViewSurroundings& around, SessionSettings& settings);

    // Position that the last goTo() asked for, and the position above the ground that the camera has now.
    struct Destination
    {
        glm::dvec3 wanted, reached;
    };

    PlaneNavigator plane_;
    EarthNavigator earth_;
    World world_ = World::kPlane;       // world of the last follow()
    std::optional<float> heightScale_;  // height scale of the last move()
    std::optional<Destination> destination_;
    PathControl path_;
    double recordingSeconds_ = 0;  // clock of recordings, advanced by frame times so that headless runs repeat exactly
};

}  // namespace orogen::app

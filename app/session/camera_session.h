// Camera of a session: moved by the user or by a playing path, and optionally recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/camera_path_session.h"
#include "app/session/messages.h"
#include "app/session/session_settings.h"
#include "app/ui/path_state.h"
#include "core/view/earth_controller.h"
#include "core/view/view_controller.h"

namespace orogen::app {

class CameraSession
{
public:
    CameraPathSession& path() { return path_; }
    const CameraPathSession& path() const { return path_; }
    PathState pathState() const;

    // Performs the requests of panel and keys on the path.
    void perform(const PathActions& asked, Messages& messages);

    // Moves the camera by input held for `seconds`; called in every pass of the panels.
    void move(const CameraInput& input, glm::dvec2 cursor, double seconds, const ViewSurroundings& around,
              SessionSettings& settings);
    bool moving() const
    {
        return controller_.moving() || earth_.moving();
    }  // also without input, while the speed decays
    double speed(const Camera& camera, double groundHeight) const { return controller_.speed(camera, groundHeight); }
    double speedOverEarth(double heightAboveGround) const { return earth_.speed(heightAboveGround); }
    // Follows a playing path and records the camera; once a frame, `seconds` after the last one.
    void follow(double seconds, const ViewSurroundings& around, std::uint64_t terrain, SessionSettings& settings,
                Messages& messages);

    Settings::View switched(const Settings::View& view, ViewMode to, const ViewSurroundings& around)
    {
        return around.onEarth() ? view : controller_.switched(view, to, around);  // the Earth has no map
    }
    Settings::View home(Settings::View view, const ViewSurroundings& around);
    static double heightAboveGround(const Camera& camera, const ViewSurroundings& around);  // metres

private:
    void togglePlaying(Messages& messages);
    void endRecording(Messages& messages);
    void load(const std::string& nameOrFile, Messages& messages);
    void save(const std::string& file, Messages& messages);
    void reportPath(const std::string& done, Messages& messages) const;

    void keepAbove(const ViewSurroundings& around, SessionSettings& settings);

    ViewController controller_;
    EarthController earth_;
    World world_ = World::kPlane;       // world of the last follow()
    std::optional<float> heightScale_;  // height scale of the last move()
    CameraPathSession path_;
    double recordingSeconds_ = 0;  // recording clock, advanced by frame times so that headless runs repeat
};

}  // namespace orogen::app

// The camera of a session: moved by its user, by a path that is played, or by neither; and recorded.
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

    // What panel and keys ask of the path.
    void perform(const PathActions& asked, Messages& messages);

    // Keys and mouse, held for `seconds`; as often as the panels are worked through before a frame.
    void move(const CameraInput& input, glm::dvec2 cursor, double seconds, const ViewSurroundings& around,
              SessionSettings& settings);
    bool moving() const
    {
        return controller_.moving() || earth_.moving();
    }  // also without input: speed is lost only gradually
    double speed(const Camera& camera, double groundHeight) const { return controller_.speed(camera, groundHeight); }
    double speedOverEarth(double heightAboveGround) const { return earth_.speed(heightAboveGround); }
    // Once before a frame that comes `seconds` after the last one: along the path if it is played; where the camera is
    // then, is recorded.
    void follow(double seconds, const ViewSurroundings& around, std::uint64_t terrain, SessionSettings& settings,
                Messages& messages);

    Settings::View switched(const Settings::View& view, ViewMode to, const ViewSurroundings& around)
    {
        return around.onEarth() ? view : controller_.switched(view, to, around);  // where there is no map
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
    World world_ = World::kPlane;       // that the camera was last followed in
    std::optional<float> heightScale_;  // that the camera was last moved over
    CameraPathSession path_;
    double recordingSeconds_ = 0;  // the clock of recordings: the frames' own time, so that headless runs repeat
};

}  // namespace orogen::app

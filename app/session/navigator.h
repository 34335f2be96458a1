// Motion of a session's camera over one of the two worlds, a plane or the Earth.
#pragma once

#include "core/settings.h"
#include "core/view/camera.h"
#include "core/view/earth_controller.h"
#include "core/view/navigation.h"
#include "core/view/view_controller.h"

namespace orogen::app {

class Navigator
{
public:
    virtual ~Navigator() = default;

    virtual World world() const = 0;
    // Moves a view by input held for `seconds`, and continues movements in progress.
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
    // Lifts the camera to kEyeHeight above the ground if the camera is below that height.
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

}  // namespace orogen::app

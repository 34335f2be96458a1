// What is looked up in the picture and measured on it, as its overlays show it, and what they ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/ui/earth_state.h"
#include "core/cbt/cbt.h"
#include "core/terrain/raster/ground_point.h"
#include "core/terrain/raster/ground_profile.h"
#include "core/view/camera.h"

namespace orogen::app {

// A point of the ground as it is drawn: metres east, north, and up with the height scale.
struct SeenPoint
{
    glm::dvec3 place{0.0};
    bool hidden = false;  // ground is in front of it
};

struct PickedLeaf
{
    NodeId node = 0;  // heap index
    int depth = 0;
    double errorPixels = 0, edgePixels = 0;
};

struct PickState
{
    bool on = true;
    std::optional<glm::dvec3> place;  // under the cursor, as drawn; empty: the cursor is elsewhere, or over no ground
    GroundPoint ground;               // there, by the elevation model
    // Metres between the samples that the height is of: of a terrain in tiles, or where they are coarse.
    std::optional<double> samplesApart = {};
    std::optional<double> syntheticBelow = {};  // metres: smaller forms of what is drawn are made; empty: none is
    double distance = 0;                        // metres from the camera
    std::string coordinates;                    // latitude and longitude, or metres east and north
    std::optional<PickedLeaf> leaf;             // empty: not known yet
    std::vector<SeenPoint> outline;             // of the leaf, closed; empty: not known yet
};

struct MeasureState
{
    bool open = false, adding = false;  // adding: clicks set points
    std::vector<SeenPoint> points;
    std::vector<SeenPoint> path;    // the line on the ground
    std::optional<double> sampled;  // while it is under way: the share that is done
    ProfileFigures figures, lastLeg;
    double spacing = 0;  // metres between samples
    // Metres between the samples that heights are of, where they are farthest apart: of a terrain in tiles, or where
    // they are coarse.
    std::optional<double> samplesApart = {};
    std::vector<glm::dvec2> profile;      // metres along, metres of height; NaN: a void; as many as a screen is wide
    std::optional<ProfileSample> marked;  // under the cursor, in the plot or in the picture
    std::optional<SeenPoint> markedPlace;
};

struct TopState
{
    bool open = false, large = false;
    unsigned texture = 0;          // 0: not drawn yet
    glm::dvec2 corner{0.0};        // the north-western one, metres
    double side = 1;               // metres
    int zoom = 0;                  // in steps of two; 0: the whole terrain
    std::vector<glm::dvec2> view;  // what the camera sees of the ground, metres; its own place first
    int deepest = 0;               // depth of the tree's leaves
};

struct PictureToolsState
{
    std::optional<EarthState> earth;  // empty: a plane is shown; else of what follows only the camera
    Camera camera;                    // that the picture is drawn with
    PickState pick;
    MeasureState measure;
    TopState top;
};

struct PictureToolsActions
{
    std::optional<glm::dvec2> cursor{};  // over the picture and no panel, with no button held; in [-1, 1]², y up
    std::optional<glm::dvec2> clicked{};
    bool toggleInfo = false, toggleMeasure = false, toggleTop = false;
    bool copyInfo = false;
    bool removePoint = false, endLine = false, clearLine = false, copyProfile = false, saveProfile = false;
    std::optional<double> along{};  // metres: where the mouse is in the plot of the profile
    bool resizeTop = false;
    int zoomTop = 0;  // steps
};

}  // namespace orogen::app

// Tools on the ground shown: the point and leaf under the cursor, and the measured line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/model/picture_state.h"
#include "app/session/picture_scene.h"

namespace orogen::app {

// ---- point of the ground under the cursor, and the tree leaf that contains it ----
//
// The point comes from a ray cast through the heights on the CPU.  The leaf comes from the GPU some frames later.  It
// is requested only while the camera rests, with at most one query in flight.

class Renderer;

class PickTool
{
public:
    bool on() const { return on_; }
    void toggle();
    void forget();  // for another terrain

    // Sets the cursor position over the picture, in [-1, 1]²; empty: the cursor is elsewhere.  The last result stays
    // available to scripts.
    void pointAt(const std::optional<glm::dvec2>& cursor);

    // Updates point and leaf.  `ask`: GPU queries are allowed (not in the middle of a frame).  `wait`: waits for the
    // answer.  Errors: those of TreeInspector and TerrainGpu::prepareErrors(); an error switches the tool off.
    Status update(const PictureScene& scene, Renderer& renderer, bool ask, bool wait);
    bool pending() const { return on_ && cursor_ && stale_; }
    std::uint64_t changes() const { return changes_; }  // number of changes to state()

    PickState state() const;
    // Returns the value of a script key such as `pick_height`, "null" if it is not known; empty: no such key.
    std::optional<std::string> value(std::string_view key) const;

private:
    void findPoint(const PictureScene& scene);
    Status askLeaf(Renderer& renderer, bool wait);
    bool holds(const PictureScene& scene, const PickedLeaf& leaf) const;
    void outline(const PictureScene& scene, int patchLevel);

    bool on_ = true;
    std::optional<glm::dvec2> cursor_;
    PickState found_;
    bool stale_ = false;  // the leaf was found for another point, camera or tree
    // Cursor position that found_ was computed for.  Its other inputs are camera_, heights_ and loaded_.
    std::optional<glm::dvec2> lookedAt_;
    Camera camera_;
    std::uint64_t heights_ = 0, loaded_ = 0, question_ = 0, changes_ = 0;
    std::uint64_t askedAt_ = 0;  // frame whose tree the newest query of a leaf examined
};

// ---- measured line: its points, and the heights along it, sampled in pieces over several frames ----

class MeasureTool
{
public:
    bool open() const { return open_; }
    void toggle();
    void forget();  // for another terrain: drops the points

    void add(const glm::dvec3& place);  // adds a point on the plane or the ellipsoid; ignored unless adding()
    bool adding() const { return open_ && adding_; }
    void removeLast();
    void toggleAdding() { adding_ = !adding_; }
    void clear();

    // Sets the mouse position: along the line in the plot (metres), or over the picture in [-1, 1]².
    void pointAt(const std::optional<double>& along, const std::optional<glm::dvec2>& cursor);

    void update(const PictureScene& scene);  // samples one piece of the line: at most 65,536 samples, about 4 ms
    bool pending() const { return open_ && (changed_ || !profile_.done()); }
    std::uint64_t changes() const { return changes_; }  // number of changes to state()

    const GroundProfile& profile() const { return profile_; }
    MeasureState state() const;
    std::optional<std::string> value(std::string_view key) const;  // as PickTool::value(), for `measure_distance` etc.

private:
    void resample(const PictureScene& scene);
    void sample(const PictureScene& scene, std::size_t most);
    void findFineness(const PictureScene& scene);
    void condense();
    void place(const PictureScene& scene);
    void mark(const PictureScene& scene);
    void findMark(const PictureScene& scene);

    bool open_ = false, adding_ = true;
    std::vector<glm::dvec3> points_;
    GroundProfile profile_;
    bool changed_ = false;       // points_ changed since the profile was sampled
    bool condensed_ = true;      // figures and plot match the profile
    std::uint64_t heights_ = 0;  // PictureScene::heights at the profile's start
    std::uint64_t loaded_ = 0;   // PictureScene::loaded at the profile's start
    std::uint64_t changes_ = 0;
    std::optional<double> along_;
    std::optional<glm::dvec2> cursor_;
    std::optional<Camera> camera_;  // camera for which state_.path was computed
    double heightScale_ = 0;
    MeasureState state_;
};

}  // namespace orogen::app

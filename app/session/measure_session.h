// Measured line over the ground: its points, and the heights along it, sampled in pieces over several frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/picture_scene.h"

namespace orogen::app {

class MeasureSession
{
public:
    bool open() const { return open_; }
    void toggle();
    void forget();  // for another terrain: drops the points

    void add(glm::dvec2 place);  // position (metres); ignored unless adding()
    bool adding() const { return open_ && adding_; }
    void removeLast();
    void toggleAdding() { adding_ = !adding_; }
    void clear();

    // Sets the mouse position: along the line in the plot (metres), or over the picture in [-1, 1]².
    void pointAt(const std::optional<double>& along, const std::optional<glm::dvec2>& cursor);

    void update(const PictureScene& scene);  // one piece: at most 65,536 samples, about 4 ms
    bool pending() const { return open_ && (changed_ || !profile_.done()); }
    std::uint64_t changes() const { return changes_; }  // number of changes to state()

    const GroundProfile& profile() const { return profile_; }
    MeasureState state() const;
    std::optional<std::string> value(std::string_view key) const;

private:
    void resample(const PictureScene& scene);
    void sample(const PictureScene& scene, std::size_t most);
    void findFineness(const PictureScene& scene);
    void condense();
    void place(const PictureScene& scene);
    void mark(const PictureScene& scene);
    void findMark(const PictureScene& scene);

    bool open_ = false, adding_ = true;
    std::vector<glm::dvec2> points_;
    GroundProfile profile_;
    bool changed_ = false;       // points_ changed: the profile is outdated
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

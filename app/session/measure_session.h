// A line over the ground that is measured: its points, and the heights along it, sampled a piece a frame.
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
    void forget();  // another terrain: its points are gone

    void add(glm::dvec2 place);  // metres; where it takes points
    bool adding() const { return open_ && adding_; }
    void removeLast();
    void toggleAdding() { adding_ = !adding_; }
    void clear();

    // Where the mouse is: in the plot, metres along the line, or over the picture, in [-1, 1]².
    void pointAt(const std::optional<double>& along, const std::optional<glm::dvec2>& cursor);

    void update(const PictureScene& scene);  // a piece: at most 65,536 samples, some 4 ms
    bool pending() const { return open_ && (changed_ || !profile_.done()); }
    std::uint64_t changes() const { return changes_; }  // counts what state() has been

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
    bool changed_ = false;       // points: the profile is of others
    bool condensed_ = true;      // the figures and the plot are of the profile as it is
    std::uint64_t heights_ = 0;  // of the profile
    std::uint64_t loaded_ = 0;   // tiles, when it was begun
    std::uint64_t changes_ = 0;
    std::optional<double> along_;
    std::optional<glm::dvec2> cursor_;
    std::optional<Camera> camera_;  // that state_.path is seen with
    double heightScale_ = 0;
    MeasureState state_;
};

}  // namespace orogen::app

// Split picture: the session's own picture is the right side.  The left side shows other settings or another terrain,
// seen by the same camera.  SplitPicture is the left side, with a renderer, a terrain and settings of its own.
//
// The viewer draws the session's picture by drawBeside(), then this one by begin() and advance(), and calls end().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/model/picture_state.h"
#include "app/render/render_target.h"
#include "app/session/contour_labels.h"
#include "app/session/graphics.h"
#include "app/session/ground_in_view.h"
#include "app/session/messages.h"
#include "app/session/open_terrain.h"
#include "app/session/session_settings.h"

namespace orogen::app {

class Session;

// Time of a frame of one side (ms).
struct SideTime
{
    std::uint64_t frame = 0;
    double ms = 0;
};
// Returns the newer of a time that the CPU measured and one that the GPU measured.  Ignores times of frames before
// `from`.  If both are of one frame, returns that of the CPU: the GPU's time of a sliced frame includes the gaps.
std::optional<double> newestMs(const SideTime& onCpu, const GpuTimes& onGpu, std::uint64_t from);

class SplitPicture
{
public:
    // Makes a renderer with these settings.  Call share(), or open a terrain in terrain(), next.  Errors: those of
    // Renderer::create() and kShader.
    static Result<std::unique_ptr<SplitPicture>> create(Session& session, SplitNames names, SessionSettings settings);

    OpenTerrain& terrain() { return terrain_; }  // for opening the terrain of this side
    // Makes takeTerrain() open the session's terrain as soon as that terrain is open.  This side then follows later
    // changes of its heights.
    void share(const TileChoices& choices, const ImageryToLoad& imagery) { shared_ = Shared{choices, imagery, {}}; }
    // Takes the terrain once it is loaded; call once a frame.  Errors: those of opening it (OpenTerrain).
    Status takeTerrain(Session& session);
    bool shown() const { return terrain_.info().has_value(); }  // false: the terrain is being loaded
    bool rests(const Camera& camera) const;                     // whether this side needs no new picture
    Pending pending(const Session& session) const;

    // ---- a frame, after that of the session ------------------------------------------------------------------------
    // Calls `work`, which draws or advances the session's picture, and measures its time.
    void drawBeside(const Session& session, const std::function<void()>& work) { measure(session, besideMs_, work); }
    // Call once the session's picture of this frame is complete.  Takes camera, size and options from the session.
    // `whole`: begin() draws the frame; otherwise calls of advance() draw it.  Errors: those of Renderer::resize().
    Status begin(Session& session, int lightRows, bool whole);
    bool waiting() const { return renderer_->steps().waiting(); }
    void advance(const Session& session, double sliceMs)
    {
        measure(session, ms_, [&] { renderer_->advance(sliceMs); });
    }
    Status end(Session& session);           // ends the frame and composes both pictures
    Status composeAgain(Session& session);  // composes again if the divider or the mode has changed
    void settleTiles(const Camera& camera, double seconds);
    void awaitAnswers() { orogen::app::awaitAnswers(*renderer_); }
    void collect() { renderer_->collect(); }
    int framesInFlight() const { return renderer_->progress().framesInFlight(); }
    void showLines(std::vector<ShownLine> lines, bool moved, Messages& messages);
    ReloadReport reloadShaders();
    void rest(bool rests) { renderer_->lod().rest(rests); }

    SplitView& view() { return view_; }
    const Settings& settings() const { return settings_.wanted(); }
    ViewSurroundings surroundings() const { return terrain_.surroundings(settings_.wanted(), {}); }
    SplitState state(const Session& session) const;

private:
    SplitPicture(const std::filesystem::path& root, const Renderer& beside, SplitNames names, SessionSettings settings);
    Status compose(Session& session);
    Status openShared(const Session& session);
    void followShared(Session& session);
    static void measure(const Session& session, double& ms, const std::function<void()>& work);

    struct Shared
    {
        TileChoices choices;
        ImageryToLoad imagery;
        std::uint64_t heights = 0;  // OpenTerrain::heights() of the session's terrain when this side began to open it
    };

    SplitNames names_;
    SessionSettings settings_;
    std::optional<Shared> shared_;  // empty: the sides have different terrains
    SplitView view_;
    std::optional<SplitView> drawn_;  // view of the newest composition
    OpenTerrain terrain_;
    SplitComposer composer_;
    std::unique_ptr<Renderer> renderer_;
    GroundInView ground_;
    ContourLabeler contours_;
    std::uint64_t contoured_ = 0;   // OpenTerrain::heights() for which contours_ was set up
    double ms_ = 0, besideMs_ = 0;  // CPU time of the last drawing or slice: this side, session's picture (ms)
    SideTime time_, besideTime_;    // last times that the CPU measured
    std::uint64_t timedFrom_ = 0;   // first frame of which both sides are surely drawn and measured as a whole
};

}  // namespace orogen::app

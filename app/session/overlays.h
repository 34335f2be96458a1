// Overlays of a session: tracks, lines and points of GPX and GeoJSON files, laid on the ground of either world.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/model/picture_state.h"
#include "app/render/ground_lines.h"
#include "core/base/background_task.h"
#include "core/terrain/overlays/overlay.h"

namespace orogen::app {

class Session;

struct NamedPoint
{
    glm::dvec3 place{0.0};
    std::string name;
};

class Overlays
{
public:
    // Adds the overlay of a file that was read.
    void add(const std::string& file, Overlay overlay);
    // Reads a file in the background; update() adds it and moves the camera there, or reports the error.
    void open(const std::string& file, Session& session);
    // Performs requests of the panel.  Opening, removing, hiding and colouring can be undone (Session::pictureSteps).
    // `gesture`: see PictureSteps::Step.
    void perform(const OverlayActions& asked, Session& session, std::uint64_t gesture = 0);

    // Moves vertices of the overlays to the height of the open terrain's ground, again whenever the terrain or its
    // tiles change.  In a window, one call moves about kPiece vertices (some 0.5 ms); headless, a call moves all of
    // them.
    void update(Session& session);
    bool pending() const;

    // Returns the lines and points of all visible overlays.
    std::vector<ShownLine> shown() const;
    std::uint64_t moved() const { return moved_; }  // changes whenever vertices have moved
    // Returns the named points of all visible overlays, at their places in the open terrain.  namesChanged() returns a
    // number that changes with these points.
    std::vector<NamedPoint> namedPoints() const;
    std::uint64_t namesChanged() const { return namesChanged_; }
    std::vector<OverlayState> state() const;
    std::vector<std::string> files() const;

private:
    static constexpr std::size_t kPiece = 512;  // vertices

    struct Laid  // lines or points of an overlay in the open terrain
    {
        std::shared_ptr<GroundLine> line;
        std::size_t next = 0;  // first chunk that is not laid on the present ground
    };
    struct Drawn  // overlay of one file, and its places in the open terrain
    {
        std::string file;
        Overlay overlay;
        Laid lines, points;
        std::vector<NamedPoint> named;
        std::uint64_t placedIn = 0;  // OpenTerrain::opened() of the terrain in which it lies; 0: none
    };
    struct Entry
    {
        std::shared_ptr<Drawn> drawn;  // shared with steps of the undo history
        glm::vec3 colour{1.0f};
        bool visible = true;
        bool operator==(const Entry&) const = default;
    };
    void place(Drawn& drawn, const Session& session);
    std::size_t lay(Laid& laid, const Session& session, std::size_t most);
    void change(std::vector<Entry> entries, Session& session, std::uint64_t gesture);
    void show(std::vector<Entry> entries);

    std::vector<Entry> entries_;
    std::vector<std::unique_ptr<BackgroundTask<Overlay>>> reading_;
    std::vector<std::string> readingFiles_;
    std::uint64_t loaded_ = 0, heights_ = 0;
    double heightScale_ = 1;
    std::uint64_t moved_ = 0, namesChanged_ = 0;
};

}  // namespace orogen::app

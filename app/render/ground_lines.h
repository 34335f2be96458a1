// Draws lines and points on the ground: overlays, and the graticule.
//
// Lines lie at heights that the CPU found (GroundLine) and are hidden by nearer ground through the depth of the drawn
// triangles.  Each frame uploads only the vertices that its view needs, so the cost follows the picture, not the data.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <glm/mat4x4.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/overlays/ground_line.h"
#include "core/view/camera.h"

namespace orogen::app {

struct ShownLine
{
    std::shared_ptr<const GroundLine> line;
    glm::vec4 colour{1.0f};  // sRGB, and opacity
    float width = 2;         // pixels; the diameter of points
    bool operator==(const ShownLine&) const = default;
};

class GroundLines
{
public:
    GroundLines(const std::filesystem::path& dataRoot, ShaderDialect dialect) : library_(dataRoot, dialect) {}

    // Sets the lines of the next frames; no-op if they are the same as before.  Compiles the program on first use.  On
    // error (ShaderLibrary::finish()) no line is shown.
    Status show(std::vector<ShownLine> lines);
    void moved() { ++changes_; }  // vertices of shown lines moved
    bool empty() const { return lines_.empty(); }
    std::uint64_t changes() const { return changes_; }  // number of changes so far

    // Selects and uploads the vertices of a view.  `axes`: of the camera (RenderWorld::axesAt()).
    void begin(const Camera& camera, const LocalAxes& axes, int width, int height, double nearPlane);
    // Draws the vertices of begin() into the bound target, whose depth is that of the ground.
    void draw() const;

    std::uint64_t bytes() const;
    ReloadReport reloadShaders() { return library_.reload(); }
    std::uint64_t sourceHash() const { return empty() ? 0 : library_.sourceHash(); }  // 0 if no line is shown

private:
    struct Range
    {
        int first = 0, count = 0;
        bool points = false;
        glm::vec4 colour{1.0f};
        float width = 2;
    };

    ShaderLibrary library_;
    std::optional<ProgramHandle> program_;
    std::vector<ShownLine> lines_;
    std::uint64_t changes_ = 0;
    std::vector<LineVertex> vertices_;
    std::vector<Range> ranges_;
    std::array<Buffer, 3> buffers_;  // used in rotation, because the GPU may still read the buffers of earlier frames
    std::size_t turn_ = 0;
    VertexArray array_;
    glm::mat4 clipFromRelative_{1.0f};
    LineVertex eye_;  // camera
    glm::vec2 size_{1.0f};
};

}  // namespace orogen::app

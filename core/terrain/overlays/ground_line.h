// Lines and points on the ground at world positions, thinned by how large their detail appears in a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace orogen {

// View for which a line is thinned.
struct LineView
{
    glm::dvec3 eye{0.0};
    glm::dvec3 forward{0, 1, 0};  // unit vector
    double coneAngle = 1;         // from `forward` to the picture's corners (radians)
    double pixelsPerRadian = 1;
};

// A vertex as shaders read it. The sum of both parts is the world position (metres); two floats resolve micrometres.
struct LineVertex
{
    glm::vec4 high{0.0f};  // w: 1 where another line begins
    glm::vec4 low{0.0f};
};

// Returns a world position in two parts that floats hold.
LineVertex inTwoParts(const glm::dvec3& place, bool begins);

// Lines, or points, on the ground, divided into chunks of vertices.
class GroundLine
{
public:
    static constexpr std::size_t kChunk = 256;  // vertices of a chunk; in lines one more, the next chunk's first

    GroundLine() = default;
    // `begins`: 1 where another line begins (the first vertex, too); ignored for points, which are sorted by place.
    GroundLine(std::vector<glm::dvec3> places, std::vector<std::uint8_t> begins, bool points);

    bool points() const { return points_; }
    std::size_t size() const { return places_.size(); }
    std::size_t chunks() const { return chunks_.size(); }
    std::size_t chunkFirst(std::size_t chunk) const { return chunks_[chunk].first; }
    std::size_t chunkEnd(std::size_t chunk) const { return chunks_[chunk].end; }
    const glm::dvec3& place(std::size_t vertex) const { return places_[vertex]; }
    const std::vector<std::uint8_t>& begins() const { return begins_; }

    // Moves a vertex; measure() of all chunks that contain it must follow.
    void move(std::size_t vertex, const glm::dvec3& place) { places_[vertex] = place; }
    // Finds the extent of a chunk, and for each of its vertices by how much the line changes without the vertex.
    void measure(std::size_t chunk);

    // Appends the vertices that a view needs so that no line is off by more than `pixels`. Thins points until they are
    // about 4 `pixels` apart. Cost: about 3 ns per vertex of the chunks in view.
    void thinned(const LineView& view, double pixels, std::vector<LineVertex>& to) const;

private:
    struct Chunk
    {
        std::size_t first = 0, end = 0;  // in lines, the vertex end - 1 is the next chunk's first
        glm::dvec3 centre{0.0};
        double radius = 0;
        float error = 0;  // largest error of the chunk's vertices
    };

    std::vector<glm::dvec3> places_;
    std::vector<std::uint8_t> begins_;
    std::vector<float> errors_;  // metres by which the line changes without the vertex; of points: pointDistances()
    std::vector<Chunk> chunks_;
    bool points_ = false;
};

}  // namespace orogen

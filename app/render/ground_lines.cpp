#include "app/render/ground_lines.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include <glm/geometric.hpp>

namespace orogen::app {
namespace {

constexpr double kDetailPixels = 0.7;            // largest deviation of a thinned line (pixels)
constexpr std::uint64_t kLeastBytes = 64 << 10;  // minimum size of a buffer
constexpr float kRim = 1.25f;                    // width of the dark border of a line (pixels), as in ground_line.frag

}  // namespace

Status GroundLines::show(std::vector<ShownLine> lines)
{
    if (lines_ == lines) return Status::ok();
    ++changes_;
    lines_ = std::move(lines);
    if (lines_.empty() || program_) return Status::ok();
    const ProgramHandle made =
        library_.add("lines on the ground", {"shaders/shading/ground_line.vert", "shaders/shading/ground_line.frag"});
    if (Status s = library_.finish(); !s)
    {
        lines_.clear();
        return s;
    }
    program_ = made;
    array_ = makeVertexArray("lines on the ground");
    for (const GLuint attribute : {0u, 1u, 2u, 3u})  // 0 and 1: a vertex, 2 and 3: the next one
    {
        glEnableVertexArrayAttrib(array_.id(), attribute);
        glVertexArrayAttribFormat(array_.id(), attribute, 4, GL_FLOAT, GL_FALSE, attribute % 2 * sizeof(glm::vec4));
        glVertexArrayAttribBinding(array_.id(), attribute, attribute / 2);
    }
    glVertexArrayBindingDivisor(array_.id(), 0, 1);
    glVertexArrayBindingDivisor(array_.id(), 1, 1);
    return Status::ok();
}

void GroundLines::begin(const Camera& camera, const LocalAxes& axes, int width, int height, double nearPlane)
{
    ranges_.clear();
    vertices_.clear();
    if (lines_.empty()) return;
    const Projection projection = project(camera, width, height, nearPlane);
    const glm::dmat4 localFromWorld(glm::dvec4(axes.toLocal({1, 0, 0}), 0), glm::dvec4(axes.toLocal({0, 1, 0}), 0),
                                    glm::dvec4(axes.toLocal({0, 0, 1}), 0), glm::dvec4(0, 0, 0, 1));
    clipFromRelative_ = glm::mat4(glm::dmat4(projection.clipFromRelative) * localFromWorld);
    eye_ = inTwoParts(camera.position, false);
    size_ = {float(width), float(height)};
    const double tangent = std::tan(0.5 * camera.fov * std::numbers::pi / 180);
    const glm::dvec2 corner(tangent * width / std::max(height, 1) * (1 + std::abs(camera.shift.x)),
                            tangent * (1 + std::abs(camera.shift.y)));
    const LineView view{camera.position, axes.toEarthFixed(forward(camera)), std::atan(glm::length(corner)),
                        double(projection.pixelsPerRadian)};
    for (const ShownLine& line : lines_)
    {
        const int first = int(vertices_.size());
        line.line->thinned(view, kDetailPixels, vertices_);
        const int count = int(vertices_.size()) - first;
        if (count == 0) continue;
        ranges_.push_back({first, count, line.line->points(), line.colour, line.width});
        vertices_.push_back({{0, 0, 0, 1}, {}});  // ends the line: the shader reads it after the last vertex
    }
    const std::uint64_t bytes = vertices_.size() * sizeof(LineVertex);
    if (bytes == 0) return;
    turn_ = (turn_ + 1) % buffers_.size();
    Buffer& buffer = buffers_[turn_];
    if (buffer.bytes() < bytes)
    {
        Result<Buffer> made =
            makeBuffer("lines on the ground", std::bit_ceil(std::max(bytes, kLeastBytes)), GL_DYNAMIC_STORAGE_BIT);
        if (!made) return ranges_.clear();  // out of memory: the picture comes without lines
        buffer = std::move(*made);
    }
    glNamedBufferSubData(buffer.id(), 0, GLsizeiptr(bytes), vertices_.data());
}

void GroundLines::draw() const
{
    if (ranges_.empty()) return;
    const GLuint program = library_.program(*program_), buffer = buffers_[turn_].id();
    glUseProgram(program);
    glUniformMatrix4fv(0, 1, GL_FALSE, &clipFromRelative_[0].x);
    glUniform3fv(4, 1, &eye_.high.x);
    glUniform3fv(5, 1, &eye_.low.x);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GEQUAL);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(array_.id());
    for (const Range& range : ranges_)
    {
        const GLintptr offset = GLintptr(range.first) * GLintptr(sizeof(LineVertex));
        glVertexArrayVertexBuffer(array_.id(), 0, buffer, offset, sizeof(LineVertex));
        glVertexArrayVertexBuffer(array_.id(), 1, buffer, offset + GLintptr(sizeof(LineVertex)), sizeof(LineVertex));
        glUniform4f(6, 0.5f * range.width + kRim, size_.x, size_.y, range.points ? 1.0f : 0.0f);
        glUniform4fv(7, 1, &range.colour.x);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, range.count);
    }
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

std::uint64_t GroundLines::bytes() const
{
    std::uint64_t bytes = 0;
    for (const Buffer& buffer : buffers_)
        bytes += buffer.bytes();
    return bytes;
}

}  // namespace orogen::app

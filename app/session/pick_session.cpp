#include "app/session/pick_session.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/render/renderer.h"
#include "app/ui/format.h"
#include "core/leb/leb.h"

namespace orogen::app {
namespace {

constexpr std::uint64_t kLeafPatience = 2'000'000'000;  // nanoseconds; scripts wait for answers

glm::dvec2 cornerPlace(const leb::Point& corner, double squareSide)
{
    return (glm::dvec2(corner.x, corner.y) / double(leb::kSide) - 0.5) * squareSide;
}

double cross(glm::dvec2 a, glm::dvec2 b) { return a.x * b.y - a.y * b.x; }

}  // namespace

void PickSession::toggle()
{
    on_ = !on_;
    forget();
}

void PickSession::pointAt(const std::optional<glm::dvec2>& cursor)
{
    changes_ += cursor_.has_value() != cursor.has_value();
    cursor_ = cursor;
}

void PickSession::forget()
{
    ++changes_;
    found_ = {};
    lookedAt_.reset();
    stale_ = false;
}

Status PickSession::update(const PictureScene& scene, Renderer& renderer, double squareSide, bool ask, bool wait)
{
    if (!on_) return Status::ok();
    const bool rests = camera_ == scene.camera;
    treeMoved_ |= !renderer.settled();
    if (cursor_ &&
        (!lookedAt_ || *lookedAt_ != *cursor_ || !rests || heights_ != scene.heights || loaded_ != scene.loaded))
    {
        camera_ = scene.camera;
        heights_ = scene.heights;
        loaded_ = scene.loaded;
        lookedAt_ = cursor_;
        findPoint(scene);
        ++changes_;
        if (found_.leaf && !(found_.place && rests && holds(found_.leaf->node, squareSide)))
        {
            found_.leaf.reset();
            found_.outline.clear();
        }
        stale_ = found_.place.has_value();
    }
    if (found_.place && treeMoved_) stale_ = true;
    if (cursor_ && rests && stale_ && ask)
        if (Status s = askLeaf(renderer); !s)
        {
            on_ = false;
            return s;
        }
    while (const std::optional<LeafAnswer> answer = renderer.takeLeaf(wait ? kLeafPatience : 0))
    {
        if (!found_.place || !holds(answer->node, squareSide)) continue;  // answer for an earlier point
        ++changes_;
        found_.leaf = PickedLeaf{answer->node, answer->depth, answer->errorPixels, answer->edgePixels};
        outline(scene, squareSide, renderer.settings().patch.level);
        if (answer->question == question_) stale_ = false;
        if (wait && !renderer.leafAsked()) break;
    }
    return Status::ok();
}

void PickSession::findPoint(const PictureScene& scene)
{
    found_.place = groundUnder(scene.camera, *cursor_, scene.around);
    if (!found_.place) return;
    const SceneGround ground = sceneGround(scene, found_.place->x, found_.place->y);
    found_.ground = ground.point;
    const double apart = scene.tiles ? std::ldexp(scene.raster->pixelWidth, ground.level)
                                     : std::max(scene.field.pixelWidth, scene.field.pixelHeight);
    found_.samplesApart = scene.tiles || coarseSamples(apart) ? std::optional(apart) : std::nullopt;
    found_.syntheticBelow = scene.syntheticBelow;
    found_.distance = glm::distance(*found_.place, scene.camera.position);
    if (!found_.ground.inside) found_.place.reset();
}

// Sends one query at a time: a new one waits for the previous answer.
Status PickSession::askLeaf(Renderer& renderer)
{
    if (renderer.leafAsked()) return Status::ok();
    treeMoved_ = !renderer.settled();
    return renderer.askLeaf(glm::dvec2(*found_.place), ++question_);
}

// Returns whether the leaf contains the point, with a tolerance for rounding at its border.
bool PickSession::holds(NodeId node, double squareSide) const
{
    if (node < 2) return true;
    const leb::Triangle t = leb::vertices(node);
    const std::array<glm::dvec2, 3> corners = {cornerPlace(t.apex, squareSide), cornerPlace(t.base0, squareSide),
                                               cornerPlace(t.base1, squareSide)};
    const double turn = cross(corners[1] - corners[0], corners[2] - corners[0]) < 0 ? -1 : 1;
    const double slack = 1e-6 * squareSide;
    for (std::size_t i = 0; i < 3; ++i)
    {
        const glm::dvec2 edge = corners[(i + 1) % 3] - corners[i];
        if (turn * cross(edge, glm::dvec2(*found_.place) - corners[i]) < -slack * glm::length(edge)) return false;
    }
    return true;
}

// Traces the leaf's outline through its drawn vertices.
void PickSession::outline(const PictureScene& scene, double squareSide, int patchLevel)
{
    found_.outline.clear();
    if (found_.leaf->node < 2) return;
    const leb::Triangle t = leb::vertices(found_.leaf->node);
    const std::array<leb::Point, 4> corners = {t.apex, t.base0, t.base1, t.apex};
    const int parts = 1 << std::min(patchLevel, 5);
    for (std::size_t i = 0; i < 3; ++i)
        for (int j = 0; j < parts; ++j)
            found_.outline.push_back(
                seenPoint(scene, glm::mix(cornerPlace(corners[i], squareSide), cornerPlace(corners[i + 1], squareSide),
                                          double(j) / parts)));
    found_.outline.push_back(found_.outline.front());
}

PickState PickSession::state() const
{
    PickState state = found_;
    state.on = on_;
    if (!cursor_) state.place.reset();
    return state;
}

std::optional<std::string> PickSession::value(std::string_view key) const
{
    const auto number = [](bool known, double value) {
        return known ? fmt::format("{:.6f}", value) : std::string("null");
    };
    const bool place = found_.place.has_value(), leaf = found_.leaf.has_value();
    if (key == "pick_height") return number(place && !found_.ground.isVoid, found_.ground.height);
    if (key == "pick_slope") return number(place && !found_.ground.isVoid, found_.ground.slope);
    if (key == "pick_distance") return number(place, found_.distance);
    if (key == "pick_leaf") return leaf ? std::to_string(found_.leaf->node) : "null";
    if (key == "pick_depth") return leaf ? std::to_string(found_.leaf->depth) : "null";
    if (key == "pick_error_px") return number(leaf, leaf ? found_.leaf->errorPixels : 0);
    if (key == "pick_edge_px") return number(leaf, leaf ? found_.leaf->edgePixels : 0);
    return std::nullopt;
}

}  // namespace orogen::app

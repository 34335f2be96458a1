#include "app/session/terrain_model/brush_tool.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

#include "app/session/session.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

constexpr double kDabsASecond = 60, kMostDabs = 24;  // dabs (applications of the brush) per second; most per BrushMove
constexpr double kUsualRadius = 32;                  // sample spacings
constexpr double kLeastRadius = 2;                   // sample spacings
constexpr double kMostRadius = 0.25;                 // share of the terrain's longer side
constexpr double kUsualStrength = 0.05;              // share of the relief (highest minus lowest height), per second
constexpr double kLeastStrength = 1;                 // metres per second
constexpr double kSharesASecond = 4;                 // rate (1/s) of the exponential approach of smooth and flatten
constexpr double kWheelStep = 1.15;                  // factor by which a wheel step changes the radius
constexpr int kRingPoints = 72;

double side(const OpenTerrain& terrain) { return std::max(terrain.raster().east(), terrain.raster().north()); }

double mostRadius(const OpenTerrain& terrain) { return kMostRadius * side(terrain); }

double leastRadius(const OpenTerrain& terrain)
{
    return std::min(kLeastRadius * terrain.spacing(), mostRadius(terrain));
}

// Returns whether the amount of a dab is a share of the way to the brush's result, not a height in metres.
bool isShare(compute::BrushKind kind)
{
    return kind == compute::BrushKind::kSmooth || kind == compute::BrushKind::kFlatten;
}

}  // namespace

BrushChoice BrushTool::inEffect(const Session& session) const
{
    const OpenTerrain& terrain = session.terrain;
    BrushChoice brush = choice_;
    if (brush.radius <= 0) brush.radius = kUsualRadius * terrain.spacing();
    brush.radius = std::clamp(brush.radius, leastRadius(terrain), std::max(leastRadius(terrain), mostRadius(terrain)));
    if (brush.strength <= 0) brush.strength = std::max(std::round(kUsualStrength * terrain.relief()), kLeastStrength);
    return brush;
}

void BrushTool::forget()
{
    choice_.radius = choice_.strength = 0;
    last_.reset();
}

void BrushTool::perform(const TerrainModelActions& asked, Session& session)
{
    if (asked.toggleBrush)
    {
        on_ = !on_ && session.terrain.info();
        if (const std::string why = whyNoModel(session.terrain); on_ && !why.empty())
        {
            on_ = false;
            session.messages.report(MessageKind::kWarning, why);
        }
    }
    if (!session.terrain.info()) return;
    if (asked.brush) choice_ = *asked.brush;
    if (asked.resizeBrush != 0)
        choice_.radius = inEffect(session).radius * std::pow(kWheelStep, double(asked.resizeBrush));
    if (asked.paint && on_) paint(*asked.paint, session);
}

std::optional<glm::dvec3> BrushTool::groundAt(glm::dvec2 cursor, const Session& session) const
{
    return groundMet(cameraOf(session.settings.wanted().view), cursor, session.surroundings());
}

// Paints along the path of the cursor, in dabs at equal intervals of time.  A slow stroke therefore changes the ground
// more than a fast stroke.
void BrushTool::paint(const BrushMove& move, Session& session)
{
    if (move.begins)
    {
        last_.reset();
        begins_ = true;
    }
    const std::optional<glm::dvec3> met = groundAt(move.cursor, session);
    if (!met) return;
    const glm::dvec2 to(*met), from = last_.value_or(to);
    const glm::dvec2 half = 0.5 * glm::dvec2(session.terrain.raster().east(), session.terrain.raster().north());
    const BrushChoice brush = inEffect(session);
    if (std::abs(to.x) > half.x + brush.radius || std::abs(to.y) > half.y + brush.radius) return;
    if (glm::length(to - from) > 0.1 * brush.radius) direction_ = glm::normalize(to - from);
    const double dabs = std::clamp(std::round(move.seconds * kDabsASecond), 1.0, kMostDabs);
    const double seconds = std::max(move.seconds, 1 / kDabsASecond) / dabs;
    const double amount = isShare(brush.kind) ? 1 - std::exp(-kSharesASecond * seconds) : brush.strength * seconds;
    for (double dab = 1; dab <= dabs; ++dab)
    {
        const Status painted = session.model.paint({.kind = brush.kind,
                                                    .middle = from + (to - from) * (dab / dabs),
                                                    .radius = brush.radius,
                                                    .amount = amount,
                                                    .direction = direction_},
                                                   begins_, session);
        begins_ = false;
        if (!painted) return session.messages.reportError(painted);
    }
    last_ = to;
}

void BrushTool::describe(TerrainModelState& state, const Session& session) const
{
    if (!session.terrain.changeable()) return;
    state.brushing = on_;
    state.brush = inEffect(session);
    state.leastRadius = leastRadius(session.terrain);
    state.mostRadius = mostRadius(session.terrain);
    const std::optional<glm::dvec3> met = on_ && cursor_ ? groundAt(*cursor_, session) : std::nullopt;
    if (!met) return;
    const ViewSurroundings around = session.surroundings();
    const glm::dvec2 half = 0.5 * glm::dvec2(session.terrain.raster().east(), session.terrain.raster().north());
    for (int i = 0; i <= kRingPoints; ++i)
    {
        const double angle = 2 * std::numbers::pi * i / kRingPoints;
        const glm::dvec2 at = glm::clamp(
            glm::dvec2(*met) + state.brush.radius * glm::dvec2(std::cos(angle), std::sin(angle)), -half, half);
        state.ring.push_back({{at, around.ground(at.x, at.y)}, false});
    }
}

}  // namespace orogen::app

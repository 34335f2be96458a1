// Brushes that change a terrain model by hand, and the history of their strokes.
//
//   raise, lower   by up to `amount` metres
//   smooth         towards the mean of up to eight neighbours, by the part `amount` (0 ... 1) of the difference
//   flatten        towards the height where the stroke began, by the part `amount` (0 ... 1) of the difference
//   noise          by about +- `amount` metres; a fixed function of the place, in bumps of a quarter of the radius
//   fault          raises the ground to the left of a line through the middle by `amount` metres; the line runs along
//                  `direction`
//
// A dab is one application of a brush.  Its effect falls off as (1 - d^2 / r^2)^2 with the distance d from its middle;
// r is its radius.  A stroke is a sequence of dabs.  Strokes can be undone and done again, exactly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <glm/vec2.hpp>

#include "compute/terrain_model/terrain_model.h"
#include "core/terrain/raster/raster.h"

namespace orogen::compute {

enum class BrushKind
{
    kRaise,
    kLower,
    kSmooth,
    kFlatten,
    kNoise,
    kFault,
};
inline constexpr std::array<std::string_view, 6> kBrushNames = {"raise",   "lower", "smooth",
                                                                "flatten", "noise", "fault"};
std::optional<BrushKind> brushNamed(std::string_view name);

struct Dab
{
    BrushKind kind = BrushKind::kRaise;
    glm::dvec2 middle{0};        // metres east and north of the terrain's centre
    double radius = 100;         // metres (> 0)
    double amount = 1;           // metres; kSmooth and kFlatten: part of the difference, 0 ... 1
    glm::dvec2 direction{1, 0};  // kFault: direction of the line, east and north, of any length
};

using CellBox = IndexBox;

class Brushes
{
public:
    static constexpr std::size_t kMostBytes = std::size_t(256) << 20;  // limit on the memory for heights of strokes

    // `model` must outlive this.
    explicit Brushes(TerrainModel& model) : model_(model) {}

    // Begins a stroke; dabs belong to it until the next one begins.  Forgets strokes that were undone.
    void begin();
    // Applies a dab, and returns the cells that it may have changed.  Voids stay voids.
    CellBox apply(const Dab& dab);

    // Return the cells of the stroke that was undone or done again; nullopt if there was none.  A stroke that touched
    // no cell is not kept, and begin() forgets the oldest strokes beyond kMostBytes.
    std::optional<CellBox> undo();
    std::optional<CellBox> redo();
    std::size_t undoable() const { return done_.size() - std::size_t(newestIsEmpty()); }
    std::size_t redoable() const { return undone_.size(); }
    std::size_t bytes() const { return bytes_; }
    void forget();  // drops all strokes; to be called after heights changed by other means

private:
    static constexpr int kBlock = 16;  // cells per side; a stroke remembers the blocks that it touched

    struct Stroke
    {
        // Heights and remainders (terrain_model.h) of each block's cells, by the block's number: before the stroke or,
        // once it is undone, after it.
        std::map<std::uint32_t, std::vector<std::array<float, 2>>> blocks;
        std::optional<double> level;  // height where the stroke began, for kFlatten
        CellBox box;
        std::size_t bytes() const;
    };

    CellBox boxOf(std::uint32_t block) const;
    bool newestIsEmpty() const { return !done_.empty() && done_.back().blocks.empty(); }
    void dropEmpty();
    void remember(const CellBox& box);
    void exchange(Stroke& stroke);

    TerrainModel& model_;
    std::deque<Stroke> done_, undone_;
    std::size_t bytes_ = 0;
};

}  // namespace orogen::compute

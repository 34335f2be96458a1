// An elevation model that lies in the Earth, over coarser data.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/planet/cube_lattice.h"
#include "core/terrain/earth/inset_map.h"
#include "core/terrain/sources/open_source.h"

namespace orogen {

struct InsetRequest
{
    std::string name;  // what openTerrain() opens
    SourceOverrides overrides;
};

// What is said of an inset.
struct Inset
{
    std::string name;
    EarthExtent extent;
    double spacing = 0;  // metres between samples: the square root of what one covers
    std::string note;    // how it is placed: "EPSG:32611", "EPSG:3034 by GDAL"
    std::vector<std::string> warnings;
};

// Whether a warning of a raster is about its being drawn as a plane: on the Earth each sample lies where it belongs.
bool isAboutPlanes(const std::string& warning);

// A rectangle of a face, in lattice units; it may go on beyond the face's edges.
struct FaceBox
{
    int face = 0;
    glm::dvec2 low{0.0}, high{0.0};

    bool meets(const FaceBox& other) const
    {
        return face == other.face && low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y &&
               other.low.y <= high.y;
    }
    FaceBox widened(double units) const { return {face, low - units, high + units}; }
};

// Immutable; shared by threads.
class EarthInset
{
public:
    // As an image where it fits into memory and in tiles where not, as openTerrain() has it.  Errors: of openTerrain()
    // and of InsetMap::of(); kInput for a terrain that is made (synthetic:SIZE), which has no place.
    static Result<std::shared_ptr<const EarthInset>> open(const InsetRequest& request,
                                                          const LoadProgress& progress = {});

    const Inset& about() const { return about_; }
    double spacing() const { return about_.spacing; }
    // Description; with heights where the inset is an image.
    const Raster& raster() const { return terrain_.raster; }
    const TileSource* tiles() const { return terrain_.tiles.get(); }  // null: an image
    const InsetMap& map() const { return map_; }                      // of the caller's thread only after another()

    // Lattice units between samples of the cube that are as dense as the inset's, at its middle.
    double latticeSpacing() const { return latticeSpacing_; }

    // Whether a box of a face lies within `metres` of the inset, or may.
    bool meets(const FaceBox& box, double metres) const;

private:
    EarthInset(OpenedTerrain terrain, InsetMap map) : terrain_(std::move(terrain)), map_(std::move(map)) {}
    void describe(const SourceOverrides& overrides);
    void findSpacing();
    void findBoxes();
    void extend(int face, const glm::dvec3& direction, double units);

    OpenedTerrain terrain_;
    InsetMap map_;
    Inset about_;
    double latticeSpacing_ = 1;
    std::vector<FaceBox> boxes_;  // one a face that the inset meets
};

// One thread's access to an inset's samples: a part of them in memory.
class InsetReader
{
public:
    static Result<std::unique_ptr<InsetReader>> open(std::shared_ptr<const EarthInset> inset);

    const EarthInset& inset() const { return *inset_; }
    const InsetMap& map() const { return map_; }

    // Makes the samples around a rectangle (of samples of level 0, cut off at the raster's border) ready for what
    // follows, with kMargin more: of the coarsest level whose samples lie at most `metres` apart; of an image always of
    // level 0.  Errors: of reading.
    static constexpr int kMargin = 12;  // samples of that level
    Status load(glm::dvec2 low, glm::dvec2 high, double metres);

    bool covers(glm::dvec2 sample) const;
    glm::dvec2 nearest(glm::dvec2 sample) const;  // of the raster's rectangle

    // Bilinear; NaN where a sample that counts is a void.  Beyond what is loaded, its border.
    float heightAt(glm::dvec2 sample) const;

    // The known place that is nearest to one where nothing is known; empty: there is none within kSearch samples.
    static constexpr int kSearch = 8;
    std::optional<glm::dvec2> nearestKnown(glm::dvec2 sample) const;
    double searchMetres() const { return (kSearch - 1) * step_ * inset_->spacing(); }

    double metresBetween(glm::dvec2 a, glm::dvec2 b) const;
    std::uint64_t bytesRead() const { return tiles_ ? tiles_->bytesRead() : 0; }

private:
    InsetReader(std::shared_ptr<const EarthInset> inset, InsetMap map) : inset_(std::move(inset)), map_(std::move(map))
    {
    }
    int levelFor(double metres) const;
    float at(int column, int row) const;

    std::shared_ptr<const EarthInset> inset_;
    InsetMap map_;
    std::unique_ptr<TileReader> tiles_;  // opened at the first load
    // What is loaded: samples of a level, `step_` of level 0 apart, and where they begin among the level's.
    double step_ = 1;
    int column_ = 0, row_ = 0, width_ = 0, height_ = 0;
    const float* heights_ = nullptr;
    std::vector<float> buffer_;
};

}  // namespace orogen

#include "core/terrain/earth/earth_reader.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <glm/common.hpp>

#include "core/planet/ellipsoid.h"

namespace orogen {
namespace {

constexpr double kPlaceTolerance = 0.01;  // in samples of the level that is read

// Returns the weight of a rim: 1 at the inset's rim, 0 at the end of its halo, with zero slope at both.
double haloAt(double metres, double reach)
{
    const double t = std::clamp(metres / reach, 0.0, 1.0);
    return 1.0 - t * t * (3.0 - 2.0 * t);
}

}  // namespace

EarthReader::EarthReader(const EarthSource& source) : source_(source), readers_(source.insets_.size()) {}
EarthReader::~EarthReader() = default;

std::uint64_t EarthReader::bytesRead() const
{
    std::uint64_t bytes = 0;
    for (const std::unique_ptr<InsetReader>& reader : readers_)
        if (reader) bytes += reader->bytesRead();
    return bytes;
}

Result<InsetReader*> EarthReader::readerOf(std::size_t inset)
{
    std::unique_ptr<InsetReader>& reader = readers_[inset];
    if (!reader)
    {
        Result<std::unique_ptr<InsetReader>> opened = InsetReader::open(source_.insets_[inset]);
        if (!opened) return opened.error();
        reader = std::move(*opened);
    }
    return reader.get();
}

Status EarthReader::read(const TileWindow& window, std::span<float> out)
{
    assert(out.size() == std::size_t(window.width) * std::size_t(window.height));
    placesOf(source_.grid_, window, grid_);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = source_.relief_->heightAt(grid_.places[i].latitude, grid_.places[i].longitude);
    if (Status status = findLayers(window); !status) return status;
    if (used_ == 0) return Status::ok();
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = composed(i, out[i]);
    return Status::ok();
}

Status EarthReader::findLayers(const TileWindow& window)
{
    used_ = 0;
    const FaceBox box = boxOf(source_.grid_, window);
    const double metres = spacingAt(source_.grid_, window);
    for (const std::size_t inset : source_.order_)
    {
        if (!source_.insets_[inset]->meets(box, source_.reach_)) continue;
        const Result<InsetReader*> reader = readerOf(inset);
        if (!reader) return reader.error();
        if (layers_.size() == used_) layers_.emplace_back();
        Layer& layer = layers_[used_];
        layer.reader = *reader;
        const Result<bool> counts = prepare(layer, metres);
        if (!counts) return counts.error();
        used_ += *counts ? 1 : 0;
    }
    return Status::ok();
}

// Loads a layer. Returns false if none of the window's places lies in the inset or near it.
Result<bool> EarthReader::prepare(Layer& layer, double metres) const
{
    InsetReader& reader = *layer.reader;
    const double tolerance = kPlaceTolerance * std::max(metres / reader.inset().spacing(), 1.0);
    samplesOf(reader, grid_, source_.reach_, tolerance, layer.at);
    glm::dvec2 low(std::numeric_limits<double>::infinity()), high(-low);
    for (const glm::dvec2 at : layer.at)
    {
        const glm::dvec2 within = reader.nearest(at);
        if (!(reader.metresBetween(at, within) <= source_.reach_)) continue;
        low = glm::min(low, within), high = glm::max(high, within);
    }
    if (!(low.x <= high.x)) return false;
    if (Status status = reader.load(low, high, metres); !status) return status.error();
    return true;
}

EarthReader::Base EarthReader::baseAt(std::size_t place, float relief) const
{
    for (std::size_t k = used_; k-- > 0;)
    {
        const InsetReader& reader = *layers_[k].reader;
        const glm::dvec2 at = layers_[k].at[place];
        if (!reader.covers(at)) continue;
        if (const float height = reader.heightAt(at); !std::isnan(height)) return {int(k), height};
    }
    return {-1, relief};
}

std::optional<EarthReader::Rim> EarthReader::rimAt(const Layer& layer, std::size_t place, double reach) const
{
    const InsetReader& reader = *layer.reader;
    const glm::dvec2 at = layer.at[place];
    Rim rim{reader.nearest(at), 0, reach, 0};
    const double metres = reader.metresBetween(at, rim.at);
    if (!(metres < reach)) return std::nullopt;
    rim.height = reader.heightAt(rim.at);
    if (std::isnan(rim.height))
    {
        rim.reach = std::min(reach, reader.searchMetres());
        const auto known = metres < rim.reach ? reader.nearestKnown(rim.at) : std::nullopt;
        if (!known) return std::nullopt;
        rim.at = *known;
        rim.height = reader.heightAt(rim.at);
    }
    rim.metres = reader.metresBetween(at, rim.at);
    return rim.metres < rim.reach ? std::optional(rim) : std::nullopt;
}

// Returns the base's height at a place that is not one of the window's.
float EarthReader::baseBeside(const Base& base, LatLong place) const
{
    if (base.layer < 0) return source_.relief_->heightAt(place.latitude, place.longitude);
    const InsetReader& reader = *layers_[std::size_t(base.layer)].reader;
    return reader.heightAt(reader.nearest(reader.map().sampleOf(place)));
}

// Returns the base, blended with the rims of all finer insets near by. Each rim shifts the base by their difference at
// the rim, with a weight that dominates there.
float EarthReader::composed(std::size_t place, float relief) const
{
    const Base base = baseAt(place, relief);
    const double reach =
        base.layer < 0 ? kReliefHalo : kHaloSamples * layers_[std::size_t(base.layer)].reader->inset().spacing();
    double weights = 1.0, heights = base.height;
    for (std::size_t k = std::size_t(base.layer + 1); k < used_; ++k)
    {
        const std::optional<Rim> rim = rimAt(layers_[k], place, reach);
        if (!rim) continue;
        const double halo = haloAt(rim->metres, rim->reach);
        const float beside = baseBeside(base, layers_[k].reader->map().placeOf(rim->at));
        const double height = std::isnan(beside) ? rim->height : base.height + (rim->height - beside);
        const double weight = halo / std::max(1.0 - halo, 1e-9);
        weights += weight, heights += weight * height;
    }
    return float(heights / weights);
}

Result<double> EarthReader::heightAt(LatLong place)
{
    const FacePlace on = facePlaceOf(scaledDirectionOf(place.latitude, place.longitude));
    for (auto inset = source_.order_.rbegin(); inset != source_.order_.rend(); ++inset)
    {
        if (!source_.insets_[*inset]->meets({on.face, on.at, on.at}, 0.0)) continue;
        const Result<InsetReader*> reader = readerOf(*inset);
        if (!reader) return reader.error();
        const glm::dvec2 at = (*reader)->map().sampleOf(place);
        if (!(*reader)->covers(at)) continue;
        if (Status status = (*reader)->load(at, at, 0.0); !status) return status.error();
        if (const float height = (*reader)->heightAt(at); !std::isnan(height)) return double(height);
    }
    return double(source_.relief_->heightAt(place.latitude, place.longitude));
}

}  // namespace orogen

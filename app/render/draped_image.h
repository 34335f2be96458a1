// GPU texture of the image that is draped over a terrain.
#pragma once

#include <cstdint>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "core/terrain/raster/drape.h"

namespace orogen::app {

class DrapedImage
{
public:
    // Uploads the image and generates all its mipmaps.  Error kLimit: larger than the driver's largest texture (the
    // message has both sizes), or out of memory.
    static Result<DrapedImage> create(const Context& context, const DrapedPicture& draped);

    void bind() const;
    const glm::dmat2& turn() const { return turn_; }      // linear part of the map from sample to image coordinates
    const glm::dvec2& offset() const { return offset_; }  // translation of that map
    std::uint64_t bytes() const;

private:
    DrapedImage() = default;

    Texture texture_;
    Sampler sampler_;
    glm::dmat2 turn_{1.0};
    glm::dvec2 offset_{0.0};
};

}  // namespace orogen::app

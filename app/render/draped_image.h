// The image that is draped over a terrain, on the GPU.
#pragma once

#include <cstdint>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "core/terrain/raster/drape.h"

namespace orogen::app {

class DrapedImage
{
public:
    // Uploads it with all its mipmaps.  Errors: kLimit (the driver's largest texture, or out of memory), with the
    // numbers.
    static Result<DrapedImage> create(const Context& context, const DrapedPicture& draped);

    void bind() const;
    const glm::dmat2& turn() const { return turn_; }      // as DrapedPicture
    const glm::dvec2& offset() const { return offset_; }  // likewise
    std::uint64_t bytes() const;

private:
    DrapedImage() = default;

    Texture texture_;
    Sampler sampler_;
    glm::dmat2 turn_{1.0};
    glm::dvec2 offset_{0.0};
};

}  // namespace orogen::app

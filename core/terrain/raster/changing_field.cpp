#include "core/terrain/raster/changing_field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/thread_pool.h"

namespace orogen {
namespace {

constexpr float kMostCode = 65535.0f;
constexpr float kRoomShare = 0.5f, kLeastRoom = 100.0f;  // share of the range; metres

struct Coded
{
    std::uint16_t code;
    bool fits;
};

Coded codeOf(float height, const HeightField& field)
{
    const float code = std::round((height - field.offset) / field.scale);
    return {std::uint16_t(std::clamp(code, 0.0f, kMostCode)), code >= 0 && code <= kMostCode};
}

}  // namespace

HeightField encodedField(std::span<const float> heights, const HeightField& like, const HeightField* shown)
{
    HeightField field;
    field.width = like.width;
    field.height = like.height;
    field.pixelWidth = like.pixelWidth;
    field.pixelHeight = like.pixelHeight;
    field.exact = false;
    field.voidMask = like.voidMask;
    std::vector<float> filled;
    if (!like.voidMask.empty())
    {
        filled.assign(heights.begin(), heights.end());
        fillVoids(filled, like.width, like.height);
        heights = filled;
    }
    const auto [least, most] = std::ranges::minmax_element(heights);
    const float low = *least, high = *most;
    field.offset = shown ? shown->offset : 0;
    field.scale = shown ? shown->scale : 0;
    if (!(low >= field.offset && high <= field.offset + kMostCode * field.scale))
    {
        const float room = std::max(kRoomShare * (high - low), kLeastRoom);
        field.offset = low - room;
        field.scale = (high - low + 2 * room) / kMostCode;
    }
    field.codes.resize(heights.size());
    ThreadPool pool(threadsForRows(field.height));
    forRows(pool, field.height, [&](int begin, int end) {
        for (std::size_t i = std::size_t(begin) * std::size_t(field.width);
             i < std::size_t(end) * std::size_t(field.width); ++i)
            field.codes[i] = codeOf(heights[i], field).code;
    });
    return field;
}

bool encodeBox(HeightField& field, std::span<const float> heights, const IndexBox& box)
{
    bool fits = true;
    for (int y = box.y0; y < box.y1; ++y)
        for (int x = box.x0; x < box.x1; ++x)
        {
            const std::size_t i = std::size_t(y) * std::size_t(field.width) + std::size_t(x);
            if (std::isnan(heights[i])) continue;
            const Coded coded = codeOf(heights[i], field);
            field.codes[i] = coded.code;
            fits = fits && coded.fits;
        }
    return fits;
}

LowHigh rangeOf(const HeightField& field)
{
    std::uint16_t low = std::numeric_limits<std::uint16_t>::max(), high = 0;
    bool any = false;
    for (std::size_t i = 0; i < field.codes.size(); ++i)
    {
        if (!field.voidMask.empty() && field.voidMask[i] != 0) continue;
        low = std::min(low, field.codes[i]);
        high = std::max(high, field.codes[i]);
        any = true;
    }
    return any ? LowHigh{field.offset + field.scale * float(low), field.offset + field.scale * float(high)} : LowHigh{};
}

}  // namespace orogen

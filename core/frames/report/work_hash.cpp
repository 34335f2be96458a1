#include "core/frames/report/work_hash.h"

#include <array>

#include "core/base/sha256.h"

namespace orogen {

std::optional<std::string> workHash(std::span<const FrameSample> run)
{
    Sha256 hash;
    bool any = false;
    for (const FrameSample& sample : run)
    {
        if (!sample.measured()) continue;
        any = true;
        for (const std::optional<std::uint64_t>& counter : {sample.leaves, sample.triangles, sample.splits})
        {
            if (!counter) return std::nullopt;
            std::array<std::uint8_t, 8> bytes;
            for (std::size_t i = 0; i < bytes.size(); ++i)
                bytes[i] = std::uint8_t(*counter >> (8 * i));
            hash.add(std::as_bytes(std::span(bytes)));
        }
    }
    if (!any) return std::nullopt;
    return hex(hash.finish()).substr(0, 16);
}

}  // namespace orogen

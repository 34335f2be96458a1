#include "compute/signed_digit/kernels/target_work.h"

#include <algorithm>
#include <limits>

#include "compute/signed_digit/kernels/products.h"

namespace orogen::compute {

std::uint64_t groupsOfRows(std::uint64_t rows)
{
    return dividedUp(rows, kRowsInVector * kVectorsOfStep) * kVectorsOfStep;
}

unsigned productThreads(std::uint64_t groups)
{
    const std::uint64_t warps = dividedUp(groups, kVectorsOfStep);
    return unsigned(std::clamp<std::uint64_t>(warps * kWarpLanes, kWarpLanes, kProductThreads));
}

ProductsShape shapeOfProducts(std::uint64_t groups, std::uint64_t xWidth, std::uint64_t yWidth, std::uint64_t items,
                              unsigned residentBlocks)
{
    constexpr std::uint64_t kFirstUnits = 1 << 14;
    const unsigned threads = productThreads(groups);
    ProductsShape products;
    products.xTiles = dividedUp(xWidth, kTileSide);
    products.yTiles = dividedUp(yWidth, kTileSide);
    products.stretches = dividedUp(groups, kVectorsOfStep * (threads / kWarpLanes));
    products.steps = products.xTiles * products.yTiles * products.stretches * items;
    products.shape = {{unsigned(std::clamp<std::uint64_t>(products.steps, 1, residentBlocks))}, {threads}};
    products.first = kFirstUnits;
    products.most = std::numeric_limits<std::uint64_t>::max();
    return products;
}

Status TargetWork::allocate(TargetMemory& memory, std::size_t bytes)
{
    const Clock::time_point start = Clock::now();
    Result<TargetMemory> made = target_.allocate(bytes);
    if (!made) return made.error();
    memory = std::move(*made);
    times_.allocateMs += millisecondsSince(start);
    return Status::ok();
}

Status TargetWork::zeros(TargetMemory& memory, std::size_t bytes)
{
    if (Status status = allocate(memory, bytes); !status) return status;
    return timed(times_.allocateMs, [&] { return target_.fill(memory, 0); });
}

Status TargetWork::upload(TargetMemory& memory, const void* from, std::size_t bytes)
{
    constexpr std::size_t kPiece = std::size_t(64) << 20;
    if (Status status = allocate(memory, bytes); !status) return status;
    return timed(times_.uploadMs, [&]() -> Status {
        for (std::size_t done = 0; done < bytes; done += kPiece)
        {
            if (stopped()) return cancelled();
            const std::size_t piece = std::min(kPiece, bytes - done);
            if (Status status = target_.upload(memory.as<char>() + done, static_cast<const char*>(from) + done, piece);
                !status)
                return status;
        }
        return Status::ok();
    });
}

Status TargetWork::launchSteps(const SteppedShape& steps, const LaunchSteps& launch)
{
    const std::uint64_t most = mostSteps_ > 0 ? std::min(mostSteps_, steps.most) : steps.most;
    LaunchPacer pacer(steps.first, most);
    return timed(times_.kernelMs,
                 [&] { return launchInSlices(target_, pacer, steps.steps, stop_, "signed-digit", launch); });
}

}  // namespace orogen::compute

// Description of a launch on a GPU known only by its data sheet.  Each module lists its own (plannedAdditions,
// plannedDecimals, plannedSolves, plannedProducts) with the functions that shape its real launches.
#pragma once

#include <functional>
#include <string>

#include "compute/device/launch.h"

namespace orogen::compute {

// Returns how many blocks of `threads` threads the whole GPU holds at once, as KernelTarget::residentBlocks() does.
using ResidentBlocks = std::function<unsigned(const KernelEntry& kernel, unsigned threads)>;

struct PlannedLaunch
{
    std::string name;  // algorithm, with the kernel if it has several: "two-pass: scanTiles"
    std::string size;  // "2^33 bits"
    KernelEntry kernel;
    LaunchShape shape;
    double bytes = 0;       // traffic with the GPU's memory, without cache hits
    double floorBytes = 0;  // minimum traffic of the result: each operand read once, each result written once
    // Bytes that a thread requests before it waits for the first of them.
    double bytesInFlight = 0;
    // Why part of the GPU is idle, or too few bytes are in flight to saturate its memory; empty: neither.
    std::string note = {};
};

}  // namespace orogen::compute

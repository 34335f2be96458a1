// A launch as it would be made on a GPU that is only described: what can be known of it without one.  Each module lists
// its own (plannedAdditions, plannedDecimals, plannedSolves, plannedProducts) with the functions that shape its real
// launches.
#pragma once

#include <functional>
#include <string>

#include "compute/device/launch.h"

namespace orogen::compute {

// How many blocks of so many threads the whole GPU holds at once, as KernelTarget::residentBlocks says of a real one.
using ResidentBlocks = std::function<unsigned(const KernelEntry& kernel, unsigned threads)>;

struct PlannedLaunch
{
    std::string name;  // the algorithm's, and what follows it where it has several kernels: "two-pass: scanTiles"
    std::string size;  // "2^33 bits"
    KernelEntry kernel;
    LaunchShape shape;
    double bytes = 0;       // that it moves from and to the GPU's memory; caches are not counted on
    double floorBytes = 0;  // the least that its result needs: each operand read once, each result written once
    // That a thread has asked for before it waits for the first of them.
    double bytesInFlight = 0;
    // Why it leaves a part of the GPU idle, or asks for less at a time than would keep its memory busy; empty: it does
    // not.
    std::string note = {};
};

}  // namespace orogen::compute

// Schedules for the tests of every kernel: 3 orders, each with 1, 3 and all blocks resident.
#pragma once

#include <string>
#include <vector>

#include "compute/device/host_executor.h"

namespace orogen::test {

inline std::vector<compute::HostSchedule> hostSchedules(std::uint64_t seed = 1)
{
    std::vector<compute::HostSchedule> schedules;
    for (const auto order :
         {compute::ThreadOrder::kForward, compute::ThreadOrder::kReverse, compute::ThreadOrder::kRandom})
        for (const unsigned resident : {1u, 3u, compute::HostSchedule::kAllBlocks})
            schedules.push_back({order, seed, resident, {}});
    return schedules;
}

inline std::string textOf(const compute::HostSchedule& schedule)
{
    constexpr const char* orders[] = {"forward", "reverse", "random"};
    const bool all = schedule.residentBlocks == compute::HostSchedule::kAllBlocks;
    return std::string(orders[int(schedule.order)]) + " order, seed " + std::to_string(schedule.seed) + ", " +
           (all ? "all" : std::to_string(schedule.residentBlocks)) + " blocks resident";
}

}  // namespace orogen::test

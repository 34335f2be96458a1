// Work on the rows of a grid, spread over threads.  For work whose rows do not depend on each other, so that the result
// is the same for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace orogen {

inline int usableThreads() { return std::max(1, int(std::thread::hardware_concurrency())); }

// Calls work(firstRow, endRow) for bands that cover [0, rows), each row once; returns when all are done.  `work` must
// not throw.  A machine that gives no thread runs all of it on the caller's.
template <class Work>
void parallelRows(int rows, int threads, const Work& work)
{
    constexpr int kBand = 16;  // rows; fine enough to balance, coarse enough to amortise the counter
    const int bands = (rows + kBand - 1) / kBand;
    std::atomic<int> next = 0;
    const auto run = [&] {
        for (int band = next++; band < bands; band = next++)
            work(band * kBand, std::min(rows, (band + 1) * kBand));
    };
    std::vector<std::jthread> helpers;
    try
    {
        for (int i = 1; i < std::min(threads, bands); ++i)
            helpers.emplace_back(run);
    }
    catch (const std::system_error&)  // no thread to be had: fewer do it
    {
    }
    run();
}

}  // namespace orogen

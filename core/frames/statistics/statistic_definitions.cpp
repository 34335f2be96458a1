#include "core/frames/statistics/statistics.h"

namespace orogen {

std::span<const Definition> statisticDefinitions()
{
    static constexpr Definition kDefinitions[] = {
        {"frames", "Measured frames: rows without the flag warmup that have an interval. Warm-up frames are in no "
                   "statistic."},
        {"seconds", "Sum of the intervals, in seconds."},
        {"fps_average", "frames / seconds: the number of frames divided by the sum of their intervals, not the mean of "
                        "1000 / interval."},
        {"interval_ms", "From one present to the next, in ms. mean, min, max; p50, p90, p95, p99, p999: percentiles "
                        "50, 90, 95, 99 and 99.9 of type 7: with the n values in ascending order, numbered from 0, the "
                        "value at position (n - 1) p, linearly between neighbours."},
        {"low1_p99", "1000 / p99 of the interval, frames per second."},
        {"low1_mean", "1000 / the mean interval of the slowest 1 % of the frames, their number rounded up."},
        {"low1_time", "Frames slowest first until their intervals sum to at least 1 % of all time: 1000 / the interval "
                      "of the last of them."},
        {"low1_reason", "Why the three are missing: below 1,000 frames, 1 % is too few to mean anything."},
        {"low01_p999", "As low1_p99, with percentile 99.9."},
        {"low01_mean", "As low1_mean, with the slowest 0.1 %."},
        {"low01_time", "As low1_time, with 0.1 % of the time."},
        {"low01_reason", "Why the three are missing: below 10,000 frames."},
        {"jitter_ms", "mean and p99 (type 7) of the absolute change of the interval between neighbouring frames of a "
                      "run."},
        {"stutter",
         "Frames whose interval is over 2 times the median of the 19 frames around them (9 before, the frame "
         "itself, 9 after; at the ends of a run those that exist; of an even number the mean of the middle "
         "two) and over that median by more than 4 ms. count; per_minute: per 60 s of interval; time_share: "
         "their intervals over all."},
        {"jank", "sum_ms: sum over the frames of max(0, interval - budget_ms)."},
        {"missed_60hz",
         "Frames with an interval over 1000 / 60 ms. count; share: of the frames; longest_run: most such "
         "frames in a row within a run."},
        {"missed_30hz", "As missed_60hz, for 1000 / 30 ms."},
        {"bound", "The longest of a frame's cpu_ms, gpu_ms and (present) swap_ms, the first of equals. Shares of "
                  "the frames where CPU and GPU were measured; frames: their number."},
        {"autocorrelation_lag1", "r = sum of (x_i - m)(x_(i+1) - m) over sum of (x_i - m)^2, with the mean m of the "
                                 "run; both sums over all runs. null where nothing varies."},
        {"effective_n", "frames (1 - r) / (1 + r), at least 1; a negative r counts as 0. Number of independent frames "
                        "with as much information about the mean."},
        {"cpu_ms",
         "Time this process worked on the frame without waiting, of the frames where it was measured (count)."},
        {"wait_ms", "Time the CPU waited for the GPU."},
        {"swap_ms", "Time the CPU was in the call that presents the frame."},
        {"gpu_ms", "From the GPU's first time stamp of the frame to its last."},
        {"passes", "Time between the GPU's time stamps around each pass: update (mark, plan, apply), reduce, decode "
                   "(leaf list, culling, arguments), draw, ui."},
        {"work",
         "leaves_mean (of the tree), triangles_mean (submitted after culling); splits (leaves that were split), "
         "merges (pairs that became one), upload_bytes: sums; max_depth, vram_max_kib: largest. Each over the "
         "frames where it was counted."},
        {"error_max_px",
         "Of a frame: the largest distance between what is drawn and the elevation model, in pixels, over "
         "the pixels that show ground; over the frames where it was measured (count)."},
        {"error_p99_px", "As error_max_px, with the distance that 99 % of those pixels do not exceed."},
    };
    return kDefinitions;
}

}  // namespace orogen

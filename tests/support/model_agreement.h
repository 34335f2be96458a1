// Checks that a device's steps of the terrain model agree with the CPU's.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/terrain_model/terrain_model.h"

namespace orogen::test {

struct ModelPair
{
    compute::TerrainModel cpu, device;
    ThreadPool pool{1};

    ModelPair(const std::vector<float>& heights, int width, int height, std::shared_ptr<compute::ModelDevice> with)
        : cpu(std::move(*compute::TerrainModel::create(heights, width, height, 30, 20))),
          device(std::move(*compute::TerrainModel::create(heights, width, height, 30, 20)))
    {
        device.setDevice(std::move(with));
    }

    // Steps of the CPU and of the device.
    std::pair<compute::ModelStep, compute::ModelStep> step(const compute::ModelRates& rates, double years)
    {
        const auto of = [&](compute::TerrainModel& model) {
            const Result<compute::ModelStep> done = model.step(rates, years, pool);
            EXPECT_TRUE(done) << (done ? "" : done.error().message);
            return done ? *done : compute::ModelStep{};
        };
        return {of(cpu), of(device)};
    }

    double largestDifference() const
    {
        double most = 0;
        for (std::size_t i = 0; i < cpu.heights().size(); ++i)
            if (!std::isnan(cpu.heights()[i])) most = std::max(most, std::abs(cpu.heightAt(i) - device.heightAt(i)));
        return most;
    }
};

// Heights of noise, with a void for every `voids` samples.
inline std::vector<float> modelNoise(int width, int height, float range, unsigned seed, unsigned voids = 90)
{
    std::mt19937 random(seed);
    std::vector<float> heights;
    for (int i = 0; i < width * height; ++i)
        heights.push_back(random() % voids == 0 ? std::numeric_limits<float>::quiet_NaN()
                                                : range * float(random() & 0xffff) / 65535);
    return heights;
}

// Sum of the differences of sorted values, as a share of the sum of the first ones above their lowest.
inline double distributionDifference(std::vector<double> a, std::vector<double> b)
{
    std::ranges::sort(a);
    std::ranges::sort(b);
    double apart = 0, all = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        apart += std::abs(a[i] - b[i]);
        all += a[i] - a[0];
    }
    return apart / all;
}

// A hundred steps of creep with outlets, and ten without, over voids.
inline void expectEqualCreep(const std::shared_ptr<compute::ModelDevice>& device, int side)
{
    for (const double incision : {1e-12, 0.0})
    {
        ModelPair pair(modelNoise(side, side - 9, 700, 5), side, side - 9, device);
        for (int i = 0; i < (incision > 0 ? 100 : 10); ++i)
        {
            const auto [cpu, other] = pair.step({.creep = 2, .incision = incision}, 300);
            ASSERT_LE(std::max(cpu.residual, other.residual), compute::TerrainModel::kTolerance);
            ASSERT_GT(other.iterations, 0u);
            ASSERT_LE(other.balance.imbalance(), 1e-6);
        }
        EXPECT_LE(pair.largestDifference(), 1e-3);
        EXPECT_NEAR(pair.device.balance().crept, pair.cpu.balance().crept, 1e-6 * pair.cpu.balance().crept);
    }
}

// A step of each kind from equal states: rivers through depressions and voids, failing slopes.
inline void expectEqualSteps(const std::shared_ptr<compute::ModelDevice>& device, int side)
{
    for (unsigned seed = 0; seed < 3; ++seed)
    {
        ModelPair pair(modelNoise(side + 5, side, 900, seed), side + 5, side, device);
        const auto [cpu, other] = pair.step({.incision = 3e-5, .uplift = 1e-3}, 5000);
        EXPECT_EQ(cpu.depressions, other.depressions);
        EXPECT_GT(cpu.depressions, 0u);
        EXPECT_TRUE(std::ranges::equal(pair.cpu.receivers(), pair.device.receivers()));
        EXPECT_TRUE(std::ranges::equal(pair.cpu.drainage(), pair.device.drainage()));
        EXPECT_LE(pair.largestDifference(), 1e-9);
        EXPECT_NEAR(cpu.balance.cut, other.balance.cut, 1e-9 * cpu.balance.cut);
        EXPECT_NEAR(cpu.largestChange, other.largestChange, 1e-9);

        ModelPair slopes(modelNoise(side + 5, side, 90, seed), side + 5, side, device);
        const auto [failed, otherFailed] = slopes.step({.incision = 1e-12, .repose = 30}, 1);
        EXPECT_EQ(failed.unstable, otherFailed.unstable);
        EXPECT_LE(slopes.largestDifference(), 1e-9);
        EXPECT_NEAR(failed.balance.failed, otherFailed.balance.failed, 1e-9 * failed.balance.failed);
        EXPECT_NEAR(failed.balance.left, otherFailed.balance.left, 1e-9 * failed.balance.failed);
    }
}

// Many steps with all parts: rounding may turn single cells to other receivers, which changes no statistic.
inline void expectEqualLandscapes(const std::shared_ptr<compute::ModelDevice>& device, int side, int steps)
{
    ModelPair pair(modelNoise(side, side, 50, 11, 900), side, side, device);
    for (int i = 0; i < steps; ++i)
    {
        const auto [cpu, other] = pair.step({.creep = 1e-3, .incision = 2e-5, .uplift = 1e-3, .repose = 40}, 1000);
        ASSERT_LE(other.balance.imbalance(), 1e-6) << i;
    }
    std::vector<double> heights[2], drained[2];
    for (std::size_t i = 0; i < pair.cpu.heights().size(); ++i)
    {
        if (std::isnan(pair.cpu.heights()[i])) continue;
        heights[0].push_back(pair.cpu.heightAt(i));
        heights[1].push_back(pair.device.heightAt(i));
        drained[0].push_back(double(pair.cpu.drainage()[i]));
        drained[1].push_back(double(pair.device.drainage()[i]));
    }
    EXPECT_LE(distributionDifference(heights[0], heights[1]), 0.01);
    EXPECT_LE(distributionDifference(drained[0], drained[1]), 0.01);
    EXPECT_GT(pair.cpu.balance().cut, 0);
}

}  // namespace orogen::test

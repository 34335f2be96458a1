// A test on the first GPU that can run the kernels; skipped, with the reason, if there is none.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "compute/device/copy_bandwidth.h"
#include "compute/device/cuda.h"
#include "compute/device/kernel_target.h"

namespace orogen::test {

class GpuTest : public testing::Test
{
protected:
    void SetUp() override
    {
        const compute::CudaReport report = compute::discoverCuda();
        if (!report.available) GTEST_SKIP() << report.reason;
        auto made = compute::makeCudaTarget(compute::processCuda(), compute::preferredCudaDevice(report));
        ASSERT_TRUE(made) << made.error().message;
        target_ = std::move(*made);
    }

    double copyBytesPerSecond()
    {
        const Result<double> found = compute::copyBandwidth(*target_);
        EXPECT_TRUE(found) << found.error().message;
        return found ? *found : 1;
    }

    std::unique_ptr<compute::KernelTarget> target_;
};

}  // namespace orogen::test

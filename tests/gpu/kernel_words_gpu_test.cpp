// The words of kernel.h on a real GPU: the same results as on the host.  Skipped where there is none.
#include "compute/device/discovery.h"
#include "tests/support/kernel_words_expected.h"

namespace orogen::test {
namespace {

TEST(GpuKernelWords, MeanWhatTheyMeanOnTheHost)
{
    const compute::CudaReport report = compute::discoverCuda();
    if (!report.available) GTEST_SKIP() << report.reason;
    auto target = compute::makeCudaTarget(compute::processCuda(), 0);
    ASSERT_TRUE(target) << target.error().message;
    expectKernelWords(**target, 64, 7);
}

}  // namespace
}  // namespace orogen::test

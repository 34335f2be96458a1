// Functions of kernel.h on the host executor.
#include "tests/support/kernel_words_expected.h"

#include "tests/compute/host_schedules.h"

namespace orogen::test {
namespace {

TEST(KernelWords, MeanOnTheHostWhatTheyMeanOnAGpu)
{
    for (const compute::HostSchedule& schedule : hostSchedules())
    {
        SCOPED_TRACE(textOf(schedule));
        expectKernelWords(*compute::makeHostTarget(schedule), 4, 7);
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace orogen::test

// The words of kernel.h on a real GPU: the same results as on the host.  Skipped without a GPU.
#include "tests/gpu/gpu_fixture.h"
#include "tests/support/kernel_words_expected.h"

namespace orogen::test {
namespace {

class GpuKernelWords : public GpuTest
{
};

TEST_F(GpuKernelWords, MeanWhatTheyMeanOnTheHost) { expectKernelWords(*target_, 64, 7); }

}  // namespace
}  // namespace orogen::test

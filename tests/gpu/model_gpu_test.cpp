// The terrain model's steps on a real GPU, against the CPU.
#include "compute/device/kernel_target.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/support/model_agreement.h"

namespace orogen::test {
namespace {

class GpuModel : public GpuTest
{
protected:
    std::shared_ptr<compute::ModelDevice> device() { return compute::makeKernelDevice(std::move(target_)); }
};

TEST_F(GpuModel, StepsAsTheCpuDoes) { expectEqualSteps(device(), 37); }
TEST_F(GpuModel, CreepsAsTheCpuDoes) { expectEqualCreep(device(), 29); }
TEST_F(GpuModel, GrowsTheLandscapeOfTheCpu) { expectEqualLandscapes(device(), 256, 100); }

}  // namespace
}  // namespace orogen::test

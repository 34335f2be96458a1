// Place of a module's run: algorithm, back end and GPU.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compute/device/cuda.h"
#include "compute/job/module.h"
#include "compute/job/stepped_module.h"
#include "compute/modules.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/digit_rows.h"
#include "tests/compute/fake_cuda.h"
#include "tests/support/assign.h"

namespace orogen::compute {
namespace {

using Assignments = std::vector<std::string>;

const Algorithms kAlgorithms = {.operation = "sum",
                                .cpu = {"loop", "both"},
                                .kernels = {"both", "lanes"},
                                .standardOnCpu = "loop",
                                .standardInKernels = "lanes"};

ParameterValues valuesOf(std::span<const Parameter> parameters, const Assignments& assignments)
{
    ParameterValues values(parameters);
    for (const std::string& assignment : assignments)
        EXPECT_TRUE(assign(values, assignment)) << assignment;
    return values;
}

// Returns "ALGORITHM on BACKEND", or the error.
std::string chosen(const Assignments& assignments, int devices, const Algorithms& algorithms = kAlgorithms)
{
    std::vector<Parameter> parameters;
    appendPlaceParameters(parameters, {{kAlgorithms}}, "");
    test::FakeCuda fake;
    fake.devices = devices;
    Cuda cuda(fake.table());
    const Result<Place> place = choosePlace(algorithms, valuesOf(parameters, assignments), cuda);
    if (!place) return fmt::format("{}: {}", int(place.error().code), place.error().message);
    return fmt::format("{} on {}", place->algorithm,
                       place->backend == Backend::kCuda ? place->device() : textOf(place->backend));
}

TEST(Place, AutoIsTheCpuThenCudaThenTheKernelsOnTheHost)
{
    EXPECT_EQ(chosen({}, 2), "loop on cpu");
    EXPECT_EQ(chosen({"algorithm=both"}, 2), "both on cpu");
    EXPECT_EQ(chosen({"algorithm=lanes"}, 2), "lanes on cuda:0");
    EXPECT_EQ(chosen({"algorithm=lanes"}, 0), "lanes on host-kernel");
    EXPECT_EQ(chosen({"backend=host-kernel"}, 2), "lanes on host-kernel");
    EXPECT_EQ(chosen({"backend=cuda"}, 1), "lanes on cuda:0");
}

TEST(Place, APairThatThereIsNotIsRefusedWithWhatThereIs)
{
    EXPECT_EQ(chosen({"algorithm=lanes", "backend=cpu"}, 2),
              "2: algorithm: lanes: there is none for sum on the back end cpu, expected loop, both");
    EXPECT_EQ(chosen({"algorithm=loop", "backend=cuda"}, 2),
              "2: algorithm: loop: there is none for sum on the back end cuda, expected both, lanes");
    EXPECT_EQ(chosen({"backend=host-kernel"}, 2, {.operation = "dft", .cpu = {"product"}}),
              "2: backend: host-kernel: there is none for dft, expected cpu");
}

TEST(Place, AGpuIsTheOneWithThatNumber)
{
    EXPECT_EQ(chosen({"backend=cuda", "gpu=1"}, 2), "lanes on cuda:1");
    EXPECT_EQ(chosen({"algorithm=lanes", "gpu=1"}, 2), "lanes on cuda:1");
    EXPECT_EQ(chosen({"gpu=1"}, 2), "lanes on cuda:1") << "who names a GPU names CUDA";
    EXPECT_EQ(chosen({"backend=cuda", "gpu=2"}, 2), "7: gpu: 2: there is no such device; CUDA lists 2, counted from 0");
    EXPECT_EQ(chosen({"gpu=0"}, 0),
              "7: backend: cuda is not usable: cudaGetDeviceCount: fake error 100 (CUDA error 100)");
    EXPECT_EQ(chosen({"backend=cpu", "gpu=1"}, 2), "2: gpu: 1: there is none on the back end cpu, expected cuda");
}

// Expects "" if only the driver knows the device.
TEST(Place, WhatARunOccupiesIsToldWithoutStartingTheDriver)
{
    std::vector<Parameter> parameters;
    appendPlaceParameters(parameters, {{kAlgorithms}}, "");
    test::FakeCuda fake;
    Cuda cuda(fake.table());
    const auto occupied = [&](const Assignments& assignments) {
        return deviceOf(kAlgorithms, valuesOf(parameters, assignments), cuda);
    };
    EXPECT_EQ(occupied({}), "cpu");
    EXPECT_EQ(occupied({"backend=host-kernel"}), "cpu");
    EXPECT_EQ(occupied({"gpu=1"}), "cuda:1");
    EXPECT_EQ(occupied({"backend=cuda"}), "");
    EXPECT_EQ(occupied({"algorithm=lanes"}), "");
    EXPECT_EQ(fake.made, 0u);
    discoverCuda(cuda);
    const std::uint64_t made = fake.made;
    EXPECT_EQ(occupied({"backend=cuda"}), "cuda:0");
    EXPECT_EQ(occupied({"algorithm=lanes"}), "cuda:0");
    EXPECT_EQ(fake.made, made);
}

TEST(Place, WithoutANumberTheGpuIsTheOneOfOpenGl)
{
    std::vector<Parameter> parameters;
    appendPlaceParameters(parameters, {{kAlgorithms}}, "");
    test::FakeCuda fake;
    fake.described = {{.index = 0, .name = "first", .major = 9, .uuid = "GPU-1"},
                      {.index = 1, .name = "second", .major = 9, .uuid = "GPU-2"}};
    Cuda cuda(fake.table());
    const auto chosenGpu = [&](const Assignments& assignments) {
        const Result<Place> place = choosePlace(kAlgorithms, valuesOf(parameters, assignments), cuda);
        return place ? place->gpu : -1;
    };
    setPreferredGpu({.uuid = "GPU-2"});
    EXPECT_EQ(chosenGpu({"backend=cuda"}), 1);
    EXPECT_EQ(chosenGpu({"algorithm=lanes"}), 1);
    EXPECT_EQ(chosenGpu({"gpu=0"}), 0);
    setPreferredGpu({});
    EXPECT_EQ(chosenGpu({"backend=cuda"}), 0);
}

TEST(Place, AGpuThatTheKernelsDoNotRunOnIsRefused)
{
    std::vector<Parameter> parameters;
    appendPlaceParameters(parameters, {{kAlgorithms}}, "");
    test::FakeCuda fake;
    fake.described = {{.index = 0, .name = "GTX 1080", .major = 6, .minor = 1},
                      {.index = 1, .name = "RTX 3080", .major = 8, .minor = 6}};
    Cuda cuda(fake.table());
    const Result<Place> refused = choosePlace(kAlgorithms, valuesOf(parameters, {"gpu=0"}), cuda);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kDevice);
    EXPECT_EQ(refused.error().message, "gpu: 0: GTX 1080: no kernel image for sm_61; this program has 7.5 and newer");
    EXPECT_EQ(choosePlace(kAlgorithms, valuesOf(parameters, {"backend=cuda"}), cuda)->gpu, 1);
}

// Returns a small input of each module.
Assignments smallInput(std::string_view module)
{
    if (module == "multiword") return {"a=ff", "b=1"};
    return {module == "cg" || module == "matrix" ? "random=4" : "count=4"};
}

TEST(Modules, RunOnTheGpuThatTheyAreAskedTo)
{
    for (const char* name : {"multiword", "signed-digit", "cg", "matrix"})
        for (const int gpu : {0, 1})
        {
            const Module* module = findModule(name);
            ASSERT_TRUE(module) << name;
            Assignments assignments = smallInput(module->name());
            assignments.push_back("backend=cuda");
            assignments.push_back(fmt::format("gpu={}", gpu));
            test::FakeCuda fake;
            Cuda cuda(fake.table());
            Progress progress;
            const Result<JobResult> result = runModule(*module, valuesOf(module->parameters(), assignments),
                                                       {.progress = progress, .stop = {}, .cuda = &cuda});
            ASSERT_TRUE(result) << module->name() << ": " << result.error().message;
            EXPECT_EQ(fake.device, gpu) << module->name();
            EXPECT_EQ(result->device, fmt::format("cuda:{}", gpu)) << module->name();
            EXPECT_EQ(result->json.at("backend"), "cuda");
            EXPECT_EQ(result->json.at("gpu"), gpu);
            EXPECT_EQ(result->check, CheckAnswer::kEqual) << module->name();
        }
}

TEST(Modules, OnTwoGpusDoNotExcludeEachOther)
{
    discoverCuda();
    for (const Module* module : modules())
    {
        const auto deviceOf = [&](const Assignments& assignments) {
            return module->device(valuesOf(module->parameters(), assignments));
        };
        EXPECT_EQ(deviceOf({}), "cpu");
        EXPECT_EQ(deviceOf({"backend=cuda"}), "cuda:0");
        EXPECT_EQ(deviceOf({"backend=cuda", "gpu=1"}), "cuda:1");
        EXPECT_EQ(deviceOf({"gpu=1"}), "cuda:1");
    }
}

TEST(Modules, ANumberOfRepetitionsOnAGpuCanBeStopped)
{
    test::FakeCuda fake;
    Cuda cuda(fake.table());
    std::stop_source stop;
    stop.request_stop();
    const std::vector<std::uint64_t> x = {1}, y = {2};
    std::vector<std::uint64_t> sum(1);
    const Result<AddKernelRun> run =
        addOnCuda(AddKernel::kLookback, {x, y, sum}, 0, {.repeats = 1'000'000, .stop = stop.get_token()}, cuda);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ExitCode::kInterrupted);
}

TEST(Modules, AligningNumbersCanBeStopped)
{
    std::stop_source stop;
    const DecimalList numbers = makeDecimals({.count = 3000, .digits = 5, .spread = 2, .seed = 1});
    EXPECT_FALSE(alignedRows(numbers, stop.get_token()).empty());
    EXPECT_FALSE(alignedFactors(numbers, numbers, stop.get_token()).empty());
    stop.request_stop();
    EXPECT_TRUE(alignedRows(numbers, stop.get_token()).empty());
    EXPECT_TRUE(alignedFactors(numbers, numbers, stop.get_token()).empty());
}

}  // namespace
}  // namespace orogen::compute

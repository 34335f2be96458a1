// Back end of the terrain model's steps that runs them as compute shaders (shaders/model/).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "compute/terrain_model/model_device.h"

namespace orogen::app {

// The OpenGL context must be current wherever an object is created, used or destroyed.
class ModelGpu final : public compute::ModelDevice
{
public:
    // Compiles the programs of all passes, and waits until they are ready.  `root` contains shaders/.  Error kShader.
    static Result<std::shared_ptr<ModelGpu>> create(const std::filesystem::path& root, const Context& context);

    std::string name() const override { return "opengl"; }
    Result<compute::ModelArray> allocate(std::size_t bytes) override;
    Status clear(compute::ModelArray array) override;
    Status upload(compute::ModelArray to, const void* from, std::size_t bytes) override;
    Status download(void* to, compute::ModelArray from, std::size_t bytes) override;
    Status copy(compute::ModelArray to, compute::ModelArray from) override;
    Status run(compute::ModelPass pass, const compute::ModelValues& values,
               const compute::ModelArrays& arrays) override;

private:
    ModelGpu(const std::filesystem::path& root, const Context& context);
    const Buffer& buffer(compute::ModelArray array) const { return buffers_[std::size_t(array)]; }

    ShaderLibrary library_;
    std::vector<ProgramHandle> programs_;  // by pass
    std::uint64_t mostBytes_;              // largest storage block of this driver (bytes)
    std::vector<Buffer> buffers_;
};

// Lets another thread use a ModelGpu.  That thread's calls are queued here, and the thread of the OpenGL context
// performs them between two frames.
class ModelGpuQueue final : public compute::ModelDevice
{
public:
    explicit ModelGpuQueue(std::shared_ptr<ModelGpu> gpu) : gpu_(std::move(gpu)) {}

    // ---- thread of the context ----
    // Performs queued calls, and waits for more, until `milliseconds` have passed or passes over kMostCells cells in
    // total have been started.  A GPU takes some milliseconds for that many cells.
    void serve(double milliseconds);
    // Frees the buffers.  All calls fail from now on (kInterrupted).
    void close();

    // ---- thread of the steps ----
    std::string name() const override { return "opengl"; }
    Status begin() override;  // waits for jobs of an interrupted step, and forgets that step's error
    Result<compute::ModelArray> allocate(std::size_t bytes) override;
    Status clear(compute::ModelArray array) override;
    Status upload(compute::ModelArray to, const void* from, std::size_t bytes) override;
    Status download(void* to, compute::ModelArray from, std::size_t bytes) override;
    Status copy(compute::ModelArray to, compute::ModelArray from) override;
    Status run(compute::ModelPass pass, const compute::ModelValues& values,
               const compute::ModelArrays& arrays) override;

private:
    static constexpr std::uint64_t kMostCells = std::uint64_t(1) << 25;

    struct Job
    {
        std::function<Status(ModelGpu&)> work;
        std::uint64_t cells = 0;
    };

    Status post(Job job);                                   // returns at once
    Status perform(std::function<Status(ModelGpu&)> work);  // waits until `work` and all earlier jobs are done

    std::mutex mutex_;
    std::condition_variable asked_, done_;
    std::deque<Job> jobs_;
    Status status_ = Status::ok();   // the first error of this step
    std::shared_ptr<ModelGpu> gpu_;  // null: closed
};

}  // namespace orogen::app

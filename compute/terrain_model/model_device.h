// Devices that compute the terrain model's steps instead of the CPU's threads: CUDA, the host executor (kernels/), or
// OpenGL (app/session/terrain_model/model_gpu.h).  A device keeps arrays and runs passes over cells
// (shaders/model/model_cells.glsl); DeviceSteps lists the passes of a step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "compute/terrain_model/diffusion.h"
#include "compute/terrain_model/drainage.h"
#include "compute/terrain_model/model_passes.h"
#include "core/base/status.h"

namespace orogen::compute {

class KernelTarget;
struct ModelRates;
struct ModelStep;

// Array on a device, by its number.
enum class ModelArray : std::uint32_t
{
};
constexpr ModelArray kNoArray{~std::uint32_t(0)};
using ModelArrays = std::array<ModelArray, kModelSlots>;

// Work is done in the order of the calls.  One thread at a time uses a device.
class ModelDevice
{
public:
    virtual ~ModelDevice() = default;
    virtual std::string name() const = 0;  // "host-kernel", "cuda", "opengl"
    // Begins a step on the calling thread.
    virtual Status begin() { return Status::ok(); }

    // Makes an array of zeros.  Error kLimit: the array does not fit into memory.
    virtual Result<ModelArray> allocate(std::size_t bytes) = 0;
    virtual Status clear(ModelArray array) = 0;
    virtual Status upload(ModelArray to, const void* from, std::size_t bytes) = 0;
    virtual Status download(void* to, ModelArray from, std::size_t bytes) = 0;  // waits for the data
    virtual Status copy(ModelArray to, ModelArray from) = 0;                    // both of equal size
    virtual Status run(ModelPass pass, const ModelValues& values, const ModelArrays& arrays) = 0;
};

// Makes a device of a GPU or of the host executor, which runs the same kernels.
std::unique_ptr<ModelDevice> makeKernelDevice(std::unique_ptr<KernelTarget> target);

// Makes a device of the GPU with CUDA's number `gpu`, or else of preferredCudaDevice().  Errors: kDevice, kLimit.
Result<std::unique_ptr<ModelDevice>> makeCudaDevice(std::optional<int> gpu = {});

struct ModelRaster
{
    std::span<const CellKind> kinds;
    int width = 0, height = 0;
    double alongX = 1, alongY = 1;  // spacings (metres)
    // Connected parts whose mean height the creep keeps; null if a cell is fixed or the creep is short.  Needed only
    // during a step.
    const LinkedParts* parts = nullptr;

    std::size_t cells() const { return kinds.size(); }
};

// Rivers, failing slopes and creep on a device, by the algorithms of terrain_model.h.  Receivers are equal to the CPU's
// for equal heights.  Sums along rivers are made by pointer doubling.  A river of n cells takes about log2(n) passes,
// and heights differ from the CPU's in their last bits.  Depressions are routed by the CPU (drainage.h), which costs a
// transfer of the receivers both ways.
//
// Takes about 200 bytes per cell on the device.
class DeviceSteps
{
public:
    explicit DeviceSteps(ModelDevice& device) : device_(device) {}

    // Changes `h` by a step, as TerrainModel::step() does, but without the uplift.  Uploads the kinds of `raster` only
    // if their address differs from the last call's, so kinds must not change in place.  Errors: kInterrupted, kNo (the
    // creep did not converge), the device's.
    Status step(const ModelRates& rates, double years, const ModelRaster& raster, std::vector<double>& h,
                Drainage& drainage, const std::stop_token& stop, ModelStep& step);

private:
    // Level of the multigrid hierarchy: the stencil, right-hand side and solution.
    struct Level
    {
        std::uint32_t width = 0, height = 0;
        int sweeps = 1;
        ModelArray stencil = kNoArray, right = kNoArray, answer = kNoArray;
    };
    struct Sums
    {
        double even = 0, odd = 0;
    };

    Status place(const ModelRaster& raster);
    Status array(ModelArray& array, std::size_t bytes);  // allocates it unless it exists
    Status run(ModelPass pass, ModelValues values, std::initializer_list<std::pair<ModelSlot, ModelArray>> arrays);
    Result<std::uint32_t> found();  // reads the counter found_, and clears it
    Result<Sums> sums(std::size_t terms);

    static constexpr std::size_t kMostPieces = 65'536, kTotals = 256;  // partial sums of the two passes of sums()

    Status cut(double strength, std::vector<double>& h, Drainage& drainage, ModelStep& step);
    Status fail(double steepest, ModelStep& step);
    Status creep(double t, const LinkedParts* parts, const std::stop_token& stop, ModelStep& step);
    Status placeLevels(const DiffusionGrid& grid);
    Status cycle(std::size_t depth);

    ModelDevice& device_;
    ModelRaster raster_;
    ModelValues values_;  // values for passes over the raster
    ModelArray kinds_ = kNoArray, heights_ = kNoArray, next_ = kNoArray, shares_ = kNoArray, terms_ = kNoArray,
               pieces_ = kNoArray, totals_ = kNoArray, found_ = kNoArray, receivers_ = kNoArray;
    std::array<ModelArray, 2> pointers_{kNoArray, kNoArray}, counts_{kNoArray, kNoArray}, cuts_{kNoArray, kNoArray};
    ModelArray x_ = kNoArray, r_ = kNoArray, p_ = kNoArray, q_ = kNoArray, z_ = kNoArray;
    std::vector<Level> levels_;  // finest first
    std::size_t depth_ = 0;      // levels in use
    double levelsAlongX_ = 0, levelsAlongY_ = 0;
    const CellKind* levelsKinds_ = nullptr;
};

}  // namespace orogen::compute

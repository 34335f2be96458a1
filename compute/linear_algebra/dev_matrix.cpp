// Operators reuse the memory of moved operands, since the times of paper 003 (dev_matrix.h) grow mainly by allocation.
#include "compute/linear_algebra/dev_matrix.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "compute/linear_algebra/kernels/matrix_kernels.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

std::uint64_t dividedUp(std::uint64_t count, std::uint64_t part) { return (count + part - 1) / part; }

// Mapping of a kernel to a matrix: the elements that a block covers, and the shape of a block.
struct Covering
{
    unsigned tileRows, tileColumns;
    Dim3 block;
    unsigned depth = 1;  // blocks in z
};
constexpr Covering kByElements = {kPaperSide, kPaperSide, {kPaperSide, kPaperSide}};

// Launches a kernel on the rows from `first` to `first + rows` - 1.
template <class Arguments>
Status launchRows(KernelTarget& target, const Kernel<Arguments>& kernel, Arguments arguments, const Covering& covering,
                  std::uint64_t first, std::uint64_t rows)
{
    for (const GridPart& part : gridParts(rows, arguments.columns, covering.tileRows, covering.tileColumns))
    {
        arguments.first = {first + part.first.row, part.first.column};
        const LaunchShape shape = {{part.grid.x, part.grid.y, covering.depth}, covering.block};
        if (Status status = target.launch(kernel, shape, arguments); !status) return status;
    }
    return Status::ok();
}

template <class Arguments>
Status launchByElements(KernelTarget& target, const Kernel<Arguments>& kernel, const Arguments& arguments)
{
    return launchRows(target, kernel, arguments, kByElements, 0, arguments.rows);
}

// Launches a kernel on all rows, as many rows of tiles per launch as the pacer allows.
template <class Arguments>
Status launchPaced(KernelTarget& target, const Kernel<Arguments>& kernel, const Arguments& arguments,
                   const Covering& covering, const std::stop_token& stop, LaunchPacer& pacer)
{
    return launchInSlices(target, pacer, dividedUp(arguments.rows, covering.tileRows), stop, "matrix",
                          [&](std::uint64_t first, std::uint64_t count) {
                              const std::uint64_t row = first * covering.tileRows;
                              return launchRows(target, kernel, arguments, covering, row,
                                                std::min(arguments.rows - row, count * covering.tileRows));
                          });
}

// Calls run(kernel, covering) for the kernel that multiplies in the requested way.
template <class Run>
Status withProduct(ProductKernel kernel, std::uint64_t inner, const Run& run)
{
    switch (kernel)
    {
    case ProductKernel::kPaper:
        return run(multiplyPaperKernel(), kByElements);
    case ProductKernel::kByTerms:
        return run(multiplyByTermsKernel(), Covering{kPaperSide,
                                                     kPaperSide,
                                                     {kPaperSide, kPaperSide},
                                                     unsigned(std::clamp<std::uint64_t>(inner, 1, kMostBlocksY))});
    case ProductKernel::kByBlocks:
        return run(multiplyByBlocksKernel(), Covering{1, 1, {kBlockSumThreads}});
    case ProductKernel::kTiled:
        return run(multiplyTiledKernel(), Covering{kProductTile, kProductTile, {kTiledThreads}});
    case ProductKernel::kTensor:
        return run(multiplyTensorKernel(), Covering{kTensorTile, kTensorTile, {kTensorThreads}});
    }
    return Status::ok();
}

Error doNotFit(const char* what, const DevMatrix& a, const DevMatrix& b, const char* expected)
{
    return {ExitCode::kInput, fmt::format("{}: {} x {} and {} x {}, expected {}", what, a.rows(), a.columns(), b.rows(),
                                          b.columns(), expected)};
}

// Returns the first error of two matrices, or an error if their shapes differ.
Status checkSameShape(const char* what, const DevMatrix& a, const DevMatrix& b)
{
    if (!a.status()) return a.status();
    if (!b.status()) return b.status();
    if (a.rows() == b.rows() && a.columns() == b.columns()) return Status::ok();
    return doNotFit(what, a, b, "the same shape twice");
}

}  // namespace

std::string_view textOf(ProductKernel kernel)
{
    constexpr std::string_view kTexts[] = {"paper", "by-terms", "by-blocks", "tiled", "tensor"};
    return kTexts[std::size_t(kernel)];
}

std::vector<GridPart> gridParts(std::uint64_t rows, std::uint64_t columns, unsigned tileRows, unsigned tileColumns)
{
    // Blocks: CUDA's limit in x, and the host executor's limit per launch.
    constexpr std::uint64_t kMostBlocks = 0x7fffffff;
    const std::uint64_t tilesX = dividedUp(columns, tileColumns), tilesY = dividedUp(rows, tileRows);
    const std::uint64_t stepX = std::clamp<std::uint64_t>(tilesX, 1, kMostBlocks);
    const std::uint64_t stepY = std::clamp<std::uint64_t>(kMostBlocks / stepX, 1, kMostBlocksY);
    std::vector<GridPart> parts;
    for (std::uint64_t y = 0; y < tilesY; y += stepY)
        for (std::uint64_t x = 0; x < tilesX; x += stepX)
            parts.push_back({{y * tileRows, x * tileColumns},
                             {unsigned(std::min(stepX, tilesX - x)), unsigned(std::min(stepY, tilesY - y))}});
    return parts;
}

DevMatrix::DevMatrix(KernelTarget& target, std::uint64_t rows, std::uint64_t columns)
    : target_(&target), rows_(rows), columns_(columns)
{
    const std::string what = fmt::format("a matrix of {} x {}", rows, columns);
    const std::optional<std::uint64_t> bytes = matrixBytes(rows, columns);
    if (!bytes)
    {
        note(Error{ExitCode::kLimit, what + ": more bytes than 64 bits can count"});
        return;
    }
    Result<TargetMemory> made = target.allocate(std::max<std::uint64_t>(*bytes, 1));
    if (made)
    {
        memory_ = std::move(*made);
        return;
    }
    constexpr double kGib = 1u << 30;
    const double needed = double(*bytes);
    const std::string size = needed < kGib ? bytesText(needed) : fmt::format("{:.2f} GiB", needed / kGib);
    note(Error{made.error().code, fmt::format("{} needs {}: {}", what, size, made.error().message)});
}

DevMatrix::DevMatrix(KernelTarget& target, std::uint64_t rows, std::uint64_t columns, double value)
    : DevMatrix(target, rows, columns)
{
    if (!status_) return;
    double* const to = memory_.as<double>();
    note(launchByElements(target, fillElementsKernel(),
                          ElementsArguments{nullptr, nullptr, to, rows_, columns_, {0, 0}, value, 0}));
}

DevMatrix::DevMatrix(KernelTarget& target, const Matrix& matrix) : DevMatrix(target, matrix.rows(), matrix.columns())
{
    if (status_) note(target.upload(memory_.as<void>(), matrix.values().data(), matrix.values().size_bytes()));
}

DevMatrix::DevMatrix(DevMatrix&& other) noexcept
    : target_(other.target_), rows_(std::exchange(other.rows_, 0)), columns_(std::exchange(other.columns_, 0)),
      memory_(std::move(other.memory_)), status_(std::move(other.status_))
{
}

DevMatrix& DevMatrix::operator=(DevMatrix&& other) noexcept
{
    if (this == &other) return *this;
    target_ = other.target_;
    rows_ = std::exchange(other.rows_, 0);
    columns_ = std::exchange(other.columns_, 0);
    memory_ = TargetMemory();  // freed now, not when `other` is destroyed
    memory_ = std::move(other.memory_);
    status_ = std::move(other.status_);
    return *this;
}

DevMatrix DevMatrix::failed(Error error)
{
    DevMatrix matrix;
    matrix.status_ = std::move(error);
    return matrix;
}

void DevMatrix::note(Status status)
{
    if (!status && status_) status_ = std::move(status);
}

DevMatrix DevMatrix::copy() const
{
    if (!status_) return failed(status_.error());
    if (!target_) return {};
    DevMatrix other(*target_, rows_, columns_);
    if (other.status_) other.note(target_->copy(other.memory_.as<void>(), memory_.as<void>(), memory_.bytes()));
    return other;
}

Result<Matrix> DevMatrix::toMatrix() const
{
    if (!status_) return status_.error();
    Result<Matrix> matrix = Matrix::allocate(rows_, columns_);
    if (!matrix || !target_) return matrix;
    const std::span<double> values = matrix->values();
    if (Status status = target_->download(values.data(), memory_.as<void>(), values.size_bytes()); !status)
        return status.error();
    if (Status status = target_->finish(); !status) return status.error();
    return matrix;
}

// Computes this = alpha a + beta b, all of one shape.
void DevMatrix::combine(const DevMatrix& a, double alpha, const DevMatrix* b, double beta)
{
    if (!status_ || !target_) return;
    note(launchByElements(*target_, combineElementsKernel(),
                          ElementsArguments{a.memory_.as<double>(), b ? b->memory_.as<double>() : nullptr,
                                            memory_.as<double>(), rows_, columns_, MatrixPlace{0, 0}, alpha, beta}));
}

DevMatrix DevMatrix::combined(const char* what, const DevMatrix& a, const DevMatrix& b, double beta)
{
    if (const Status status = checkSameShape(what, a, b); !status) return failed(status.error());
    if (!a.target_) return {};
    DevMatrix out(*a.target_, a.rows_, a.columns_);
    out.combine(a, 1, &b, beta);
    return out;
}

DevMatrix DevMatrix::combined(const char* what, DevMatrix&& a, const DevMatrix& b, double beta)
{
    if (const Status status = checkSameShape(what, a, b); !status) return failed(status.error());
    a.combine(a, 1, &b, beta);
    return std::move(a);
}

Status DevMatrix::assign(const Matrix& matrix)
{
    assert(target_ && status_ && rows_ == matrix.rows() && columns_ == matrix.columns());
    return target_->upload(memory_.as<void>(), matrix.values().data(), matrix.values().size_bytes());
}

Status DevMatrix::assignSum(const DevMatrix& a, const DevMatrix& b, const std::stop_token& stop, LaunchPacer pacer)
{
    assert(target_ && status_ && checkSameShape("sum", a, b) && rows_ == a.rows_ && columns_ == a.columns_);
    const ElementsArguments arguments = {
        a.memory_.as<double>(), b.memory_.as<double>(), memory_.as<double>(), rows_, columns_, MatrixPlace{0, 0}, 1, 1};
    return launchPaced(*target_, combineElementsKernel(), arguments, kByElements, stop, pacer);
}

Status DevMatrix::assignProduct(const DevMatrix& a, const DevMatrix& b, ProductKernel kernel,
                                const std::stop_token& stop, LaunchPacer pacer)
{
    assert(target_ && status_ && a.status_ && b.status_ && a.columns_ == b.rows_ && rows_ == a.rows_ &&
           columns_ == b.columns_);
    if (kernel == ProductKernel::kByTerms)
        if (Status status = target_->fill(memory_, 0); !status) return status;
    const ProductArguments arguments = productOf(a, b);
    return withProduct(kernel, arguments.inner, [&](const auto& entry, const Covering& covering) {
        return launchPaced(*target_, entry, arguments, covering, stop, pacer);
    });
}

ProductArguments DevMatrix::productOf(const DevMatrix& a, const DevMatrix& b)
{
    return {a.memory_.as<double>(), b.memory_.as<double>(), memory_.as<double>(), a.rows_, a.columns_, b.columns_,
            MatrixPlace{0, 0}};
}

DevMatrix operator+(const DevMatrix& a, const DevMatrix& b) { return DevMatrix::combined("sum", a, b, 1); }
DevMatrix operator+(DevMatrix&& a, const DevMatrix& b) { return DevMatrix::combined("sum", std::move(a), b, 1); }
DevMatrix operator-(const DevMatrix& a, const DevMatrix& b) { return DevMatrix::combined("difference", a, b, -1); }
DevMatrix operator-(DevMatrix&& a, const DevMatrix& b)
{
    return DevMatrix::combined("difference", std::move(a), b, -1);
}

DevMatrix operator*(const DevMatrix& a, double factor)
{
    if (!a.status_) return DevMatrix::failed(a.status_.error());
    if (!a.target_) return {};
    DevMatrix out(*a.target_, a.rows_, a.columns_);
    out.combine(a, factor, nullptr, 0);
    return out;
}

DevMatrix operator*(DevMatrix&& a, double factor)
{
    a.combine(a, factor, nullptr, 0);
    return std::move(a);
}

DevMatrix product(const DevMatrix& a, const DevMatrix& b, ProductKernel kernel)
{
    for (const DevMatrix* matrix : {&a, &b})
        if (!matrix->status_) return DevMatrix::failed(matrix->status_.error());
    if (a.columns_ != b.rows_)
        return DevMatrix::failed(doNotFit("product", a, b, "as many columns as the second has rows"));
    if (!a.target_) return {};
    const bool added = kernel == ProductKernel::kByTerms;
    DevMatrix out =
        added ? DevMatrix(*a.target_, a.rows_, b.columns_, 0.0) : DevMatrix(*a.target_, a.rows_, b.columns_);
    if (!out.status_) return out;
    const ProductArguments arguments = out.productOf(a, b);
    out.note(withProduct(kernel, arguments.inner, [&](const auto& entry, const Covering& covering) {
        return launchRows(*a.target_, entry, arguments, covering, 0, arguments.rows);
    }));
    return out;
}

}  // namespace orogen::compute

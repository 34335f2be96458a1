// Dense matrices are uploaded in strips of rows, which bounds the host's scratch memory and allows a stop between two
// strips.
#include "compute/linear_algebra/kernels/target_matrix.h"

#include <bit>
#include <cstring>

#include "compute/linear_algebra/kernels/cg_steps.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kStripBytes = std::size_t(32) << 20;

Status cancelled() { return Error{ExitCode::kInterrupted, "cg: cancelled"}; }

std::uint64_t groupsOf(std::uint64_t size) { return quotientUp(size, kHalfTile); }

}  // namespace

unsigned lanesOfRows(std::uint64_t elements, std::uint64_t rows)
{
    const std::uint64_t mean = quotientUp(std::max<std::uint64_t>(elements, 1), std::max<std::uint64_t>(rows, 1));
    return unsigned(std::min<std::uint64_t>(std::bit_floor(mean), kWarpLanes));
}

template <class T>
std::uint64_t TargetMatrix<T>::size() const
{
    if (system_.dense) return system_.dense->rows();
    return system_.sparse ? system_.sparse->size : system_.grid->width * system_.grid->height;
}

template <class T>
std::uint64_t TargetMatrix<T>::elements() const
{
    if (system_.half) return tilesBefore(groupsOf(size())) * kHalfTileElements;
    if (system_.dense) return padded(size()) * quotientUp(size(), kRowsTogether) * kRowsTogether;
    return system_.sparse ? system_.sparse->values.size() : 0;
}

template <class T>
void TargetMatrix<T>::setView(const std::uint64_t* starts, const std::uint32_t* columns)
{
    const T* const values = values_.template as<T>();
    if (system_.half)
        view_ = HalfRows<T>{values, shares_.template as<T>(), size(), groupsOf(size())};
    else if (system_.dense)
        view_ = DenseRows<T>{values, size(), padded(size())};
    else if (system_.sparse)
        view_ = SparseRows<T>{values, starts, columns, size(), lanesOfRows(elements(), size())};
    else
        view_ = PoissonRows<T>{system_.grid->width, size()};
}

template <>
Status TargetMatrix<double>::placeRows(const std::stop_token& stop)
{
    const Matrix& a = *system_.dense;
    const std::uint64_t pitch = padded(size());
    if (Status status = memory_.allocateZeros(values_, elements() * sizeof(double)); !status) return status;
    const std::uint64_t rowsAStrip = std::max<std::uint64_t>(kStripBytes / (pitch * sizeof(double)), 1);
    std::vector<double> strip;
    for (std::uint64_t first = 0; first < size(); first += rowsAStrip)
    {
        if (stop.stop_requested()) return cancelled();
        const std::uint64_t rows = std::min(rowsAStrip, size() - first);
        const double* from = a.row(first);
        if (pitch != size())
        {
            strip.assign(rows * pitch, 0.0);
            for (std::uint64_t row = 0; row < rows; ++row)
                std::memcpy(strip.data() + row * pitch, a.row(first + row), size() * sizeof(double));
            from = strip.data();
        }
        double* const to = values_.as<double>() + first * pitch;
        if (Status status = memory_.upload(to, from, rows * pitch * sizeof(double)); !status) return status;
    }
    return Status::ok();
}

template <>
Status TargetMatrix<double>::placeHalf(const std::stop_token& stop)
{
    const Matrix& a = *system_.dense;
    if (Status status = memory_.allocate(values_, elements() * sizeof(double)); !status) return status;
    std::vector<double> strip;
    for (std::uint64_t group = 0; group < groupsOf(size()); ++group)
    {
        if (stop.stop_requested()) return cancelled();
        strip.assign((group + 1) * kHalfTileElements, 0.0);
        for (std::uint64_t i = group * kHalfTile; i < std::min(size(), (group + 1) * kHalfTile); ++i)
            for (std::uint64_t j = 0; j <= i; ++j)
                strip[(j / kHalfTile * kHalfTile + i % kHalfTile) * kHalfTile + j % kHalfTile] = a(i, j);
        double* const to = values_.as<double>() + tilesBefore(group) * kHalfTileElements;
        if (Status status = memory_.upload(to, strip.data(), strip.size() * sizeof(double)); !status) return status;
    }
    return Status::ok();
}

template <>
Status TargetMatrix<double>::placeSparse()
{
    const SparseMatrix& a = *system_.sparse;
    if (Status status = memory_.allocateZeros(values_, (a.values.size() + 1) * sizeof(double)); !status) return status;
    if (Status status = memory_.upload(values_.as<void>(), a.values.data(), a.values.size() * sizeof(double)); !status)
        return status;
    if (Status status = memory_.place<std::uint64_t>(starts_, a.starts); !status) return status;
    return memory_.place<std::uint32_t>(columns_, a.columns);
}

template <>
Status TargetMatrix<double>::place(const std::stop_token& stop)
{
    Status placed = system_.half ? placeHalf(stop) : system_.dense ? placeRows(stop) : Status::ok();
    if (placed && system_.sparse) placed = placeSparse();
    if (placed && system_.half) placed = memory_.allocate(shares_, groupsOf(size()) * padded(size()) * sizeof(double));
    if (placed) setView(starts_.as<std::uint64_t>(), columns_.as<std::uint32_t>());
    return placed;
}

template <>
Status TargetMatrix<float>::placeNarrowed(const TargetMatrix<double>& other, double scale)
{
    if (const std::uint64_t count = elements(); count > 0)
    {
        if (Status status = memory_.allocate(values_, (count + 1) * sizeof(float)); !status) return status;
        if (Status status =
                memory_.launch(stridingShape(quotientUp(count, kPieceStep), ~std::uint64_t(0)),
                               NarrowArguments{other.values_.as<double>(), values_.as<float>(), count, scale});
            !status)
            return status;
    }
    if (system_.half)
        if (Status status = memory_.allocate(shares_, groupsOf(size()) * padded(size()) * sizeof(float)); !status)
            return status;
    setView(other.starts_.as<std::uint64_t>(), other.columns_.as<std::uint32_t>());
    return Status::ok();
}

template <class T>
Status TargetMatrix<T>::multiply(const T* x, T* y, std::uint64_t mostBlocks, const CgState* state)
{
    const auto launch = [&](const auto& a) {
        using Rows = std::remove_cvref_t<decltype(a)>;
        const MultiplyArguments<Rows> arguments = {a, x, y, state};
        Status launched = memory_.launch(stridingShape(unitsOf(a), mostBlocks), arguments);
        if constexpr (std::is_same_v<Rows, HalfRows<T>>)
            if (launched)
                launched = memory_.launch({{unsigned(a.groups)}, {kCgThreads}}, GatherArguments<T>{arguments});
        return launched;
    };
    return std::visit(launch, view_);
}

template class TargetMatrix<double>;
template class TargetMatrix<float>;

}  // namespace orogen::compute

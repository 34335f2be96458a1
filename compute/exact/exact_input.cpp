#include "compute/exact/exact_input.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/text.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kPieceBytes = std::size_t(2) << 20;  // a multiple of every type's size

Status checkAlike(const ValueFile& x, const ValueFile& y)
{
    if (x.type() != y.type())
        return Error{ExitCode::kInput, fmt::format("{}: {}, and {}: {}, expected one type", x.name(), textOf(x.type()),
                                                   y.name(), textOf(y.type()))};
    if (x.fortranOrder() != y.fortranOrder())
        return Error{
            ExitCode::kInput,
            fmt::format("{} and {}: one in C order, one in Fortran order, expected one order", x.name(), y.name())};
    return Status::ok();
}

class PieceReader
{
public:
    PieceReader(const ValueFileOptions& options, const StopReading& stop, double& readMs, const TakePiece& take)
        : options_(options), stop_(stop), readMs_(readMs), take_(take), x_(kPieceBytes)
    {
    }

    Status readFile(const std::string& path)
    {
        Result<std::unique_ptr<ValueFile>> file = ValueFile::open(path, options_, stop_);
        if (!file) return file.error();
        const std::size_t size = bytesOf((*file)->type());
        for (std::uint64_t read = 0;;)
        {
            const Result<std::size_t> count = fill(**file, x_);
            if (!count) return count.error();
            if (*count == 0) return Status::ok();
            read += *count * size;
            if (Status status = take_({(*file)->type(), std::span(x_).first(*count * size)}, share(**file, read));
                !status)
                return status;
            if (stop_()) return Error{ExitCode::kInterrupted, (*file)->name() + ": interrupted"};
        }
    }

    Status readPair(const std::string& xPath, const std::string& yPath)
    {
        Result<std::unique_ptr<ValueFile>> x = ValueFile::open(xPath, options_, stop_);
        if (!x) return x.error();
        Result<std::unique_ptr<ValueFile>> y = ValueFile::open(yPath, options_, stop_);
        if (!y) return y.error();
        if (Status status = checkAlike(**x, **y); !status) return status;
        y_.resize(kPieceBytes);
        const std::size_t size = bytesOf((*x)->type());
        for (std::uint64_t read = 0;;)
        {
            const Result<std::size_t> first = fill(**x, x_);
            if (!first) return first.error();
            const Result<std::size_t> second = fill(**y, y_);
            if (!second) return second.error();
            if (*first != *second)
            {
                const bool xEnds = *first < *second;
                return Error{ExitCode::kInput,
                             fmt::format("{}: found {}, and more in {}, expected as many", (xEnds ? *x : *y)->name(),
                                         counted(read / size + std::min(*first, *second), "value"),
                                         (xEnds ? *y : *x)->name())};
            }
            if (*first == 0) return Status::ok();
            read += *first * size;
            if (Status status =
                    take_({(*x)->type(), std::span(x_).first(*first * size), std::span(y_).first(*first * size)},
                          share(**x, read));
                !status)
                return status;
            if (stop_()) return Error{ExitCode::kInterrupted, (*x)->name() + ": interrupted"};
        }
    }

private:
    // Reads until `to` is full or the file ends.  Returns the number of values read.
    Result<std::size_t> fill(ValueFile& file, std::span<std::byte> to)
    {
        const Clock::time_point start = Clock::now();
        const std::size_t size = bytesOf(file.type());
        std::size_t filled = 0;
        while (filled < to.size())
        {
            const Result<std::size_t> count = file.read(to.subspan(filled));
            if (!count) return count.error();
            if (*count == 0) break;
            filled += *count * size;
        }
        readMs_ += millisecondsSince(start);
        return filled / size;
    }

    // Returns the share of the file that `read` bytes are; 0: unknown.
    static double share(const ValueFile& file, std::uint64_t read)
    {
        return file.bytes() > 0 ? std::min(1.0, double(read) / double(file.bytes())) : 0;
    }

    const ValueFileOptions& options_;
    const StopReading& stop_;
    double& readMs_;
    const TakePiece& take_;
    Bytes x_, y_;
};

// Appends to memory that grows by doubling.  Error kLimit: memory does not suffice.
Status append(Bytes& to, std::span<const std::byte> from)
{
    constexpr std::size_t kUnchecked = std::size_t(16) << 20;
    if (to.size() + from.size() > to.capacity())
    {
        const std::size_t wanted = std::max(2 * to.capacity(), to.size() + from.size());
        if (wanted > kUnchecked)
            if (Status status = checkMemory("values", wanted); !status) return status;
        to.reserve(wanted);
    }
    to.insert(to.end(), from.begin(), from.end());
    return Status::ok();
}

}  // namespace

void ValueParts::add(ValueType type, Bytes x, Bytes y) { parts_.push_back({type, std::move(x), std::move(y)}); }

std::vector<ValuePiece> ValueParts::pieces() const
{
    std::vector<ValuePiece> pieces;
    for (const Part& part : parts_)
        pieces.push_back({part.type, part.x, part.y});
    return pieces;
}

std::uint64_t ValueParts::count() const
{
    std::uint64_t count = 0;
    for (const Part& part : parts_)
        count += part.x.size() / bytesOf(part.type);
    return count;
}

std::uint64_t ValueParts::bytes() const
{
    std::uint64_t bytes = 0;
    for (const Part& part : parts_)
        bytes += part.x.size() + part.y.size();
    return bytes;
}

Status readPieces(const std::vector<std::string>& x, const std::string* y, const ValueFileOptions& options,
                  const StopReading& stop, double& readMs, const TakePiece& take)
{
    double done = 0;
    const TakePiece takeShare = [&](const ValuePiece& piece, double share) {
        return take(piece, (done + share) / double(x.size()));
    };
    PieceReader reader(options, stop, readMs, takeShare);
    if (y) return reader.readPair(x.front(), *y);
    for (const std::string& path : x)
    {
        if (Status status = reader.readFile(path); !status) return status;
        ++done;
    }
    return Status::ok();
}

Result<ValueParts> readParts(const std::vector<std::string>& x, const std::string* y, const ValueFileOptions& options,
                             const StopReading& stop, double& readMs, const std::function<void(double)>& progress)
{
    ValueParts parts;
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        ValueType type = ValueType::kFloat64;
        Bytes first, second;
        const Status status = readPieces({x[i]}, y, options, stop, readMs, [&](const ValuePiece& piece, double share) {
            type = piece.type;
            progress((double(i) + share) / double(x.size()));
            const Status appended = append(first, piece.x);
            return appended && y ? append(second, piece.y) : appended;
        });
        if (!status) return status.error();
        parts.add(type, std::move(first), std::move(second));
    }
    return parts;
}

}  // namespace orogen::compute

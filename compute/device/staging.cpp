#include "compute/device/staging.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace orogen::compute {
namespace {

// Bytes that a thread copies at a time: enough that the thread pool's overhead, about a microsecond, does not matter.
constexpr std::size_t kSliceBytes = 512 << 10;

char* bytesAt(void* begin, std::size_t offset) { return static_cast<char*>(begin) + offset; }
const char* bytesAt(const void* begin, std::size_t offset) { return static_cast<const char*>(begin) + offset; }

}  // namespace

struct Staging::Transfer
{
    void* to;
    const void* from;
    std::size_t bytes;
    CopyDirection direction;
};

Result<const Staging::Piece*> Staging::piece(std::size_t number)
{
    if (stop_.stop_requested()) return Error{ExitCode::kInterrupted, "transfer: cancelled"};
    Piece& piece = pieces_[number % kPieces];
    if (piece.travelled.get())
    {
        if (Status status = waitFor(piece); !status) return status.error();
        return &piece;
    }
    Result<PinnedMemory> memory = gpu_->allocatePinned(kPieceBytes);
    if (!memory) return memory.error();
    Result<CudaEvent> event = gpu_->createEvent();
    if (!event) return event.error();
    piece = {std::move(*memory), std::move(*event)};
    return &piece;
}

Status Staging::waitFor(const Piece& piece)
{
    return gpu_->cuda().call("cudaEventSynchronize", &CudaCalls::synchronizeEvent, piece.travelled.get());
}

Status Staging::send(const Piece& piece, const Transfer& part, const CudaStream& stream)
{
    Cuda& cuda = gpu_->cuda();
    if (Status status = cuda.call("cudaMemcpyAsync", &CudaCalls::copy, part.to, part.from, part.bytes, part.direction,
                                  stream.get());
        !status)
        return status;
    return cuda.call("cudaEventRecord", &CudaCalls::recordEvent, piece.travelled.get(), stream.get());
}

void Staging::useThreadsFor(std::size_t bytes)
{
    if (threads_ || bytes <= kPieceBytes) return;
    threads_ = std::make_unique<ThreadPool>(std::clamp(int(std::thread::hardware_concurrency()), 1, kMostThreads));
}

void Staging::copy(void* to, const void* from, std::size_t bytes)
{
    if (!threads_)
    {
        std::memcpy(to, from, bytes);
        return;
    }
    threads_->forEach((bytes + kSliceBytes - 1) / kSliceBytes, [=](std::size_t slice) {
        const std::size_t begin = slice * kSliceBytes;
        std::memcpy(bytesAt(to, begin), bytesAt(from, begin), std::min(kSliceBytes, bytes - begin));
    });
}

Status Staging::upload(void* to, const void* from, std::size_t bytes, const CudaStream& stream)
{
    useThreadsFor(bytes);
    for (std::size_t done = 0, number = 0; done < bytes; done += kPieceBytes, ++number)
    {
        const std::size_t length = std::min(kPieceBytes, bytes - done);
        const Result<const Piece*> free = piece(number);
        if (!free) return free.error();
        void* const pinned = (*free)->memory.get();
        copy(pinned, bytesAt(from, done), length);
        if (Status status = send(**free, {bytesAt(to, done), pinned, length, CopyDirection::kToDevice}, stream);
            !status)
            return status;
    }
    return Status::ok();
}

// Copies from one piece while transfers fill others.
Status Staging::download(void* to, const void* from, std::size_t bytes, const CudaStream& stream)
{
    useThreadsFor(bytes);
    const std::size_t parts = (bytes + kPieceBytes - 1) / kPieceBytes;
    const auto length = [=](std::size_t part) { return std::min(kPieceBytes, bytes - part * kPieceBytes); };
    std::size_t sent = 0;
    for (std::size_t part = 0; part < parts; ++part)
    {
        for (; sent < std::min(parts, part + kPieces); ++sent)
        {
            const Result<const Piece*> free = piece(sent);
            if (!free) return free.error();
            if (Status status = send(
                    **free,
                    {(*free)->memory.get(), bytesAt(from, sent * kPieceBytes), length(sent), CopyDirection::kToHost},
                    stream);
                !status)
                return status;
        }
        const Piece& arrived = pieces_[part % kPieces];
        if (Status status = waitFor(arrived); !status) return status;
        copy(bytesAt(to, part * kPieceBytes), arrived.memory.get(), length(part));
    }
    return Status::ok();
}

}  // namespace orogen::compute

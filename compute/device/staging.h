// Transfers between pageable memory and a GPU at the speed of the bus.  Threads fill or empty one piece of pinned
// memory while others are in flight.  One thread copies about 10 GB/s, whereas a PCIe 5 bus moves 50 GB/s.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <stop_token>

#include "compute/device/cuda.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

// Transfer buffers of one GPU and one stream, used by one thread at a time.  The GPU must outlive the buffers.  Pieces
// and threads are created on demand: a transfer that fits in a piece needs one piece and no thread.
class Staging
{
public:
    static constexpr std::size_t kPieceBytes = 4 << 20;
    static constexpr std::size_t kPieces = 4;
    static constexpr int kMostThreads = 4;  // more do not copy faster, but slow down other work

    Staging(const CudaGpu& gpu, std::stop_token stop) : gpu_(&gpu), stop_(std::move(stop)) {}

    // Returns when `from` has been read; the transfer completes in the stream.  Errors: CUDA's, and kInterrupted after
    // a stop, which is polled before each piece.
    Status upload(void* to, const void* from, std::size_t bytes, const CudaStream& stream);
    // Returns when all data is in `to`.  Errors: those of upload().
    Status download(void* to, const void* from, std::size_t bytes, const CudaStream& stream);

private:
    struct Piece
    {
        PinnedMemory memory;
        CudaEvent travelled;  // recorded after the piece's last transfer
    };
    struct Transfer;

    Result<const Piece*> piece(std::size_t number);  // ready for use: its last transfer is complete
    Status send(const Piece& piece, const Transfer& part, const CudaStream& stream);
    Status waitFor(const Piece& piece);
    void useThreadsFor(std::size_t bytes);
    void copy(void* to, const void* from, std::size_t bytes);

    const CudaGpu* gpu_;
    std::stop_token stop_;
    std::array<Piece, kPieces> pieces_;
    std::unique_ptr<ThreadPool> threads_;
};

}  // namespace orogen::compute

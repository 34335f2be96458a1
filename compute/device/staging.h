// Transfers between ordinary memory and a GPU, at the speed of the bus: through pieces of pinned memory, of which some
// travel while threads fill or empty another.  One thread copies some 10 GB/s, a bus of PCIe 5 moves 50.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <stop_token>

#include "compute/device/cuda.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

// Of one GPU and one stream, which must outlive it; used by one thread at a time.  Pieces and threads are made when a
// transfer first needs them: one that fits in a piece needs one, and no thread.
class Staging
{
public:
    static constexpr std::size_t kPieceBytes = 4 << 20;
    static constexpr std::size_t kPieces = 4;
    static constexpr int kMostThreads = 4;  // more do not copy faster, but take them from others

    Staging(const CudaGpu& gpu, std::stop_token stop) : gpu_(&gpu), stop_(std::move(stop)) {}

    // Returns when `from` has been read; the rest happens in the stream.  Errors: CUDA's, kInterrupted after a stop,
    // which is looked at before each piece.
    Status upload(void* to, const void* from, std::size_t bytes, const CudaStream& stream);
    // Returns when all is in `to`.
    Status download(void* to, const void* from, std::size_t bytes, const CudaStream& stream);

private:
    struct Piece
    {
        PinnedMemory memory;
        CudaEvent travelled;
    };
    struct Transfer;

    Result<const Piece*> piece(std::size_t number);  // free to be used: what it held has travelled
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

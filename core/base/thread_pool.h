// Persistent threads for rounds of parallel work that follow each other within microseconds.
//
// - Callers: one thread at a time, and never from within a piece.  The calling thread works, too.
// - Visibility: a piece sees the caller's writes before the round.  The caller, and so the next round, sees all pieces'
//   writes.  Pieces of one round are unordered, even on one thread: ThreadSanitizer reports data that two of them
//   share.
// - Determinism: a piece is a number whose meaning must depend on the problem alone.  Then results are bit-identical
//   for any number of threads.
// - Balance: threads claim many pieces at first and single ones towards the end.  A descheduled thread claims none and
//   delays only the pieces that it has claimed.
// - Cost: a round takes about a microsecond while the threads are awake.  They spin for some 100 microseconds, then
//   sleep; the caller does most of the first round after that.  With more threads than processors they never spin.
// - Threads: if the system gives fewer than requested, fewer do the work, at worst the caller alone; see threads().
// - Exceptions: the first exception of a piece is rethrown to the caller after all running pieces have ended; pieces
//   that have not begun are skipped.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/base/executor.h"

namespace orogen {

class ThreadPool final : public Executor
{
public:
    explicit ThreadPool(int threads);  // >= 1, including the calling thread
    ~ThreadPool() override;

    int threads() const { return 1 + int(helpers_.size()); }

    // Calls work(piece), or work(piece, thread) with thread < threads(), once per piece; returns when all are done.
    // pieces < 2^32.  Thread 0 is the caller.
    template <class Work>
    void forEach(std::size_t pieces, const Work& work)
    {
        assert(pieces <= std::numeric_limits<std::uint32_t>::max());
        if (helpers_.empty() || pieces < 2)
        {
            for (std::size_t piece = 0; piece < pieces; ++piece)
                call(work, piece, 0);
            return;
        }
        runRound(std::uint32_t(pieces), &work, [](const void* context, std::size_t piece, int thread) {
            call(*static_cast<const Work*>(context), piece, thread);
        });
    }

    // Uses four ranges per thread.  Their limits depend on the number of threads, so results must not depend on the
    // limits.
    void run(std::uint32_t count, const Body& body) override;

private:
    using Call = void (*)(const void* context, std::size_t piece, int thread);

    template <class Work>
    static void call(const Work& work, std::size_t piece, int thread)
    {
        if constexpr (std::is_invocable_v<const Work&, std::size_t, int>)
            work(piece, thread);
        else
            work(piece);
    }

    void runRound(std::uint32_t pieces, const void* context, Call doPiece);
    void work(std::uint32_t round, int thread);
    void runPieces(std::size_t begin, std::size_t end, int thread);
    void help(int thread);

    const int spinIterations_;
    // State of the current round.  Read only by threads that have claimed a piece of it, for which the round waits.
    const void* context_ = nullptr;
    Call call_ = nullptr;
    std::uint32_t pieces_ = 0;
    std::exception_ptr exception_;
    std::atomic<bool> thrown_{false};
    // Round number (upper half) and number of unclaimed pieces (lower half); publishes the members above.
    std::atomic<std::uint64_t> unclaimed_{0};
    std::atomic<std::uint32_t> unfinished_{0};  // pieces
    std::atomic<std::uint32_t> round_{0};       // threads wait for its change
    std::atomic<bool> stopping_{false};
    std::vector<std::jthread> helpers_;
};

// ---- rows of a grid ----

inline constexpr int kRowsInBand = 16;  // small enough to balance, large enough to amortise a claim

inline int bandsOf(int rows) { return (rows + kRowsInBand - 1) / kRowsInBand; }

// Returns the number of processors, or fewer if the rows are too few to keep them busy.
int threadsForRows(int rows);

// Calls work(firstRow, endRow) for bands that cover [0, rows) once.  The rows must be independent.
template <class Work>
void forRows(ThreadPool& pool, int rows, const Work& work)
{
    pool.forEach(std::size_t(bandsOf(rows)), [&](std::size_t band) {
        const int begin = int(band) * kRowsInBand;
        work(begin, std::min(rows, begin + kRowsInBand));
    });
}

}  // namespace orogen

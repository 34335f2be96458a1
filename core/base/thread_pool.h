// Threads that stay between rounds of work, for rounds that follow each other within microseconds.
//
// Callers     One thread at a time, and never from within a piece.  The calling thread works, too.
// Visibility  A piece sees what the caller wrote before the round; the caller, and with it the next round, sees what
//             every piece wrote.  Pieces of one round are not ordered among themselves, even where one thread does
//             both: ThreadSanitizer reports what two of them share.
// Bits        A piece is a number; what it stands for is the caller's to say, and may depend on the problem alone. Then
//             results are the same for any number of threads, bit for bit.
// Balance     Threads claim pieces, many at first and single ones towards the end.  A thread that the machine keeps
// from
//             running claims none and is not waited for; one that is stopped within a piece is.
// Cost        A round takes about a microsecond while the threads are awake.  They wait for the next one awake for some
//             100 microseconds, then asleep; the first round after that is mostly the caller's own.  With more threads
//             than processors nobody waits awake.
// Threads     Where the system does not give as many as were asked for, fewer do the work, at worst the caller alone:
//             threads() tells.
// Exceptions  One that leaves a piece is thrown again by the caller's round, once all pieces have ended; pieces that
// had
//             not begun are left out.  Of several, one is kept.
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
    explicit ThreadPool(int threads);  // >= 1, the calling thread among them
    ~ThreadPool() override;

    int threads() const { return 1 + int(helpers_.size()); }

    // Calls work(piece), or work(piece, thread) with a thread's number below threads(), once for each piece; returns
    // when all are done.  Fewer than 2^32 pieces.  Number 0 is the caller's.
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

    // Four ranges a thread.  Where they end depends on the number of threads: for bodies whose results do not depend on
    // it.
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
    // Of this round; read by who has claimed a piece of it, which the round does not end without.
    const void* context_ = nullptr;
    Call call_ = nullptr;
    std::uint32_t pieces_ = 0;
    std::exception_ptr exception_;
    std::atomic<bool> thrown_{false};
    // The round's number, and below it how many pieces are not claimed; publishes what is above.
    std::atomic<std::uint64_t> unclaimed_{0};
    std::atomic<std::uint32_t> unfinished_{0};  // pieces
    std::atomic<std::uint32_t> round_{0};       // that threads wait for
    std::atomic<bool> stopping_{false};
    std::vector<std::jthread> helpers_;
};

// ---- rows of a grid ----

inline constexpr int kRowsInBand = 16;  // fine enough to balance, coarse enough to amortise a claim

inline int bandsOf(int rows) { return (rows + kRowsInBand - 1) / kRowsInBand; }

// As many threads as the machine has processors, or fewer where so few rows do not keep them busy.
int threadsForRows(int rows);

// Calls work(firstRow, endRow) for bands that cover [0, rows), each row once.  For rows that do not depend on each
// other.
template <class Work>
void forRows(ThreadPool& pool, int rows, const Work& work)
{
    pool.forEach(std::size_t(bandsOf(rows)), [&](std::size_t band) {
        const int begin = int(band) * kRowsInBand;
        work(begin, std::min(rows, begin + kRowsInBand));
    });
}

}  // namespace orogen

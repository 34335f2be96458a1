// Threads: execution policy for loops, a pool of persistent threads, and starting or waking single threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/status.h"

namespace orogen {

// Execution policy for loops over a concurrent binary tree (core/cbt/): one thread or several.
//
// Runs a body over disjoint ranges [begin, end) that cover [0, count), in any order and on any threads.  Returns when
// all are done; their writes are visible to the caller and to the next call.
class Executor
{
public:
    using Body = std::function<void(std::uint32_t begin, std::uint32_t end)>;

    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    virtual void run(std::uint32_t count, const Body& body) = 0;
};

class SerialExecutor final : public Executor
{
public:
    void run(std::uint32_t count, const Body& body) override
    {
        if (count > 0) body(0, count);
    }
};

// Persistent threads for rounds of parallel work that follow each other within microseconds.  A round is one call of
// forEach() or run(); it consists of numbered pieces.
//
// - Callers: one thread at a time, and never from within a piece.  The calling thread works, too.
// - Visibility: a piece sees the caller's writes before the round.  The caller, and so the next round, sees all pieces'
//   writes.  Pieces of one round are unordered, even on one thread: ThreadSanitizer reports data that two of them
//   share.
// - Determinism: a piece is a number whose meaning must depend on the problem alone.  Then results are bit-identical
//   for any number of threads.
// - Balance: threads claim many pieces at first and single ones towards the end.  A descheduled thread claims none and
//   delays only the pieces that it has claimed.
// - Cost: a round takes about a microsecond while the threads are awake.  They spin for 100 to 200 microseconds, then
//   sleep; the caller does most of the first round after that.  With more threads than processors they never spin.
// - Threads: if the system gives fewer than requested, fewer do the work, at worst the caller alone; see threads().
// - Exceptions: the first exception of a piece is rethrown to the caller after all running pieces have ended.  Pieces
//   that have not begun are skipped.
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

    // Uses at most four ranges per thread.  Their bounds depend on the number of threads, so results must not depend on
    // the bounds.
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
    // State of the current round.  Only the caller, and threads that have claimed a piece of the round, access it.  The
    // round ends after its last piece, so no access outlasts it.
    const void* context_ = nullptr;
    Call call_ = nullptr;
    std::uint32_t pieces_ = 0;
    std::exception_ptr exception_;
    std::atomic<bool> thrown_{false};
    // Round number (upper half) and number of unclaimed pieces (lower half); publishes the members above.
    std::atomic<std::uint64_t> unclaimed_{0};
    std::atomic<std::uint32_t> unfinished_{0};  // pieces that have not ended
    std::atomic<std::uint32_t> round_{0};       // number of the newest round; idle threads wait for its change
    std::atomic<bool> stopping_{false};
    std::vector<std::jthread> helpers_;
};

// ---- rows of a grid ----

inline constexpr int kRowsInBand = 16;  // rows per piece: few enough to balance the load, enough to amortise a claim

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

// Calls work(row) for each of [0, rows) once.  The rows must be independent.
template <class Work>
void forEachRow(ThreadPool& pool, int rows, const Work& work)
{
    forRows(pool, rows, [&](int begin, int end) {
        for (int row = begin; row < end; ++row)
            work(row);
    });
}

// ---- single threads ----

inline int usableThreads()
{
    const unsigned threads = std::thread::hardware_concurrency();  // 0: unknown
    return threads > 0 ? int(threads) : 1;
}

// Starts work(std::stop_token) or work() on a new thread.  Error kLimit, naming `what`, if the system gives no thread:
// a limit on processes or memory.
template <class Work>
Result<std::jthread> startThread(std::string_view what, Work&& work)
{
    try
    {
        return std::jthread(std::forward<Work>(work));
    }
    catch (const std::system_error& error)
    {
        return Error{ExitCode::kLimit, std::string(what) + ": no thread can be started: " + error.code().message()};
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, std::string(what) + ": no thread can be started: out of memory"};
    }
}

// Stores `next` and wakes threads that wait for a change of `value`.  libstdc++ skips the wake-up when its waiter count
// is 0.  The sequentially consistent exchange orders the load of that count after the store.  A plain store could
// become visible after the load, and a thread that has just fallen asleep would miss the wake-up.
template <class T>
void storeAndNotify(std::atomic<T>& value, T next)
{
    value.exchange(next, std::memory_order_seq_cst);
    value.notify_all();
}

}  // namespace orogen

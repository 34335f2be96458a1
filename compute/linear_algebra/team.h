// Threads that stay between calls.  Work is cut into pieces whose number depends on the problem alone; which thread
// does a piece changes nothing, so that results are the same for any number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace orogen::compute {

class Team
{
public:
    explicit Team(int threads);  // at least 1; fewer where the machine gives no more
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team();

    int threads() const { return 1 + int(helpers_.size()); }

    // Calls work(piece) once for each piece, of which there are fewer than 2^32; returns when all are done.  `work`
    // must not throw.
    template <class Work>
    void forEach(std::size_t pieces, const Work& work)
    {
        if (helpers_.empty() || pieces < 2)
        {
            for (std::size_t piece = 0; piece < pieces; ++piece)
                work(piece);
            return;
        }
        run(pieces, &work, [](const void* context, std::size_t piece) { (*static_cast<const Work*>(context))(piece); });
    }

private:
    using Call = void (*)(const void* context, std::size_t piece);
    void run(std::size_t pieces, const void* context, Call call);
    void help();
    bool doSome();

    const int looks_;  // before a thread sleeps
    // Of the round that runs.  Whoever has taken a piece of it may read them: the round does not end without that
    // piece.
    std::size_t pieces_ = 0;
    const void* context_ = nullptr;
    Call call_ = nullptr;
    std::atomic<std::uint64_t> left_{0};  // the round's number above, pieces that nobody has taken below
    std::atomic<std::size_t> undone_{0};
    std::atomic<bool> over_{false};
    std::vector<std::jthread> helpers_;
};

}  // namespace orogen::compute

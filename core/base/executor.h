// Execution policy for loops over the tree: one thread or several.
#pragma once

#include <cstdint>
#include <functional>

namespace orogen {

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

}  // namespace orogen

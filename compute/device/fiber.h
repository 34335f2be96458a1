// Stacks to run on, and the switch between them.  On x86-64 the switch saves what a function call must keep and nothing
// else (no signal mask: that is a system call); elsewhere it is ucontext.
#pragma once

#include <cstddef>
#include <memory>

#if defined(__x86_64__) && !defined(OROGEN_UCONTEXT)
#define OROGEN_OWN_SWITCH
#else
#include <ucontext.h>
#endif

namespace orogen::compute {

// A place in a thread of execution that can be left and come back to.
class Fiber
{
public:
    Fiber() = default;
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;
    ~Fiber();

    // The first switch to it calls `entry`, which never returns, on the stack given (aligned to 16).
    void prepare(char* stack, std::size_t bytes, void (*entry)());
    // Leaves `from` here, and goes on where `to` was left.
    static void change(Fiber& from, Fiber& to);
    // The same, but `from` is left for good: nothing lives on its stack any more.
    [[noreturn]] static void finish(Fiber& from, Fiber& to);
    // The first thing to call on a fiber's stack.
    static void arrived(Fiber& self);

private:
    static void changeStack(Fiber& from, Fiber& to, void** sanitizersStack);
    void knowStack();

#ifdef OROGEN_OWN_SWITCH
    void* stackPointer_ = nullptr;
#else
    ucontext_t context_ = {};
#endif
    // For the sanitizers alone, which have to know which stack is in use.
    const void* stack_ = nullptr;
    std::size_t bytes_ = 0;
    void* sanitizer_ = nullptr;
};

// Memory for stacks, kept between uses.
class StackPool
{
public:
    // No power of two: stacks a power of two apart compete for the same lines of every cache.
    static constexpr std::size_t kStackBytes = (64 + 4) << 10;

    StackPool() = default;
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;
    ~StackPool();

    // Room for that many stacks; false if there is none.  Invalidates the stacks given before.
    bool reserve(std::size_t stacks);
    char* stack(std::size_t index) const { return memory_ + index * kStackBytes; }

private:
    void release();

    char* memory_ = nullptr;
    std::size_t stacks_ = 0;
};

}  // namespace orogen::compute

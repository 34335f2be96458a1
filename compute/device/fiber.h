// Fibers: stacks to run on, and the switch between them.  On x86-64 the switch saves only the callee-saved registers;
// saving the signal mask as well would take a system call.  Other processors use ucontext.
#pragma once

#include <cstddef>
#include <memory>

#if defined(__x86_64__) && !defined(OROGEN_UCONTEXT)
#define OROGEN_OWN_SWITCH
#else
#include <ucontext.h>
#endif

namespace orogen::compute {

// Point of execution that can be suspended and resumed.
class Fiber
{
public:
    Fiber() = default;
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;
    ~Fiber();

    // Makes the first switch to this fiber call `entry`, which must not return, on `stack` (aligned to 16 bytes).
    void prepare(char* stack, std::size_t bytes, void (*entry)());
    // Suspends `from` here, and resumes `to` where it was suspended.
    static void change(Fiber& from, Fiber& to);
    // Ends `from`, which must have no live objects on its stack, and resumes `to`.
    [[noreturn]] static void finish(Fiber& from, Fiber& to);
    // Completes the first switch to `self`, for AddressSanitizer.  Must be the first call on a fiber's stack.
    static void arrived(Fiber& self);

private:
    static void changeStack(Fiber& from, Fiber& to, void** sanitizersStack);
    void knowStack();

#ifdef OROGEN_OWN_SWITCH
    void* stackPointer_ = nullptr;
#else
    ucontext_t context_ = {};
#endif
    // For the sanitizers only: bounds of this fiber's stack, and the sanitizer's state of the fiber.
    const void* stack_ = nullptr;
    std::size_t bytes_ = 0;
    void* sanitizer_ = nullptr;
};

// Memory for stacks, kept between uses.
class StackPool
{
public:
    // Not a power of two: stacks a power of two apart would compete for the same lines of every cache.
    static constexpr std::size_t kStackBytes = (64 + 4) << 10;

    StackPool() = default;
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;
    ~StackPool();

    // Makes room for that many stacks.  Returns false if memory is short.  May invalidate stacks returned before.
    bool reserve(std::size_t stacks);
    // Returns the start of a stack of kStackBytes.
    char* stack(std::size_t index) const { return memory_ + index * kStackBytes; }

private:
    void release();

    char* memory_ = nullptr;
    std::size_t stacks_ = 0;
};

}  // namespace orogen::compute

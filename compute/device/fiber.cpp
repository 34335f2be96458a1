// Switches by saving the callee-saved registers and changing the stack.  A switch between threads would take a system
// call, and a kernel makes millions of switches.
#include "compute/device/fiber.h"

#include <cassert>
#include <cstdint>
#include <cstdlib>

#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#ifdef OROGEN_OWN_SWITCH
// Saves the callee-saved registers on this stack and the stack pointer in *from, and restores the registers saved on
// the stack `to`.
asm(R"(
    .text
    .p2align 4
    .globl orogen_switch_stack
    .hidden orogen_switch_stack
    .type orogen_switch_stack, @function
orogen_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size orogen_switch_stack, . - orogen_switch_stack
)");
extern "C" void orogen_switch_stack(void** from, void* to);
#endif

namespace orogen::compute {

Fiber::~Fiber()
{
#if defined(__SANITIZE_THREAD__)
    if (stack_ && sanitizer_) __tsan_destroy_fiber(sanitizer_);
#endif
}

void Fiber::prepare(char* stack, std::size_t bytes, void (*entry)())
{
    stack_ = stack;
    bytes_ = bytes;
#if defined(__SANITIZE_ADDRESS__)
    ASAN_UNPOISON_MEMORY_REGION(stack, bytes);  // an abandoned fiber may have left the memory poisoned
    sanitizer_ = nullptr;
#endif
#if defined(__SANITIZE_THREAD__)
    if (!sanitizer_) sanitizer_ = __tsan_create_fiber(0);
#endif
#ifdef OROGEN_OWN_SWITCH
    constexpr int kSavedRegisters = 6;
    void** top = reinterpret_cast<void**>(stack + bytes);
    *--top = nullptr;  // return address of `entry`, unused; aligns the stack as after a call
    *--top = reinterpret_cast<void*>(entry);
    for (int i = 0; i < kSavedRegisters; ++i)
        *--top = nullptr;
    stackPointer_ = top;
#else
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack;
    context_.uc_stack.ss_size = bytes;
    context_.uc_link = nullptr;
    makecontext(&context_, entry, 0);
#endif
}

void Fiber::change(Fiber& from, Fiber& to)
{
    changeStack(from, to, &from.sanitizer_);
    arrived(from);
}

void Fiber::finish(Fiber& from, Fiber& to)
{
    changeStack(from, to, nullptr);
    std::abort();  // unreachable: a finished fiber is never resumed
}

// AddressSanitizer saves its state for the stack being left in *sanitizersStack; with nullptr it discards that state.
void Fiber::changeStack(Fiber& from, Fiber& to, [[maybe_unused]] void** sanitizersStack)
{
#if defined(__SANITIZE_ADDRESS__)
    if (!from.stack_) from.knowStack();
    __sanitizer_start_switch_fiber(sanitizersStack, to.stack_, to.bytes_);
#endif
#if defined(__SANITIZE_THREAD__)
    if (!from.sanitizer_) from.sanitizer_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.sanitizer_, 0);
#endif
#ifdef OROGEN_OWN_SWITCH
    orogen_switch_stack(&from.stackPointer_, to.stackPointer_);
#else
    swapcontext(&from.context_, &to.context_);
#endif
}

void Fiber::arrived([[maybe_unused]] Fiber& self)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(self.sanitizer_, nullptr, nullptr);
#endif
}

#if defined(__SANITIZE_ADDRESS__)
// Records the bounds of the stack that the operating system gave to this thread.
void Fiber::knowStack()
{
    pthread_attr_t attributes;
    void* stack = nullptr;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    pthread_attr_getstack(&attributes, &stack, &bytes_);
    pthread_attr_destroy(&attributes);
    stack_ = stack;
}
#endif

StackPool::~StackPool() { release(); }

bool StackPool::reserve(std::size_t stacks)
{
    if (stacks <= stacks_) return true;
    release();
    if (stacks > SIZE_MAX / kStackBytes) return false;
    void* memory = mmap(nullptr, stacks * kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return false;
    memory_ = static_cast<char*>(memory);
    stacks_ = stacks;
    return true;
}

void StackPool::release()
{
#if defined(__SANITIZE_ADDRESS__)
    if (memory_) ASAN_UNPOISON_MEMORY_REGION(memory_, stacks_ * kStackBytes);  // for later users of these addresses
#endif
    if (memory_) munmap(memory_, stacks_ * kStackBytes);
    memory_ = nullptr;
    stacks_ = 0;
}

}  // namespace orogen::compute

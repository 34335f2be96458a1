// Limits the number of threads of a program besides its first to OROGEN_TEST_THREADS; loaded with LD_PRELOAD.
// RLIMIT_NPROC would do this, but does not apply to root.
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include <dlfcn.h>
#include <pthread.h>

namespace {

using Routine = void* (*)(void*);
using Create = int (*)(pthread_t*, const pthread_attr_t*, Routine, void*);

struct Start
{
    Routine routine;
    void* argument;
};

std::atomic<int> running = 0;

void* run(void* context)
{
    auto* start = static_cast<Start*>(context);
    const Start copy = *start;
    std::free(start);
    void* result = copy.routine(copy.argument);
    --running;
    return result;
}

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, Routine routine, void* argument)
{
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    static const char* most = std::getenv("OROGEN_TEST_THREADS");
    if (++running > (most ? std::atoi(most) : 0))
    {
        --running;
        return EAGAIN;
    }
    auto* start = static_cast<Start*>(std::malloc(sizeof(Start)));
    if (!start) return EAGAIN;
    *start = {routine, argument};
    const int failed = create(thread, attributes, run, start);
    if (failed != 0) --running;
    return failed;
}

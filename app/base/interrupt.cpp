#include "app/base/interrupt.h"

#include <atomic>

#include <csignal>

namespace orogen::app {
namespace {

constexpr int kPatience = 3;

std::atomic<int> received{0};
std::atomic<int> times{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch nothing else");

void onSignal(int signal)
{
    received.store(signal);
    if (times.fetch_add(1) + 1 >= kPatience) std::signal(signal, SIG_DFL);
}

}  // namespace

void installSignalHandlers()
{
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

std::optional<Error> interruption()
{
    switch (received.load())
    {
    case 0:
        return std::nullopt;
    case SIGTERM:
        return Error{ExitCode::kTerminated, "terminated"};
    default:
        return Error{ExitCode::kInterrupted, "interrupted"};
    }
}

bool interrupted() { return received.load() != 0; }

void requestInterrupt(int signal) { received.store(signal); }

}  // namespace orogen::app

#include "app/base/interrupt.h"

#include <atomic>

#include <csignal>
#include <string_view>

#include <unistd.h>

namespace orogen::app {
namespace {

constexpr int kPatience = 3;

std::atomic<int> received{0};
std::atomic<int> times{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch nothing else");

std::atomic<bool> exitsAtOnce{false};
std::atomic<bool> onTerminal{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// Makes async-signal-safe calls only.
[[noreturn]] void exitNow(int signal)
{
    const std::string_view clearLine = "\r\033[K";
    const std::string_view message = signal == SIGTERM ? "orogen: terminated\n" : "orogen: interrupted\n";
    if (onTerminal.load()) (void)!write(STDERR_FILENO, clearLine.data(), clearLine.size());
    (void)!write(STDERR_FILENO, message.data(), message.size());
    _exit(int(signal == SIGTERM ? ExitCode::kTerminated : ExitCode::kInterrupted));
}

void onSignal(int signal)
{
    if (exitsAtOnce.load()) exitNow(signal);
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

ExitAtOnce::ExitAtOnce()
{
    onTerminal.store(isatty(STDERR_FILENO) == 1);
    exitsAtOnce.store(true);
}

ExitAtOnce::~ExitAtOnce() { exitsAtOnce.store(false); }

void requestInterrupt(int signal) { received.store(signal); }

}  // namespace orogen::app

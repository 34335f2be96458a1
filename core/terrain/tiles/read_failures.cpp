#include "core/terrain/tiles/read_failures.h"

#include <algorithm>
#include <utility>

namespace orogen {
namespace {

// Returns the file name that errors begin with.
std::string nameIn(const std::string& message) { return message.substr(0, message.find(": ")); }

// Returns the file name without its numbers. A failing server or disk gives different messages for many tiles.
std::string causeOf(const std::string& message)
{
    std::string cause;
    for (const char c : nameIn(message))
        if (c < '0' || c > '9')
            cause += c;
        else if (cause.empty() || cause.back() != '#')
            cause += '#';
    return cause;
}

}  // namespace

void ReadFailures::failed(const TileKey& key, const std::string& message, double now)
{
    if (tiles_.size() >= kMostKept && !has(key)) forgetOldest();
    Failure& failure = tiles_[key];
    failure.cause = causeOf(message);
    const double pause = std::min(kFirstPause * double(1u << std::min(failure.tries, 16)), kLongestPause);
    ++failure.tries;
    failure.since = now;
    failure.again = now + pause;
    tell(failure.cause, message, now);
}

void ReadFailures::tell(const std::string& name, const std::string& message, double now)
{
    if (causes_.size() >= kMostCauses && !causes_.contains(name))
        std::erase_if(causes_, [](const auto& cause) { return !cause.second.told; });
    const auto [at, fresh] = causes_.try_emplace(name);
    Cause& cause = at->second;
    if (cause.told || (!fresh && now - cause.since < kQuiet)) return;
    cause = {message, true, now};
    messages_.push_back(message + "; coarser data stand in, and it is tried again");
}

void ReadFailures::loaded(const TileKey& key, double now, const std::function<bool(const TileKey&)>& wanted)
{
    const auto found = tiles_.find(key);
    if (found == tiles_.end()) return;
    const std::string cause = std::move(found->second.cause);
    tiles_.erase(found);
    bool left = false;
    for (auto& [other, failure] : tiles_)
    {
        if (failure.cause != cause) continue;
        failure.again = std::min(failure.again, now);  // one recovered tile suggests that the others can be read
        left |= wanted(other);
    }
    if (left) return;
    std::erase_if(tiles_, [&](const auto& tile) { return tile.second.cause == cause; });
    Cause& over = causes_[cause];
    if (std::exchange(over.told, false)) messages_.push_back(nameIn(over.message) + ": can be read again");
}

bool ReadFailures::mayTry(const TileKey& key, double now) const
{
    const auto found = tiles_.find(key);
    return found == tiles_.end() || now >= found->second.again;
}

int ReadFailures::tries(const TileKey& key) const
{
    const auto found = tiles_.find(key);
    return found == tiles_.end() ? 0 : found->second.tries;
}

void ReadFailures::forgetOldest()
{
    const auto older = [](const auto& a, const auto& b) { return a.second.since < b.second.since; };
    tiles_.erase(std::min_element(tiles_.begin(), tiles_.end(), older));
}

}  // namespace orogen

// The camera path of the session as the View panel shows it, and what the panel asks of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace orogen::app {

struct PathState
{
    std::vector<std::string> shipped{};  // names of paths to choose from
    std::vector<std::string> own{};      // files of paths that were kept
    bool present = false;                // there is a path; the next three are its
    std::string name{};
    double duration = 0;  // seconds; 0 for a single key
    double fraction = 0;  // where in it the camera is, in [0, 1]
    bool playing = false;
    std::optional<double> recorded{};  // seconds so far; empty: nothing is being recorded
};

// Whether there is nothing to play, and something to choose.
inline bool offersPaths(const PathState& path)
{
    return !path.present && !path.recorded && !(path.shipped.empty() && path.own.empty());
}

struct PathActions
{
    bool record = false;              // begins a recording, or ends it
    std::optional<std::string> load;  // a shipped name or a file
    bool play = false;                // plays, or holds; what is loaded, too
    std::optional<double> scrub;      // to this place, in [0, 1]
    std::optional<std::string> save;  // a file
};

}  // namespace orogen::app

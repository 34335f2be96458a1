// State of the session's camera path as the View panel shows it, and the actions it requests.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace orogen::app {

struct PathState
{
    std::vector<std::string> shipped{};  // names
    std::vector<std::string> own{};      // files of kept recordings
    bool present = false;                // a path is loaded; the next three describe it
    std::string name{};
    double duration = 0;  // seconds; 0 for a single key
    double fraction = 0;  // camera's place in the path, 0 to 1
    bool playing = false;
    std::optional<double> recorded{};  // seconds so far; empty: not recording
};

// Returns whether nothing can be played but paths can be chosen.
inline bool offersPaths(const PathState& path)
{
    return !path.present && !path.recorded && !(path.shipped.empty() && path.own.empty());
}

struct PathActions
{
    bool record = false;              // starts or ends a recording
    std::optional<std::string> load;  // a shipped name or a file
    bool play = false;                // plays or holds, also a path loaded in this frame
    std::optional<double> scrub;      // moves to this place, 0 to 1
    std::optional<std::string> save;  // file to save in
};

}  // namespace orogen::app

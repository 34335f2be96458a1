// Split picture: two pictures in one, as panels show it.
#pragma once

#include <optional>
#include <string>

#include "core/settings.h"

namespace orogen::app {

// Names of the sides, for their labels.
struct SplitNames
{
    std::string left{}, right{};
};

struct SplitView
{
    double divider = 0.5;     // share of the width that shows the left side, 0 to 1
    bool difference = false;  // shows where and how much the sides differ
    bool operator==(const SplitView&) const = default;
};

struct SplitState
{
    SplitNames names{};
    SplitView view{};
    bool loading = false;            // the left side's terrain is being loaded
    std::optional<double> leftMs{};  // time of the last frame (milliseconds); empty: unknown yet
    std::optional<double> rightMs{};
};

struct SplitActions
{
    std::optional<Settings> open{};   // opens the split picture: settings of the left side, on the same terrain
    std::optional<SplitView> view{};  // changes the divider or the mode
    bool close = false;
};

}  // namespace orogen::app

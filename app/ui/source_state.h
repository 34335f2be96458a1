// Where the open terrain comes from, what its file says, and what a person says instead: what the Terrain panel shows
// of it and asks.
#pragma once

#include <optional>
#include <string>

#include "core/terrain/io/source_overrides.h"

namespace orogen::app {

struct SourceState
{
    std::string dem{};                              // as it was opened; empty: nothing is open, or it is synthetic
    std::string nodata{}, unit{}, crs{}, extent{};  // what holds now, in words
    SourceOverrides overrides{};                    // that it was opened with
    bool saving = false;                            // filled heights, at
    double savingFraction = 0;                      // in [0, 1]
};

// What the fields hold, as text; empty: as the file says.
struct SourceDraft
{
    std::string nodata{}, pixelSize{}, crs{}, unit{};
};

struct SaveFilled
{
    std::string file{};
    bool replace = false;  // a file that is there; never the source
};

struct SourceActions
{
    std::optional<SourceOverrides> reopen;
    std::optional<SaveFilled> saveFilled;
    bool cancelSaving = false;
};

SourceDraft draftOf(const SourceOverrides& overrides);
// Error, kUsage: the field and what it expects.
Result<SourceOverrides> overridesOf(const SourceDraft& draft);

}  // namespace orogen::app

// Source of the open terrain: the file's metadata and the user's overrides, as the Terrain panel shows and requests
// them.
#pragma once

#include <optional>
#include <string>

#include "core/terrain/io/source_overrides.h"

namespace orogen::app {

struct SourceState
{
    std::string dem{};                              // as opened; empty: nothing is open, or it is synthetic
    std::string nodata{}, unit{}, crs{}, extent{};  // values in effect, as text
    SourceOverrides overrides{};                    // overrides in effect
    bool saving = false;                            // filled heights are being written
    double savingFraction = 0;                      // 0 to 1
};

// Contents of the fields, as text; empty: the file's own value applies.
struct SourceDraft
{
    std::string nodata{}, pixelSize{}, crs{}, unit{};
};

struct SaveFilled
{
    std::string file{};
    bool replace = false;  // may overwrite an existing file, but never the source
};

struct SourceActions
{
    std::optional<SourceOverrides> reopen;
    std::optional<SaveFilled> saveFilled;
    bool cancelSaving = false;
};

SourceDraft draftOf(const SourceOverrides& overrides);
// Parses the fields.  Error kUsage names the field and what it expects.
Result<SourceOverrides> overridesOf(const SourceDraft& draft);

}  // namespace orogen::app

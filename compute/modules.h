// List of the compute modules.  The command line, scripts, panels and the column `module` of a capture know modules
// only from this list and their descriptions.
#pragma once

#include <span>
#include <string_view>

#include "compute/job/module.h"

namespace orogen::compute {

// Returns all modules in display order.  There are at most 30, since FrameRecord::modules has 32 bits: one for each,
// and two for the terrain model and for void filling.
std::span<const Module* const> modules();

const Module* findModule(std::string_view name);        // null: not found
const Module* findModulePanel(std::string_view panel);  // the module with that panel; null: not found

}  // namespace orogen::compute

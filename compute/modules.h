// The compute modules of the program.  The command line, scripts, the panels and the column `module` of a capture know
// them from this list and their own descriptions alone.
#pragma once

#include <span>
#include <string_view>

#include "compute/job/module.h"

namespace orogen::compute {

std::span<const Module* const> modules();  // in the order in which they are offered; fewer than 32

const Module* findModule(std::string_view name);        // null: there is none
const Module* findModulePanel(std::string_view panel);  // the module with that panel; null: there is none

}  // namespace orogen::compute

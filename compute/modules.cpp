// modules.def generates the declarations and the table, so a new module takes one line there and no header here.
#include "compute/modules.h"

#include <algorithm>

namespace orogen::compute {

#define MODULE(function) const Module& function();
#include "compute/modules.def"
#undef MODULE

std::span<const Module* const> modules()
{
#define MODULE(function) &function(),
    static const Module* const all[] = {
#include "compute/modules.def"
    };
#undef MODULE
    return all;
}

const Module* findModule(std::string_view name)
{
    const auto found = std::ranges::find(modules(), name, [](const Module* module) { return module->name(); });
    return found == modules().end() ? nullptr : *found;
}

const Module* findModulePanel(std::string_view panel)
{
    const auto found =
        std::ranges::find(modules(), panel, [](const Module* module) { return module->description().panel; });
    return found == modules().end() ? nullptr : *found;
}

}  // namespace orogen::compute

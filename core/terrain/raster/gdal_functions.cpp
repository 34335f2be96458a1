#ifdef OROGEN_HAVE_GDAL

#include "core/terrain/raster/gdal_functions.h"

#include <cstdlib>

#include <dlfcn.h>
#include <fmt/format.h>

namespace orogen {
namespace {

// Returns the library, null if it cannot be loaded. It is never unloaded, because its threads and caches stay.
void* library()
{
    static void* const loaded = dlopen(OROGEN_GDAL_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    return loaded;
}

}  // namespace

bool loadGdal() { return library() != nullptr; }

void* gdalSymbol(const char* name)
{
    void* const found = library() ? dlsym(library(), name) : nullptr;
    if (found) return found;
    fmt::print(stderr, "orogen: {}: found no {}\n", OROGEN_GDAL_LIBRARY, name);
    std::abort();
}

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL

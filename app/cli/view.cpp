#include "app/cli/view.h"

#include "app/viewer.h"

namespace orogen::app {

Status runView(const SessionOptions& options)
{
    Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options);
    if (!viewer) return viewer.error();
    return (*viewer)->run();
}

}  // namespace orogen::app

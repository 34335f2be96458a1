#include "app/cli/view.h"

#include "app/session/scene_session.h"
#include "app/viewer.h"

namespace orogen::app {

Status runView(SessionOptions options)
{
    if (Status s = openScene(options); !s) return s;
    Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options);
    if (!viewer) return viewer.error();
    return (*viewer)->run();
}

}  // namespace orogen::app

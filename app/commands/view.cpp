#include "app/commands/view.h"

namespace orogen::app {

Status runView(const ViewOptions&) { return Error{ExitCode::kNoContext, "this build has no viewer yet"}; }

}  // namespace orogen::app

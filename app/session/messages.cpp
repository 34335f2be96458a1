#include "app/session/messages.h"

#include "app/base/output.h"

namespace orogen::app {

void Messages::report(MessageKind kind, const std::string& text)
{
    log_.push(kind, text, seconds_);
    if (print_ && kind != MessageKind::kNote) tell(text);
}

void Messages::reportOutcome(const Status& status, const std::string& done)
{
    status ? report(MessageKind::kNote, done) : reportError(status);
}

void Messages::reportError(const Status& status)
{
    if (!status) report(MessageKind::kError, status.error().message);
}

void Messages::update(double seconds)
{
    seconds_ = seconds;
    log_.update(seconds);
}

}  // namespace orogen::app

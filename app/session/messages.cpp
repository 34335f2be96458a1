#include "app/session/messages.h"

#include <algorithm>
#include <utility>

#include "app/base/output.h"

namespace orogen::app {

namespace {

constexpr std::size_t kMostShown = 4;
constexpr double kNoteSeconds = 5, kErrorSeconds = 12;

}  // namespace

void MessageLog::push(MessageKind kind, std::string text, double now)
{
    newest_ = text;
    if (!all_.empty() && all_.back().kind == kind && all_.back().text == text)
        all_.back() = {kind, text, now, all_.back().times + 1};
    else
        all_.push_back({kind, text, now});
    if (all_.size() > kMostKept) all_.erase(all_.begin());
    const auto same = std::ranges::find_if(
        shown_, [&](const UiMessage& message) { return message.kind == kind && message.text == text; });
    const int times = same == shown_.end() ? 1 : same->times + 1;
    if (same != shown_.end()) shown_.erase(same);
    shown_.push_back({kind, std::move(text), now, times});
    if (shown_.size() > kMostShown) shown_.erase(shown_.begin());
}

void MessageLog::update(double now)
{
    std::erase_if(shown_, [&](const UiMessage& message) {
        return now - message.shownAt > (message.kind == MessageKind::kNote ? kNoteSeconds : kErrorSeconds);
    });
}

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

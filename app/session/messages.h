// What a session tells its user: lines over the picture, and on standard error where nobody sees the picture.
#pragma once

#include <string>
#include <vector>

#include "app/ui/model.h"
#include "core/base/status.h"

namespace orogen::app {

class Messages
{
public:
    void printProblems(bool print) { print_ = print; }  // warnings and errors go to standard error, too

    void report(MessageKind kind, const std::string& text);
    void reportOutcome(const Status& status, const std::string& done);  // a note of what was done, or the error
    void reportError(const Status& status);                             // nothing where there is none

    void update(double seconds);  // once a frame, with the session's clock: old lines go away
    const std::vector<UiMessage>& shown() const { return log_.shown(); }
    const std::vector<UiMessage>& all() const { return log_.all(); }  // of the session, as far as they are kept
    const std::string& newest() const { return log_.newest(); }

private:
    MessageLog log_;
    double seconds_ = 0;
    bool print_ = false;
};

}  // namespace orogen::app

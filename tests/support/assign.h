// Values of a module's parameters, written as on the command line.
#pragma once

#include <string_view>

#include "compute/job/parameters.h"

namespace orogen::compute {

// Sets a value by "key=value", or a flag by "key".
inline Status assign(ParameterValues& values, std::string_view text)
{
    const std::size_t equals = text.find('=');
    return equals == std::string_view::npos ? values.set(text, "true")
                                            : values.set(text.substr(0, equals), text.substr(equals + 1));
}

}  // namespace orogen::compute

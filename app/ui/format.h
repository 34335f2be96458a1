// Numbers as panels show them.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/text.h"  // grouped, fixedText

namespace orogen::app {

std::string compact(std::uint64_t number);   // 950, 12.3 k, 1.23 M, 4.56 G
std::string bytesText(std::uint64_t bytes);  // 512 B, 4.0 KiB, 128 MiB
std::string metresText(double metres);       // 0 m, 0.82 m, 12.3 m, 1,234 m, 36.2 km
// Heights between samples that lie `samplesApart` metres apart: metresText(), or from 500 m on, where nothing tells
// them to the metre, "about 1,900 m".  The note is " (samples 9.3 km)" there and empty elsewhere.
bool coarseSamples(double samplesApart);
std::string heightText(double metres, double samplesApart);
std::string samplesNote(double samplesApart);
std::string msText(double milliseconds);  // 0.042, 1.25, 16.7, 120

}  // namespace orogen::app

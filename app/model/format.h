// Formats numbers for panels.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/text.h"  // grouped, fixedText

namespace orogen::app {

std::string compact(std::uint64_t number);   // 950, 12.3 k, 1.23 M, 4.56 G
std::string bytesText(std::uint64_t bytes);  // 512 B, 4.00 KiB, 128 MiB
std::string metresText(double metres);       // 0 m, 0.82 m, 12.3 m, 1,234 m, 36.2 km
// Heights with the accuracy that their sample spacing (metres) allows.  From 500 m on, heightText() returns "about
// 1,900 m" and samplesNote() " (samples 9.3 km)"; below, metresText() and "".
bool coarseSamples(double samplesApart);
std::string heightText(double metres, double samplesApart);
std::string samplesNote(double samplesApart);
std::string msText(double milliseconds);  // 0.042, 1.25, 16.7, 120

}  // namespace orogen::app

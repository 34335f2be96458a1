// report.html: the page and its tables.  The page is a single file for any browser.  It needs no network or scripts,
// and suits dark mode, black and white, and print.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/frames/report/report.h"

namespace orogen {

// ---- tables ----

// Functions named ...Section return a section with a heading; empty text if there is nothing to show.
std::string statisticsSection(const FrameReport& report);  // with the definitions of all statistics
std::string passesSection(const FrameReport& report);
std::string runsSection(const FrameReport& report);
std::string sectionsSection(const FrameReport& report, std::span<const std::vector<FrameSample>> rows);
std::string tilesSection(const FrameReport& report);
std::string stateSection(const FrameReport& report);  // the machine's state during the frames
std::string eventsSection(std::span<const std::vector<FrameSample>> rows);
std::string machineText(const ReportMetadata& metadata);  // processor and renderer
std::string terrainText(const ReportMetadata& metadata);  // terrain's name
std::string metadataSection(const FrameReport& report);
std::string settingsSection(const FrameReport& report);

// ---- the page ----

// Returns the page, which refers to no other file. rows[i] belongs to report.runs[i].
std::string reportToHtml(const FrameReport& report, std::span<const std::vector<FrameSample>> rows);

}  // namespace orogen

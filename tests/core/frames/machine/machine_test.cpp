// Readings of the machine's state: a processor under a made-up /sys, a GPU through a library that stands in for NVML.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/text_file.h"
#include "core/frames/machine/machine_monitor.h"
#include "core/frames/pages/report_html.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

// A /sys with two processors, a chip of sensors, a package with a part, and a disk's sensor.
class MadeUpSys
{
public:
    MadeUpSys()
    {
        for (const char* processor : {"cpu0", "cpu1"})
        {
            const std::string at = std::string("devices/system/cpu/") + processor;
            write(at + "/cpufreq/scaling_cur_freq", "2400000");
            write(at + "/thermal_throttle/core_throttle_count", "7");
            write(at + "/thermal_throttle/package_throttle_count", "9");
        }
        write("devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "9900000");
        write("class/hwmon/hwmon0/name", "nvme");
        write("class/hwmon/hwmon0/temp1_input", "90000");
        write("class/hwmon/hwmon1/name", "coretemp");
        write("class/hwmon/hwmon1/temp1_input", "55000");
        write("class/hwmon/hwmon1/temp2_input", "61500");
        write("class/hwmon/hwmon1/temp2_max", "100000");
        write("class/powercap/intel-rapl:0/name", "package-0");
        write("class/powercap/intel-rapl:0/energy_uj", "5000000");
        write("class/powercap/intel-rapl:0/max_energy_range_uj", "10000000");
        write("class/powercap/intel-rapl:0:0/name", "core");
        write("class/powercap/intel-rapl:0:0/energy_uj", "1");
    }
    void write(const std::string& name, const std::string& line) const
    {
        std::filesystem::create_directories(std::filesystem::path(folder_ / name).parent_path());
        std::ofstream(folder_ / name) << line << '\n';
    }
    void remove(const std::string& name) const { std::filesystem::remove_all(folder_ / name); }
    std::string path() const { return folder_.path(); }

private:
    const test::TemporaryFolder folder_;
};

TEST(ProcessorSensors, ReadClockTemperaturePowerAndThrottling)
{
    const MadeUpSys sys;
    sys.write("devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3100500");
    ProcessorSensors sensors(sys.path());
    MachineState first, second, third;
    sensors.read(100, first);
    EXPECT_EQ(first.cpuMhz, 3100.5);
    EXPECT_EQ(first.cpuCelsius, 61.5);
    EXPECT_FALSE(first.cpuWatts);  // needs two readings
    EXPECT_EQ(first.throttle.reasons, 0u);
    EXPECT_FALSE(first.gpuMhz);

    sys.write("class/powercap/intel-rapl:0/energy_uj", "8000000");
    sys.write("devices/system/cpu/cpu0/thermal_throttle/package_throttle_count", "10");
    sensors.read(102, second);
    EXPECT_DOUBLE_EQ(second.cpuWatts.value(), 1.5);
    EXPECT_EQ(textOf(second.throttle), "cpu_thermal");

    sys.write("class/powercap/intel-rapl:0/energy_uj", "1000000");  // past the end of the range
    sensors.read(103, third);
    EXPECT_DOUBLE_EQ(third.cpuWatts.value(), 3.0);
    EXPECT_EQ(textOf(third.throttle), "none");
}

// The counts of a processor are missing while it is offline.
TEST(ProcessorSensors, AProcessorThatComesBackHasNotThrottled)
{
    const MadeUpSys sys;
    ProcessorSensors sensors(sys.path());
    const std::string counts = "devices/system/cpu/cpu1/thermal_throttle";
    double seconds = 100;
    const auto throttled = [&] {
        MachineState state;
        sensors.read(++seconds, state);
        return textOf(state.throttle);
    };
    EXPECT_EQ(throttled(), "none");
    sys.remove(counts);
    EXPECT_EQ(throttled(), "none");
    sys.write("devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "8");
    EXPECT_EQ(throttled(), "cpu_thermal") << "the other processor";
    sys.write(counts + "/core_throttle_count", "7");
    sys.write(counts + "/package_throttle_count", "9");
    EXPECT_EQ(throttled(), "none");
    sys.write(counts + "/package_throttle_count", "10");
    EXPECT_EQ(throttled(), "cpu_thermal");
    sys.write(counts + "/package_throttle_count", "0");  // the driver was loaded again
    EXPECT_EQ(throttled(), "none");
}

TEST(ProcessorSensors, ReadAThermalZoneWhereNoChipIsKnown)
{
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder / "class/thermal/thermal_zone0");
    std::filesystem::create_directories(folder / "class/thermal/thermal_zone1");
    std::ofstream(folder / "class/thermal/thermal_zone0/type") << "acpitz\n";
    std::ofstream(folder / "class/thermal/thermal_zone0/temp") << "99000\n";
    std::ofstream(folder / "class/thermal/thermal_zone1/type") << "cpu-thermal\n";
    std::ofstream(folder / "class/thermal/thermal_zone1/temp") << "48250\n";
    MachineState state;
    ProcessorSensors(folder.path()).read(0, state);
    EXPECT_EQ(state.cpuCelsius, 48.25);
}

TEST(ProcessorSensors, KnowNothingWithoutFiles)
{
    const test::TemporaryFolder folder;
    ProcessorSensors sensors(folder / "nothing");
    MachineState state;
    sensors.read(0, state);
    sensors.read(1, state);
    EXPECT_EQ(state, MachineState{});
}

// Sets the readings of the second GPU for the test's duration.
class Readings
{
public:
    explicit Readings(const char* text) { setenv("OROGEN_TEST_NVML", text, 1); }
    ~Readings() { unsetenv("OROGEN_TEST_NVML"); }
};

TEST(GpuSensors, ReadTheGpuThatTheRendererNames)
{
    const Readings readings("1980 2619 71 402500 0x24");
    MachineState state;
    state.throttle.reasons = kThrottleCpuThermal;
    GpuSensors(OROGEN_FAKE_NVML, "Test GPU Two/PCIe/SSE2").read(state);
    EXPECT_EQ(state.gpuMhz, 1980);
    EXPECT_EQ(state.gpuMemoryMhz, 2619);
    EXPECT_EQ(state.gpuCelsius, 71);
    EXPECT_DOUBLE_EQ(state.gpuWatts.value(), 402.5);
    EXPECT_EQ(textOf(state.throttle), "cpu_thermal|gpu_power_cap|gpu_thermal");
    MachineState first;
    GpuSensors(OROGEN_FAKE_NVML, "llvmpipe").read(first);
    EXPECT_EQ(first.gpuMhz, 1);
    EXPECT_EQ(textOf(first.throttle), "none");
}

TEST(GpuSensors, IdleAndChosenClocksAreNoThrottling)
{
    const Readings readings("300 405 35 20000 0x113");  // idle, clocks set by the user, synchronised, display
    MachineState state;
    GpuSensors(OROGEN_FAKE_NVML, "Test GPU Two").read(state);
    EXPECT_EQ(textOf(state.throttle), "none");
}

TEST(GpuSensors, KnowNothingWithoutTheLibrary)
{
    MachineState state;
    for (const char* library : {"", "libnvidia-ml-of-nobody.so.1", "libz.so.1"})
    {
        const GpuSensors sensors(library, "Test GPU Two");
        EXPECT_FALSE(sensors.found());
        sensors.read(state);
    }
    EXPECT_EQ(state, MachineState{});
}

TEST(MachineMonitor, GivesTheNewestReadingAndEnds)
{
    const MadeUpSys sys;
    MachineMonitor monitor({.sysfs = sys.path(), .nvml = OROGEN_FAKE_NVML, .renderer = "Test GPU One"});
    while (!monitor.newest().cpuMhz)
        std::this_thread::yield();
    EXPECT_EQ(monitor.newest().cpuMhz, 2400);
    EXPECT_EQ(monitor.newest().gpuMemoryMhz, 2);
    sys.write("devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2500000");
    while (monitor.newest().cpuMhz != 2500)
        std::this_thread::yield();
}

// ---- in reports ----

FrameReport throttledReport(const std::string& folder)
{
    test::SyntheticCapture capture = test::syntheticCapture();
    capture.frames = 40, capture.warmup = 5;
    auto recorder = CaptureRecorder::create(test::planOf(capture, folder), capture.metadata, capture.settings);
    test::must(recorder);
    for (std::uint64_t run = 1; run <= capture.runs; ++run)
    {
        test::must((*recorder)->beginRun());
        for (FrameSample& row : test::syntheticRun(capture, run))
        {
            row.machine.gpuMhz = 1500 + double(row.frame);
            row.machine.throttle.reasons = run == 2 && row.frame < 15 ? std::uint32_t(kThrottleGpuPowerCap) : 0;
            test::must((*recorder)->add(row));
        }
        test::must((*recorder)->endRun({}));
    }
    Result<FrameReport> report = (*recorder)->finish();
    test::must(report);
    return std::move(*report);
}

TEST(ReportOfTheMachine, SaysAtItsTopThatARunWasThrottled)
{
    const test::TemporaryFolder folder;
    const FrameReport report = throttledReport(folder / "capture");
    EXPECT_EQ(throttleSentence(report.statistics),
              "in 10 of 120 frames a clock was lowered (gpu_power_cap): their times are not the program's alone");
    const Result<std::string> page = readTextFile(folder / "capture/report.html", 1 << 22);
    ASSERT_TRUE(page);
    const std::size_t said = page->find("Throttled: in 10 of 120 frames");
    EXPECT_LT(said, page->find("class=tiles"));
    EXPECT_NE(page->find("GPU clock, MHz</th><td class=n>1,505</td><td class=n>1,524</td><td class=n>1,544"),
              std::string::npos);
    EXPECT_NE(page->find("<td>throttled</td>"), std::string::npos);
    EXPECT_NE(page->find("Readings ten times a second"), std::string::npos);

    const Result<Capture> read = readCapture(folder / "capture");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->report.statistics.throttled, report.statistics.throttled);
    EXPECT_EQ(read->report.statistics.machine[3]->mean, report.statistics.machine[3]->mean);
    EXPECT_FALSE(read->report.statistics.machine[0]);
    EXPECT_EQ(textOf(read->rows[1][14].machine.throttle), "gpu_power_cap");
    EXPECT_TRUE(throttleSentence(read->report.runs[0].statistics).empty());
}

TEST(ReportOfTheMachine, NothingIsSaidWhereNothingIsKnown)
{
    const test::TemporaryFolder folder;
    test::SyntheticCapture capture = test::syntheticCapture();
    capture.runs = 1, capture.frames = 20;
    const FrameReport report = test::writeCapture(folder / "capture", capture);
    EXPECT_FALSE(report.statistics.throttled);
    EXPECT_TRUE(stateSection(report).empty());
    const std::string run = test::contentOf(folder / "capture/run-01.csv");
    EXPECT_TRUE(run.substr(0, run.find('\n'))
                    .ends_with(",flags,cpu_mhz,cpu_c,cpu_w,gpu_mhz,gpu_memory_mhz,gpu_c,gpu_w,throttle,section"));
    EXPECT_TRUE(run.ends_with(",,,,,,,,,\n"));
}

TEST(ReportOfTheMachine, RunsOfEarlierVersionsAreReadAndRecovered)
{
    FrameSample row = test::syntheticRun(test::syntheticCapture(), 1)[0];
    row.machine.cpuMhz = 2000;
    for (const RunColumns columns : {RunColumns::kEarlier, RunColumns::kEarlierWithTiles})
    {
        std::string text = std::string(frameColumns(columns)) + '\n';
        EXPECT_EQ(text.find("cpu_mhz"), std::string::npos);
        appendRow(text, row, columns);
        const Result<RunRows> read = parseRun(text, "run-01.csv");
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->columns, columns);
        EXPECT_EQ(read->rows[0].machine, MachineState{});
        EXPECT_EQ(read->rows[0].leaves, row.leaves);
    }
}

}  // namespace
}  // namespace orogen

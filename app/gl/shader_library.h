// The programs of shaders/: compiled together, looked up by handle, recompiled while running.
//
//     const ProgramHandle mark = library.add("lod mark", {"shaders/lod_mark.comp"});
//     if (Status status = library.finish(); !status) ...
//     glUseProgram(library.program(mark));
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/gl/objects.h"
#include "app/gl/shader_source.h"
#include "core/base/status.h"

namespace orogen::app {

enum class ProgramHandle : std::size_t
{
};

struct ReloadReport
{
    int replaced = 0;  // programs that now run what is on disk
    int failed = 0;    // programs that keep what last linked
    std::string log;   // mapped to files and lines; empty if all is well
};

class ShaderLibrary
{
public:
    // `root` holds shaders/ and core/.
    ShaderLibrary(std::filesystem::path root, ShaderDialect dialect);

    // Starts compiling a program from the files of its stages.  Drivers compile in parallel where they can, so add all
    // programs before the first finish().  Errors surface in finish().
    ProgramHandle add(std::string name, std::vector<std::string> files, std::vector<ShaderDefine> defines = {});

    // Starts compiling a program again, from what is on disk now; it stays what it is until finish() has linked it.
    void restart(ProgramHandle handle) { start(entries_[std::size_t(handle)]); }

    // Defines that every program is compiled with whose text has their names, beside its own: another look-up of
    // heights, say.  Programs whose text has none of them stay the same.  What was compiled for another choice is kept
    // for the time when that comes again; what is lacking starts to compile.  After an error of finish() the choice
    // before can be taken up again at once.
    void choose(std::vector<ShaderDefine> choice);
    const std::vector<ShaderDefine>& choice() const { return choice_; }

    // Waits for all that add() started.  Error kShader: one line, the first; log() has all of them.  May be called
    // again after further add().
    Status finish();

    // Whether finish() would return at once; true where the driver cannot tell.
    bool ready() const;

    // The program that linked last; 0 before finish(), or if it never did.
    GLuint program(ProgramHandle handle) const;

    // Reads and compiles everything again; each program is replaced only if it links.  Takes as long as compiling does.
    ReloadReport reload();

    // Whether a file of any program has another time stamp than when it was read.  A few dozen stat() calls.
    bool changedOnDisk() const;

    // Of the text of all programs (includes and defines with it) that run now: two runs with equal hashes ran the same.
    std::uint64_t sourceHash() const;
    std::uint64_t sourceHash(ProgramHandle handle) const { return entries_[std::size_t(handle)].hash; }  // of one

    const std::string& log() const { return log_; }  // of the last finish() or reload(), mapped; empty if all is well

private:
    struct Stage
    {
        Shader shader;
        ShaderSource source;
    };
    struct Build  // a program on its way
    {
        Program program;
        std::vector<Stage> stages;
        std::string error;  // already known: a file that is missing, say
        std::uint64_t hash = 0;
    };
    struct Built  // for a choice that is not the present one
    {
        Program program;
        std::uint64_t hash = 0;
    };
    struct Entry
    {
        std::string name;
        std::vector<std::string> files;
        std::vector<ShaderDefine> defines;
        Program program;
        std::uint64_t hash = 0;
        Build build;
        bool building = false;
        std::string variant;                       // what of the choice concerns it: see variantOf()
        std::map<std::string, Built> others = {};  // by variant
    };
    std::vector<ShaderDefine> concerning(const std::string& text) const;
    std::string variantOf(const Entry& entry) const;

    void start(Entry& entry);
    Status attach(Build& build, const Entry& entry, const std::string& file);
    bool collect(Entry& entry);  // false: log_ says why, and the entry keeps its program
    std::string buildLog(const Build& build) const;

    std::filesystem::path root_;
    ShaderDialect dialect_;
    bool parallel_ = false;
    std::vector<ShaderDefine> choice_;
    std::vector<Entry> entries_;
    std::map<std::string, std::filesystem::file_time_type> stamps_;  // of every file that was read
    std::string log_;
};

}  // namespace orogen::app

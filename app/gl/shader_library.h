// Programs of shaders/: compiled together, looked up by handle, reloadable at run time.
//
//     const ProgramHandle mark = library.add("lod mark", {"shaders/lod/lod_mark.comp"});
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
    int replaced = 0;  // programs compiled from the text on disk
    int failed = 0;    // programs that keep their last linked version
    std::string log;   // mapped to files and lines; empty on success
};

class ShaderLibrary
{
public:
    // Creates an empty library.  `root` contains shaders/ and core/.
    ShaderLibrary(std::filesystem::path root, ShaderDialect dialect);
    const ShaderDialect& dialect() const { return dialect_; }

    // Adds a program from the files of its stages.  begin() or finish() compiles it; finish() reports errors.  Returns
    // the same handle for the same arguments.  If that program has no linked version
    // for the current choice, it is compiled again.
    ProgramHandle add(std::string name, std::vector<std::string> files, std::vector<ShaderDefine> defines = {});

    // Recompiles a program from disk with the next begin() or finish(), unless it is being compiled.  The old version
    // stays in use until finish() has linked the new one.
    void restart(ProgramHandle handle);

    // Selects global defines and files (@world, see shader_source.h).  They apply to each program whose text or paths
    // contain their names, in addition to the program's own defines.  Other programs stay unchanged.  The library keeps
    // variants of earlier choices; begin() or finish() compiles missing ones.  After an error of finish() the previous
    // choice can be restored immediately.
    void choose(std::vector<ShaderDefine> choice);
    const std::vector<ShaderDefine>& choice() const { return choice_; }

    // Starts to compile all programs that lack a version for the current choice, and returns.  Drivers may compile in
    // parallel: call it for all libraries, and early, before the first finish().
    void begin();

    // Compiles all programs that lack a version for the current choice, and waits.  Errors: that of interruption(), and
    // kShader: the first error as one line; log() has all.  Can be called again after further add().
    Status finish();

    // Returns whether finish() would return without waiting.  If the driver cannot report progress, returns whether
    // begin() has started all programs.
    bool ready() const { return !pending(); }

    // Returns the last linked program for the current choice; 0 if finish() has linked none yet.
    GLuint program(ProgramHandle handle) const;

    // Rereads and recompiles everything, and waits.  Replaces each program only if it links.
    ReloadReport reload();

    // Returns a hash of the text of all current programs, with includes and defines.  Equal hashes mean identical
    // shaders.
    std::uint64_t sourceHash() const;
    std::uint64_t sourceHash(ProgramHandle handle) const { return entries_[std::size_t(handle)].hash; }  // one program

    const std::string& log() const { return log_; }  // last finish() or reload(); empty on success

private:
    struct Stage
    {
        Shader shader;
        ShaderSource source;
    };
    struct Build  // a program being compiled
    {
        Program program;
        std::vector<Stage> stages;
        std::string error;  // error before compiling, such as a missing file
        std::uint64_t hash = 0;
    };
    struct Built  // variant for another choice
    {
        Program program;
        std::uint64_t hash = 0;
    };
    enum class Phase
    {
        kWanted,  // not begun
        kBuilding,
        kBuilt,  // or failed; then an older version may be in use
    };
    struct Entry
    {
        std::string name;
        std::vector<std::string> files;
        std::vector<ShaderDefine> defines;
        Program program;
        std::uint64_t hash = 0;
        Build build;
        Phase phase = Phase::kWanted;
        std::string variant;                       // part of the choice that affects this program: see variantOf()
        std::map<std::string, Built> others = {};  // by variant
    };
    Result<ShaderSource> resolve(const Entry& entry, const std::string& file,
                                 std::vector<ShaderDefine>& concerning) const;
    std::string variantOf(const Entry& entry) const;

    void start(Entry& entry);
    Status wait() const;
    // Returns a program that the driver has not finished, or that begin() has not started; null: none.
    const Entry* pending() const;
    Status attach(Build& build, const Entry& entry, const std::string& file);
    bool collect(Entry& entry);  // false: adds to log_ and keeps the old program
    std::string buildLog(const Build& build) const;

    std::filesystem::path root_;
    ShaderDialect dialect_;
    bool parallel_ = false;
    std::vector<ShaderDefine> choice_;
    std::vector<Entry> entries_;
    std::string log_;
};

}  // namespace orogen::app

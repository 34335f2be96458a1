// Writes the seeds of the heightmap fuzzers to folders named after the readers: DIR/tiff, DIR/raw, ...
#include <cstdio>
#include <filesystem>

#include "tests/support/heightmap_seeds.h"

int main(int argc, char** argv)
{
    using namespace orogen::test;
    if (argc != 2) return std::fprintf(stderr, "usage: %s DIR\n", argv[0]), 2;
    for (const HeightmapSeed& seed : heightmapSeeds())
    {
        const std::string suffix = seed.name.substr(seed.name.rfind('.'));
        const bool named = suffix == ".raw" || suffix == ".hgt" || suffix == ".txt";  // read as their names say
        const std::string reader = suffix == ".tif" ? "tiff" : named ? "raw" : suffix.substr(1);
        const std::filesystem::path folder = std::filesystem::path(argv[1]) / reader;
        std::filesystem::create_directories(folder);
        ByteWriter file;
        if (reader == "raw") file.text(seed.name + "\n");
        file.put(seed.bytes);
        writeBytes((folder / seed.name).string(), file.bytes);
    }
    return 0;
}

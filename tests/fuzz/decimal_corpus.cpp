// Writes the seeds of the decimal fuzzer: DIR/decimal.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

int main(int argc, char** argv)
{
    if (argc != 2) return std::fprintf(stderr, "usage: %s DIR\n", argv[0]), 2;
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / "decimal";
    std::filesystem::create_directories(folder);
    const std::string seeds[] = {
        "556\n179\n979\n",
        "# far apart\n1e25\n\n  -12.5e-3 # one\r\n+.5\n",
        "1e1000000\n-1e-1000000\n",
        "1.7976931348623157e308\n4.9e-324\n2.2250738585072011e-308\n1.00000000000000011102230246251565\n",
        "0\n-0.000\n.0e5\n007.\n",
        "1e309\n",
        "1e1000001\n",
        "nan\n",
        "1 2\n",
        std::string(300, '9') + "." + std::string(300, '0') + "1e-7\n",
        std::string("1\n\0\n2", 5)};
    int number = 0;
    for (const std::string& seed : seeds)
        std::ofstream(folder / std::to_string(number++), std::ios::binary) << seed;
    return 0;
}

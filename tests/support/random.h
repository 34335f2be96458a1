// Random numbers for tests. A seed gives equal numbers on every machine, unlike the distributions of <random>.
#pragma once

#include <cassert>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace orogen::test {

class Random
{
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    std::uint32_t bits() { return std::uint32_t(engine_() >> 32); }
    std::uint32_t below(std::uint32_t bound)  // 0 .. bound - 1
    {
        assert(bound > 0);
        return std::uint32_t((std::uint64_t(bits()) * bound) >> 32);
    }
    int between(int low, int high) { return low + int(below(std::uint32_t(high - low + 1))); }  // inclusive
    bool chance(std::uint32_t times, std::uint32_t of) { return below(of) < times; }
    double unit() { return bits() * 0x1p-32; }  // [0, 1)

    template <class T>
    const T& pick(const std::vector<T>& from)
    {
        return from[below(std::uint32_t(from.size()))];
    }
    template <class T>
    void shuffle(std::vector<T>& items)
    {
        for (std::uint32_t i = std::uint32_t(items.size()); i > 1; --i)
            std::swap(items[i - 1], items[below(i)]);
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace orogen::test

// SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/status.h"

namespace orogen {

class Sha256
{
public:
    using Digest = std::array<std::uint8_t, 32>;

    Sha256();
    void add(std::span<const std::byte> bytes);
    void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
    Digest finish();  // once, as the last call

private:
    void block(const std::uint8_t* bytes);

    std::array<std::uint32_t, 8> state_;
    std::array<std::uint8_t, 64> pending_{};
    std::uint64_t length_ = 0;  // bytes added
};

std::string hex(const Sha256::Digest& digest);  // 64 lower-case digits
std::string sha256(std::string_view bytes);     // hash of a whole text, as hex digits

// Hashes a file, read in pieces.  Error: kInput, naming the file.
Result<std::string> sha256OfFile(const std::string& path);

}  // namespace orogen

// GLSL vocabulary in C++, for code shared with shaders.
//
// A shader library is compiled as C++ by including it in a struct whose members act as the buffers; see
// tests/support/glsl_twin.h.
// Rules for such a library:
// - Declare functions before use; return results instead of out or inout parameters.
// - Give literals a suffix (1u, 1.0f); use constructors instead of casts, and no swizzles other than .x .y .z .w.
// - Use `const` for global constants only, and no identifier that C++ or GLSL reserves.
// - Use atomic functions for atomic accesses; others stay plain, so that ThreadSanitizer sees the shader's races.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <glm/vector_relational.hpp>

namespace orogen::gpu {

using uint = std::uint32_t;
using glm::bvec2, glm::bvec3;
using glm::ivec2, glm::ivec3, glm::ivec4;
using glm::mat3, glm::mat4;
using glm::uvec2, glm::uvec3, glm::uvec4;
using glm::vec2, glm::vec3, glm::vec4;  // 4-byte aligned: a struct for a buffer needs static_assert on its offsets

using glm::abs, glm::min, glm::max, glm::clamp, glm::mix, glm::floor, glm::ceil, glm::fract, glm::sign;
using glm::dot, glm::cross, glm::length, glm::distance, glm::normalize;
using glm::equal;
using glm::sqrt, glm::inversesqrt, glm::exp2, glm::log2, glm::pow, glm::sin, glm::cos, glm::radians;

inline int findMSB(uint v) { return 31 - std::countl_zero(v); }  // -1 for 0, as in GLSL
inline int findLSB(uint v) { return v == 0 ? -1 : std::countr_zero(v); }
inline uint floatBitsToUint(float v) { return std::bit_cast<uint>(v); }
inline float uintBitsToFloat(uint v) { return std::bit_cast<float>(v); }
inline int bitCount(uint v) { return std::popcount(v); }

// Atomic functions return the previous value, as in GLSL.  Relaxed order suffices: barriers order the passes.
inline uint atomicOr(uint& word, uint bits) { return std::atomic_ref(word).fetch_or(bits, std::memory_order_relaxed); }
inline uint atomicAnd(uint& word, uint bits)
{
    return std::atomic_ref(word).fetch_and(bits, std::memory_order_relaxed);
}
inline uint atomicAdd(uint& word, uint amount)
{
    return std::atomic_ref(word).fetch_add(amount, std::memory_order_relaxed);
}

}  // namespace orogen::gpu

// Matrix instructions (tensor cores) for kernels, emulated where kernels are compiled for the host.  Included only by
// kernel.h.  They compute C += A B for small matrices held by the lanes of a warp.  All 32 lanes must call them.
// With g = lane / 4 and t = lane % 4 a lane holds:
//
//   mmaBytes16x8x32, exact modulo 2^32; four bytes (-128 to 127) per word, along a row of A and a column of B
//     A, 16 x 32   words[i]: row g + 8 (i % 2), columns 4 t + 16 (i / 2) to 4 t + 3 + 16 (i / 2)
//     B, 32 x 8    words[i]: rows 4 t + 16 i to 4 t + 3 + 16 i, column g
//     C, 16 x 8    values[i]: row g + 8 (i / 2), column 2 t + i % 2
//   mmaDoubles8x8x4
//     A, 8 x 4     row g, column t
//     B, 4 x 8     row t, column g
//     C, 8 x 8     sum[i]: row g, column 2 t + i
//   mmaDoubles16x8x16, needed for the full rate of GPUs from 9.0 on
//     A, 16 x 16   a[i]: row g + 8 (i % 2), column t + 4 (i / 2)
//     B, 16 x 8    b[i]: row t + 4 i, column g
//     C, 16 x 8    sum[i]: row g + 8 (i / 2), column 2 t + i % 2
//
// GPUs below the architecture of an instruction (8.0; 9.0 for the last) use smaller instructions or shuffles instead.
// Every product of doubles is added by a fused multiply-add.  GPUs do not specify the order of additions within one
// instruction, so the last bits may differ from the host's.  The host adds in order of the columns of A.
// Source: PTX ISA 8.5, 9.7.13 "Warp-level matrix multiply-accumulate instructions" (9.7.14 in PTX ISA 9.1).
#pragma once

namespace orogen::compute {

struct BytesA
{
    std::uint32_t words[4];
};
struct BytesB
{
    std::uint32_t words[2];
};
struct BytesSum
{
    std::int32_t values[4];
};

namespace OROGEN_TARGET {

#ifdef __CUDACC__

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

__device__ inline void mmaBytes16x8x32(BytesSum& sum, const BytesA& a, const BytesB& b)
{
    std::int32_t* const c = sum.values;
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]), "r"(b.words[0]),
                   "r"(b.words[1]));
}

__device__ inline void mmaDoubles8x8x4(double (&sum)[2], double a, double b)
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(sum[0]), "+d"(sum[1])
                 : "d"(a), "d"(b));
}

#else

__device__ inline void mmaBytes8x8x16(std::int32_t& first, std::int32_t& second, std::uint32_t a, std::uint32_t b)
{
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+r"(first), "+r"(second)
                 : "r"(a), "r"(b));
}

__device__ inline void mmaBytes16x8x32(BytesSum& sum, const BytesA& a, const BytesB& b)
{
    OROGEN_UNROLL
    for (unsigned i = 0; i < 4; ++i)
        mmaBytes8x8x16(sum.values[i % 2 * 2], sum.values[i % 2 * 2 + 1], a.words[i], b.words[i / 2]);
}

__device__ inline void mmaDoubles8x8x4(double (&sum)[2], double a, double b)
{
    const unsigned row = laneIndex() / 4, column = laneIndex() % 4 * 2;
    OROGEN_UNROLL
    for (unsigned k = 0; k < 4; ++k)
    {
        const double factor = shuffle(kAllLanes, a, row * 4 + k);
        OROGEN_UNROLL
        for (unsigned i = 0; i < 2; ++i)
            sum[i] = fusedMultiplyAdd(factor, shuffle(kAllLanes, b, (column + i) * 4 + k), sum[i]);
    }
}

#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

__device__ inline void mmaDoubles16x8x16(double (&sum)[4], const double (&a)[8], const double (&b)[4])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
                 "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
                 : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
                   "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

#else

__device__ inline void mmaDoubles16x8x16(double (&sum)[4], const double (&a)[8], const double (&b)[4])
{
    OROGEN_UNROLL
    for (unsigned half = 0; half < 2; ++half)
    {
        double part[2] = {sum[2 * half], sum[2 * half + 1]};
        OROGEN_UNROLL
        for (unsigned k = 0; k < 4; ++k)
            mmaDoubles8x8x4(part, a[2 * k + half], b[k]);
        sum[2 * half] = part[0];
        sum[2 * half + 1] = part[1];
    }
}

#endif

#else

inline void mmaBytes16x8x32(BytesSum& sum, const BytesA& a, const BytesB& b)
{
    struct Given
    {
        BytesA a;
        BytesB b;
    };
    const Given* const lanes = shownToWarp(Given{a, b});
    for (unsigned i = 0; i < 4; ++i)
    {
        const unsigned row = laneIndex() / 4, column = laneIndex() % 4 * 2 + i % 2;
        std::int32_t total = sum.values[i];
        for (unsigned word = 0; word < 8; ++word)  // each word holds four columns of A
        {
            const std::uint32_t along = lanes[row * 4 + word % 4].a.words[word / 4 * 2 + i / 2];
            const std::uint32_t down = lanes[column * 4 + word % 4].b.words[word / 4];
            total = dotBytes(std::int32_t(along), std::int32_t(down), total);
        }
        sum.values[i] = total;
    }
}

// Adds 4 columns of A times 4 rows of B, for 8 rows of A.  `step` selects the columns, `half` the rows of A: 0 the
// first 8, 1 the last 8.  `lanes`: the kA elements of A and kB elements of B that each lane holds.
template <unsigned kA, unsigned kB>
void addDoubles(double* sum, const double (*lanes)[kA + kB], unsigned step, unsigned half)
{
    const unsigned row = laneIndex() / 4, column = laneIndex() % 4 * 2;
    for (unsigned k = 0; k < 4; ++k)
        for (unsigned i = 0; i < 2; ++i)
            sum[i] = fusedMultiplyAdd(lanes[row * 4 + k][step * (kA / kB) + half],
                                      lanes[(column + i) * 4 + k][kA + step], sum[i]);
}

inline void mmaDoubles8x8x4(double (&sum)[2], double a, double b)
{
    struct Given
    {
        double values[2];
    };
    const Given* const lanes = shownToWarp(Given{{a, b}});
    addDoubles<1, 1>(sum, &lanes->values, 0, 0);
}

inline void mmaDoubles16x8x16(double (&sum)[4], const double (&a)[8], const double (&b)[4])
{
    struct Given
    {
        double values[12];
    } own;
    std::memcpy(own.values, a, sizeof(a));
    std::memcpy(own.values + 8, b, sizeof(b));
    const Given* const lanes = shownToWarp(own);
    for (unsigned half = 0; half < 2; ++half)
        for (unsigned step = 0; step < 4; ++step)
            addDoubles<8, 4>(sum + 2 * half, &lanes->values, step, half);
}

#endif

}  // namespace OROGEN_TARGET
}  // namespace orogen::compute

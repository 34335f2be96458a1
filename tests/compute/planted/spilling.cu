// Kernel that must spill: 200 values live at once, in the 32 registers that 2048 threads leave to each.
// tests/compute/spills.cmake must find it.
extern "C" __global__ void __launch_bounds__(1024, 2) spilling(float* values)
{
    float held[200];
#pragma unroll
    for (int i = 0; i < 200; ++i)
        held[i] = values[i * 1024 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 200; ++i)
        values[i * 1024 + threadIdx.x] = held[199 - i] * held[i];
}

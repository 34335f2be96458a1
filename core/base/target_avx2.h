// Compiles the following code for InstructionSet::kAvx2 (cpu.h).  Include all other headers before.
#pragma GCC push_options
#pragma GCC target("popcnt,bmi,bmi2,avx2,fma")

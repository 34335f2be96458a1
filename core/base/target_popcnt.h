// Compiles the following code for InstructionSet::kPopcnt (cpu.h).  Include all other headers before.
#pragma GCC push_options
#pragma GCC target("popcnt")

// Compiles the code after it for InstructionSet::kPopcnt (see cpu.h).  Include all other headers before this one.
#pragma GCC push_options
#pragma GCC target("popcnt")

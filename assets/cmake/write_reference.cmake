# Writes the shell completions to OUT and compresses the man pages there. PROGRAM: orogen; OUT: a folder.
foreach(shell bash zsh fish)
    execute_process(COMMAND ${PROGRAM} completion ${shell} OUTPUT_FILE ${OUT}/orogen.${shell} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB pages ${OUT}/man/*.1)
find_program(GZIP gzip REQUIRED)
execute_process(COMMAND ${GZIP} -9nk ${pages} COMMAND_ERROR_IS_FATAL ANY)

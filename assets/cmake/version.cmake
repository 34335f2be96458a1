# Writes OUT with the version and the commit, touching the file only when they change.
cmake_policy(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
set(dirty false)
if(failed)
    set(commit "unknown")
else()
    execute_process(COMMAND git -C ${SOURCE} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
    if(NOT changes STREQUAL "")
        set(dirty true)
    endif()
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT "#pragma once
#define OROGEN_VERSION \"@VERSION@\"
#define OROGEN_COMMIT \"@commit@\"
#define OROGEN_DIRTY @dirty@
")

# How every target here is compiled: warnings, sanitizers, ccache, one build type by default.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness lets ccache see through precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE_PROGRAM})
endif()

add_compile_options(-Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local> -fno-math-errno)
# Of the files where every optimization pays. Under sanitizers it only costs: minutes for one file.
set(WAFERPAIR_FASTEST -O3)
if(WAFERPAIR_SANITIZE)
  set(WAFERPAIR_FASTEST -O1)
  # What a sanitizer finds ends the program: a test that goes on would pass.
  add_compile_options(-fsanitize=${WAFERPAIR_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${WAFERPAIR_SANITIZE})
endif()
if(WAFERPAIR_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# waferpair_library(NAME SOURCES a.cpp ... LIBS x ...): one room, one static library.
function(waferpair_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${arg_LIBS})
endfunction()

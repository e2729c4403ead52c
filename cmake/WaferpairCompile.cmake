# How every target here is compiled: warnings, sanitizers, ccache, linker, batches, one build type by default.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness lets ccache see through precompiled headers; with the base directory, and without
  # the build's in the hash, another checkout of the same files finds what this one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      ${CCACHE_PROGRAM})
endif()

# mold links a program with a window in a tenth of the time that GNU ld takes.
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local> -fno-math-errno)
# What a mutex guards (runtime/base/mutex.h) is touched with its lock alone.
add_compile_options($<$<CXX_COMPILER_ID:Clang>:-Wthread-safety> $<$<CXX_COMPILER_ID:Clang>:-Werror=thread-safety>)
# Of the files where every optimization pays. Under sanitizers it only costs: minutes for one file.
set(WAFERPAIR_FASTEST -O3)
if(WAFERPAIR_SANITIZE)
  set(WAFERPAIR_FASTEST -O1)
  # What a sanitizer finds ends the program: a test that goes on would pass.
  add_compile_options(-fsanitize=${WAFERPAIR_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1)
  if(WAFERPAIR_SANITIZE MATCHES "undefined" AND NOT WAFERPAIR_FUZZ)
    # A third of what compiling costs goes into looking at each pointer, which finds what AddressSanitizer
    # stops at anyway (a null pointer that is used) or what the CPU takes (any alignment). The fuzzers look.
    add_compile_options(-fno-sanitize=null,alignment)
  endif()
  add_link_options(-fsanitize=${WAFERPAIR_SANITIZE})
  # Qt's assertions are off in optimized builds; here they are on, as assert() is.
  add_compile_definitions(QT_FORCE_ASSERTS)
endif()
if(WAFERPAIR_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# What moc reads of a target needs nothing that other targets make.
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF)
# Nor does compiling a library need the libraries that it is linked with.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)

# waferpair_batches(TARGET): compiles the target's files several at once, where batches are on. A file
# with options of its own is compiled alone.
function(waferpair_batches target)
  if(WAFERPAIR_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    # It warns of members whose type is another file's, which the file at hand seems to be.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# waferpair_library(NAME SOURCES a.cpp ... LIBS x ...): one room, one static library.
function(waferpair_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${arg_LIBS})
  waferpair_batches(${name})
endfunction()

# waferpair_precompiled(NAME LIBS x ... HEADERS <a> ...): headers that several targets read, compiled once;
# for target_precompile_headers(... REUSE_FROM NAME) in targets that link at least the same libraries.
function(waferpair_precompiled name)
  cmake_parse_arguments(arg "" "" "LIBS;HEADERS" ${ARGN})
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cpp "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBS})
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

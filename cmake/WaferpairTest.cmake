# waferpair_test(NAME SOURCES a.cpp ... LIBS x ...): a Qt Test program run by CTest. A room's tests
# that need no window run under the offscreen platform, so none needs a display.
function(waferpair_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE WAFERPAIR_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                             WAFERPAIR_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Qt6::Test)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
                       ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
endfunction()

# waferpair_bench(NAME SOURCES a.cpp ... LIBS x ...): a program that prints measured ratios; never a test.
function(waferpair_bench name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE WAFERPAIR_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                             WAFERPAIR_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  target_link_libraries(${name} PRIVATE ${arg_LIBS})
endfunction()

# waferpair_fuzz(NAME SOURCES a.cpp ... LIBS x ...): a libFuzzer target, only with -DWAFERPAIR_FUZZ=ON.
function(waferpair_fuzz name)
  if(NOT WAFERPAIR_FUZZ)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()

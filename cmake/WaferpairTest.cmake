# The gate, scripts/test.sh, has three builds, and runs each test in the one that suits it (tests/CMakeLists.txt
# names the exceptions):
#   checked    under AddressSanitizer and UndefinedBehaviorSanitizer, asserts on: all but what follows
#   optimized  as the product is shipped: most of the runtime, the programs as a whole, some windows in an X server
#   threads    under ThreadSanitizer, once more: what threads share
# A test of this build's part has the label "gate"; the target gate_tests is all that those need. The others are
# there, too: target all_tests, or each by its name.
set(WAFERPAIR_GATE_BUILD optimized)
if(WAFERPAIR_SANITIZE STREQUAL thread)
  set(WAFERPAIR_GATE_BUILD threads)
elseif(WAFERPAIR_SANITIZE)
  set(WAFERPAIR_GATE_BUILD checked)
endif()
add_custom_target(gate_tests)
add_custom_target(all_tests)
add_dependencies(all_tests gate_tests)

# waferpair_gate(TEST BUILD... [NEEDS target...]): a test that add_test() made belongs to these builds of the gate.
# In them its targets are built for it.
function(waferpair_gate test)
  cmake_parse_arguments(arg "" "" "NEEDS" ${ARGN})
  if(NOT WAFERPAIR_GATE_BUILD IN_LIST arg_UNPARSED_ARGUMENTS)
    return()
  endif()
  set_property(TEST ${test} APPEND PROPERTY LABELS gate)
  if(arg_NEEDS)
    add_dependencies(gate_tests ${arg_NEEDS})
  endif()
endfunction()

# Of leaks and races, those are left out that others make (tests/leaks.txt, tests/races.txt). Abort is how
# a fuzz target says that something is wrong.
set(sanitizer_environment)
if(WAFERPAIR_SANITIZE)
  set(sanitizer_environment "ASAN_OPTIONS=handle_abort=1"
                            "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/leaks.txt:print_suppressions=0"
                            "TSAN_OPTIONS=halt_on_error=1:allocator_may_return_null=1:suppressions=${CMAKE_SOURCE_DIR}/tests/races.txt"
                            "UBSAN_OPTIONS=print_stacktrace=1")
endif()

# waferpair_test(NAME SOURCES a.cpp ... LIBS x ... [LABELS gui] [TIMEOUT seconds]): a Qt Test class, the
# test NAME of CTest under the offscreen platform, so none needs a display. Those labeled gui run once
# more as NAME.xvfb, in a real X server with the xcb platform; of these the gate has WAFERPAIR_SCREEN_TESTS.
#
# bin/NAME runs it. Where batches are on, that is a link to one program with all tests of the folder
# (tests/support/test_program.h). A test with a main() of its own is a program of its own, and so is one
# that links waferpair_test_disks, which has its program's calls of the system fail.
find_program(XVFB_RUN_PROGRAM xvfb-run)

# Qt Test is most of what a test costs to compile: read once for those without widgets, once for those
# with, which link what belongs to a window so that the same headers serve them all. (Qt Test would
# also define its own folder for each folder of tests, for QFINDTESTDATA: these use test::sourceDir().)
if(WAFERPAIR_TESTS)
  get_target_property(definitions Qt6::Test INTERFACE_COMPILE_DEFINITIONS)
  list(FILTER definitions EXCLUDE REGEX QT_TESTCASE_)
  set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${definitions}")
  # Tests are run once for each time that they are compiled: what they try is optimized, they are not. Nor do they
  # have any of the checks at each use of a pointer, where the libraries have those of types and sizes:
  # test_ask.cpp is compiled in 11 seconds instead of 36.
  set(test_options $<$<CONFIG:Release>:-O1>)
  if(WAFERPAIR_GATE_BUILD STREQUAL checked)
    set(test_options -O0 -fno-sanitize=null,alignment,vptr,object-size)
  endif()
  set(test_program_header)
  if(WAFERPAIR_BATCHES)
    set(test_program_header <tests/support/test_program.h>)
  endif()
  waferpair_precompiled(waferpair_test_headers LIBS Qt6::Core Qt6::Test
                        HEADERS <QtTest> <tests/support/patience.h> ${test_program_header})
  target_compile_options(waferpair_test_headers PRIVATE ${test_options})
  if(WAFERPAIR_GUI)
    waferpair_precompiled(waferpair_gui_test_headers LIBS Qt6::Widgets Qt6::Network Qt6::Test
                          HEADERS <QtTest> <QtWidgets> <tests/support/patience.h> ${test_program_header})
    target_compile_options(waferpair_gui_test_headers PRIVATE ${test_options})
  endif()
endif()

# A program of tests, which needs sources and libraries yet. With `own_main` it has a main() of its own.
function(waferpair_test_program name headers own_main)
  add_executable(${name})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  # Mostly empty: moc's output is included by the test itself.
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${name}_autogen/mocs_compilation.cpp
                              PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(${name} PRIVATE ${test_options})
  target_link_libraries(${name} PRIVATE Qt6::Test waferpair_test_paths)
  if(WAFERPAIR_BATCHES AND NOT own_main)
    set(names ${CMAKE_CURRENT_BINARY_DIR}/${name}_names.cpp)
    file(GENERATE OUTPUT ${names} CONTENT "// Made by cmake/WaferpairTest.cmake.
#include \"tests/support/test_program.h\"

const std::map<std::string, std::string> waferpair::test::testNames{
    $<JOIN:$<TARGET_PROPERTY:${name},WAFERPAIR_TEST_NAMES>,,
    >};
")
    set_source_files_properties(${names} PROPERTIES SKIP_AUTOGEN ON)
    target_sources(${name} PRIVATE ${names})
    target_link_libraries(${name} PRIVATE waferpair_test_program)
  endif()
  if(headers STREQUAL waferpair_gui_test_headers)
    target_link_libraries(${name} PRIVATE Qt6::Widgets Qt6::Network waferpair_test_rest)
  endif()
  target_precompile_headers(${name} REUSE_FROM ${headers})
endfunction()

function(waferpair_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  set(labels ${arg_LABELS})
  set(headers waferpair_test_headers)
  if("${arg_LIBS}" MATCHES "waferpair_(assist|editor|gui|pairing|scripted_server|text|window_fixture)|wafer_view")
    set(headers waferpair_gui_test_headers)
  endif()
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  set(builds checked)
  if(name IN_LIST WAFERPAIR_OPTIMIZED_TESTS
     OR (folder IN_LIST WAFERPAIR_OPTIMIZED_FOLDERS AND NOT name IN_LIST WAFERPAIR_CHECKED_TESTS))
    set(builds optimized)
  endif()
  if(name IN_LIST WAFERPAIR_THREAD_TESTS)
    list(APPEND builds threads)
  endif()
  set(has_screen OFF)
  if(name IN_LIST WAFERPAIR_SCREEN_TESTS AND WAFERPAIR_GATE_BUILD STREQUAL optimized)
    set(has_screen ON)
  endif()
  set(is_in_gate OFF)
  if(WAFERPAIR_GATE_BUILD IN_LIST builds OR has_screen)
    set(is_in_gate ON)
  endif()

  # Whose program it is in.
  set(program ${name})
  set(link ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
  list(GET arg_SOURCES 0 source)
  # A text in a test may be a program, too: a test with one of Qt's macros has no main of its own.
  file(STRINGS ${source} main REGEX "^(int main\\(|QTEST_[A-Z_]*MAIN)")
  set(own_main OFF)
  if(main AND NOT main MATCHES "QTEST_")
    set(own_main ON)
  endif()
  if(WAFERPAIR_BATCHES AND NOT own_main AND NOT waferpair_test_disks IN_LIST arg_LIBS)
    string(REPLACE / _ program tests/${folder})
    if(NOT is_in_gate)
      string(APPEND program _more)
    endif()
    file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    file(CREATE_LINK ${program} ${link} SYMBOLIC)
    add_custom_target(${name})
    add_dependencies(${name} ${program})
  elseif(IS_SYMLINK ${link})
    file(REMOVE ${link})
  endif()
  if(NOT TARGET ${program})
    waferpair_test_program(${program} ${headers} ${own_main})
    if(WAFERPAIR_BATCHES AND NOT is_in_gate)
      set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endif()
  target_sources(${program} PRIVATE ${arg_SOURCES})
  target_link_libraries(${program} PRIVATE ${arg_LIBS})
  get_filename_component(file ${source} NAME)
  set_property(TARGET ${program} APPEND PROPERTY WAFERPAIR_TEST_NAMES "{\"${name}\", \"${file}\"}")

  add_dependencies(all_tests ${name})
  add_test(NAME ${name} COMMAND ${link})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(WAFERPAIR_SANITIZE)
    math(EXPR arg_TIMEOUT "5 * ${arg_TIMEOUT}")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${labels}"
                       ENVIRONMENT "QT_QPA_PLATFORM=offscreen;WAFERD_PORT=0;${sanitizer_environment}")
  waferpair_gate(${name} ${builds} NEEDS ${name})
  if("gui" IN_LIST arg_LABELS AND XVFB_RUN_PROGRAM)
    add_test(NAME ${name}.xvfb COMMAND ${XVFB_RUN_PROGRAM} -a -s "-screen 0 1920x1200x24" ${link})
    set_tests_properties(${name}.xvfb PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
                         ENVIRONMENT "QT_QPA_PLATFORM=xcb;WAFERD_PORT=0;${sanitizer_environment}")
    if(has_screen)
      waferpair_gate(${name}.xvfb optimized NEEDS ${name})
    endif()
  endif()
endfunction()

# waferpair_at_spi_test(NAME): the test once more as NAME.atspi, with assistive technology listening
# on a bus of its own. Left out where there is none.
find_program(DBUS_RUN_SESSION_PROGRAM dbus-run-session)
find_program(DBUS_SEND_PROGRAM dbus-send)
find_program(AT_SPI_LAUNCHER_PROGRAM at-spi-bus-launcher PATHS /usr/libexec /usr/lib/at-spi2-core)
function(waferpair_at_spi_test name)
  if(XVFB_RUN_PROGRAM AND DBUS_RUN_SESSION_PROGRAM AND DBUS_SEND_PROGRAM AND AT_SPI_LAUNCHER_PROGRAM)
    add_test(NAME ${name}.atspi
             COMMAND ${CMAKE_SOURCE_DIR}/tests/support/with_at_spi.sh
                     ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
    set_tests_properties(${name}.atspi PROPERTIES TIMEOUT 120 LABELS gui
                         ENVIRONMENT "${sanitizer_environment}")
    waferpair_gate(${name}.atspi optimized NEEDS ${name})
  endif()
endfunction()

# waferpair_bench(NAME SOURCES a.cpp ... LIBS x ...): a program that prints measured ratios; never a test, and built
# by its name or as one of `benchmarks`.
add_custom_target(benchmarks)
function(waferpair_bench name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} waferpair_test_paths)
  add_dependencies(benchmarks ${name})
endfunction()

# waferpair_fuzz(NAME LIBS x ... [COPIES n] [SEEDS folder ...]): the fuzz target in NAME.cpp, and a test
# of that name. With libFuzzer it runs for WAFERPAIR_FUZZ_SECONDS, and what it finds stays in the build
# folder for the next time; without, over the seeds and n damaged copies of each.
set(WAFERPAIR_FUZZ_SECONDS 2 CACHE STRING "How long the test of each fuzz target runs")
function(waferpair_fuzz name)
  cmake_parse_arguments(arg "" "COPIES" "LIBS;SEEDS" ${ARGN})
  if(NOT arg_COPIES)
    set(arg_COPIES 100)
  endif()
  add_executable(${name} ${name}.cpp)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} waferpair_test_support)
  add_dependencies(${name} fuzz_seeds)
  add_dependencies(fuzzers ${name})
  list(TRANSFORM arg_SEEDS PREPEND ${CMAKE_SOURCE_DIR}/)
  set(folders ${CMAKE_CURRENT_BINARY_DIR}/seeds/${name})
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/seeds/${name})
    list(APPEND folders ${CMAKE_CURRENT_SOURCE_DIR}/seeds/${name})
  endif()
  list(APPEND folders ${arg_SEEDS})
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/seeds/${name})
  if(WAFERPAIR_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set(corpus ${CMAKE_CURRENT_BINARY_DIR}/corpus/${name})
    file(MAKE_DIRECTORY ${corpus})
    add_test(NAME ${name} COMMAND ${name} -max_total_time=${WAFERPAIR_FUZZ_SECONDS} -timeout=60
             -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0
             -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/${name}. ${corpus} ${folders})
  else()
    target_sources(${name} PRIVATE replay.cpp)
    add_test(NAME ${name} COMMAND ${name} ${arg_COPIES} ${folders})
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS fuzz
                       ENVIRONMENT "${sanitizer_environment}")
  waferpair_gate(${name} checked NEEDS ${name})
endfunction()

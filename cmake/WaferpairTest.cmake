# waferpair_test(NAME SOURCES a.cpp ... LIBS x ... [LABELS gui] [TIMEOUT seconds]): a Qt Test program
# run by CTest under the offscreen platform, so none needs a display. Those labelled gui run once
# more as NAME.xvfb, in a real X server with the xcb platform.
find_program(XVFB_RUN_PROGRAM xvfb-run)
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
  if("gui" IN_LIST arg_LABELS AND XVFB_RUN_PROGRAM)
    add_test(NAME ${name}.xvfb COMMAND ${XVFB_RUN_PROGRAM} -a -s "-screen 0 1920x1200x24"
                                       $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.xvfb PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
                         ENVIRONMENT "QT_QPA_PLATFORM=xcb")
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
             COMMAND ${CMAKE_SOURCE_DIR}/tests/support/with_at_spi.sh $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.atspi PROPERTIES TIMEOUT 120 LABELS gui)
  endif()
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

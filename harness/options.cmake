# Flags and the functions by which rooms and tests are declared.

add_library(bisect_run_options INTERFACE)
target_compile_options(bisect_run_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough -Werror
  # Designated initialisers leave the rest to the defaults of the struct: that is their point.
  -Wno-missing-field-initializers
  # False alarms of g++ 12 inside std::string when it optimises (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# Foreign headers arrive by include directories marked SYSTEM and stay out of the warnings.

set(BISECT_RUN_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=: address,undefined or thread")
if(BISECT_RUN_SANITIZE)
  target_compile_options(bisect_run_options INTERFACE
    -fsanitize=${BISECT_RUN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(bisect_run_options INTERFACE -fsanitize=${BISECT_RUN_SANITIZE})
endif()

find_package(PkgConfig REQUIRED)

# room(NAME ROOMS lower rooms… LIBS foreign libraries…): one library of all .cpp files of
# harness/NAME. What a room may use is what it names here; tests/integration/floors checks it.
function(room NAME)
  cmake_parse_arguments(ROOM "" "" "ROOMS;LIBS" ${ARGN})
  file(GLOB ROOM_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${NAME}/*.cpp)
  list(FILTER ROOM_SOURCES EXCLUDE REGEX "/main\\.cpp$")
  if(NOT ROOM_SOURCES)
    add_library(br_${NAME} INTERFACE)
    target_include_directories(br_${NAME} INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
    foreach(LOWER ${ROOM_ROOMS})
      target_link_libraries(br_${NAME} INTERFACE br_${LOWER})
    endforeach()
    return()
  endif()
  add_library(br_${NAME} STATIC ${ROOM_SOURCES})
  target_include_directories(br_${NAME} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(br_${NAME} PRIVATE bisect_run_options ${ROOM_LIBS})
  foreach(LOWER ${ROOM_ROOMS})
    target_link_libraries(br_${NAME} PUBLIC br_${LOWER})
  endforeach()
endfunction()

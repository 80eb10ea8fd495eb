# Configures, in FOLDER, the project beside a clone of the repository that the README shows.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/hello)
file(CREATE_LINK ${CMAKE_CURRENT_LIST_DIR}/../../.. ${FOLDER}/burraco SYMBOLIC)

file(READ ${CMAKE_CURRENT_LIST_DIR}/../README.md readme)
if(NOT readme MATCHES "```cmake\n([^`]*)```")
  message(FATAL_ERROR "the README shows no CMakeLists.txt")
endif()
file(WRITE ${FOLDER}/hello/CMakeLists.txt "${CMAKE_MATCH_1}")
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/../examples/quick_start.cc ${FOLDER}/hello/main.cc)

execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${FOLDER}/hello -B ${FOLDER}/hello/build -DCMAKE_CXX_COMPILER=${COMPILER}
  COMMAND_ERROR_IS_FATAL ANY)

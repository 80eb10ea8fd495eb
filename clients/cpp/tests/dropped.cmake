# Lets COMPILER look at dropped.cc beside this, with INCLUDES, and compares what it warns of with the lines that are marked.
set(file ${CMAKE_CURRENT_LIST_DIR}/dropped.cc)
list(TRANSFORM INCLUDES PREPEND -I)
execute_process(
  COMMAND ${COMPILER} -std=c++17 -fsyntax-only -Wunused-result ${INCLUDES} ${file}
  ERROR_VARIABLE said RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${said}")
endif()

file(STRINGS ${file} lines)
set(number 0)
set(wrong "")
foreach(line IN LISTS lines)
  math(EXPR number "${number} + 1")
  if(line MATCHES "// dropped$" AND NOT said MATCHES "dropped.cc:${number}:[0-9]+: warning: ignoring")
    string(APPEND wrong "\n${line}: no warning")
  elseif(NOT line MATCHES "// dropped$" AND said MATCHES "dropped.cc:${number}:[0-9]+: warning:")
    string(APPEND wrong "\n${line}: a warning")
  endif()
endforeach()
if(wrong)
  message(FATAL_ERROR "${wrong}")
endif()

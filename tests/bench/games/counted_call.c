/* Calls whose instructions callgrind counts, run with `--instr-atstart=no --collect-atstart=no`. */

#include <Python.h>
#include <valgrind/callgrind.h>

void start_counting(void) { CALLGRIND_START_INSTRUMENTATION; }

PyObject *counted_call(PyObject *function, PyObject *given) {
    CALLGRIND_TOGGLE_COLLECT;
    PyObject *answer = PyObject_CallObject(function, given);
    CALLGRIND_TOGGLE_COLLECT;
    return answer;
}

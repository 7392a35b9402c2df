/* make(old, new, ...) and make_of(old, new, changed, ...): the same patches as in patch.py, at a tenth of the cost.

   Both walk through two documents of plain data side by side: null, booleans, integers, strings, lists, and maps with
   string keys. For other values they call two functions of patch.py, which they are given: one says whether two values
   have the same bytes, the other how many bytes a value takes. tests/protocol/test_patch.py compares both ways. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The place of a part in its document, from the inside out; the outermost place has no key. */
typedef struct Place {
    const struct Place *outside;
    PyObject *key;       /* of a map, or NULL */
    Py_ssize_t at;       /* in a list, if there is no key */
    Py_ssize_t depth;
} Place;

static const Place TOP = {NULL, NULL, 0, 0};

typedef struct {
    PyObject *ops;   /* the patch so far */
    PyObject *same;  /* patch.py's functions for other values */
    PyObject *size;
} Maker;

static int difference(Maker *maker, const Place *place, PyObject *old, PyObject *new);

/* Equality: two values are the same if they have the same bytes */

static int ask_same(Maker *maker, PyObject *old, PyObject *new) {
    PyObject *answer = PyObject_CallFunctionObjArgs(maker->same, old, new, NULL);
    int is_same = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return is_same;
}

static int is_same(Maker *maker, PyObject *old, PyObject *new);

static int is_same_list(Maker *maker, PyObject *old, PyObject *new) {
    int same = PyList_GET_SIZE(old) == PyList_GET_SIZE(new);
    for (Py_ssize_t at = 0; same == 1 && at < PyList_GET_SIZE(old); at++)
        same = is_same(maker, PyList_GET_ITEM(old, at), PyList_GET_ITEM(new, at));
    return same;
}

static int is_same_map(Maker *maker, PyObject *old, PyObject *new) {
    PyObject *key, *item, *other_key, *other;
    Py_ssize_t at = 0, other_at = 0;
    int same = PyDict_GET_SIZE(old) == PyDict_GET_SIZE(new);
    while (same == 1 && PyDict_Next(old, &at, &key, &item) && PyDict_Next(new, &other_at, &other_key, &other)) {
        if (!PyUnicode_CheckExact(key) || !PyUnicode_CheckExact(other_key))
            return ask_same(maker, old, new);
        same = (key == other_key || PyUnicode_Compare(key, other_key) == 0) ? is_same(maker, item, other) : 0;
    }
    return same;
}

static int is_same(Maker *maker, PyObject *old, PyObject *new) {
    if (old == new)
        return 1;
    if (Py_TYPE(old) != Py_TYPE(new) || old == Py_None || PyBool_Check(old))
        return 0;
    if (PyUnicode_CheckExact(old) || PyLong_CheckExact(old))
        return PyObject_RichCompareBool(old, new, Py_EQ);
    int is_list = PyList_CheckExact(old);
    if (!is_list && !PyDict_CheckExact(old))
        return ask_same(maker, old, new);
    if (Py_EnterRecursiveCall(" in a document"))
        return -1;
    int same = is_list ? is_same_list(maker, old, new) : is_same_map(maker, old, new);
    Py_LeaveRecursiveCall();
    return same;
}

/* Sizes: the bytes of a value in msgpack. They are deducted from `left`; counting stops below zero. */

static int ask_size(Maker *maker, PyObject *value, Py_ssize_t *left) {
    PyObject *answer = PyObject_CallOneArg(maker->size, value);
    Py_ssize_t size = answer ? PyLong_AsSsize_t(answer) : -1;
    Py_XDECREF(answer);
    *left -= size;
    return size < 0 ? -1 : 0;
}

static Py_ssize_t size_of_text(PyObject *text) {
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    if (!PyUnicode_IS_ASCII(text))
        for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(text); at++) {
            Py_UCS4 letter = PyUnicode_READ_CHAR(text, at);
            size += (letter >= 0x80) + (letter >= 0x800) + (letter >= 0x10000);
        }
    return size + (size < 32 ? 1 : size < 256 ? 2 : size < 65536 ? 3 : 5);
}

static Py_ssize_t size_of_number(long long number) {
    if (number < 0)
        return number >= -32 ? 1 : number >= -128 ? 2 : number >= -32768 ? 3 : number >= -2147483648LL ? 5 : 9;
    return number < 128 ? 1 : number < 256 ? 2 : number < 65536 ? 3 : number < 4294967296LL ? 5 : 9;
}

static Py_ssize_t size_of_header(Py_ssize_t items) { return items < 16 ? 1 : items < 65536 ? 3 : 5; }

static int deduct(Maker *maker, PyObject *value, Py_ssize_t *left);

static int deduct_parts(Maker *maker, PyObject *value, Py_ssize_t *left) {
    PyObject *key, *item;
    Py_ssize_t at = 0;
    if (PyList_CheckExact(value)) {
        *left -= size_of_header(PyList_GET_SIZE(value));
        for (; *left >= 0 && at < PyList_GET_SIZE(value); at++)
            if (deduct(maker, PyList_GET_ITEM(value, at), left) < 0)
                return -1;
        return 0;
    }
    *left -= size_of_header(PyDict_GET_SIZE(value));
    while (*left >= 0 && PyDict_Next(value, &at, &key, &item))
        if (deduct(maker, key, left) < 0 || deduct(maker, item, left) < 0)
            return -1;
    return 0;
}

static int deduct(Maker *maker, PyObject *value, Py_ssize_t *left) {
    if (PyUnicode_CheckExact(value)) {
        *left -= size_of_text(value);
        return 0;
    }
    if (value == Py_None || PyBool_Check(value)) {
        *left -= 1;
        return 0;
    }
    if (PyLong_CheckExact(value)) {
        int is_huge;
        long long number = PyLong_AsLongLongAndOverflow(value, &is_huge);
        if (is_huge)
            return ask_size(maker, value, left);
        *left -= size_of_number(number);
        return 0;
    }
    if (!PyList_CheckExact(value) && !PyDict_CheckExact(value))
        return ask_size(maker, value, left);
    if (Py_EnterRecursiveCall(" in a document"))
        return -1;
    int failed = deduct_parts(maker, value, left);
    Py_LeaveRecursiveCall();
    return failed;
}

/* Operations */

static PyObject *write_path(const Place *place) {
    PyObject *path = PyList_New(place->depth);
    for (; path && place->outside; place = place->outside) {
        PyObject *key = place->key ? Py_NewRef(place->key) : PyLong_FromSsize_t(place->at);
        if (key == NULL)
            Py_CLEAR(path);
        else
            PyList_SET_ITEM(path, place->depth - 1, key);
    }
    return path;
}

/* Return [path], or [path, value]. */
static PyObject *write_op(const Place *place, PyObject *value) {
    PyObject *path = write_path(place), *op = path ? PyList_New(value ? 2 : 1) : NULL;
    if (op == NULL) {
        Py_XDECREF(path);
        return NULL;
    }
    PyList_SET_ITEM(op, 0, path);
    if (value)
        PyList_SET_ITEM(op, 1, Py_NewRef(value));
    return op;
}

/* Return [path, at, count, *items]; the items are those of a list from `at` to `end`. */
static PyObject *write_splice(const Place *place, Py_ssize_t at, Py_ssize_t count, PyObject *list, Py_ssize_t end) {
    PyObject *path = write_path(place), *where = PyLong_FromSsize_t(at), *number = PyLong_FromSsize_t(count);
    PyObject *op = path && where && number ? PyList_New(3 + end - at) : NULL;
    if (op == NULL) {
        Py_XDECREF(path);
        Py_XDECREF(where);
        Py_XDECREF(number);
        return NULL;
    }
    PyList_SET_ITEM(op, 0, path);
    PyList_SET_ITEM(op, 1, where);
    PyList_SET_ITEM(op, 2, number);
    for (Py_ssize_t each = at; each < end; each++)
        PyList_SET_ITEM(op, 3 + each - at, Py_NewRef(PyList_GET_ITEM(list, each)));
    return op;
}

/* Add an operation, and give up the reference to it; NULL is a failure. */
static int add(PyObject *ops, PyObject *op) {
    int failed = op == NULL || PyList_Append(ops, op) < 0;
    Py_XDECREF(op);
    return failed ? -1 : 0;
}

/* Put the operation `whole` in the place of all operations from `first` on, unless they are shorter. */
static int take_shorter(Maker *maker, Py_ssize_t first, PyObject *whole) {
    Py_ssize_t end = PyList_GET_SIZE(maker->ops), left = PY_SSIZE_T_MAX;
    int failed = whole == NULL;
    for (Py_ssize_t at = first; !failed && at < end; at++)
        failed = deduct(maker, PyList_GET_ITEM(maker->ops, at), &left) < 0;
    left = PY_SSIZE_T_MAX - left + size_of_header(end - first) - 1; /* a list of one operation begins with a byte */
    if (!failed)
        failed = deduct(maker, whole, &left) < 0;
    if (!failed && left >= 0)
        failed = PyList_SetSlice(maker->ops, first, end, NULL) < 0 || PyList_Append(maker->ops, whole) < 0;
    Py_XDECREF(whole);
    return failed ? -1 : 0;
}

/* Maps */

static int delete_keys(Maker *maker, const Place *place, Py_ssize_t first, PyObject *old, PyObject *new) {
    PyObject *key, *item, *deletions = PyList_New(0);
    Py_ssize_t at = 0;
    int failed = deletions == NULL;
    while (!failed && PyDict_Next(old, &at, &key, &item)) {
        int is_kept = PyDict_Contains(new, key);
        Place part = {place, key, 0, place->depth + 1};
        failed = is_kept < 0 || (!is_kept && add(deletions, write_op(&part, NULL)) < 0);
    }
    if (!failed)
        failed = PyList_SetSlice(maker->ops, first, first, deletions) < 0;
    Py_XDECREF(deletions);
    return failed ? -1 : 0;
}

/* A patch of fewer than half the fields is hardly ever longer than the whole: do not measure it. */
static int measure_map(Maker *maker, const Place *place, Py_ssize_t first, PyObject *new) {
    Py_ssize_t number = PyList_GET_SIZE(maker->ops) - first;
    return number < 2 || 2 * number <= PyDict_GET_SIZE(new) ? 0 : take_shorter(maker, first, write_op(place, new));
}

static int difference_of_maps(Maker *maker, const Place *place, PyObject *old, PyObject *new) {
    PyObject *key, *item;
    Py_ssize_t at = 0, added = 0, first = PyList_GET_SIZE(maker->ops);
    while (PyDict_Next(new, &at, &key, &item)) {
        PyObject *before = PyDict_GetItemWithError(old, key);
        if (before == item)
            continue;
        if (before == NULL && PyErr_Occurred())
            return -1;
        Place part = {place, key, 0, place->depth + 1};
        added += before == NULL;
        if (before ? difference(maker, &part, before, item) < 0 : add(maker->ops, write_op(&part, item)) < 0)
            return -1;
    }
    if (PyDict_GET_SIZE(old) + added > PyDict_GET_SIZE(new) && delete_keys(maker, place, first, old, new) < 0)
        return -1;
    return measure_map(maker, place, first, new);
}

/* Lists */

/* Return how many items two lists have in common, counted from one end, up to a limit; -1 is a failure. */
static Py_ssize_t count_common(Maker *maker, PyObject *old, PyObject *new, Py_ssize_t limit, int is_from_end) {
    for (Py_ssize_t number = 0; number < limit; number++) {
        Py_ssize_t at = is_from_end ? PyList_GET_SIZE(old) - 1 - number : number;
        Py_ssize_t new_at = is_from_end ? PyList_GET_SIZE(new) - 1 - number : number;
        int same = is_same(maker, PyList_GET_ITEM(old, at), PyList_GET_ITEM(new, new_at));
        if (same != 1)
            return same < 0 ? -1 : number;
    }
    return limit;
}

/* Add the differences of the items in a part of two lists; find the first place that differs, and the end of the last. */
static int pair_items(Maker *maker, const Place *place, PyObject *old, PyObject *new, Py_ssize_t *from, Py_ssize_t *to) {
    Py_ssize_t end = *to;
    *to = -1;
    for (Py_ssize_t at = *from; at < end; at++) {
        PyObject *before = PyList_GET_ITEM(old, at), *item = PyList_GET_ITEM(new, at);
        int same = is_same(maker, before, item);
        if (same == 1)
            continue;
        Place part = {place, NULL, at, place->depth + 1};
        if (same < 0 || difference(maker, &part, before, item) < 0)
            return -1;
        *from = *to < 0 ? at : *from;
        *to = at + 1;
    }
    return 0;
}

static int difference_of_pairs(Maker *maker, const Place *place, PyObject *old, PyObject *new) {
    Py_ssize_t head = 0, end = PyList_GET_SIZE(new), first = PyList_GET_SIZE(maker->ops);
    if (pair_items(maker, place, old, new, &head, &end) < 0)
        return -1;
    if (PyList_GET_SIZE(maker->ops) - first < 2)
        return 0;
    return take_shorter(maker, first, write_splice(place, head, end - head, new, end));
}

static int difference_of_items(Maker *maker, const Place *place, PyObject *old, PyObject *new, Py_ssize_t head) {
    Py_ssize_t size = PyList_GET_SIZE(old), new_size = PyList_GET_SIZE(new), first = PyList_GET_SIZE(maker->ops);
    Py_ssize_t tail = count_common(maker, old, new, (size < new_size ? size : new_size) - head, 1);
    Py_ssize_t end = size - tail, new_end = new_size - tail, paired = end < new_end ? end : new_end;
    Py_ssize_t from = head, to = paired;
    if (tail < 0 || pair_items(maker, place, old, new, &from, &to) < 0)
        return -1;
    if (end != new_end && add(maker->ops, write_splice(place, paired, end - paired, new, new_end)) < 0)
        return -1;
    if (PyList_GET_SIZE(maker->ops) - first < 2)
        return 0;
    return take_shorter(maker, first, write_splice(place, head, end - head, new, new_end));
}

static int difference_of_lists(Maker *maker, const Place *place, PyObject *old, PyObject *new) {
    Py_ssize_t size = PyList_GET_SIZE(old), new_size = PyList_GET_SIZE(new), shorter = size < new_size ? size : new_size;
    if (size == new_size)
        return difference_of_pairs(maker, place, old, new);
    Py_ssize_t head = count_common(maker, old, new, shorter, 0);
    if (head < 0)
        return -1;
    if (head == shorter) /* most lists only grow at the end */
        return add(maker->ops, write_splice(place, shorter, size - shorter, new, new_size));
    return difference_of_items(maker, place, old, new, head);
}

/* All values */

static int difference(Maker *maker, const Place *place, PyObject *old, PyObject *new) {
    int are_maps = PyDict_CheckExact(old) && PyDict_CheckExact(new);
    if (!are_maps && !(PyList_CheckExact(old) && PyList_CheckExact(new))) {
        int same = is_same(maker, old, new);
        return same != 0 ? (same < 0 ? -1 : 0) : add(maker->ops, write_op(place, new));
    }
    if (Py_EnterRecursiveCall(" in a document"))
        return -1;
    int failed = are_maps ? difference_of_maps(maker, place, old, new) : difference_of_lists(maker, place, old, new);
    Py_LeaveRecursiveCall();
    return failed;
}

static PyObject *finish(Maker *maker, int failed) {
    if (failed)
        Py_CLEAR(maker->ops);
    return maker->ops;
}

static PyObject *native_make(PyObject *module, PyObject *const *given, Py_ssize_t number) {
    if (number != 4) {
        PyErr_SetString(PyExc_TypeError, "make takes two documents and two functions");
        return NULL;
    }
    Maker maker = {PyList_New(0), given[2], given[3]};
    return finish(&maker, maker.ops == NULL || difference(&maker, &TOP, given[0], given[1]) < 0);
}

static PyObject *native_make_of(PyObject *module, PyObject *const *given, Py_ssize_t number) {
    if (number != 5 || !PyDict_CheckExact(given[0]) || !PyDict_CheckExact(given[1]) || !PyList_CheckExact(given[2])) {
        PyErr_SetString(PyExc_TypeError, "make_of takes two maps, a list of keys, and two functions");
        return NULL;
    }
    Maker maker = {PyList_New(0), given[3], given[4]};
    int failed = maker.ops == NULL;
    for (Py_ssize_t at = 0; !failed && at < PyList_GET_SIZE(given[2]); at++) {
        PyObject *key = PyList_GET_ITEM(given[2], at);
        PyObject *old = PyDict_GetItemWithError(given[0], key), *new = PyDict_GetItemWithError(given[1], key);
        Place part = {&TOP, key, 0, 1};
        if (!old || !new)
            failed = (PyErr_Occurred() ? (void)0 : PyErr_SetObject(PyExc_KeyError, key), 1);
        else
            failed = difference(&maker, &part, old, new) < 0;
    }
    return finish(&maker, failed || measure_map(&maker, &TOP, 0, given[1]) < 0);
}

static PyMethodDef methods[] = {
    {"make", (PyCFunction)(void (*)(void))native_make, METH_FASTCALL, "Return the patch from one document to another."},
    {"make_of", (PyCFunction)(void (*)(void))native_make_of, METH_FASTCALL, "Return the patch of the changed keys."},
    {NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "native_patch", NULL, -1, methods};

PyMODINIT_FUNC PyInit_native_patch(void) { return PyModule_Create(&module); }

/* renew(value, old, fallback): the plain data of a value, as in renewal.py, but without encoding anything; and
   list_changed(old, new): the keys under which two maps hold different objects.

   renew walks through a value and the plain data that it had before, side by side. Where both agree it returns the old
   plain data itself; where they differ it builds new plain data from new and old parts. It handles what documents are
   made of: null, booleans, integers, strings, lists, maps with string keys, and structs of msgspec. It leaves all other
   values to the fallback, which is renewal.py's own function. tests/games/kit/test_renewal.py runs both. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

/* How the structs of one type are encoded; this never changes, and there are few types, so it is kept for good. */
typedef struct {
    int is_list;        /* structs are encoded as lists, without names */
    PyObject *tag_name; /* NULL if there is no tag */
    PyObject *tag;
    Py_ssize_t number; /* of fields */
    PyObject **names;
    Py_ssize_t *places;  /* where a struct holds each field, in bytes from its beginning */
    PyObject **defaults; /* a field with this value is left out; NULL: it never is */
    PyObject **factories; /* the same for an empty list or map of this type */
} Shape;

static PyObject *shapes;  /* by type: a capsule with its shape, or None if only the fallback can encode it */
static PyObject *unset;   /* fields with this value are left out */
static PyObject *factory; /* the type of defaults that are made anew for each struct */

static PyObject *renew(PyObject *value, PyObject *old, PyObject *fallback);

/* Shapes */

static int find_place(PyObject *kind, PyObject *name, Py_ssize_t *place) {
    PyObject *member = PyObject_GetAttr(kind, name);
    int is_found = member != NULL && Py_TYPE(member) == &PyMemberDescr_Type;
    if (is_found)
        *place = ((PyMemberDescrObject *)member)->d_member->offset;
    Py_XDECREF(member);
    return is_found;
}

static int find_defaults(Shape *shape, PyObject *defaults) {
    Py_ssize_t first = shape->number - PyTuple_GET_SIZE(defaults);
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(defaults); at++) {
        PyObject *each = PyTuple_GET_ITEM(defaults, at);
        if (Py_TYPE(each) != (PyTypeObject *)factory)
            shape->defaults[first + at] = Py_NewRef(each);
        else if ((shape->factories[first + at] = PyObject_GetAttrString(each, "factory")) == NULL)
            return 0;
    }
    return 1;
}

static int is_true(PyObject *config, const char *name) {
    PyObject *found = PyObject_GetAttrString(config, name);
    int is = found != NULL && PyObject_IsTrue(found) == 1;
    Py_XDECREF(found);
    return is;
}

static int fill_shape(Shape *shape, PyObject *kind, PyObject *config, PyObject *fields, PyObject *names, PyObject *defaults) {
    Py_ssize_t number = shape->number = PyTuple_GET_SIZE(fields);
    shape->names = PyMem_Calloc(number + 1, sizeof(PyObject *));
    shape->places = PyMem_Calloc(number + 1, sizeof(Py_ssize_t));
    shape->defaults = PyMem_Calloc(number + 1, sizeof(PyObject *));
    shape->factories = PyMem_Calloc(number + 1, sizeof(PyObject *));
    if (!shape->names || !shape->places || !shape->defaults || !shape->factories)
        return 0;
    for (Py_ssize_t at = 0; at < number; at++) {
        shape->names[at] = Py_NewRef(PyTuple_GET_ITEM(names, at));
        if (!find_place(kind, PyTuple_GET_ITEM(fields, at), &shape->places[at]))
            return 0;
    }
    shape->is_list = is_true(config, "array_like");
    shape->tag = PyObject_GetAttrString(config, "tag");
    shape->tag_name = PyObject_GetAttrString(config, "tag_field");
    if (!shape->tag || !shape->tag_name || (shape->tag != Py_None && (shape->is_list || !PyUnicode_CheckExact(shape->tag))))
        return 0;
    return !is_true(config, "omit_defaults") || (!shape->is_list && find_defaults(shape, defaults));
}

/* Return the capsule of a new shape, or None; a shape that cannot be filled is kept by nobody and leaks a few bytes. */
static PyObject *make_shape(PyObject *kind) {
    PyObject *made = NULL;
    PyObject *config = PyObject_GetAttrString(kind, "__struct_config__");
    PyObject *fields = PyObject_GetAttrString(kind, "__struct_fields__");
    PyObject *names = PyObject_GetAttrString(kind, "__struct_encode_fields__");
    PyObject *defaults = PyObject_GetAttrString(kind, "__struct_defaults__");
    Shape *shape = PyMem_Calloc(1, sizeof(Shape));
    if (config && fields && names && defaults && shape && fill_shape(shape, kind, config, fields, names, defaults))
        made = PyCapsule_New(shape, NULL, NULL);
    PyErr_Clear(); /* it is no struct */
    Py_XDECREF(config);
    Py_XDECREF(fields);
    Py_XDECREF(names);
    Py_XDECREF(defaults);
    return made ? made : Py_NewRef(Py_None);
}

#define RECENT 64 /* places for types whose shapes are found without the dict */

/* Return the shape of a type; NULL if there is none, or with an exception. */
static Shape *shape_of(PyObject *kind) {
    static struct { PyObject *kind; Shape *shape; } recent[RECENT], *place; /* by address; a type may replace another */
    place = &recent[((size_t)kind >> 6) % RECENT];
    if (place->kind == kind)
        return place->shape;
    PyObject *found = PyDict_GetItemWithError(shapes, kind);
    if (found == NULL) {
        if (PyErr_Occurred() || (found = make_shape(kind)) == NULL)
            return NULL;
        int failed = PyDict_SetItem(shapes, kind, found);
        Py_DECREF(found); /* the dict holds it */
        if (failed)
            return NULL;
    }
    place->kind = kind; /* the dict holds that too */
    return place->shape = found == Py_None ? NULL : PyCapsule_GetPointer(found, NULL);
}

static PyObject *field_of(Shape *shape, PyObject *value, Py_ssize_t at) {
    return *(PyObject **)((char *)value + shape->places[at]);
}

/* Return whether a field is left out, as msgspec does it: a default by identity, or an empty list or map. */
static int is_left_out(Shape *shape, Py_ssize_t at, PyObject *field) {
    if (field == unset || field == shape->defaults[at])
        return 1;
    if (shape->factories[at] == NULL || shape->factories[at] != (PyObject *)Py_TYPE(field))
        return 0;
    return (PyList_CheckExact(field) && !PyList_GET_SIZE(field)) || (PyDict_CheckExact(field) && !PyDict_GET_SIZE(field));
}

/* Maps. A draft is the map under construction. There is none as long as everything agrees with the old map; it is a
   copy of the old map as long as at least the keys agree. */

typedef struct {
    PyObject *old;   /* a map, or NULL */
    PyObject *draft; /* NULL: all entries so far are the first ones of the old map */
    Py_ssize_t at;   /* the place in the old map */
    Py_ssize_t number; /* of entries so far */
    int has_other_keys; /* or another order */
} Map;

/* Begin a draft, or go on with one, that has no keys but those so far. */
static int drop_other_keys(Map *map) {
    PyObject *key, *item, *from = map->draft ? map->draft : map->old, *draft = PyDict_New();
    Py_ssize_t at = 0;
    int failed = draft == NULL;
    for (Py_ssize_t left = map->number; !failed && left > 0 && PyDict_Next(from, &at, &key, &item); left--)
        failed = PyDict_SetItem(draft, key, item) < 0;
    Py_XSETREF(map->draft, draft);
    map->has_other_keys = 1;
    return failed ? -1 : 0;
}

static int is_same_key(PyObject *key, PyObject *other) {
    return key == other || (PyUnicode_CheckExact(key) && PyUnicode_CheckExact(other) && PyUnicode_Compare(key, other) == 0);
}

/* Put an entry that is not the next one of the old map, or has another value there; `before` is its old value. */
static int put_changed(Map *map, PyObject *name, PyObject *value, PyObject *before, int is_next, PyObject *fallback) {
    if (!is_next) {
        if (!map->has_other_keys && drop_other_keys(map) < 0)
            return -1;
        before = map->old ? PyDict_GetItem(map->old, name) : NULL;
    }
    map->number++;
    PyObject *part = renew(value, before, fallback);
    if (part == NULL)
        return -1;
    int failed = 0;
    if (!is_next || part != before)
        failed = (!map->draft && !(map->draft = PyDict_Copy(map->old))) || PyDict_SetItem(map->draft, name, part) < 0;
    Py_DECREF(part);
    return failed ? -1 : 0;
}

static inline int put(Map *map, PyObject *name, PyObject *value, PyObject *fallback) {
    PyObject *key, *before = NULL;
    int is_next = map->old && !map->has_other_keys && PyDict_Next(map->old, &map->at, &key, &before) && is_same_key(name, key);
    if (!is_next || value != before)
        return put_changed(map, name, value, before, is_next, fallback);
    map->number++;
    return 0;
}

static PyObject *finish(Map *map, int failed) {
    if (!failed && !map->has_other_keys && (!map->old || PyDict_GET_SIZE(map->old) != map->number))
        failed = drop_other_keys(map) < 0;
    if (failed)
        Py_CLEAR(map->draft);
    else if (!map->draft)
        map->draft = Py_NewRef(map->old);
    return map->draft;
}

static PyObject *ask(PyObject *fallback, PyObject *value, PyObject *old) {
    return PyObject_CallFunctionObjArgs(fallback, value, old ? old : Py_None, NULL);
}

static PyObject *renew_map(PyObject *value, PyObject *old, PyObject *fallback) {
    Map map = {old && PyDict_CheckExact(old) ? old : NULL, NULL, 0, 0, 0};
    PyObject *key, *item;
    Py_ssize_t at = 0;
    int failed = 0;
    while (!failed && PyDict_Next(value, &at, &key, &item)) {
        if (!PyUnicode_CheckExact(key)) {
            Py_XDECREF(map.draft);
            return ask(fallback, value, old);
        }
        failed = put(&map, key, item, fallback) < 0;
    }
    return finish(&map, failed);
}

static PyObject *renew_struct(Shape *shape, PyObject *value, PyObject *old, PyObject *fallback) {
    Map map = {old && PyDict_CheckExact(old) ? old : NULL, NULL, 0, 0, 0};
    int failed = shape->tag != Py_None && put(&map, shape->tag_name, shape->tag, fallback) < 0;
    for (Py_ssize_t at = 0; !failed && at < shape->number; at++) {
        PyObject *field = field_of(shape, value, at);
        if (field == NULL)
            failed = (PyErr_SetString(PyExc_AttributeError, "a struct lacks a field"), 1);
        else if (!is_left_out(shape, at, field))
            failed = put(&map, shape->names[at], field, fallback) < 0;
    }
    return finish(&map, failed);
}

/* Lists */

static PyObject *item_of(PyObject *value, Shape *shape, Py_ssize_t at) {
    return shape ? field_of(shape, value, at) : PyList_GET_ITEM(value, at);
}

static PyObject *renew_list(PyObject *value, Shape *shape, Py_ssize_t size, PyObject *old, PyObject *fallback) {
    Py_ssize_t known = old && PyList_CheckExact(old) ? PyList_GET_SIZE(old) : 0;
    PyObject *draft = NULL;
    for (Py_ssize_t at = 0; at < size; at++) {
        PyObject *item = item_of(value, shape, at), *before = at < known ? PyList_GET_ITEM(old, at) : NULL;
        if (!draft && item == before)
            continue;
        PyObject *part = item ? renew(item, before, fallback) : NULL;
        if (part == NULL) {
            Py_XDECREF(draft);
            return NULL;
        }
        if (!draft && part == before) {
            Py_DECREF(part);
            continue;
        }
        if (!draft && (draft = PyList_New(size)) == NULL) {
            Py_DECREF(part);
            return NULL;
        }
        for (Py_ssize_t copied = at; copied-- > 0 && !PyList_GET_ITEM(draft, copied);)
            PyList_SET_ITEM(draft, copied, Py_NewRef(PyList_GET_ITEM(old, copied)));
        PyList_SET_ITEM(draft, at, part);
    }
    if (draft)
        return draft;
    if (old && PyList_CheckExact(old) && known == size)
        return Py_NewRef(old);
    return known ? PyList_GetSlice(old, 0, size) : PyList_New(0);
}

/* All values */

static int is_scalar(PyObject *value) {
    return PyUnicode_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) || value == Py_None;
}

static PyObject *renew_scalar(PyObject *value, PyObject *old) {
    if (value == old || old == NULL || Py_TYPE(value) != Py_TYPE(old))
        return Py_NewRef(value);
    int is_same = PyObject_RichCompareBool(value, old, Py_EQ);
    return is_same < 0 ? NULL : Py_NewRef(is_same ? old : value);
}

/* Return whether a struct that is encoded as a list holds the very values of the old list; most of them do. */
static int is_same_row(Shape *shape, PyObject *value, PyObject *old) {
    if (!old || !PyList_CheckExact(old) || PyList_GET_SIZE(old) != shape->number)
        return 0;
    for (Py_ssize_t at = 0; at < shape->number; at++)
        if (field_of(shape, value, at) != PyList_GET_ITEM(old, at))
            return 0;
    return 1;
}

static PyObject *renew_deep(PyObject *value, PyObject *old, PyObject *fallback) {
    if (PyList_CheckExact(value))
        return renew_list(value, NULL, PyList_GET_SIZE(value), old, fallback);
    if (PyDict_CheckExact(value))
        return renew_map(value, old, fallback);
    Shape *shape = shape_of((PyObject *)Py_TYPE(value));
    if (shape && shape->is_list && is_same_row(shape, value, old))
        return Py_NewRef(old);
    if (shape && shape->is_list)
        return renew_list(value, shape, shape->number, old, fallback);
    if (shape)
        return renew_struct(shape, value, old, fallback);
    return PyErr_Occurred() ? NULL : ask(fallback, value, old);
}

static PyObject *renew(PyObject *value, PyObject *old, PyObject *fallback) {
    if (is_scalar(value))
        return renew_scalar(value, old);
    if (Py_EnterRecursiveCall(" in a document"))
        return NULL;
    PyObject *plain = renew_deep(value, old, fallback);
    Py_LeaveRecursiveCall();
    return plain;
}

static PyObject *native_renew(PyObject *module, PyObject *const *given, Py_ssize_t number) {
    if (number != 3) {
        PyErr_SetString(PyExc_TypeError, "renew takes a value, its old plain data, and a fallback");
        return NULL;
    }
    return renew(given[0], given[1], given[2]);
}

/* Return the keys of two maps under which they hold different objects; None if they have other keys, or another order. */
static PyObject *native_list_changed(PyObject *module, PyObject *const *given, Py_ssize_t number) {
    if (number != 2 || !PyDict_CheckExact(given[0]) || !PyDict_CheckExact(given[1])) {
        PyErr_SetString(PyExc_TypeError, "list_changed takes two maps");
        return NULL;
    }
    PyObject *key, *item, *old_key, *old_item, *changed = PyList_New(0);
    Py_ssize_t at = 0, old_at = 0;
    int is_alike = PyDict_GET_SIZE(given[0]) == PyDict_GET_SIZE(given[1]), failed = changed == NULL;
    while (is_alike && !failed && PyDict_Next(given[1], &at, &key, &item) && PyDict_Next(given[0], &old_at, &old_key, &old_item)) {
        is_alike = is_same_key(key, old_key);
        failed = is_alike && item != old_item && PyList_Append(changed, key) < 0;
    }
    if (is_alike && !failed)
        return changed;
    Py_XDECREF(changed);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"list_changed", (PyCFunction)(void (*)(void))native_list_changed, METH_FASTCALL, "Return the keys that changed."},
    {"renew", (PyCFunction)(void (*)(void))native_renew, METH_FASTCALL, "Return a value as plain data."}, {NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "native_renewal", NULL, -1, methods};

PyMODINIT_FUNC PyInit_native_renewal(void) {
    PyObject *msgspec = PyImport_ImportModule("msgspec._core");
    unset = msgspec ? PyObject_GetAttrString(msgspec, "UNSET") : NULL;
    factory = msgspec ? PyObject_GetAttrString(msgspec, "Factory") : NULL;
    Py_XDECREF(msgspec);
    shapes = PyDict_New();
    return unset && factory && shapes ? PyModule_Create(&module) : NULL;
}

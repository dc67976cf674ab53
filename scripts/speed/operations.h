/* Methods of str and bytes for compiled modules, where mypyc would call Python's by their names: see operations.py. */
#ifndef MQCONVERT_OPERATIONS_H
#define MQCONVERT_OPERATIONS_H

#include <Python.h>
#include <string.h>

static inline char mq_str_isascii(PyObject *text) { return PyUnicode_IS_ASCII(text) != 0; }

static inline char mq_str_isdecimal(PyObject *text) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t at = 0; at < length; at++) {
        if (!Py_UNICODE_ISDECIMAL(PyUnicode_READ(kind, data, at))) return 0;
    }
    return length > 0;
}

static inline char mq_bytes_isascii(PyObject *bytes) {
    const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(bytes);
    const unsigned char *end = at + PyBytes_GET_SIZE(bytes);
    for (; end - at >= 8; at += 8) {
        unsigned long long eight;
        memcpy(&eight, at, 8);
        if (eight & 0x8080808080808080ULL) return 0;
    }
    for (; at < end; at++) {
        if (*at & 0x80) return 0;
    }
    return 1;
}

/* `number in bytes`, of a number as mypyc keeps it: shifted by one, or a pointer with the lowest bit set. */
static inline int mq_in_bytes(size_t number, PyObject *bytes) {
    if (number > 510 || number & 1) {
        PyErr_SetString(PyExc_ValueError, "byte must be in range(0, 256)");
        return -1;
    }
    return memchr(PyBytes_AS_STRING(bytes), (int)(number >> 1), (size_t)PyBytes_GET_SIZE(bytes)) != NULL;
}

/* Count a call as deep as one of Python: -1 with RecursionError where calls nest too deep. */
static inline int mq_enter_recursion(void) { return Py_EnterRecursiveCall(" while converting a value") ? -1 : 0; }

static inline char mq_leave_recursion(void) {
    Py_LeaveRecursiveCall();
    return 1;
}

#endif

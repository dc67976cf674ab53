/* Methods of str and bytes for compiled modules, where mypyc would call Python's by their names: see operations.py. */
#ifndef MQCONVERT_OPERATIONS_H
#define MQCONVERT_OPERATIONS_H

#include <Python.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "CPy.h"
#include "byteswriter_extra_ops.h"

static inline char mq_ascii(const char *at, Py_ssize_t size) {
    const char *end = at + size;
    for (; end - at >= 8; at += 8) {
        uint64_t eight;
        memcpy(&eight, at, 8);
        if (eight & 0x8080808080808080ULL) return 0;
    }
    for (; at < end; at++) {
        if (*at & 0x80) return 0;
    }
    return 1;
}

static inline char mq_str_isascii(PyObject *text) { return PyUnicode_IS_ASCII(text) != 0; }

static inline char mq_str_isdecimal(PyObject *text) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    if (PyUnicode_IS_ASCII(text)) {
        for (Py_ssize_t at = 0; at < length; at++) {
            if ((unsigned char)(((const char *)data)[at] - '0') > 9) return 0;
        }
        return length > 0;
    }
    for (Py_ssize_t at = 0; at < length; at++) {
        if (!Py_UNICODE_ISDECIMAL(PyUnicode_READ(kind, data, at))) return 0;
    }
    return length > 0;
}

static inline char mq_bytes_isascii(PyObject *bytes) {
    return mq_ascii(PyBytes_AS_STRING(bytes), PyBytes_GET_SIZE(bytes));
}

/* The same of any object, 2 for an error. */
static inline char mq_object_isascii(PyObject *object) {
    if (PyUnicode_CheckExact(object)) return mq_str_isascii(object);
    if (PyBytes_CheckExact(object)) return mq_bytes_isascii(object);
    PyObject *answer = PyObject_CallMethod(object, "isascii", NULL);
    int ascii = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return ascii < 0 ? 2 : (char)ascii;
}

/* `object.encode()` */
static inline PyObject *mq_object_encode(PyObject *object) {
    if (!PyUnicode_CheckExact(object)) return PyObject_CallMethod(object, "encode", NULL);
    if (!PyUnicode_IS_COMPACT_ASCII(object)) return PyUnicode_AsUTF8String(object);
    return PyBytes_FromStringAndSize(PyUnicode_DATA(object), PyUnicode_GET_LENGTH(object));
}

/* A number as `.20e` if it has at most 64 bits as an integer times a power of ten, like 0.25 and 100.0; else NULL. */
static inline PyObject *mq_format_short(double number) {
    int exponent, tens = 0;
    double half = frexp(fabs(number), &exponent);
    if (!isfinite(number) || half == 0) return NULL;
    uint64_t whole = (uint64_t)(half * 9007199254740992.0); /* 2^53 */
    for (exponent -= 53; !(whole & 1); exponent++) whole >>= 1;
    for (; exponent > 0; exponent--, whole <<= 1) {
        if (whole >> 63) return NULL;
    }
    for (; exponent < 0; exponent++, tens++, whole *= 5) {
        if (whole > UINT64_MAX / 5) return NULL;
    }
    char digits[21], made[40], *at = digits + sizeof digits, *to = made;
    do *--at = (char)('0' + whole % 10);
    while (whole /= 10);
    int size = (int)(digits + sizeof digits - at), power = size - 1 - tens;
    if (number < 0) *to++ = '-';
    *to++ = *at;
    *to++ = '.';
    memcpy(to, at + 1, (size_t)size - 1);
    memset(to + size - 1, '0', 21 - (size_t)size);
    to += 20;
    *to++ = 'e';
    *to++ = power < 0 ? '-' : '+';
    if (power < 0) power = -power;
    *to++ = (char)('0' + power / 10);
    *to++ = (char)('0' + power % 10);
    PyObject *text = PyUnicode_New(to - made, 127);
    if (text != NULL) memcpy(PyUnicode_1BYTE_DATA(text), made, (size_t)(to - made));
    return text;
}

/* `format(object, specification)`, quick for a float as `.20e` */
static inline PyObject *mq_format(PyObject *object, PyObject *specification) {
    if (!PyFloat_CheckExact(object) || PyUnicode_CompareWithASCIIString(specification, ".20e") != 0)
        return PyObject_Format(object, specification);
    PyObject *quick = mq_format_short(PyFloat_AS_DOUBLE(object));
    if (quick != NULL || PyErr_Occurred()) return quick;
    char *made = PyOS_double_to_string(PyFloat_AS_DOUBLE(object), 'e', 20, 0, NULL);
    if (made == NULL) return PyErr_NoMemory();
    PyObject *text = PyUnicode_FromString(made);
    PyMem_Free(made);
    return text;
}

/* `str(object)`, quick for numbers of 63 bits */
static inline PyObject *mq_str_of_object(PyObject *object) {
    int overflow = 1;
    long long number = PyLong_CheckExact(object) ? PyLong_AsLongLongAndOverflow(object, &overflow) : 0;
    if (overflow || number == LLONG_MIN) return PyObject_Str(object);
    char digits[20], *at = digits + sizeof digits;
    unsigned long long rest = (unsigned long long)(number < 0 ? -number : number);
    do *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0) *--at = '-';
    Py_ssize_t size = digits + sizeof digits - at;
    if (size == 1) return PyUnicode_FromStringAndSize(at, 1);
    PyObject *text = PyUnicode_New(size, 127);
    if (text != NULL) memcpy(PyUnicode_1BYTE_DATA(text), at, (size_t)size);
    return text;
}

/* `list.append`: room grows from 8 places to twice as many, in fewer steps than PyList_Append takes. */
static inline int mq_list_append(PyObject *list, PyObject *item) {
#ifdef Py_GIL_DISABLED
    return PyList_Append(list, item);
#endif
    Py_ssize_t size = PyList_GET_SIZE(list);
    if (size == ((PyListObject *)list)->allocated) {
        Py_ssize_t room = size < 8 ? 8 : 2 * size;
        PyObject **items = size > PY_SSIZE_T_MAX / 32 ? NULL
            : PyMem_Realloc(((PyListObject *)list)->ob_item, (size_t)room * sizeof(PyObject *));
        if (items == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        ((PyListObject *)list)->ob_item = items;
        ((PyListObject *)list)->allocated = room;
    }
    PyList_SET_ITEM(list, size, Py_NewRef(item));
    Py_SET_SIZE(list, size + 1);
    return 0;
}

/* `bytes[begin:end].decode("utf-8", errors)`, without the bytes of the slice. */
static inline PyObject *mq_decode_slice(PyObject *bytes, int64_t begin, int64_t end, const char *errors) {
    Py_ssize_t size = PyBytes_GET_SIZE(bytes);
    if (begin < 0) begin = begin + size < 0 ? 0 : begin + size;
    if (end < 0) end += size;
    if (end > size) end = size;
    Py_ssize_t length = end > begin ? end - begin : 0;
    const char *at = PyBytes_AS_STRING(bytes) + (length ? begin : 0);
    if (length < 2 || !mq_ascii(at, length)) return PyUnicode_DecodeUTF8(at, length, errors);
    PyObject *text = PyUnicode_New(length, 127);
    if (text != NULL) memcpy(PyUnicode_1BYTE_DATA(text), at, (size_t)length);
    return text;
}

/* The same for keys. Those that messages have in common are kept: they need no new text, and know their hash. */
static PyObject *mq_keys[512];

static inline PyObject *mq_decode_kept(PyObject *bytes, int64_t begin, int64_t end, const char *errors) {
#ifndef Py_GIL_DISABLED
    Py_ssize_t size = PyBytes_GET_SIZE(bytes), length = end - begin;
    if (begin >= 0 && end <= size && length >= 4 && length <= 64) {
        const char *at = PyBytes_AS_STRING(bytes) + begin;
        uint32_t first, last;
        memcpy(&first, at, 4);
        memcpy(&last, at + length - 4, 4);
        uint64_t mixed = ((uint64_t)first << 32 | (last + (uint32_t)length)) * 0x9E3779B97F4A7C15ULL;
        PyObject **kept = &mq_keys[mixed >> 55];
        PyObject *text = *kept;
        if (text != NULL && PyUnicode_GET_LENGTH(text) == length && !memcmp(PyUnicode_DATA(text), at, (size_t)length)) {
            return Py_NewRef(text);
        }
        text = mq_decode_slice(bytes, begin, end, errors);
        if (text != NULL && PyUnicode_IS_COMPACT_ASCII(text)) Py_XSETREF(*kept, Py_NewRef(text));
        return text;
    }
#endif
    return mq_decode_slice(bytes, begin, end, errors);
}

static inline PyObject *mq_decode(PyObject *bytes, int64_t begin, int64_t end) {
    return mq_decode_slice(bytes, begin, end, NULL);
}

static inline PyObject *mq_decode_key(PyObject *bytes, int64_t begin, int64_t end) {
    return mq_decode_kept(bytes, begin, end, NULL);
}

static inline PyObject *mq_decode_any(PyObject *bytes, int64_t begin, int64_t end) {
    return mq_decode_slice(bytes, begin, end, "surrogateescape");
}

static inline PyObject *mq_decode_any_key(PyObject *bytes, int64_t begin, int64_t end) {
    return mq_decode_kept(bytes, begin, end, "surrogateescape");
}

/* `utf8_size` and `text_or_none` of model/primitives.py, which would make an error and its traceback to catch it. */
static inline int64_t mq_utf8_size(PyObject *text) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    if (PyUnicode_IS_ASCII(text)) return length;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    int64_t size = 0;
    for (Py_ssize_t at = 0; at < length; at++) {
        Py_UCS4 character = PyUnicode_READ(kind, data, at);
        if (Py_UNICODE_IS_SURROGATE(character)) return -1;
        size += 1 + (character > 0x7F) + (character > 0x7FF) + (character > 0xFFFF);
    }
    return size;
}

static inline char mq_is_utf8(const unsigned char *at, Py_ssize_t size) {
    for (const unsigned char *end = at + size; at < end;) {
        unsigned char first = *at++;
        if (first < 0x80) continue;
        int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        if (first < 0xC2 || first > 0xF4 || end - at < more) return 0;
        /* the bounds of the second byte: Unicode 15, table 3-7 */
        unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (*at < low || *at > high) return 0;
        for (at++; --more; at++) {
            if ((*at & 0xC0) != 0x80) return 0;
        }
    }
    return 1;
}

static inline PyObject *mq_text_or_none(PyObject *bytes) {
    if (!mq_is_utf8((const unsigned char *)PyBytes_AS_STRING(bytes), PyBytes_GET_SIZE(bytes))) Py_RETURN_NONE;
    return mq_decode(bytes, 0, PyBytes_GET_SIZE(bytes));
}

/* `is_text`: most texts are short and of ASCII. */
static inline char mq_is_text(PyObject *bytes, int64_t begin, int64_t end) {
    if (begin < 0 || end > PyBytes_GET_SIZE(bytes)) return 0;
    const char *at = PyBytes_AS_STRING(bytes) + begin, *stop = PyBytes_AS_STRING(bytes) + end;
    for (; stop - at >= 8; at += 8) {
        uint64_t eight;
        memcpy(&eight, at, 8);
        if ((eight | (eight - 0x0101010101010101ULL)) & 0x8080808080808080ULL) break;
    }
    for (; at < stop; at++) {
        if ((signed char)*at <= 0)
            return *at && !memchr(at, 0, (size_t)(stop - at)) && mq_is_utf8((const unsigned char *)at, stop - at);
    }
    return 1;
}

static inline char mq_has_only(PyObject *text, PyObject *marks) {
    if (!PyUnicode_IS_COMPACT_ASCII(text) || PyBytes_GET_SIZE(marks) != 256) return 0;
    const unsigned char *at = PyUnicode_DATA(text), *end = at + PyUnicode_GET_LENGTH(text);
    const char *mark = PyBytes_AS_STRING(marks);
    while (at < end && mark[*at]) at++;
    return at == end;
}

/* The writers of text in model/primitives.py: a code where `head` is above `width`, the size in `width` bytes, and UTF-8. */
static inline char mq_write_utf8(PyObject *out, int head, int width, int64_t code, const char *utf8, Py_ssize_t size) {
    if (size >> (8 * width)) {
        PyErr_SetString(PyExc_ValueError, "text of too many bytes");
        return CPY_NONE_ERROR;
    }
    BytesWriterObject *writer = (BytesWriterObject *)out;
    if (!CPyBytesWriter_EnsureSize(writer, size + head)) return CPY_NONE_ERROR;
    char *at = writer->buf + writer->len;
    if (head > width) *at++ = (char)code;
    for (int shift = 8 * width; shift;) *at++ = (char)(size >> (shift -= 8));
    memcpy(at, utf8, (size_t)size);
    writer->len += size + head;
    return CPY_NONE;
}

static inline char mq_write_text(PyObject *out, int head, int width, int64_t code, PyObject *text) {
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "not text");
        return CPY_NONE_ERROR;
    }
    if (PyUnicode_IS_COMPACT_ASCII(text)) {
        return mq_write_utf8(out, head, width, code, PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text));
    }
    PyObject *utf8 = PyUnicode_AsUTF8String(text);
    if (utf8 == NULL) return CPY_NONE_ERROR;
    char done = mq_write_utf8(out, head, width, code, PyBytes_AS_STRING(utf8), PyBytes_GET_SIZE(utf8));
    Py_DECREF(utf8);
    return done;
}

static inline char mq_write_text8(PyObject *out, PyObject *text) { return mq_write_text(out, 1, 1, 0, text); }

/* Text of AMQP 1.0: longer than 255 bytes, its code is larger by 0x10, and its size has four bytes. */
static inline char mq_write_varied_text(PyObject *out, int64_t code, PyObject *text) {
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "not text");
        return CPY_NONE_ERROR;
    }
    PyObject *utf8 = NULL;
    if (!PyUnicode_IS_COMPACT_ASCII(text) && (utf8 = PyUnicode_AsUTF8String(text)) == NULL) return CPY_NONE_ERROR;
    const char *at = utf8 ? PyBytes_AS_STRING(utf8) : PyUnicode_DATA(text);
    Py_ssize_t size = utf8 ? PyBytes_GET_SIZE(utf8) : PyUnicode_GET_LENGTH(text);
    char done = size < 256 ? mq_write_utf8(out, 2, 1, code, at, size) : mq_write_utf8(out, 5, 4, code + 0x10, at, size);
    Py_XDECREF(utf8);
    return done;
}

static inline char mq_write_varied_octets(PyObject *out, int64_t code, PyObject *data, int64_t begin, int64_t end) {
    if (begin < 0 || end < begin || end > PyBytes_GET_SIZE(data)) {
        PyErr_SetString(PyExc_IndexError, "no such bytes");
        return CPY_NONE_ERROR;
    }
    const char *at = PyBytes_AS_STRING(data) + begin;
    Py_ssize_t size = end - begin;
    return size < 256 ? mq_write_utf8(out, 2, 1, code, at, size) : mq_write_utf8(out, 5, 4, code + 0x10, at, size);
}

static inline char mq_write_text16(PyObject *out, PyObject *text) { return mq_write_text(out, 2, 2, 0, text); }

static inline char mq_write_coded_text16(PyObject *out, int64_t code, PyObject *text) {
    return mq_write_text(out, 3, 2, code, text);
}

static inline char mq_write_pair16(PyObject *out, int64_t code, PyObject *key, PyObject *value) {
    return mq_write_coded_text16(out, code, key) == CPY_NONE ? mq_write_text16(out, value) : CPY_NONE_ERROR;
}

/* `write_from` of model/primitives.py: without bytes for what `other` has. */
static inline char mq_write_from(PyObject *out, PyObject *other) {
    BytesWriterObject *writer = (BytesWriterObject *)out, *from = (BytesWriterObject *)other;
    if (!CPyBytesWriter_EnsureSize(writer, from->len)) return CPY_NONE_ERROR;
    memcpy(writer->buf + writer->len, from->buf, (size_t)from->len);
    writer->len += from->len;
    return CPY_NONE;
}

/* `ended` of model/primitives.py: allocates the result alone. */
static inline PyObject *mq_ended(PyObject *out, PyObject *last, PyObject *end) {
    BytesWriterObject *writer = (BytesWriterObject *)out;
    Py_ssize_t size = PyBytes_GET_SIZE(last), rest = PyBytes_GET_SIZE(end);
    PyObject *made = PyBytes_FromStringAndSize(NULL, writer->len + size + rest);
    if (made == NULL) return NULL;
    char *at = PyBytes_AS_STRING(made);
    memcpy(at, writer->buf, (size_t)writer->len);
    memcpy(at + writer->len, PyBytes_AS_STRING(last), (size_t)size);
    memcpy(at + writer->len + size, PyBytes_AS_STRING(end), (size_t)rest);
    return made;
}

/* `put_sizes` of model/primitives.py. */
static inline char mq_put_sizes(PyObject *out, int64_t place, int64_t code, int64_t count) {
    BytesWriterObject *writer = (BytesWriterObject *)out;
    int64_t size = writer->len - place - 3;
    if (size < 255 && count < 256) {
        char *at = writer->buf + place;
        at[0] = (char)(code - 0x10);
        at[1] = (char)(size + 1);
        at[2] = (char)count;
        return CPY_NONE;
    }
    if (size > 0xFFFFFFFF - 4 || count > 0xFFFFFFFF) {
        PyErr_SetString(PyExc_OverflowError, "a size beyond 32 bits");
        return CPY_NONE_ERROR;
    }
    if (!CPyBytesWriter_EnsureSize(writer, 6)) return CPY_NONE_ERROR;
    char *at = writer->buf + place;
    memmove(at + 9, at + 3, (size_t)size);
    *at++ = (char)code;
    for (int shift = 32; shift;) *at++ = (char)((size + 4) >> (shift -= 8));
    for (int shift = 32; shift;) *at++ = (char)(count >> (shift -= 8));
    writer->len += 6;
    return CPY_NONE;
}

/* `value_at` and `put_value` of columns/loop.py: without slices of memoryviews and numbers of Python. */
static inline Py_buffer *mq_view(PyObject *view, Py_ssize_t width, Py_ssize_t least, int writable) {
    Py_buffer *found = PyMemoryView_Check(view) ? PyMemoryView_GET_BUFFER(view) : NULL;
    if (found != NULL && found->itemsize == width && found->len >= least * width && PyBuffer_IsContiguous(found, 'C')
        && !(writable && found->readonly)) {
        return found;
    }
    PyErr_SetString(PyExc_IndexError, "no such value in the memory of a column");
    return NULL;
}

static inline PyObject *mq_value_at(PyObject *data, PyObject *offsets, int64_t at) {
    Py_buffer *bytes = mq_view(data, 1, 0, 0), *numbers = bytes ? mq_view(offsets, 4, at + 2, 0) : NULL;
    if (numbers == NULL) return NULL;
    int32_t begin = ((int32_t *)numbers->buf)[at], end = ((int32_t *)numbers->buf)[at + 1];
    if (begin >= 0 && begin <= end && end <= bytes->len) return PyBytes_FromStringAndSize((char *)bytes->buf + begin, end - begin);
    PyErr_SetString(PyExc_IndexError, "offsets outside the data of a column");
    return NULL;
}

static inline char mq_put_value(PyObject *data, PyObject *offsets, int64_t at, PyObject *value) {
    Py_buffer *bytes = mq_view(data, 1, 0, 1), *numbers = bytes ? mq_view(offsets, 4, at + 2, 1) : NULL;
    if (numbers == NULL) return 2;
    int32_t begin = ((int32_t *)numbers->buf)[at];
    Py_ssize_t size = PyBytes_GET_SIZE(value);
    if (size > bytes->len - begin || size > INT32_MAX - begin) return 0;
    memcpy((char *)bytes->buf + begin, PyBytes_AS_STRING(value), (size_t)size);
    ((int32_t *)numbers->buf)[at + 1] = begin + (int32_t)size;
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

/* `part in text`, for a part of one ASCII character without a call. */
static inline int mq_in_str(PyObject *part, PyObject *text) {
    if (PyUnicode_GET_LENGTH(part) == 1 && PyUnicode_IS_ASCII(part) && PyUnicode_IS_COMPACT_ASCII(text)) {
        return memchr(PyUnicode_DATA(text), *PyUnicode_1BYTE_DATA(part), (size_t)PyUnicode_GET_LENGTH(text)) != NULL;
    }
    return PyUnicode_Contains(text, part);
}

/* The same of objects of any class: most are texts. */
static inline int mq_in_object(PyObject *part, PyObject *whole) {
    int texts = PyUnicode_CheckExact(whole) && PyUnicode_CheckExact(part);
    return texts ? mq_in_str(part, whole) : PySequence_Contains(whole, part);
}

/* `text.replace(old, new)`, quick for one ASCII character by another. */
static inline PyObject *mq_str_replace(PyObject *text, PyObject *old, PyObject *new) {
    if (PyUnicode_GET_LENGTH(old) != 1 || PyUnicode_GET_LENGTH(new) != 1 || !PyUnicode_IS_ASCII(old) || !PyUnicode_IS_ASCII(new)
        || !PyUnicode_CheckExact(text) || !PyUnicode_IS_COMPACT_ASCII(text)) {
        return PyUnicode_Replace(text, old, new, -1);
    }
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    Py_UCS1 from = *PyUnicode_1BYTE_DATA(old), to = *PyUnicode_1BYTE_DATA(new), *data = PyUnicode_1BYTE_DATA(text);
    if (!memchr(data, from, (size_t)size)) return Py_NewRef(text);
    if (size == 1) return Py_NewRef(new);
    PyObject *made = PyUnicode_New(size, 127);
    if (made == NULL) return NULL;
    Py_UCS1 *out = PyUnicode_1BYTE_DATA(made);
    for (Py_ssize_t at = 0; at < size; at++) out[at] = data[at] == from ? to : data[at];
    return made;
}

/* The slot of a text in a set: that of an equal hash, or a free one. NULL where it is not the first one of a large table. */
static inline setentry *mq_slot(PyObject *texts, PyObject *text) {
#ifndef Py_GIL_DISABLED
    PySetObject *set = (PySetObject *)texts;
    size_t hash = PyUnicode_CheckExact(text) ? (size_t)((PyASCIIObject *)text)->hash : (size_t)-1;
    if (hash != (size_t)-1) {
        size_t last = (size_t)set->mask, at = hash & last, rest = hash;
        while (set->table[at].key != NULL && (size_t)set->table[at].hash != hash) {
            if (last >= PySet_MINSIZE) return NULL; /* beyond the table that every set begins with */
            rest >>= 5;
            at = (at * 5 + 1 + rest) & last;
        }
        return &set->table[at];
    }
#endif
    return NULL;
}

/* `text in texts`, of a set. */
static inline int mq_in_set(PyObject *texts, PyObject *text) {
    setentry *slot = mq_slot(texts, text);
    if (slot != NULL && (slot->key == text || slot->key == NULL)) return slot->key == text;
    return PySet_Contains(texts, text);
}

/* `set.add(text)`, quick in the first table: it takes six members, PySet_Add moves the fifth to another. */
static inline int mq_set_add(PyObject *texts, PyObject *text) {
    PySetObject *set = (PySetObject *)texts;
    setentry *slot = set->fill < 6 ? mq_slot(texts, text) : NULL;
    if (slot != NULL && slot->key == NULL) {
        slot->key = Py_NewRef(text);
        slot->hash = ((PyASCIIObject *)text)->hash;
        set->fill++;
        set->used++;
        return 0;
    }
    return PySet_Add(texts, text);
}

/* `object in list`: ASCII texts are compared without a call. */
static inline int mq_in_list(PyObject *list, PyObject *object) {
    int ascii = PyUnicode_CheckExact(object) && PyUnicode_IS_COMPACT_ASCII(object);
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list); at++) {
        PyObject *item = PyList_GET_ITEM(list, at);
        if (item == object) return 1;
        if (ascii && PyUnicode_CheckExact(item)) {
            Py_ssize_t size = PyUnicode_GET_LENGTH(object);
            if (!PyUnicode_IS_COMPACT_ASCII(item) || PyUnicode_GET_LENGTH(item) != size) continue;
            if (!memcmp(PyUnicode_DATA(item), PyUnicode_DATA(object), (size_t)size)) return 1;
        } else {
            Py_INCREF(item); /* a comparison of Python could change the list */
            int same = PyObject_RichCompareBool(item, object, Py_EQ);
            Py_DECREF(item);
            if (same) return same;
        }
    }
    return 0;
}

/* `object == other`, as 0 or 1, 2 for an error */
static inline char mq_equal(PyObject *object, PyObject *other) {
    PyObject *same = PyObject_RichCompare(object, other, Py_EQ);
    int equal = same == NULL ? -1 : PyObject_IsTrue(same);
    Py_XDECREF(same);
    return equal < 0 ? 2 : (char)equal;
}

/* The same of any object and a text. */
static inline char mq_equals_text(PyObject *object, PyObject *text) {
    if (object == text) return 1;
    if (!PyUnicode_CheckExact(object) || !PyUnicode_CheckExact(text)) return mq_equal(object, text);
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    return PyUnicode_GET_LENGTH(object) == size && (int)PyUnicode_KIND(object) == kind
        && !memcmp(PyUnicode_DATA(object), PyUnicode_DATA(text), (size_t)(size * kind));
}

/* The same of any object and a number. */
static inline char mq_equals_number(PyObject *object, CPyTagged number) {
    if (PyLong_CheckExact(object) && CPyTagged_CheckShort(number)) return CPyTagged_BorrowFromObject(object) == number;
    if (object == Py_None) return 0;
    PyObject *boxed = CPyTagged_AsObject(number);
    char equal = mq_equal(object, boxed);
    Py_DECREF(boxed);
    return equal;
}

static inline char mq_differs_from_text(PyObject *object, PyObject *text) {
    char equal = mq_equals_text(object, text);
    return equal == 2 ? 2 : !equal;
}

static inline char mq_differs_from_number(PyObject *object, CPyTagged number) {
    char equal = mq_equals_number(object, number);
    return equal == 2 ? 2 : !equal;
}

/* Order of two texts, without a call for ASCII. */
static inline int mq_str_order(PyObject *left, PyObject *right) {
    if (!PyUnicode_IS_COMPACT_ASCII(left) || !PyUnicode_IS_COMPACT_ASCII(right)) return PyUnicode_Compare(left, right);
    Py_ssize_t size = PyUnicode_GET_LENGTH(left), other = PyUnicode_GET_LENGTH(right);
    int first = *PyUnicode_1BYTE_DATA(left) - *PyUnicode_1BYTE_DATA(right); /* an empty text has a zero byte there */
    if (first != 0) return first;
    int order = memcmp(PyUnicode_DATA(left), PyUnicode_DATA(right), (size_t)(size < other ? size : other));
    return order != 0 ? order : (size > other) - (size < other);
}

static inline char mq_str_lt(PyObject *left, PyObject *right) { return mq_str_order(left, right) < 0; }

static inline char mq_str_le(PyObject *left, PyObject *right) { return mq_str_order(left, right) <= 0; }

/* The product of two numbers as mypyc keeps them, which multiplies without Python's numbers below 32 bits alone. */
static inline CPyTagged mq_multiply(CPyTagged left, CPyTagged right) {
    Py_ssize_t product;
    if (!CPyTagged_CheckLong(left) && !CPyTagged_CheckLong(right)
        && !__builtin_mul_overflow((Py_ssize_t)left, (Py_ssize_t)right >> 1, &product)) {
        return (CPyTagged)product;
    }
    return CPyTagged_Multiply(left, right);
}

/* `int(text)`, without a call for at most 18 ASCII digits. */
static inline CPyTagged mq_int_of_str(PyObject *text) {
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    if (size && size <= 18 && PyUnicode_IS_COMPACT_ASCII(text)) {
        const unsigned char *at = PyUnicode_1BYTE_DATA(text), *end = at + size;
        Py_ssize_t number = 0;
        while (at < end && (unsigned char)(*at - '0') < 10) number = number * 10 + (*at++ - '0');
        if (at == end) return (CPyTagged)(number << 1);
    }
    PyObject *made = PyLong_FromUnicodeObject(text, 10);
    return made == NULL ? CPY_INT_TAG : CPyTagged_StealFromObject(made);
}

/* `bytes.find(part, begin, end)` for places within the bytes. */
static inline int64_t mq_bytes_find(PyObject *bytes, PyObject *part, int64_t begin, int64_t end) {
    const char *data = PyBytes_AS_STRING(bytes), *wanted = PyBytes_AS_STRING(part);
    Py_ssize_t size = PyBytes_GET_SIZE(bytes), width = PyBytes_GET_SIZE(part);
    if (begin < 0) begin = begin + size < 0 ? 0 : begin + size;
    if (end < 0) end = end + size < 0 ? 0 : end + size;
    if (end > size) end = size;
    if (begin > end - width) return -1;
    if (!width) return begin;
    const char *at = data + begin, *last = data + end - width;
    while ((at = memchr(at, *wanted, (size_t)(last - at + 1))) != NULL) {
        if (!memcmp(at, wanted, (size_t)width)) return at - data;
        if (++at > last) break;
    }
    return -1;
}

/* `digits_at` of model/primitives.py. */
static inline int64_t mq_digits_at(PyObject *bytes, PyObject *before, int64_t begin, int64_t end) {
    const unsigned char *data = (const unsigned char *)PyBytes_AS_STRING(bytes);
    Py_ssize_t size = PyBytes_GET_SIZE(bytes), width = PyBytes_GET_SIZE(before);
    int64_t number = 0;
    if (end > size) end = size;
    if (begin < 0 || begin >= end - width || end - begin > 32) return -1;
    if (memcmp(data + begin, PyBytes_AS_STRING(before), (size_t)width)) return -1;
    begin += width;
    for (const unsigned char *at = data + begin; at < data + end; at++) {
        unsigned char digit = (unsigned char)(*at - '0');
        if (digit > 9 || number > ((int64_t)1 << 62) / 10) return -1;
        number = number * 10 + digit;
    }
    return number < (int64_t)1 << 62 ? number : -1;
}

/* One more than the value of a hexadecimal digit; 0 for another character. */
static const unsigned char mq_digits[256] = {
    ['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ['A'] = 11, 12, 13, 14, 15, 16, ['a'] = 11, 12, 13, 14, 15, 16,
};

/* `uuid_at` and `uuid_text` of model/primitives.py. */
static inline PyObject *mq_uuid_at(PyObject *text, int64_t begin) {
    if (begin < 0 || !PyUnicode_IS_ASCII(text) || PyUnicode_GET_LENGTH(text) - begin != 36) Py_RETURN_NONE;
    const unsigned char *at = PyUnicode_1BYTE_DATA(text) + begin;
    char octets[16];
    for (int place = 0; place < 16; place++) {
        if (place == 4 || place == 6 || place == 8 || place == 10) {
            if (*at++ != '-') Py_RETURN_NONE;
        }
        int high = mq_digits[at[0]], low = mq_digits[at[1]];
        if (!high || !low) Py_RETURN_NONE;
        octets[place] = (char)((high - 1) << 4 | (low - 1));
        at += 2;
    }
    return PyBytes_FromStringAndSize(octets, 16);
}

static inline PyObject *mq_uuid_text(PyObject *bytes) {
    Py_ssize_t size = PyBytes_GET_SIZE(bytes);
    PyObject *text = PyUnicode_New(2 * size + 4, 127);
    if (text == NULL) return NULL;
    Py_UCS1 *out = PyUnicode_1BYTE_DATA(text);
    for (Py_ssize_t place = 0; place < size || place <= 10; place++) {
        if (place == 4 || place == 6 || place == 8 || place == 10) *out++ = '-';
        if (place >= size) continue;
        unsigned char octet = (unsigned char)PyBytes_AS_STRING(bytes)[place];
        *out++ = (Py_UCS1) "0123456789abcdef"[octet >> 4];
        *out++ = (Py_UCS1) "0123456789abcdef"[octet & 15];
    }
    return text;
}

/* Objects of `acyclic` classes have no header of the collector, into which CPython's trashcan writes. Nested too deep, they wait
 * in a list, which goes through their counts. */
static int mq_depth;
static PyObject *mq_waiting;

static inline int mq_wait(PyObject *object) {
    if (mq_depth < 50) {
        mq_depth++;
        return 0;
    }
    object->ob_refcnt = (Py_ssize_t)mq_waiting;
    mq_waiting = object;
    return 1;
}

static inline void mq_done(void) {
    while (mq_depth == 1 && mq_waiting != NULL) {
        PyObject *object = mq_waiting;
        mq_waiting = (PyObject *)object->ob_refcnt;
        object->ob_refcnt = 0;
        Py_TYPE(object)->tp_dealloc(object);
    }
    mq_depth--;
}

/* How objects that the collector sees wait is CPython's own: in the macros up to 3.12 and in 3.13, in Py_DECREF later. */
#if PY_VERSION_HEX < 0x030D0000
#define MQ_NESTED(object) (_PyTrash_begin(_tstate, (PyObject *)(object)))
#define MQ_LEFT _PyTrash_end(_tstate)
#elif PY_VERSION_HEX < 0x030E0000
static inline int mq_nested(PyThreadState *state, PyObject *object) {
    if (state->c_recursion_remaining <= Py_TRASHCAN_HEADROOM) {
        _PyTrash_thread_deposit_object(state, object);
        return 1;
    }
    state->c_recursion_remaining--;
    return 0;
}

static inline void mq_left(PyThreadState *state) {
    state->c_recursion_remaining++;
    if (state->delete_later && state->c_recursion_remaining > 2 * Py_TRASHCAN_HEADROOM) _PyTrash_thread_destroy_chain(state);
}

#define MQ_NESTED(object) (mq_nested(_tstate, (PyObject *)(object)))
#define MQ_LEFT mq_left(_tstate)
#else
#define MQ_NESTED(object) 0
#define MQ_LEFT (void)0
#endif

#undef Py_TRASHCAN_BEGIN
#undef Py_TRASHCAN_END
#define Py_TRASHCAN_BEGIN(op, dealloc) \
    do { \
        PyThreadState *_tstate = NULL; \
        int _own = Py_TYPE(op)->tp_dealloc == (destructor)(dealloc), _plain = _own && !PyType_IS_GC(Py_TYPE(op)); \
        if (_plain) { \
            if (mq_wait((PyObject *)(op))) break; \
        } else if (_own) { \
            _tstate = PyThreadState_Get(); \
            if (MQ_NESTED(op)) break; \
        }
#define Py_TRASHCAN_END \
        if (_plain) mq_done(); \
        if (_tstate != NULL) MQ_LEFT; \
    } while (0);

/* The memory of freed objects of `acyclic` classes, by size: most objects of a message are made of those of the one before.
 * None is kept where PYTHONMALLOC is set, since somebody looks for errors of memory then. */
#define MQ_KEPT 1024
#define MQ_SIZES 33
static PyObject *mq_kept[MQ_SIZES][MQ_KEPT];
static int mq_keeps[MQ_SIZES];

static inline PyObject *mq_alloc(PyTypeObject *type, Py_ssize_t items) {
    Py_ssize_t words = type->tp_basicsize / (Py_ssize_t)sizeof(PyObject *);
    if (!mq_keeps[words]) return PyType_GenericAlloc(type, items);
    PyObject *object = mq_kept[words][--mq_keeps[words]];
    memset(object, 0, (size_t)type->tp_basicsize);
    Py_SET_REFCNT(object, 1);
    Py_SET_TYPE(object, type); /* not counted: mypyc does not count it back */
    return object;
}

static inline void mq_free(void *object) {
    Py_ssize_t words = Py_TYPE(object)->tp_basicsize / (Py_ssize_t)sizeof(PyObject *);
    if (mq_keeps[words] == MQ_KEPT) {
        PyObject_Free(object);
    } else {
        mq_kept[words][mq_keeps[words]++] = object;
    }
}

static inline int mq_type_ready(PyTypeObject *type) {
    int done = PyType_Ready(type);
#ifndef Py_GIL_DISABLED
    if (!done && !PyType_IS_GC(type) && type->tp_free == PyObject_Free && getenv("PYTHONMALLOC") == NULL
        && type->tp_basicsize < MQ_SIZES * (Py_ssize_t)sizeof(PyObject *)) {
        type->tp_alloc = mq_alloc;
        type->tp_free = mq_free;
    }
#endif
    return done;
}

#define PyType_Ready mq_type_ready

/* mypyc's parser of arguments, in a file that each group of modules includes. */
static int vgetargskeywordsfast_impl(PyObject *const *, Py_ssize_t, PyObject *, PyObject *, CPyArg_Parser *, va_list *);

/* Return an empty dict for `**options`: that of the last call, if nobody has it any more. */
static inline PyObject *mq_no_options(void) {
    static PyObject *kept;
    if (kept == NULL || Py_REFCNT(kept) > 1 || PyDict_GET_SIZE(kept)) Py_XSETREF(kept, PyDict_New());
    return Py_XNewRef(kept);
}

/* Take the arguments of a call, quick where all names are the objects that the parser has, and the function has no `*args`. */
static inline int mq_arguments(PyObject *const *args, Py_ssize_t nargs, PyObject *names, CPyArg_Parser *parser, ...) {
    va_list places;
#ifndef Py_GIL_DISABLED
    PyObject *known = parser->kwtuple, **others = NULL, **options = NULL; /* `known` is NULL before the first call */
    Py_ssize_t all = known == NULL ? 0 : PyTuple_GET_SIZE(known), named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    va_start(places, parser);
    if (parser->varargs) others = va_arg(places, PyObject **), options = va_arg(places, PyObject **);
    int quick = all > 0 && others == NULL && !parser->pos && nargs <= parser->max;
    Py_ssize_t found = 0, needed = parser->has_required_kws ? all : parser->min;
    for (Py_ssize_t at = 0; quick && at < all && (at < nargs || at < needed || found < named); at++) {
        PyObject *given = at < nargs ? args[at] : NULL, **place = va_arg(places, PyObject **);
        for (Py_ssize_t each = 0; given == NULL && each < named; each++) {
            if (PyTuple_GET_ITEM(names, each) == PyTuple_GET_ITEM(known, at)) given = args[nargs + each], found++;
        }
        if (given != NULL) *place = given;
        else quick = at >= parser->min && at < parser->required_kwonly_start;
    }
    quick = quick && found == named;
    va_end(places);
    if (quick) return options == NULL || (*options = mq_no_options()) != NULL;
#endif
    va_start(places, parser);
    int done = vgetargskeywordsfast_impl(args, nargs, NULL, names, parser, &places);
    va_end(places);
    return done;
}

/* In calls of the parser, the first argument is `args`; where it is defined, that begins with its type. */
#define CPyArg_ParseStackAndKeywords(first, ...) MQ_PARSE_##first, __VA_ARGS__)
#define MQ_PARSE_args mq_arguments(args
#define MQ_PARSE_PyObject CPyArg_ParseStackAndKeywords(PyObject

/* `raise error from None`: the traceback does not show the error that was being handled. */
static inline PyObject *mq_without_context(PyObject *error, PyObject *Py_UNUSED(none)) {
    PyException_SetCause(error, NULL);
    return Py_NewRef(error);
}

/* Count a call as deep as one of Python: -1 with RecursionError where calls nest too deep. */
static inline int mq_enter_recursion(void) { return Py_EnterRecursiveCall(" while converting a value") ? -1 : 0; }

static inline char mq_leave_recursion(void) {
    Py_LeaveRecursiveCall();
    return 1;
}

#endif

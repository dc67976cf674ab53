"""Layouts of wire bytes as data, printed as code: from one description the fast reader and writer, and the careful ones.

A protocol has three modules. `message.py` has its fields alone, each with its wire type. `wire.py` says how they stand in
bytes: a form for each wire type (forms.py), the shape of each group of fields (shapes.py), and of both a `LAYOUT` (layouts.py).
Forms are templates, with holes in braces that the shapes fill (converters/printed/templates.py).
`codec.py` has `decode` and `encode`, and the functions that fit no shape. It calls the module `printed_codec`, which
`make generate` prints from the layout (docs/codecs.py): sources and compiled code run the same committed text.
A new field stands in `message.py`, and its form in `wire.py` if no other field has it.

    import mqconvert.converters.protocols.NAME.printed_codec as printed
    ...
    at = printed.read_properties(message, data, at, end, flags)

The printed module and the codec call each other by their modules' names, at run time only. A protocol of another package may
do without the file: `LAYOUT.load()` returns the functions.

Headers of text, a name and a value on each line, fit no shape. Any name may stand there, all lines are read alike and keep
their order, and one look into a table of headers finds a line's field. A printed test for each field would save a twentieth of
the time to decode.

To move a protocol: freeze its answers (tests/freeze.py), write the forms of its wire types, take the shape that fits its bytes,
delete the functions that it replaces in the codec, and compare.

What may live here: forms, shapes, their printing. No protocol, no message, no rule.
"""

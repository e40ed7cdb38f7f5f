"""Generates `types.py` and `_operations.py` from the OpenAPI document.

Our own: openapi-python-client writes 878 modules with 124,000 lines for this document. They take 0.9 s to import,
need ten packages, and fail on a value that a later service adds (ADR 255).
"""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

Schema = dict[str, Any]

_HEAD = '"""{}\n\nGenerated from the OpenAPI document.\n"""\n\n'
_TYPES = """from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired

"""
_OPERATIONS = """from __future__ import annotations

from typing import TYPE_CHECKING, cast

from linchpin._transport import Transport

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linchpin import types


class Linchpin(Transport):
    \"\"\"A client of one environment, with a method for each operation. Threads can share it.

    Each method returns the body of the response, and raises ApiError or NoResponseError.
    \"\"\"

"""
_KINDS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_BUILTIN = {"Union", "List", "Dict", "Literal", "Any", "None"}
_WIDTH = 108


class Types:
    """Names the types of schemas, and collects their definitions."""

    def __init__(self, components: dict[str, Schema]) -> None:
        """Take the named schemas of the document."""
        self._components = components
        self._objects = {_shape(schema): name for name, schema in reversed(components.items()) if _is_object(schema)}
        self.definitions: dict[str, str] = {}
        self._shapes: dict[str, str] = {}

    def name_type(self, schema: Schema, hint: str) -> str:
        """Return the type of a schema. `hint` is the name that an object without a name gets."""
        if ref := schema.get("$ref"):
            return self._define(ref.rsplit("/", 1)[1])
        if variants := schema.get("oneOf") or schema.get("anyOf"):
            return _join_types([self.name_type(it, f"{hint}{at}") for at, it in enumerate(variants, 1)])
        if "enum" in schema:
            values = ", ".join(json.dumps(it) if isinstance(it, str) else repr(it) for it in schema["enum"])
            return f"Literal[{values}]"
        if _is_object(schema):
            known = self._objects.get(_shape(schema))
            if known:
                return self._define(known)
            self._define_object(hint, schema)
            return hint
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        return _join_types([self._name_kind(kind, schema, hint) for kind in kinds]) if kinds else "Any"

    def name_item(self, page: Schema, hint: str) -> str:
        """Return the type of the items on a page of a list."""
        if ref := page.get("$ref"):
            hint = _name_component(ref.rsplit("/", 1)[1])
            page = self._components[ref.rsplit("/", 1)[1]]
        return self.name_type(page["properties"]["items"]["items"], hint.removesuffix("Page"))

    def _name_kind(self, kind: str, schema: Schema, hint: str) -> str:
        if kind == "array":
            return f"List[{self.name_type(schema['items'], hint)}]"
        if kind == "object":
            values = schema.get("additionalProperties")
            value = self.name_type(values, f"{hint}Value") if isinstance(values, dict) else "Any"
            return f"Dict[str, {value}]"
        if kind in _KINDS:
            return _KINDS[kind]
        raise ValueError(f"{hint} has the unknown type {kind}")

    def _define(self, component: str) -> str:
        name = _name_component(component)
        if name in self.definitions:
            return name
        schema = self._components[component]
        if _is_object(schema):
            self._define_object(name, schema)
            return name
        # A placeholder ends the recursion of a type that contains itself.
        self.definitions[name] = ""
        self.definitions[name] = f'{name} = {_quote_names(self.name_type(schema, name))}\n"""{_text(schema)}"""\n'
        return name

    def _define_object(self, name: str, schema: Schema) -> None:
        shape = self._shapes.setdefault(name, _shape(schema))
        if shape != _shape(schema):
            raise ValueError(f"two different objects have the name {name}")
        self.definitions[name] = ""
        bases, fields = [], []
        for part in schema.get("allOf", [schema]):
            if "$ref" in part or (part is not schema and self._objects.get(_shape(part))):
                bases.append(self.name_type(part, name))
            else:
                fields += [(key, value, key in part.get("required", [])) for key, value in part["properties"].items()]
        typed = {}
        for key, value, is_required in fields:
            is_page = name.endswith("Page") and key == "items"
            kind = self.name_type(value, name.removesuffix("Page") if is_page else f"{name}{key[0].upper()}{key[1:]}")
            typed[key] = (kind if is_required else f"NotRequired[{kind}]", value)
        if any(keyword.iskeyword(key) or not key.isidentifier() for key in typed):
            pairs = "".join(f"{json.dumps(key)}: {json.dumps(kind)}," for key, (kind, _) in typed.items())
            self.definitions[name] = f'{name} = TypedDict("{name}", {{{pairs}}})\n"""{_text(schema)}"""\n'
            return
        lines = [f"class {name}({', '.join(bases) or 'TypedDict'}):", f'    """{_text(schema) or name}"""\n']
        for key, (kind, value) in typed.items():
            lines.append(f"    {key}: {kind}")
            if text := _text(value):
                lines.append(f'    """{text}"""')
        # The classes that it extends must precede it.
        self.definitions.pop(name)
        self.definitions[name] = "\n".join(lines) + "\n"


def generate(document: dict[str, Any], package: Path) -> None:
    """Write both modules into the folder of the package."""
    types = Types(document["components"]["schemas"])
    methods = [
        text
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if isinstance(operation, dict) and {"apiKey": []} in operation.get("security", [])
        for text in _write_methods(types, path, method.upper(), operation)
    ]
    events = [
        types.name_type(hook["post"]["requestBody"]["content"]["application/json"]["schema"], f"{name}Body")
        for name, hook in document["webhooks"].items()
    ]
    for name in ("ProblemCode", "FieldFault"):
        types.name_type({"$ref": f"#/{name}"}, name)
    event = "An event, as a webhook receives it. Its `type` says which `data` it has. New types may be added."
    types.definitions["WebhookEvent"] = f'WebhookEvent = {_quote_names(_join_types(events))}\n"""{event}"""\n'
    head = _HEAD.format("The types of bodies and responses: what `json` reads and writes.")
    (package / "types.py").write_text(head + _TYPES + "\n\n".join(types.definitions.values()))
    head = _HEAD.format("A method for each operation that an API key may call.")
    (package / "_operations.py").write_text(head + _OPERATIONS + "\n".join(sorted(methods)))


def _write_methods(types: Types, path: str, method: str, operation: dict[str, Any]) -> list[str]:
    """Return the method of an operation and, if it returns a page of a list, that which yields all items."""
    name = _snake(operation["operationId"])
    hint = operation["operationId"][0].upper() + operation["operationId"][1:]
    parameters = operation.get("parameters", [])
    signature, options, query, described = ["self"], [], [], []
    for it in parameters:
        key = _snake(it["name"])
        kind = types.name_type(it["schema"], f"{hint}{it['name'].title()}") if it["in"] != "header" else "str"
        kind = _qualify(kind)
        if it["in"] == "path":
            signature.append(f"{key}: {kind}")
        elif it["in"] == "query":
            query.append(f'"{it["name"]}": {key}')
            options.append(f"{key}: {kind}" if it["required"] else f"{key}: {kind} | None = None")
        described.append(f"{key}: {it['description'].rstrip('.')}.")
    if content := operation.get("requestBody", {}).get("content"):
        signature.append(f"body: {_qualify(types.name_type(content['application/json']['schema'], f'{hint}Body'))}")
    has_key = any(it["name"] == "Idempotency-Key" for it in parameters)
    ids = "".join(f"{_snake(it['name'])}," for it in parameters if it["in"] == "path")
    arguments = [f'"{method}"', f'"{re.sub("{.*?}", "{}", path)}"', *([f"({ids})"] if ids else [])]
    if query:
        arguments.append(f"query={{{', '.join(query)}}}")
    if content:
        arguments.append("body=body")
    if has_key:
        options.append("idempotency_key: str | None = None")
        arguments += ["key=idempotency_key", "has_key=True"]
    returned = [
        _qualify(types.name_type(it["schema"], f"{hint}Response"))
        for status, response in operation["responses"].items()
        if status.startswith("2")
        for it in response.get("content", {}).values()
    ]
    result = " | ".join(dict.fromkeys(returned)) or "None"
    call = f"self._call({', '.join(arguments)})"
    body = call if result == "None" else f'return cast("{result}", {call})'
    texts = [operation["summary"], operation.get("description", "")]
    written = [_write_method(name, signature, options, result, texts, described, body)]
    if any(it["name"] == "cursor" for it in parameters):
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        item = _qualify(types.name_item(schema, f"{hint}Response"))
        filters = ", ".join(it for it in query if not it.startswith('"cursor"'))
        body = f'return self._iterate("{re.sub("{.*?}", "{}", path)}", ({ids}), {{{filters}}})'
        options = [it for it in options if not it.startswith("cursor:")]
        described = [it for it in described if not it.startswith("cursor:")]
        all_items = ["Yield the items of all pages, newest first, and request each page when it is needed."]
        name = f"iterate_{name.removeprefix('list_')}"
        written.append(_write_method(name, signature, options, f"Iterator[{item}]", all_items, described, body))
    return written


def _write_method(
    name: str, signature: list[str], options: list[str], result: str, texts: list[str], described: list[str], body: str
) -> str:
    everything = ", ".join(signature + (["*", *options] if options else []))
    paragraphs = [it.strip() for text in texts for it in text.split("\n\n") if it.strip()]
    # A list of the description keeps its lines.
    is_list = re.compile("^[-*|] ", re.MULTILINE).search
    text = "\n\n".join(it if is_list(it) else textwrap.fill(it, _WIDTH) for it in paragraphs)
    if described:
        text += "\n\n" + "\n".join(textwrap.fill(it, _WIDTH, subsequent_indent="    ") for it in described)
    quoted = textwrap.indent(f'"""{_escape(text)}\n"""' if "\n" in text else f'"""{_escape(text)}"""', " " * 8)
    return f"    def {name}({everything}) -> {result}:\n{quoted}\n        {body}\n"


def _is_object(schema: Schema) -> bool:
    return "properties" in schema or "allOf" in schema


def _name_component(component: str) -> str:
    """Return the name of a schema in the document: `Page_User` is `UserPage`."""
    kind, _, of = component.partition("_")
    return f"{_name_component(of)}{kind}" if kind in ("Page", "WithMetadata") else component.replace("_", "")


def _shape(schema: Schema) -> str:
    """Return the schema without its texts."""

    def strip(value: object) -> object:
        if isinstance(value, dict):
            texts = () if "type" not in value else ("description", "examples", "example")
            return {key: strip(it) for key, it in value.items() if key not in texts}
        return [strip(it) for it in value] if isinstance(value, list) else value

    return json.dumps(strip(schema), sort_keys=True)


def _join_types(names: list[str]) -> str:
    unique = sorted(dict.fromkeys(names), key=lambda name: name == "None")
    return f"Union[{', '.join(unique)}]" if len(unique) > 1 else unique[0]


def _quote_names(kind: str) -> str:
    """Quote the names of types, which may be defined later."""
    return re.sub(r'"[^"]*"|\b[A-Z]\w*', lambda it: it[0] if it[0] in _BUILTIN or '"' in it[0] else f'"{it[0]}"', kind)


def _qualify(kind: str) -> str:
    """Return a type as a signature names it."""
    builtin = {"List": "list", "Dict": "dict", **{it: it for it in ("None", "Union", "Literal", "Any")}}
    kind = re.sub(
        r'"[^"]*"|\b[A-Z]\w*', lambda it: it[0] if '"' in it[0] else builtin.get(it[0], f"types.{it[0]}"), kind
    )
    return re.sub(r"^Union\[(.*)\]$", lambda it: it[1].replace(", ", " | "), kind)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()


def _text(schema: Schema) -> str:
    """Return the description of a schema, as the content of a docstring."""
    return _escape(" ".join(schema.get("description", "").split()))


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")

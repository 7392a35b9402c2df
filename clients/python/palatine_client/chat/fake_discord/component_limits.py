"""The limits of components in messages and modals: rows, buttons, selections, layouts, fields of forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .payload_checks import Plain, check_distinct, check_length, refuse_malformed, require

MOST_ROWS, MOST_V2_COMPONENTS = 5, 40
MOST_BUTTONS, MOST_OPTIONS = 5, 25
MOST_V2_TEXT = 4000  # characters of all text displays of a message
ROW, BUTTON, SELECT, TEXT_INPUT = 1, 2, 3, 4
ENTITY_SELECTS = (5, 6, 7, 8)  # users, roles, both, channels
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 9, 10, 11, 12, 13, 14, 17
LABEL, UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 18, 19, 21, 22, 23
LINK, PREMIUM = 5, 6  # styles of buttons
IN_CONTAINER = {ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR}
OF_V2 = {*IN_CONTAINER, CONTAINER}


def check_components(components: list[Plain], *, is_v2: bool = False) -> None:
    """Check the components of a message."""
    if is_v2:
        check_layout(components)
    else:
        require(len(components) <= MOST_ROWS, f"components: at most {MOST_ROWS} rows")
        require(all(row.get("type") == ROW for row in components), "components: only action rows")
    check_ids(components)
    for row in (each for each in walk_components(components) if each.get("type") == ROW):
        check_row(row)


def walk_components(components: list[Plain]) -> Iterator[Plain]:
    """Yield all components, also those inside of others."""
    for component in components:
        yield component
        yield from walk_components(component.get("components") or [])
        yield from walk_components([component[key] for key in ("component", "accessory") if key in component])


def check_ids(components: list[Plain]) -> None:
    ids = [each["custom_id"] for each in walk_components(components) if "custom_id" in each]
    check_distinct(ids, "components: custom ids must be unique")


# Layouts of components v2


def check_layout(components: list[Plain]) -> None:
    everything = [*walk_components(components)]
    require(len(everything) <= MOST_V2_COMPONENTS, f"components: at most {MOST_V2_COMPONENTS}")
    require({each.get("type") for each in components} <= OF_V2, "components: not allowed at the top of a message")
    texts = [each.get("content") for each in everything if each.get("type") == TEXT]
    require(all(isinstance(text, str) and text for text in texts), "components.content: a text display needs a text")
    require(sum(len(str(text)) for text in texts) <= MOST_V2_TEXT, f"components: at most {MOST_V2_TEXT} characters")
    for each in everything:
        if check := LAYOUTS.get(each.get("type", 0)):
            check(each)


def check_container(container: Plain) -> None:
    inside = {each.get("type") for each in container.get("components") or []}
    require(inside and inside <= IN_CONTAINER, "components: not allowed in a container")


def check_section(section: Plain) -> None:
    inside = section.get("components") or []
    require(1 <= len(inside) <= 3 and {each.get("type") for each in inside} == {TEXT}, "components: 1 to 3 texts")
    accessory = section.get("accessory") or {}
    require(accessory.get("type") in (BUTTON, THUMBNAIL), "components.accessory: a button or a thumbnail")
    if accessory["type"] == BUTTON:
        check_button(accessory)


def check_gallery(gallery: Plain) -> None:
    require(1 <= len(gallery.get("items") or []) <= 10, "components.items: 1 to 10")


LAYOUTS: dict[int, Callable[[Plain], None]] = {
    CONTAINER: check_container,
    SECTION: check_section,
    GALLERY: check_gallery,
}


# Rows


def check_row(row: Plain) -> None:
    inside = row.get("components") or []
    kinds = {each.get("type") for each in inside}
    require(1 <= len(inside) <= MOST_BUTTONS, "components: a row has 1 to 5 components")
    require(kinds == {BUTTON} or len(inside) == 1, "components: a selection needs a row of its own")
    for component in inside:
        kind = component.get("type", 0)
        require(kind in IN_ROW, f"components: type {kind} is not allowed in a row")
        IN_ROW[kind](component)


def check_button(button: Plain) -> None:
    style = button.get("style")
    require(style in range(1, 7), "components: unknown style of a button")
    check_length(button.get("label", ""), 0, 80, "components.label")
    if style == PREMIUM:
        require("sku_id" in button, "components.sku_id: a premium button needs one")
        require(
            not {"custom_id", "label", "url", "emoji"} & {*button}, "components: a premium button has only a sku_id"
        )
        return
    require(button.get("label") or button.get("emoji"), "components: a button needs a label or an emoji")
    if style == LINK:
        check_length(button.get("url"), 1, 512, "components.url")
        require("custom_id" not in button, "components.custom_id: a link has none")
    else:
        check_length(button.get("custom_id"), 1, 100, "components.custom_id")
        require(not {"url", "sku_id"} & {*button}, "components: only links have a url, only premium buttons a sku_id")


def check_select(select: Plain) -> None:
    check_options(select, 1, MOST_OPTIONS)
    check_entity_select(select)
    options, high = select["options"], select.get("max_values", 1)
    require(high <= len(options), "components.max_values: more than there are options")
    require(select.get("min_values", 1) <= len(options), "components.min_values: more than there are options")
    require(sum(bool(option.get("default")) for option in options) <= high, "components: too many defaults")


def check_entity_select(select: Plain) -> None:
    check_length(select.get("custom_id"), 1, 100, "components.custom_id")
    check_length(select.get("placeholder", ""), 0, 150, "components.placeholder")
    check_values(select, MOST_OPTIONS)
    count = len(select.get("default_values") or [])
    low, high = select.get("min_values", 1), select.get("max_values", 1)
    require(not count or low <= count <= high, "components.default_values: too few or too many")


def check_options(group: Plain, least: int, most: int) -> None:
    options = group.get("options") or []
    require(least <= len(options) <= most, f"components.options: {least} to {most}")
    check_distinct([option.get("value") for option in options], "components.options: values must be unique")
    for option in options:
        check_length(option.get("label"), 1, 100, "components.options.label")
        check_length(option.get("value"), 1, 100, "components.options.value")
        check_length(option.get("description", "-"), 1, 100, "components.options.description")


def check_values(select: Plain, most: int) -> None:
    low, high = select.get("min_values", 1), select.get("max_values", 1)
    holds = 0 <= low <= most and 1 <= high <= most and low <= high
    require(holds, "components: bad min_values or max_values")


IN_ROW: dict[int, Callable[[Plain], None]] = {
    BUTTON: check_button,
    SELECT: check_select,
    **dict.fromkeys(ENTITY_SELECTS, check_entity_select),
}


# Modals


@refuse_malformed
def check_modal(modal: Plain) -> None:
    """Check the body of a modal."""
    check_length(modal.get("custom_id"), 1, 100, "custom_id")
    check_length(modal.get("title"), 1, 45, "title")
    rows = modal.get("components") or []
    require(1 <= len(rows) <= 5, "components: a modal has 1 to 5")
    check_ids(rows)
    for row in rows:
        require(row.get("type") in IN_MODAL, "components: a modal has labels, texts and rows with a text input")
        IN_MODAL[row["type"]](row)


def check_label(label: Plain) -> None:
    check_length(label.get("label"), 1, 45, "components.label")
    check_length(label.get("description", ""), 0, 100, "components.description")
    field = label.get("component") or {}
    require(field.get("type") in IN_LABEL, f"components: type {field.get('type')} is not allowed in a label")
    require(not field.get("disabled"), "components.disabled: not allowed in a modal")
    require("label" not in field, "components.label: the label around it has one")
    IN_LABEL[field["type"]](field)


def check_input_row(row: Plain) -> None:
    """Check a row with a text input, as modals had them before labels; the input itself has the label."""
    inside = row.get("components") or []
    require([each.get("type") for each in inside] == [TEXT_INPUT], "components: a row of a modal has one text input")
    check_length(inside[0].get("label"), 1, 45, "components.label")
    check_text_input(inside[0])


def check_text_display(text: Plain) -> None:
    check_length(text.get("content"), 1, MOST_V2_TEXT, "components.content")


def check_text_input(field: Plain) -> None:
    check_length(field.get("custom_id"), 1, 100, "components.custom_id")
    check_length(field.get("placeholder", ""), 0, 100, "components.placeholder")
    check_length(field.get("value", ""), 0, 4000, "components.value")
    require(field.get("style") in (1, 2), "components.style: 1 or 2")
    low, high = field.get("min_length", 0), field.get("max_length", 4000)
    require(0 <= low <= 4000 and 1 <= high <= 4000 and low <= high, "components: bad min_length or max_length")


def check_modal_select(select: Plain) -> None:
    IN_ROW[select["type"]](select)
    check_required(select)


def check_required(field: Plain) -> None:
    required = field.get("required", True)
    require(not required or field.get("min_values", 1) >= 1, "components.min_values: at least 1 if it is required")


def check_group(group: Plain) -> None:
    check_length(group.get("custom_id"), 1, 100, "components.custom_id")
    check_options(group, 2 if group["type"] == RADIO_GROUP else 1, 10)
    check_values({"max_values": 10, **group}, 10)
    check_required(group)


def check_checkbox(box: Plain) -> None:
    check_length(box.get("custom_id"), 1, 100, "components.custom_id")


def check_upload(upload: Plain) -> None:
    check_length(upload.get("custom_id"), 1, 100, "components.custom_id")
    check_values(upload, 10)
    check_required(upload)


IN_LABEL: dict[int, Callable[[Plain], None]] = {
    TEXT_INPUT: check_text_input,
    UPLOAD: check_upload,
    CHECKBOX: check_checkbox,
    **dict.fromkeys((SELECT, *ENTITY_SELECTS), check_modal_select),
    **dict.fromkeys((RADIO_GROUP, CHECKBOX_GROUP), check_group),
}
IN_MODAL: dict[int, Callable[[Plain], None]] = {
    LABEL: check_label,
    ROW: check_input_row,
    TEXT: check_text_display,
}

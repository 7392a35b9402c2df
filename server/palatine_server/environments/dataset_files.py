"""The files of data sets: JSON lines and Parquet, written row by row, and the same bytes for the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from .dataset_rows import DatasetRow, ObservationKind

ROWS_AT_ONCE = 1024  # in one row group of a Parquet file; they are in memory until it is full


class RowWriter(Protocol):
    """Writes rows to a file."""

    def write(self, rows: Sequence[DatasetRow]) -> None: ...
    def close(self) -> None: ...


class JsonLinesWriter:
    """A JSON object in each line; observations and moves are part of it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")

    def write(self, rows: Sequence[DatasetRow]) -> None:
        for row in rows:
            self._file.write(msgspec.json.encode(_embed(row)) + b"\n")

    def close(self) -> None:
        self._file.close()


def _embed(row: DatasetRow) -> dict[str, Any]:
    """Return a row with its JSON as it is."""
    fields = msgspec.structs.asdict(row)
    return {name: msgspec.Raw(value) if isinstance(value, bytes) else value for name, value in fields.items()}


class ParquetWriter:
    """A Parquet file. Documents and moves are JSON in text columns, tensors are lists of numbers."""

    def __init__(self, path: Path, observation: ObservationKind) -> None:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]

        self._arrow, self._observation = pyarrow, observation
        whole, text, real = pyarrow.int32(), pyarrow.string(), pyarrow.float32()
        kinds = {"seed": text, "policy": text, "move": text, "reward": real}
        kinds["observation"] = pyarrow.list_(real) if observation == "tensor" else text
        names = DatasetRow.__struct_fields__
        self._schema = pyarrow.schema([(name, kinds.get(name, whole)) for name in names])
        self._writer = pyarrow.parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[dict[str, Any]] = []

    def write(self, rows: Sequence[DatasetRow]) -> None:
        self._waiting += map(self._build_record, rows)
        while len(self._waiting) >= ROWS_AT_ONCE:
            self._write_group()

    def _write_group(self) -> None:
        group, self._waiting = self._waiting[:ROWS_AT_ONCE], self._waiting[ROWS_AT_ONCE:]
        self._writer.write_table(self._arrow.Table.from_pylist(group, self._schema))

    def _build_record(self, row: DatasetRow) -> dict[str, Any]:
        is_text = self._observation == "document"
        observation = row.observation.decode() if is_text else msgspec.json.decode(row.observation)
        return {**msgspec.structs.asdict(row), "observation": observation, "move": row.move.decode()}

    def close(self) -> None:
        if self._waiting:
            self._write_group()
        self._writer.close()


FORMATS = {".jsonl": "JSON lines", ".parquet": "Parquet"}


def open_writer(path: Path, kind: str, observation: ObservationKind) -> RowWriter:
    """Open a file for rows; the kind is the ending of its final name."""
    return ParquetWriter(path, observation) if kind == ".parquet" else JsonLinesWriter(path)

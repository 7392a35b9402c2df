"""Records: finished games as files that players can keep, replay and verify."""

from .file_format import decode_record, encode_record, erase_texts, sign_record
from .record import Record, RecordEntry, build_record
from .record_limits import BadRecord, read_file
from .signatures import Signer

__all__ = [
    "BadRecord",
    "Record",
    "RecordEntry",
    "Signer",
    "build_record",
    "decode_record",
    "encode_record",
    "erase_texts",
    "read_file",
    "sign_record",
]

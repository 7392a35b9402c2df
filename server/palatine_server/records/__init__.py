"""Records: games that are over, as files that anybody can keep, watch and check."""

from .file_format import erase_texts, read, sign_record, written
from .record import Played, Record, recorded
from .record_limits import Spoilt, read_file
from .signatures import Signer

__all__ = [
    "Played",
    "Record",
    "Signer",
    "Spoilt",
    "erase_texts",
    "read",
    "read_file",
    "recorded",
    "sign_record",
    "written",
]

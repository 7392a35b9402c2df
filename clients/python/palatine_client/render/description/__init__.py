"""A game's description of itself, read for people: names, amounts, places, and documents in parts that can be shown.

Descriptions, catalogs and documents come from servers and from other people's packages. Nothing in them is trusted:
every text is cleaned and cut, and whatever has another type than expected is treated as missing.
"""

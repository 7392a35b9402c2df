"""Environments for learners: PettingZoo (`game_env.py`), text for language models (`text_environment.py`), data sets.

This package imports nothing, so that the text environment and data sets need neither numpy nor PettingZoo.
"""

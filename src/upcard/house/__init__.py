"""A house: its tables and everything that people may ask of it, independent of HTTP, databases and processes.

A server offers it to many people; a program of one person uses it directly.
"""

"""Boards of the day of the games for one."""

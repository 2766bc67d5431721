"""How addresses name the games for one."""

from app.core.web.paths import register_choice
from engine.registry import SOLITAIRE

register_choice("solo", SOLITAIRE)

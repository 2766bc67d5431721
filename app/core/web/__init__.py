"""What all routes share: dependencies, rendering, errors, middlewares, rate limits."""

from app.core.web import paths as paths  # its types must be registered before any route is declared

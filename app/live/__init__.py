"""Live connections: websockets of pages and programs, and streams of lines."""

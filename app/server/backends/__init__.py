"""What carries events, presence and limits between processes."""

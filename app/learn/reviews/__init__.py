"""Reviews: finished games evaluated ply by ply."""

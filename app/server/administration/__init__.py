"""The administrators' page: health, figures, rights, settings and the audit log."""

"""A computer player of JadeJack."""

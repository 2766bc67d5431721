"""A beam search for the games for one in which numbers are written on a grid."""

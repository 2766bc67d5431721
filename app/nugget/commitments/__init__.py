"""Commitments: the hash of a record now, the record later, as an entry that counts from then on."""

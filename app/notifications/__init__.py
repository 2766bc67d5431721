"""What an account is told wherever it is: challenges to it, games that begin and end, its turns."""

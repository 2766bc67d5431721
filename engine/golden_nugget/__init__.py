"""The rules of Golden Nugget: a board of 49 blocks, pushed by 28 forces, solved 20 to 200 times in a row."""

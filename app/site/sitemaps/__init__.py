"""The addresses that search engines should know."""

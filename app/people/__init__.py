"""Accounts and what reaches them: who is asking, relations, notifications, mail, push."""

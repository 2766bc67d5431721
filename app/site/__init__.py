"""The site around the games: accounts, profiles, moderation, personal data, messages."""

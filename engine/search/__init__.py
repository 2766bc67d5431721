"""Programs that look for good play. They use the rules, and no rule depends on them."""

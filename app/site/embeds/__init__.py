"""Games, entries and boards on the pages of other sites: as a frame, and by oEmbed."""

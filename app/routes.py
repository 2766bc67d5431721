"""The routes of all features."""

import app.accounts.api
import app.accounts.guest_pages
import app.accounts.pages
import app.accounts.recovery_pages
import app.accounts.second_factor_pages
import app.accounts.security_pages
import app.accounts.settings_pages
import app.awards.api
import app.bots.api
import app.bots.pages
import app.chat.api
import app.chat.pages
import app.conditions.api
import app.conditions.pages
import app.games.api
import app.games.live
import app.games.pages
import app.games.record_pages
import app.games.rules_pages
import app.games.watch_pages
import app.inbox.api
import app.inbox.pages
import app.ladders.api
import app.ladders.live
import app.ladders.pages
import app.leaderboards.api
import app.leaderboards.pages
import app.lessons.api
import app.lessons.pages
import app.lobby.api
import app.lobby.live
import app.lobby.pages
import app.mail.pages
import app.messages.api
import app.messages.live
import app.messages.pages
import app.moderation.api
import app.moderation.moderator_pages
import app.moderation.pages
import app.notes.api
import app.notes.pages
import app.notifications.api
import app.notifications.live
import app.notifications.pages
import app.nugget.api
import app.nugget.live
import app.nugget.pages
import app.players.api
import app.players.pages
import app.players.profile_pages
import app.privacy.api
import app.privacy.pages
import app.push.api
import app.push.pages
import app.puzzles.api
import app.puzzles.pages
import app.reviews.api
import app.reviews.pages
import app.sitemaps.pages
import app.social.api
import app.social.pages
import app.solitaire.api
import app.solitaire.live
import app.solitaire.pages
import app.statistics.api
import app.statistics.pages
import app.studies.analysis_pages
import app.studies.api
import app.studies.live
import app.studies.pages
import app.teams.api
import app.teams.pages
import app.tournaments.api
import app.tournaments.calendar_pages
import app.tournaments.chat_pages
import app.tournaments.list_pages
import app.tournaments.live
import app.tournaments.making_pages
import app.tournaments.pages
import app.tournaments.season_pages
import app.vacations.api
import app.vacations.pages

API = (
    app.accounts.api.router,
    app.awards.api.router,
    app.bots.api.router,
    app.chat.api.router,
    app.conditions.api.router,
    app.games.api.router,
    app.inbox.api.router,
    app.ladders.api.router,
    app.leaderboards.api.router,
    app.lessons.api.router,
    app.lobby.api.router,
    app.messages.api.router,
    app.moderation.api.router,
    app.notes.api.router,
    app.notifications.api.router,
    app.nugget.api.router,
    app.players.api.router,
    app.privacy.api.router,
    app.push.api.router,
    app.puzzles.api.router,
    app.reviews.api.router,
    app.social.api.router,
    app.solitaire.api.router,
    app.statistics.api.router,
    app.studies.api.router,
    app.teams.api.router,
    app.tournaments.api.router,
    app.vacations.api.router,
)

PAGES = (
    app.accounts.guest_pages.router,
    app.accounts.pages.router,
    app.accounts.recovery_pages.router,
    app.accounts.second_factor_pages.router,
    app.accounts.security_pages.router,
    app.accounts.settings_pages.router,
    app.bots.pages.router,
    app.chat.pages.router,
    app.conditions.pages.router,
    app.games.pages.router,
    app.games.record_pages.router,
    app.games.rules_pages.router,
    app.games.watch_pages.router,
    app.inbox.pages.router,
    app.ladders.pages.router,
    app.leaderboards.pages.router,
    app.lessons.pages.router,
    app.lobby.pages.router,
    app.mail.pages.router,
    app.messages.pages.router,
    app.moderation.moderator_pages.router,
    app.moderation.pages.router,
    app.notes.pages.router,
    app.notifications.pages.router,
    app.nugget.pages.router,
    app.players.pages.router,
    app.players.profile_pages.router,
    app.privacy.pages.router,
    app.push.pages.router,
    app.puzzles.pages.router,
    app.reviews.pages.router,
    app.sitemaps.pages.router,
    app.social.pages.router,
    app.solitaire.pages.router,
    app.statistics.pages.router,
    app.studies.analysis_pages.router,
    app.studies.pages.router,
    app.teams.pages.router,
    app.tournaments.calendar_pages.router,
    app.tournaments.chat_pages.router,
    app.tournaments.list_pages.router,
    app.tournaments.making_pages.router,
    app.tournaments.pages.router,
    app.tournaments.season_pages.router,
    app.vacations.pages.router,
)

LIVE = (
    app.games.live.router,
    app.ladders.live.router,
    app.lobby.live.router,
    app.messages.live.router,
    app.notifications.live.router,
    app.nugget.live.router,
    app.solitaire.live.router,
    app.studies.live.router,
    app.tournaments.live.router,
)

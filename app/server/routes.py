"""The routes of all features."""

import app.compete.ladders.api
import app.compete.ladders.live
import app.compete.ladders.pages
import app.compete.teams.api
import app.compete.teams.pages
import app.compete.tournaments.api
import app.compete.tournaments.calendar_pages
import app.compete.tournaments.chat_pages
import app.compete.tournaments.list_pages
import app.compete.tournaments.live
import app.compete.tournaments.making_pages
import app.compete.tournaments.pages
import app.compete.tournaments.season_pages
import app.learn.lessons.api
import app.learn.lessons.pages
import app.learn.puzzles.api
import app.learn.puzzles.pages
import app.learn.reviews.api
import app.learn.reviews.pages
import app.learn.statistics.api
import app.learn.statistics.pages
import app.learn.studies.analysis_pages
import app.learn.studies.api
import app.learn.studies.live
import app.learn.studies.pages
import app.nugget.api
import app.nugget.live
import app.nugget.pages
import app.people.inbox.api
import app.people.inbox.pages
import app.people.mail.pages
import app.people.push.api
import app.people.push.pages
import app.people.social.api
import app.people.social.pages
import app.play.bots.api
import app.play.bots.pages
import app.play.chat.api
import app.play.chat.pages
import app.play.conditions.api
import app.play.conditions.pages
import app.play.games.api
import app.play.games.live
import app.play.games.pages
import app.play.games.record_pages
import app.play.games.rules_pages
import app.play.games.watch_pages
import app.play.lobby.api
import app.play.lobby.live
import app.play.lobby.pages
import app.play.notes.api
import app.play.notes.pages
import app.play.solitaire.api
import app.play.solitaire.live
import app.play.solitaire.pages
import app.play.vacations.api
import app.play.vacations.pages
import app.site.accounts.api
import app.site.accounts.guest_pages
import app.site.accounts.pages
import app.site.accounts.recovery_pages
import app.site.accounts.second_factor_pages
import app.site.accounts.security_pages
import app.site.accounts.settings_pages
import app.site.awards.api
import app.site.home.pages
import app.site.leaderboards.api
import app.site.leaderboards.pages
import app.site.messages.api
import app.site.messages.live
import app.site.messages.pages
import app.site.moderation.api
import app.site.moderation.moderator_pages
import app.site.moderation.pages
import app.site.notifications.api
import app.site.notifications.live
import app.site.notifications.pages
import app.site.players.api
import app.site.players.pages
import app.site.players.profile_pages
import app.site.privacy.api
import app.site.privacy.pages
import app.site.sitemaps.pages

API = (
    app.site.accounts.api.router,
    app.site.awards.api.router,
    app.play.bots.api.router,
    app.play.chat.api.router,
    app.play.conditions.api.router,
    app.play.games.api.router,
    app.people.inbox.api.router,
    app.compete.ladders.api.router,
    app.site.leaderboards.api.router,
    app.learn.lessons.api.router,
    app.play.lobby.api.router,
    app.site.messages.api.router,
    app.site.moderation.api.router,
    app.play.notes.api.router,
    app.site.notifications.api.router,
    app.nugget.api.router,
    app.site.players.api.router,
    app.site.privacy.api.router,
    app.people.push.api.router,
    app.learn.puzzles.api.router,
    app.learn.reviews.api.router,
    app.people.social.api.router,
    app.play.solitaire.api.router,
    app.learn.statistics.api.router,
    app.learn.studies.api.router,
    app.compete.teams.api.router,
    app.compete.tournaments.api.router,
    app.play.vacations.api.router,
)

PAGES = (
    app.site.accounts.guest_pages.router,
    app.site.accounts.pages.router,
    app.site.accounts.recovery_pages.router,
    app.site.accounts.second_factor_pages.router,
    app.site.accounts.security_pages.router,
    app.site.accounts.settings_pages.router,
    app.play.bots.pages.router,
    app.play.chat.pages.router,
    app.play.conditions.pages.router,
    app.play.games.pages.router,
    app.play.games.record_pages.router,
    app.play.games.rules_pages.router,
    app.play.games.watch_pages.router,
    app.people.inbox.pages.router,
    app.compete.ladders.pages.router,
    app.site.leaderboards.pages.router,
    app.learn.lessons.pages.router,
    app.play.lobby.pages.router,
    app.site.home.pages.router,
    app.people.mail.pages.router,
    app.site.messages.pages.router,
    app.site.moderation.moderator_pages.router,
    app.site.moderation.pages.router,
    app.play.notes.pages.router,
    app.site.notifications.pages.router,
    app.nugget.pages.router,
    app.site.players.pages.router,
    app.site.players.profile_pages.router,
    app.site.privacy.pages.router,
    app.people.push.pages.router,
    app.learn.puzzles.pages.router,
    app.learn.reviews.pages.router,
    app.site.sitemaps.pages.router,
    app.people.social.pages.router,
    app.play.solitaire.pages.router,
    app.learn.statistics.pages.router,
    app.learn.studies.analysis_pages.router,
    app.learn.studies.pages.router,
    app.compete.teams.pages.router,
    app.compete.tournaments.calendar_pages.router,
    app.compete.tournaments.chat_pages.router,
    app.compete.tournaments.list_pages.router,
    app.compete.tournaments.making_pages.router,
    app.compete.tournaments.pages.router,
    app.compete.tournaments.season_pages.router,
    app.play.vacations.pages.router,
)

LIVE = (
    app.play.games.live.router,
    app.compete.ladders.live.router,
    app.play.lobby.live.router,
    app.site.messages.live.router,
    app.site.notifications.live.router,
    app.nugget.live.router,
    app.play.solitaire.live.router,
    app.learn.studies.live.router,
    app.compete.tournaments.live.router,
)

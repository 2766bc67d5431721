"""All features. Their routes are tried in this order, so those that are asked for most come first."""

from app.compete.ladders.feature import FEATURE as LADDERS
from app.compete.teams.feature import FEATURE as TEAMS
from app.compete.tournaments.feature import FEATURE as TOURNAMENTS
from app.core.jobs.feature import FEATURE as JOBS
from app.core.web.feature import FEATURE as WEB
from app.learn.lessons.feature import FEATURE as LESSONS
from app.learn.puzzles.feature import FEATURE as PUZZLES
from app.learn.reviews.feature import FEATURE as REVIEWS
from app.learn.statistics.feature import FEATURE as STATISTICS
from app.learn.studies.feature import FEATURE as STUDIES
from app.nugget.feature import FEATURE as NUGGET
from app.people.identity.feature import FEATURE as IDENTITY
from app.people.inbox.feature import FEATURE as INBOX
from app.people.mail.feature import FEATURE as MAIL
from app.people.push.feature import FEATURE as PUSH
from app.people.social.feature import FEATURE as SOCIAL
from app.play.bots.feature import FEATURE as BOTS
from app.play.chat.feature import FEATURE as CHAT
from app.play.conditions.feature import FEATURE as CONDITIONS
from app.play.games.feature import FEATURE as GAMES
from app.play.lobby.feature import FEATURE as LOBBY
from app.play.ratings.feature import FEATURE as RATINGS
from app.play.solitaire.feature import FEATURE as SOLITAIRE
from app.play.vacations.feature import FEATURE as VACATIONS
from app.site.accounts.feature import FEATURE as ACCOUNTS
from app.site.awards.feature import FEATURE as AWARDS
from app.site.home.feature import FEATURE as HOME
from app.site.leaderboards.feature import FEATURE as LEADERBOARDS
from app.site.messages.feature import FEATURE as MESSAGES
from app.site.moderation.feature import FEATURE as MODERATION
from app.site.notifications.feature import FEATURE as NOTIFICATIONS
from app.site.players.feature import FEATURE as PLAYERS
from app.site.privacy.feature import FEATURE as PRIVACY
from app.site.sitemaps.feature import FEATURE as SITEMAPS

FEATURES = (
    GAMES,
    CONDITIONS,
    LOBBY,
    CHAT,
    BOTS,
    SOLITAIRE,
    VACATIONS,
    RATINGS,
    INBOX,
    SOCIAL,
    PUSH,
    MAIL,
    IDENTITY,
    NUGGET,
    PUZZLES,
    REVIEWS,
    STUDIES,
    LESSONS,
    STATISTICS,
    TOURNAMENTS,
    LADDERS,
    TEAMS,
    NOTIFICATIONS,
    HOME,
    ACCOUNTS,
    PLAYERS,
    MESSAGES,
    LEADERBOARDS,
    AWARDS,
    MODERATION,
    PRIVACY,
    SITEMAPS,
    JOBS,
    WEB,
)

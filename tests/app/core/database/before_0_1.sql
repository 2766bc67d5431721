-- A database that the last version before 0.1.0 had migrated to b2d81f6a9c37, as pg_dump writes it.
SET LOCAL check_function_bodies = off;
CREATE TYPE pgqueuer_status AS ENUM (
    'queued',
    'picked',
    'successful',
    'exception',
    'canceled',
    'deleted',
    'failed'
);
CREATE FUNCTION add_notifications(news jsonb) RETURNS void
    LANGUAGE sql
    AS $$
DELETE FROM notifications older
USING jsonb_to_recordset(news) AS item(account_id bigint, kind text, subject text)
WHERE older.account_id = item.account_id AND older.kind = item.kind AND older.subject = item.subject;

WITH item AS (
    SELECT * FROM jsonb_to_recordset(news) AS item(
        account_id bigint, kind text, subject text, actor_id bigint, data jsonb, delays jsonb
    )
), added AS (
    INSERT INTO notifications (account_id, kind, subject, actor_id, data)
    SELECT account_id, kind, subject, actor_id, data FROM item
    ON CONFLICT (account_id, kind, subject) DO UPDATE SET actor_id = excluded.actor_id, data = excluded.data
    RETURNING id, account_id, kind, subject
)
INSERT INTO deliveries (channel, kind, account_id, notification_id, due_at)
SELECT chosen.channel, added.kind, added.account_id, added.id, now() + delay.value::float * interval '1 s'
FROM added
JOIN item USING (account_id, kind, subject)
CROSS JOIN jsonb_each_text(item.delays) AS delay
JOIN notification_channels chosen ON chosen.account_id = added.account_id AND chosen.channel = delay.key
WHERE chosen.is_active AND coalesce(chosen.switches ->> added.kind, 'on') = 'on'
ON CONFLICT (notification_id, channel) DO NOTHING
$$;
CREATE FUNCTION counted_after(start timestamp with time zone, milliseconds bigint, weekends_off boolean, stop_from timestamp with time zone, stop_until timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN stop_from IS NULL OR straight <= stop_from OR start >= stop_until THEN straight
        ELSE counted_moment(
            start,
            counted_position(start, weekends_off) + milliseconds
                + counted_between(greatest(start, stop_from), stop_until, weekends_off, NULL, NULL),
            weekends_off) END
    FROM (SELECT counted_moment(start, counted_position(start, weekends_off) + milliseconds, weekends_off)
        AS straight) AS without_stop
$$;
CREATE FUNCTION counted_between(start timestamp with time zone, until timestamp with time zone, weekends_off boolean, stop_from timestamp with time zone, stop_until timestamp with time zone) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT greatest(0, counted_position(until, weekends_off) - counted_position(start, weekends_off))
        - coalesce(greatest(0, counted_position(least(until, stop_until), weekends_off)
            - counted_position(greatest(start, stop_from), weekends_off)) * (stop_from < until)::int, 0)
$$;
CREATE FUNCTION counted_moment(start timestamp with time zone, place bigint, weekends_off boolean) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN weekends_off
        THEN greatest(start, to_timestamp(0) + interval '1 ms'
            * (345600000 + (place - 1) / 432000000 * 604800000 + (place - 1) % 432000000 + 1))
        ELSE to_timestamp(0) + interval '1 ms' * place END
$$;
CREATE FUNCTION counted_position(moment timestamp with time zone, weekends_off boolean) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN weekends_off
        THEN (ms - (ms % 604800000 + 604800000) % 604800000) / 604800000 * 432000000
            + least((ms % 604800000 + 604800000) % 604800000, 432000000)
        ELSE ms END
    FROM (SELECT (extract(epoch FROM moment) * 1000)::bigint
        - CASE WHEN weekends_off THEN 345600000 ELSE 0 END AS ms) AS milliseconds
$$;
CREATE FUNCTION refuse_change_of_moderation_log() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.reason = '' AND NEW.details = '{}'
        AND (NEW.id, NEW.at, NEW.moderator_id, NEW.account_id, NEW.action)
            IS NOT DISTINCT FROM (OLD.id, OLD.at, OLD.moderator_id, OLD.account_id, OLD.action)
        AND EXISTS (SELECT FROM erasures WHERE account_id = OLD.account_id AND done_at IS NOT NULL)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'The log of moderation is append-only.';
END $$;
CREATE FUNCTION request_computer_move(game_id text, version bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    person bigint;
BEGIN
    SELECT CASE WHEN first.computer_level IS NULL THEN first.id ELSE game.second_player END INTO person
    FROM games game JOIN accounts first ON first.id = game.first_player
    WHERE game.id = request_computer_move.game_id;
    INSERT INTO pgqueuer (entrypoint, priority, status, dedupe_key, payload, headers)
    SELECT
        'computer_move', greatest(10 - count(*), 1), 'queued',
        'computer_move:' || request_computer_move.game_id || ':' || request_computer_move.version,
        convert_to(jsonb_build_object('game_id', request_computer_move.game_id)::text, 'UTF8'),
        jsonb_build_object('account', person)
    FROM pgqueuer
    WHERE status IN ('queued', 'picked') AND entrypoint = 'computer_move'
      AND headers -> 'account' = to_jsonb(person)
    ON CONFLICT DO NOTHING;
END
$$;
CREATE TABLE accounts (
    id bigint NOT NULL,
    username text NOT NULL,
    password_hash text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    is_computer boolean DEFAULT false NOT NULL,
    rights text[] DEFAULT '{}'::text[] NOT NULL,
    preferences jsonb DEFAULT '{}'::jsonb NOT NULL,
    closed_at timestamp with time zone,
    computer_level smallint,
    keeps_results boolean DEFAULT false NOT NULL
);
ALTER TABLE accounts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME accounts_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE address_undos (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    address text NOT NULL,
    language text NOT NULL,
    token_hash bytea,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE address_undos ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME address_undos_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE api_tokens (
    token_hash bytea NOT NULL,
    account_id bigint NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    used_at timestamp with time zone
);
CREATE TABLE award_marks (
    judged_until timestamp with time zone NOT NULL
);
CREATE TABLE awards (
    account_id bigint NOT NULL,
    achievement text NOT NULL,
    proof text NOT NULL,
    earned_at timestamp with time zone NOT NULL
);
CREATE TABLE challenges (
    id text NOT NULL,
    game text NOT NULL,
    options jsonb NOT NULL,
    kind text NOT NULL,
    maker_id bigint NOT NULL,
    opponent_id bigint,
    side text NOT NULL,
    status text NOT NULL,
    game_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    rated boolean DEFAULT false NOT NULL,
    time_control jsonb,
    rating_min bigint,
    rating_max bigint,
    decline_reason text,
    rematch_of text,
    casual_with_guests boolean DEFAULT false NOT NULL,
    CONSTRAINT ck_challenges_kind CHECK ((kind = ANY (ARRAY['open'::text, 'link'::text, 'direct'::text]))),
    CONSTRAINT ck_challenges_opponent CHECK (((kind = 'direct'::text) = (opponent_id IS NOT NULL))),
    CONSTRAINT ck_challenges_status CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text, 'declined'::text, 'cancelled'::text, 'expired'::text])))
);
CREATE TABLE chat_messages (
    id bigint NOT NULL,
    game_id text,
    room text NOT NULL,
    account_id bigint NOT NULL,
    text text,
    greeting text,
    at timestamp with time zone DEFAULT now() NOT NULL,
    tournament_id text,
    CONSTRAINT ck_chat_messages_place CHECK ((((game_id IS NULL) = (room = 'tournament'::text)) AND ((tournament_id IS NULL) = (room <> 'tournament'::text)))),
    CONSTRAINT ck_chat_messages_room CHECK ((room = ANY (ARRAY['players'::text, 'spectators'::text, 'tournament'::text]))),
    CONSTRAINT ck_chat_messages_words CHECK (((text IS NULL) <> (greeting IS NULL)))
);
ALTER TABLE chat_messages ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME chat_messages_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE clock_credits (
    game_id text NOT NULL,
    milliseconds bigint NOT NULL
);
CREATE TABLE coached_games (
    game_id text NOT NULL,
    warned_ply bigint
);
CREATE TABLE conditional_moves (
    game_id text NOT NULL,
    account_id bigint NOT NULL,
    revision bigint NOT NULL,
    lines jsonb NOT NULL,
    ply bigint NOT NULL,
    "position" text NOT NULL,
    followed bigint NOT NULL,
    dropped bigint DEFAULT 0 NOT NULL,
    dropped_by text
);
CREATE TABLE connections (
    id bigint NOT NULL,
    process_id uuid NOT NULL,
    account_id bigint,
    place text NOT NULL,
    left_at timestamp with time zone
);
ALTER TABLE connections ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME connections_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE deliveries (
    id bigint NOT NULL,
    channel text NOT NULL,
    kind text NOT NULL,
    account_id bigint,
    notification_id bigint,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    is_held boolean DEFAULT false NOT NULL
);
ALTER TABLE deliveries ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME deliveries_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE departures (
    account_id bigint NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE devices (
    token_hash bytea NOT NULL,
    account_id bigint NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE digested (
    single boolean NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    game_id text NOT NULL,
    CONSTRAINT ck_digested_single CHECK (single)
);
CREATE TABLE email_addresses (
    account_id bigint NOT NULL,
    address text,
    unconfirmed text,
    language text NOT NULL,
    unsubscribe_key text NOT NULL,
    undeliverable_at timestamp with time zone
);
CREATE TABLE erasures (
    account_id bigint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone
);
CREATE TABLE explored_games (
    game_id text NOT NULL,
    positions bigint[] NOT NULL,
    moves text NOT NULL
);
CREATE TABLE explored_moves (
    "position" bigint NOT NULL,
    move text NOT NULL,
    band smallint NOT NULL,
    games integer NOT NULL,
    first_won integer NOT NULL,
    second_won integer NOT NULL
);
CREATE TABLE export_parts (
    export_id text NOT NULL,
    number bigint NOT NULL,
    data bytea NOT NULL
);
CREATE TABLE exports (
    id text NOT NULL,
    account_id bigint NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    begun_at timestamp with time zone,
    done_at timestamp with time zone,
    size bigint DEFAULT '0'::bigint NOT NULL
);
CREATE TABLE game_notes (
    game_id text NOT NULL,
    account_id bigint NOT NULL,
    text text NOT NULL
);
CREATE TABLE game_reviews (
    game_id text NOT NULL,
    requested_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE games (
    id text NOT NULL,
    game text NOT NULL,
    options jsonb NOT NULL,
    status text NOT NULL,
    first_player bigint NOT NULL,
    second_player bigint,
    version bigint DEFAULT 0 NOT NULL,
    ply bigint DEFAULT 0 NOT NULL,
    "position" text NOT NULL,
    termination text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    rated boolean DEFAULT false NOT NULL,
    time_control jsonb,
    clock_left bigint[],
    clock_since timestamp with time zone,
    deadline timestamp with time zone,
    takeback text,
    taken_back_to bigint,
    ratings double precision[] DEFAULT '{}'::double precision[] NOT NULL,
    deviations double precision[] DEFAULT '{}'::double precision[] NOT NULL,
    rating_changes double precision[],
    undos bigint DEFAULT 0 NOT NULL,
    submitted boolean DEFAULT false NOT NULL,
    winner_seat smallint,
    aborted_by smallint,
    ended_at timestamp with time zone,
    watch_at timestamp with time zone,
    conditional boolean DEFAULT false NOT NULL,
    stop_from timestamp with time zone,
    stop_until timestamp with time zone,
    voided_at timestamp with time zone,
    tournament_id text,
    pause text,
    first_ply bigint DEFAULT 0 NOT NULL,
    clock_marks jsonb,
    CONSTRAINT ck_games_status CHECK ((status = ANY (ARRAY['started'::text, 'finished'::text, 'aborted'::text])))
)
WITH (fillfactor='80');
CREATE TABLE heartbeat (
    single boolean DEFAULT true NOT NULL,
    beat_at timestamp with time zone DEFAULT now() NOT NULL,
    correction bigint DEFAULT '0'::bigint NOT NULL,
    CONSTRAINT ck_heartbeat_one_row CHECK (single)
);
CREATE TABLE idempotency_keys (
    digest bytea NOT NULL,
    request bytea NOT NULL,
    answer bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE job_results (
    key text NOT NULL,
    result jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE ladder_challenges (
    id text NOT NULL,
    game text NOT NULL,
    challenger_id bigint NOT NULL,
    defender_id bigint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    game_id text,
    outcome text,
    made_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT ck_ladder_challenges_outcome CHECK ((outcome = ANY (ARRAY['won'::text, 'defended'::text, 'drawn'::text, 'forfeited'::text, 'withdrawn'::text, 'void'::text])))
);
CREATE TABLE ladder_changes (
    id bigint NOT NULL,
    game text NOT NULL,
    kind text NOT NULL,
    account_id bigint NOT NULL,
    opponent_id bigint,
    game_id text,
    place_before bigint,
    place_after bigint,
    at timestamp with time zone NOT NULL
);
ALTER TABLE ladder_changes ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ladder_changes_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE ladder_players (
    game text NOT NULL,
    account_id bigint NOT NULL,
    place bigint NOT NULL,
    inactive_at timestamp with time zone NOT NULL,
    drops smallint DEFAULT 0 NOT NULL,
    joined_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE lesson_steps (
    account_id bigint NOT NULL,
    game text NOT NULL,
    step text NOT NULL,
    passed_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE mail_links (
    account_id bigint NOT NULL,
    purpose text NOT NULL,
    token_hash bytea NOT NULL,
    address text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE message_threads (
    account_id bigint NOT NULL,
    other_id bigint NOT NULL,
    last_id bigint NOT NULL,
    unread bigint DEFAULT 0 NOT NULL,
    is_own boolean NOT NULL,
    begun_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE messages (
    id bigint NOT NULL,
    author_id bigint NOT NULL,
    reader_id bigint NOT NULL,
    text text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ck_messages_reader CHECK ((author_id <> reader_id))
);
ALTER TABLE messages ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME messages_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE moderation_actions (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    moderator_id bigint NOT NULL,
    account_id bigint NOT NULL,
    action text NOT NULL,
    reason text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);
ALTER TABLE moderation_actions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME moderation_actions_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE moves (
    game_id text NOT NULL,
    ply bigint NOT NULL,
    move text NOT NULL,
    move_id uuid,
    played_at timestamp with time zone DEFAULT now() NOT NULL,
    spent bigint
);
CREATE TABLE notification_channels (
    account_id bigint NOT NULL,
    channel text NOT NULL,
    is_active boolean DEFAULT false NOT NULL,
    switches jsonb DEFAULT '{}'::jsonb NOT NULL,
    digest_at timestamp with time zone
);
CREATE TABLE notifications (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    actor_id bigint,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    read_at timestamp with time zone
);
ALTER TABLE notifications ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME notifications_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE nugget_boards (
    run_id text NOT NULL,
    number smallint NOT NULL,
    start bytea NOT NULL,
    moves text DEFAULT ''::text NOT NULL,
    undone text DEFAULT ''::text NOT NULL,
    solved_in smallint
);
CREATE TABLE nugget_competitions (
    id text NOT NULL,
    organiser_id bigint,
    title text NOT NULL,
    text text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    min_boards smallint NOT NULL,
    max_boards smallint NOT NULL,
    visibility text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    released_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    reason text DEFAULT ''::text NOT NULL,
    CONSTRAINT ck_nugget_competitions_boards CHECK (((20 <= min_boards) AND (min_boards <= max_boards) AND (max_boards <= 200))),
    CONSTRAINT ck_nugget_competitions_dates CHECK ((starts_at < ends_at)),
    CONSTRAINT ck_nugget_competitions_readable CHECK (((starts_at > '1900-01-01 00:00:00+00'::timestamp with time zone) AND (ends_at < '9000-01-01 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT ck_nugget_competitions_visibility CHECK ((visibility = ANY (ARRAY['open'::text, 'sealed'::text])))
);
CREATE TABLE nugget_drafts (
    account_id bigint NOT NULL,
    record text NOT NULL,
    competition text NOT NULL,
    kept_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE nugget_entries (
    id text NOT NULL,
    account_id bigint NOT NULL,
    competition_id text,
    counts smallint[] NOT NULL,
    mean_key bigint NOT NULL,
    record text NOT NULL,
    record_sha256 text CONSTRAINT nugget_entries_digest_not_null NOT NULL,
    submitted_at timestamp with time zone NOT NULL,
    published_at timestamp with time zone,
    withdrawn_at timestamp with time zone,
    assisted boolean DEFAULT false NOT NULL,
    prefixes bytea[],
    assisted_at timestamp with time zone,
    positions bigint[]
);
CREATE TABLE nugget_helped_boards (
    prefix bytea NOT NULL,
    helped_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE nugget_helped_positions (
    key bigint NOT NULL,
    helped_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE nugget_ledger (
    sequence bigint NOT NULL,
    entry_id text NOT NULL,
    hash text NOT NULL,
    line text NOT NULL
);
CREATE TABLE nugget_reviewed_pushes (
    entry_id text NOT NULL,
    board smallint NOT NULL,
    ply smallint NOT NULL,
    forces text
);
CREATE TABLE nugget_runs (
    id text NOT NULL,
    account_id bigint NOT NULL,
    name text NOT NULL,
    board bigint DEFAULT 1 NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    last_request uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    hints smallint DEFAULT 0 NOT NULL,
    finished smallint DEFAULT 0 NOT NULL
);
CREATE TABLE nugget_standings (
    ranking text NOT NULL,
    account_id bigint NOT NULL,
    entry_id text NOT NULL,
    mean_key bigint NOT NULL,
    fewer_boards smallint NOT NULL,
    last_boards smallint[] NOT NULL,
    submitted_at timestamp with time zone NOT NULL
);
CREATE TABLE open_puzzles (
    account_id bigint NOT NULL,
    game text NOT NULL,
    "position" text NOT NULL
);
CREATE TABLE passkey_challenges (
    challenge bytea NOT NULL,
    account_id bigint,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE passkeys (
    credential_id bytea NOT NULL,
    account_id bigint NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone
);
CREATE TABLE pending_log_ins (
    token_hash bytea NOT NULL,
    account_id bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE pgqueuer (
    id bigint NOT NULL,
    priority integer NOT NULL,
    queue_manager_id uuid,
    created timestamp with time zone DEFAULT now() NOT NULL,
    updated timestamp with time zone DEFAULT now() NOT NULL,
    heartbeat timestamp with time zone DEFAULT now() NOT NULL,
    execute_after timestamp with time zone DEFAULT now() NOT NULL,
    status pgqueuer_status NOT NULL,
    entrypoint text NOT NULL,
    dedupe_key text,
    payload bytea,
    headers jsonb,
    attempts integer DEFAULT 0 NOT NULL,
    slot bigint
);
CREATE SEQUENCE pgqueuer_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;
ALTER SEQUENCE pgqueuer_id_seq OWNED BY pgqueuer.id;
CREATE TABLE pgqueuer_log (
    id bigint NOT NULL,
    created timestamp with time zone DEFAULT now() NOT NULL,
    job_id bigint NOT NULL,
    status pgqueuer_status NOT NULL,
    priority integer NOT NULL,
    entrypoint text NOT NULL,
    traceback jsonb,
    aggregated boolean DEFAULT false
);
ALTER TABLE pgqueuer_log ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME pgqueuer_log_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE pgqueuer_schedules (
    id bigint NOT NULL,
    expression text NOT NULL,
    entrypoint text NOT NULL,
    heartbeat timestamp with time zone DEFAULT now() NOT NULL,
    created timestamp with time zone DEFAULT now() NOT NULL,
    updated timestamp with time zone DEFAULT now() NOT NULL,
    next_run timestamp with time zone DEFAULT now() NOT NULL,
    last_run timestamp with time zone,
    status pgqueuer_status DEFAULT 'queued'::pgqueuer_status
);
CREATE SEQUENCE pgqueuer_schedules_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;
ALTER SEQUENCE pgqueuer_schedules_id_seq OWNED BY pgqueuer_schedules.id;
CREATE TABLE pgqueuer_statistics (
    id bigint NOT NULL,
    created timestamp with time zone DEFAULT date_trunc('sec'::text, now()) NOT NULL,
    count bigint NOT NULL,
    priority integer NOT NULL,
    status pgqueuer_status NOT NULL,
    entrypoint text NOT NULL
);
CREATE SEQUENCE pgqueuer_statistics_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;
ALTER SEQUENCE pgqueuer_statistics_id_seq OWNED BY pgqueuer_statistics.id;
CREATE TABLE processes (
    id uuid NOT NULL,
    beat_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE profiles (
    account_id bigint NOT NULL,
    text text NOT NULL,
    country text NOT NULL,
    languages text[] NOT NULL,
    links text[] NOT NULL
);
CREATE TABLE push_devices (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    proof bytea NOT NULL,
    endpoint text NOT NULL,
    p256dh text NOT NULL,
    auth text NOT NULL,
    name text NOT NULL,
    language text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE push_devices ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME push_devices_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE push_keys (
    single boolean DEFAULT true NOT NULL,
    private_key text NOT NULL,
    CONSTRAINT ck_push_keys_one_row CHECK (single)
);
CREATE TABLE puzzle_attempts (
    account_id bigint NOT NULL,
    puzzle_id text NOT NULL,
    solved boolean NOT NULL,
    rating_change double precision NOT NULL,
    attempted_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE puzzle_days (
    day date NOT NULL,
    game text NOT NULL,
    puzzle_id text NOT NULL
);
CREATE TABLE puzzle_ratings (
    account_id bigint NOT NULL,
    game text NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    solved bigint DEFAULT 0 NOT NULL,
    streak bigint DEFAULT 0 NOT NULL,
    best_streak bigint DEFAULT 0 NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE puzzle_searches (
    game_id text NOT NULL,
    ended_at timestamp with time zone NOT NULL
);
CREATE TABLE puzzles (
    id text NOT NULL,
    game text NOT NULL,
    "position" text NOT NULL,
    solution text[] NOT NULL,
    themes text[] NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    solved bigint DEFAULT 0 NOT NULL,
    game_id text,
    ply bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE race_games (
    race_id text NOT NULL,
    account_id bigint NOT NULL,
    game_id text NOT NULL,
    joined_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE races (
    id text NOT NULL,
    game text NOT NULL,
    options jsonb NOT NULL,
    maker_id bigint NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE ranking_marks (
    ranking text NOT NULL,
    value double precision NOT NULL,
    better bigint NOT NULL
);
CREATE TABLE rating_changes (
    game_id text NOT NULL,
    account_id bigint NOT NULL,
    game text NOT NULL,
    before double precision NOT NULL,
    after double precision NOT NULL,
    deviation double precision NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    volatility double precision,
    counted boolean DEFAULT true NOT NULL,
    counted_in text
);
CREATE TABLE ratings (
    account_id bigint NOT NULL,
    game text NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    games bigint NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    opponents bigint DEFAULT 0 NOT NULL
);
CREATE TABLE recovery_codes (
    account_id bigint NOT NULL,
    code_hash bytea NOT NULL
);
CREATE TABLE relations (
    account_id bigint NOT NULL,
    relation text NOT NULL,
    other_id bigint NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ck_relations_other CHECK ((account_id <> other_id)),
    CONSTRAINT ck_relations_relation CHECK ((relation = ANY (ARRAY['follow'::text, 'mute'::text, 'block'::text])))
);
CREATE TABLE reports (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    reporter_id bigint,
    reason text NOT NULL,
    place text NOT NULL,
    text text NOT NULL,
    quote text DEFAULT ''::text NOT NULL,
    reported_at timestamp with time zone DEFAULT now() NOT NULL,
    closed_at timestamp with time zone,
    closed_by bigint
);
ALTER TABLE reports ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME reports_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE retired_names (
    name_hash bytea NOT NULL,
    account_id bigint,
    retired_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE reviewed_plies (
    game_id text NOT NULL,
    ply bigint NOT NULL,
    best text NOT NULL,
    points double precision NOT NULL,
    played double precision,
    is_exact boolean NOT NULL,
    line text[]
);
CREATE TABLE sanctions (
    account_id bigint NOT NULL,
    kind text NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE scores (
    game_id text NOT NULL,
    account_id bigint NOT NULL,
    game text NOT NULL,
    size bigint NOT NULL,
    points bigint NOT NULL,
    tie_break bigint NOT NULL,
    undos bigint NOT NULL,
    is_best boolean NOT NULL,
    submitted_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE season_awards (
    source text NOT NULL,
    account_id bigint NOT NULL,
    season text NOT NULL,
    rank bigint NOT NULL,
    points smallint NOT NULL
);
CREATE TABLE season_places (
    season text NOT NULL,
    account_id bigint NOT NULL,
    rank bigint NOT NULL,
    points bigint NOT NULL,
    events bigint NOT NULL
);
CREATE TABLE second_factors (
    account_id bigint NOT NULL,
    secret text NOT NULL,
    last_step bigint DEFAULT 0 NOT NULL,
    confirmed_at timestamp with time zone
);
CREATE TABLE security_events (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    account_id bigint,
    action text NOT NULL,
    detail text NOT NULL,
    network text NOT NULL,
    browser text NOT NULL
);
ALTER TABLE security_events ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME security_events_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE sendings (
    delivery_id bigint NOT NULL,
    recipient bytea NOT NULL,
    kind text NOT NULL,
    account_id bigint,
    actor_id bigint,
    notification_id bigint,
    is_read boolean DEFAULT false NOT NULL,
    sent_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE sessions (
    token_hash bytea NOT NULL,
    account_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    browser text DEFAULT ''::text NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone
);
CREATE TABLE shown_puzzles (
    account_id bigint NOT NULL,
    puzzle_id text NOT NULL,
    game text NOT NULL,
    "position" text NOT NULL,
    shown_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE studies (
    id text NOT NULL,
    account_id bigint NOT NULL,
    game_id text,
    visibility text NOT NULL,
    title text NOT NULL,
    game text NOT NULL,
    players bigint NOT NULL,
    options jsonb NOT NULL,
    "position" text NOT NULL,
    moves text NOT NULL,
    shown text DEFAULT ''::text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ck_studies_visibility CHECK ((visibility = ANY (ARRAY['private'::text, 'link'::text, 'public'::text])))
);
CREATE TABLE tallies (
    account_id bigint NOT NULL,
    game text NOT NULL,
    size smallint NOT NULL,
    measure text NOT NULL,
    bucket text NOT NULL,
    count bigint NOT NULL,
    total bigint DEFAULT 0 NOT NULL
);
CREATE TABLE team_members (
    team_id text NOT NULL,
    account_id bigint NOT NULL,
    role text NOT NULL,
    joined_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ck_team_members_role CHECK ((role = ANY (ARRAY['leader'::text, 'officer'::text, 'member'::text])))
);
CREATE TABLE team_requests (
    team_id text NOT NULL,
    account_id bigint NOT NULL,
    text text DEFAULT ''::text NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    refused_at timestamp with time zone
);
CREATE TABLE teams (
    id text NOT NULL,
    name text NOT NULL,
    text text DEFAULT ''::text NOT NULL,
    is_open boolean NOT NULL,
    leader_id bigint NOT NULL,
    size bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    closed_at timestamp with time zone,
    skeleton text
);
CREATE UNLOGGED TABLE throttle_counts (
    key bytea NOT NULL,
    hits bigint NOT NULL,
    ends_at timestamp with time zone NOT NULL
);
CREATE TABLE tournament_pairings (
    id bigint NOT NULL,
    tournament_id text NOT NULL,
    round bigint NOT NULL,
    board bigint NOT NULL,
    leg smallint DEFAULT 1 NOT NULL,
    group_number smallint DEFAULT 0 NOT NULL,
    first_id bigint NOT NULL,
    second_id bigint,
    game_id text,
    outcome text,
    is_played boolean DEFAULT true NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT ck_tournament_pairings_outcome CHECK ((outcome = ANY (ARRAY['first'::text, 'second'::text, 'draw'::text, 'neither'::text])))
);
ALTER TABLE tournament_pairings ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME tournament_pairings_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE tournament_players (
    tournament_id text NOT NULL,
    account_id bigint NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    rating bigint NOT NULL,
    seed bigint DEFAULT 0 NOT NULL,
    group_number smallint DEFAULT 0 NOT NULL,
    stage smallint DEFAULT 0 NOT NULL,
    points double precision DEFAULT 0 NOT NULL,
    tie_breaks double precision[] DEFAULT '{}'::double precision[] NOT NULL,
    games bigint DEFAULT 0 NOT NULL,
    wins bigint DEFAULT 0 NOT NULL,
    streak bigint DEFAULT 0 NOT NULL,
    seats bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    last_opponent bigint,
    game_id text,
    free_since timestamp with time zone,
    rank bigint,
    joined_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ck_tournament_players_status CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'withdrawn'::text])))
);
CREATE TABLE tournaments (
    id text NOT NULL,
    kind text NOT NULL,
    status text DEFAULT 'created'::text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    organiser_id bigint,
    series text,
    game text NOT NULL,
    options jsonb NOT NULL,
    time_control jsonb,
    rated boolean NOT NULL,
    plan jsonb NOT NULL,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    max_players bigint NOT NULL,
    rating_min bigint,
    rating_max bigint,
    min_games bigint DEFAULT 0 NOT NULL,
    team_id text,
    password_hash text,
    computers boolean DEFAULT false NOT NULL,
    chat boolean DEFAULT true NOT NULL,
    size bigint DEFAULT 0 NOT NULL,
    round bigint DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    pause_until timestamp with time zone,
    reminded_at timestamp with time zone,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    reason text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    skeleton text,
    CONSTRAINT ck_tournaments_status CHECK ((status = ANY (ARRAY['created'::text, 'started'::text, 'finished'::text, 'cancelled'::text])))
);
CREATE TABLE unreadable_rows (
    kind text NOT NULL,
    id text NOT NULL,
    reader text NOT NULL,
    error text NOT NULL,
    first_seen_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE vacations (
    account_id bigint NOT NULL,
    saved bigint NOT NULL,
    counted_at timestamp with time zone NOT NULL,
    since timestamp with time zone,
    until timestamp with time zone,
    is_settled boolean DEFAULT true NOT NULL
);
ALTER TABLE ONLY pgqueuer ALTER COLUMN id SET DEFAULT nextval('pgqueuer_id_seq'::regclass);
ALTER TABLE ONLY pgqueuer_schedules ALTER COLUMN id SET DEFAULT nextval('pgqueuer_schedules_id_seq'::regclass);
ALTER TABLE ONLY pgqueuer_statistics ALTER COLUMN id SET DEFAULT nextval('pgqueuer_statistics_id_seq'::regclass);
INSERT INTO accounts VALUES (1, 'Gorrion-1', '!', '2026-11-26 16:40:05.405644+00', true, '{}', '{}', NULL, 1, false);
INSERT INTO accounts VALUES (2, 'Gorrion-2', '!', '2026-11-26 16:40:05.405644+00', true, '{}', '{}', NULL, 2, false);
INSERT INTO accounts VALUES (3, 'Gorrion-3', '!', '2026-11-26 16:40:05.405644+00', true, '{}', '{}', NULL, 3, false);
INSERT INTO accounts VALUES (4, 'Gorrion-4', '!', '2026-11-26 16:40:05.405644+00', true, '{}', '{}', NULL, 4, false);
INSERT INTO accounts VALUES (5, 'Gorrion-5', '!', '2026-11-26 16:40:05.405644+00', true, '{}', '{}', NULL, 5, false);
INSERT INTO accounts VALUES (6, 'Gorrion-6', '!', '2026-11-26 16:40:05.405644+00', true, '{}', '{}', NULL, 6, false);
INSERT INTO accounts VALUES (7, 'Gorrion-7', '!', '2026-11-26 16:40:05.405644+00', true, '{}', '{}', NULL, 7, false);
INSERT INTO accounts VALUES (8, 'Gorrion-8', '!', '2026-11-26 16:40:05.405644+00', true, '{}', '{}', NULL, 8, false);
INSERT INTO alembic_version VALUES ('b2d81f6a9c37');
INSERT INTO award_marks VALUES ('2026-11-26 16:40:08.12265+00');
INSERT INTO digested VALUES (true, '1970-01-01 00:00:00+00', '');
INSERT INTO heartbeat VALUES (true, '2026-11-26 16:40:04.945835+00', 0);
SELECT pg_catalog.setval('accounts_id_seq', 8, true);
ALTER TABLE ONLY alembic_version ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY pgqueuer_log ADD CONSTRAINT pgqueuer_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pgqueuer ADD CONSTRAINT pgqueuer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pgqueuer_schedules ADD CONSTRAINT pgqueuer_schedules_expression_entrypoint_key UNIQUE (expression, entrypoint);
ALTER TABLE ONLY pgqueuer_schedules ADD CONSTRAINT pgqueuer_schedules_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pgqueuer_statistics ADD CONSTRAINT pgqueuer_statistics_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts ADD CONSTRAINT pk_accounts PRIMARY KEY (id);
ALTER TABLE ONLY address_undos ADD CONSTRAINT pk_address_undos PRIMARY KEY (id);
ALTER TABLE ONLY api_tokens ADD CONSTRAINT pk_api_tokens PRIMARY KEY (token_hash);
ALTER TABLE ONLY award_marks ADD CONSTRAINT pk_award_marks PRIMARY KEY (judged_until);
ALTER TABLE ONLY awards ADD CONSTRAINT pk_awards PRIMARY KEY (account_id, achievement);
ALTER TABLE ONLY challenges ADD CONSTRAINT pk_challenges PRIMARY KEY (id);
ALTER TABLE ONLY chat_messages ADD CONSTRAINT pk_chat_messages PRIMARY KEY (id);
ALTER TABLE ONLY clock_credits ADD CONSTRAINT pk_clock_credits PRIMARY KEY (game_id);
ALTER TABLE ONLY coached_games ADD CONSTRAINT pk_coached_games PRIMARY KEY (game_id);
ALTER TABLE ONLY conditional_moves ADD CONSTRAINT pk_conditional_moves PRIMARY KEY (game_id, account_id);
ALTER TABLE ONLY connections ADD CONSTRAINT pk_connections PRIMARY KEY (id);
ALTER TABLE ONLY deliveries ADD CONSTRAINT pk_deliveries PRIMARY KEY (id);
ALTER TABLE ONLY departures ADD CONSTRAINT pk_departures PRIMARY KEY (account_id);
ALTER TABLE ONLY devices ADD CONSTRAINT pk_devices PRIMARY KEY (token_hash, account_id);
ALTER TABLE ONLY digested ADD CONSTRAINT pk_digested PRIMARY KEY (single);
ALTER TABLE ONLY email_addresses ADD CONSTRAINT pk_email_addresses PRIMARY KEY (account_id);
ALTER TABLE ONLY erasures ADD CONSTRAINT pk_erasures PRIMARY KEY (account_id);
ALTER TABLE ONLY explored_games ADD CONSTRAINT pk_explored_games PRIMARY KEY (game_id);
ALTER TABLE ONLY explored_moves ADD CONSTRAINT pk_explored_moves PRIMARY KEY ("position", move, band);
ALTER TABLE ONLY export_parts ADD CONSTRAINT pk_export_parts PRIMARY KEY (export_id, number);
ALTER TABLE ONLY exports ADD CONSTRAINT pk_exports PRIMARY KEY (id);
ALTER TABLE ONLY game_notes ADD CONSTRAINT pk_game_notes PRIMARY KEY (game_id, account_id);
ALTER TABLE ONLY game_reviews ADD CONSTRAINT pk_game_reviews PRIMARY KEY (game_id);
ALTER TABLE ONLY games ADD CONSTRAINT pk_games PRIMARY KEY (id);
ALTER TABLE ONLY heartbeat ADD CONSTRAINT pk_heartbeat PRIMARY KEY (single);
ALTER TABLE ONLY idempotency_keys ADD CONSTRAINT pk_idempotency_keys PRIMARY KEY (digest);
ALTER TABLE ONLY job_results ADD CONSTRAINT pk_job_results PRIMARY KEY (key);
ALTER TABLE ONLY ladder_challenges ADD CONSTRAINT pk_ladder_challenges PRIMARY KEY (id);
ALTER TABLE ONLY ladder_changes ADD CONSTRAINT pk_ladder_changes PRIMARY KEY (id);
ALTER TABLE ONLY ladder_players ADD CONSTRAINT pk_ladder_players PRIMARY KEY (game, account_id);
ALTER TABLE ONLY lesson_steps ADD CONSTRAINT pk_lesson_steps PRIMARY KEY (account_id, game, step);
ALTER TABLE ONLY mail_links ADD CONSTRAINT pk_mail_links PRIMARY KEY (account_id, purpose);
ALTER TABLE ONLY message_threads ADD CONSTRAINT pk_message_threads PRIMARY KEY (account_id, other_id);
ALTER TABLE ONLY messages ADD CONSTRAINT pk_messages PRIMARY KEY (id);
ALTER TABLE ONLY moderation_actions ADD CONSTRAINT pk_moderation_actions PRIMARY KEY (id);
ALTER TABLE ONLY moves ADD CONSTRAINT pk_moves PRIMARY KEY (game_id, ply);
ALTER TABLE ONLY notification_channels ADD CONSTRAINT pk_notification_channels PRIMARY KEY (account_id, channel);
ALTER TABLE ONLY notifications ADD CONSTRAINT pk_notifications PRIMARY KEY (id);
ALTER TABLE ONLY nugget_boards ADD CONSTRAINT pk_nugget_boards PRIMARY KEY (run_id, number);
ALTER TABLE ONLY nugget_competitions ADD CONSTRAINT pk_nugget_competitions PRIMARY KEY (id);
ALTER TABLE ONLY nugget_drafts ADD CONSTRAINT pk_nugget_drafts PRIMARY KEY (account_id);
ALTER TABLE ONLY nugget_entries ADD CONSTRAINT pk_nugget_entries PRIMARY KEY (id);
ALTER TABLE ONLY nugget_helped_boards ADD CONSTRAINT pk_nugget_helped_boards PRIMARY KEY (prefix);
ALTER TABLE ONLY nugget_helped_positions ADD CONSTRAINT pk_nugget_helped_positions PRIMARY KEY (key);
ALTER TABLE ONLY nugget_ledger ADD CONSTRAINT pk_nugget_ledger PRIMARY KEY (sequence);
ALTER TABLE ONLY nugget_reviewed_pushes ADD CONSTRAINT pk_nugget_reviewed_pushes PRIMARY KEY (entry_id, board, ply);
ALTER TABLE ONLY nugget_runs ADD CONSTRAINT pk_nugget_runs PRIMARY KEY (id);
ALTER TABLE ONLY nugget_standings ADD CONSTRAINT pk_nugget_standings PRIMARY KEY (ranking, account_id);
ALTER TABLE ONLY open_puzzles ADD CONSTRAINT pk_open_puzzles PRIMARY KEY (account_id);
ALTER TABLE ONLY passkey_challenges ADD CONSTRAINT pk_passkey_challenges PRIMARY KEY (challenge);
ALTER TABLE ONLY passkeys ADD CONSTRAINT pk_passkeys PRIMARY KEY (credential_id);
ALTER TABLE ONLY pending_log_ins ADD CONSTRAINT pk_pending_log_ins PRIMARY KEY (token_hash);
ALTER TABLE ONLY processes ADD CONSTRAINT pk_processes PRIMARY KEY (id);
ALTER TABLE ONLY profiles ADD CONSTRAINT pk_profiles PRIMARY KEY (account_id);
ALTER TABLE ONLY push_devices ADD CONSTRAINT pk_push_devices PRIMARY KEY (id);
ALTER TABLE ONLY push_keys ADD CONSTRAINT pk_push_keys PRIMARY KEY (single);
ALTER TABLE ONLY puzzle_attempts ADD CONSTRAINT pk_puzzle_attempts PRIMARY KEY (account_id, puzzle_id);
ALTER TABLE ONLY puzzle_days ADD CONSTRAINT pk_puzzle_days PRIMARY KEY (day, game);
ALTER TABLE ONLY puzzle_ratings ADD CONSTRAINT pk_puzzle_ratings PRIMARY KEY (account_id, game);
ALTER TABLE ONLY puzzle_searches ADD CONSTRAINT pk_puzzle_searches PRIMARY KEY (game_id);
ALTER TABLE ONLY puzzles ADD CONSTRAINT pk_puzzles PRIMARY KEY (id);
ALTER TABLE ONLY race_games ADD CONSTRAINT pk_race_games PRIMARY KEY (race_id, account_id);
ALTER TABLE ONLY races ADD CONSTRAINT pk_races PRIMARY KEY (id);
ALTER TABLE ONLY ranking_marks ADD CONSTRAINT pk_ranking_marks PRIMARY KEY (ranking, value);
ALTER TABLE ONLY rating_changes ADD CONSTRAINT pk_rating_changes PRIMARY KEY (game_id, account_id);
ALTER TABLE ONLY ratings ADD CONSTRAINT pk_ratings PRIMARY KEY (account_id, game);
ALTER TABLE ONLY recovery_codes ADD CONSTRAINT pk_recovery_codes PRIMARY KEY (account_id, code_hash);
ALTER TABLE ONLY relations ADD CONSTRAINT pk_relations PRIMARY KEY (account_id, relation, other_id);
ALTER TABLE ONLY reports ADD CONSTRAINT pk_reports PRIMARY KEY (id);
ALTER TABLE ONLY retired_names ADD CONSTRAINT pk_retired_names PRIMARY KEY (name_hash);
ALTER TABLE ONLY reviewed_plies ADD CONSTRAINT pk_reviewed_plies PRIMARY KEY (game_id, ply);
ALTER TABLE ONLY sanctions ADD CONSTRAINT pk_sanctions PRIMARY KEY (account_id, kind);
ALTER TABLE ONLY scores ADD CONSTRAINT pk_scores PRIMARY KEY (game_id);
ALTER TABLE ONLY season_awards ADD CONSTRAINT pk_season_awards PRIMARY KEY (source, account_id);
ALTER TABLE ONLY season_places ADD CONSTRAINT pk_season_places PRIMARY KEY (season, account_id);
ALTER TABLE ONLY second_factors ADD CONSTRAINT pk_second_factors PRIMARY KEY (account_id);
ALTER TABLE ONLY security_events ADD CONSTRAINT pk_security_events PRIMARY KEY (id);
ALTER TABLE ONLY sendings ADD CONSTRAINT pk_sendings PRIMARY KEY (delivery_id);
ALTER TABLE ONLY sessions ADD CONSTRAINT pk_sessions PRIMARY KEY (token_hash);
ALTER TABLE ONLY shown_puzzles ADD CONSTRAINT pk_shown_puzzles PRIMARY KEY (account_id, puzzle_id);
ALTER TABLE ONLY studies ADD CONSTRAINT pk_studies PRIMARY KEY (id);
ALTER TABLE ONLY tallies ADD CONSTRAINT pk_tallies PRIMARY KEY (account_id, game, size, measure, bucket);
ALTER TABLE ONLY team_members ADD CONSTRAINT pk_team_members PRIMARY KEY (team_id, account_id);
ALTER TABLE ONLY team_requests ADD CONSTRAINT pk_team_requests PRIMARY KEY (team_id, account_id);
ALTER TABLE ONLY teams ADD CONSTRAINT pk_teams PRIMARY KEY (id);
ALTER TABLE ONLY throttle_counts ADD CONSTRAINT pk_throttle_counts PRIMARY KEY (key);
ALTER TABLE ONLY tournament_pairings ADD CONSTRAINT pk_tournament_pairings PRIMARY KEY (id);
ALTER TABLE ONLY tournament_players ADD CONSTRAINT pk_tournament_players PRIMARY KEY (tournament_id, account_id);
ALTER TABLE ONLY tournaments ADD CONSTRAINT pk_tournaments PRIMARY KEY (id);
ALTER TABLE ONLY unreadable_rows ADD CONSTRAINT pk_unreadable_rows PRIMARY KEY (kind, id);
ALTER TABLE ONLY vacations ADD CONSTRAINT pk_vacations PRIMARY KEY (account_id);
ALTER TABLE ONLY address_undos ADD CONSTRAINT uq_address_undos_token_hash UNIQUE (token_hash);
ALTER TABLE ONLY deliveries ADD CONSTRAINT uq_deliveries_notification_id_channel UNIQUE (notification_id, channel);
ALTER TABLE ONLY email_addresses ADD CONSTRAINT uq_email_addresses_unsubscribe_key UNIQUE (unsubscribe_key);
ALTER TABLE ONLY ladder_challenges ADD CONSTRAINT uq_ladder_challenges_game_id UNIQUE (game_id);
ALTER TABLE ONLY ladder_players ADD CONSTRAINT uq_ladder_players_game_place UNIQUE (game, place) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY mail_links ADD CONSTRAINT uq_mail_links_token_hash UNIQUE (token_hash);
ALTER TABLE ONLY moves ADD CONSTRAINT uq_moves_game_id_move_id UNIQUE (game_id, move_id);
ALTER TABLE ONLY notifications ADD CONSTRAINT uq_notifications_account_id_kind_subject UNIQUE (account_id, kind, subject);
ALTER TABLE ONLY nugget_entries ADD CONSTRAINT uq_nugget_entries_record_sha256 UNIQUE (record_sha256);
ALTER TABLE ONLY push_devices ADD CONSTRAINT uq_push_devices_endpoint UNIQUE (endpoint);
ALTER TABLE ONLY race_games ADD CONSTRAINT uq_race_games_game_id UNIQUE (game_id);
ALTER TABLE ONLY studies ADD CONSTRAINT uq_studies_game_id UNIQUE (game_id);
ALTER TABLE ONLY tournament_pairings ADD CONSTRAINT uq_tournament_pairings_board UNIQUE (tournament_id, round, group_number, leg, board);
ALTER TABLE ONLY tournament_pairings ADD CONSTRAINT uq_tournament_pairings_game_id UNIQUE (game_id);
ALTER TABLE ONLY tournaments ADD CONSTRAINT uq_tournaments_series_starts_at UNIQUE (series, starts_at);
CREATE INDEX ix_accounts_left ON accounts USING btree (id) WHERE ((closed_at IS NOT NULL) AND (NOT keeps_results));
CREATE INDEX ix_accounts_username_start ON accounts USING btree (lower(username) text_pattern_ops) WHERE (closed_at IS NULL);
CREATE INDEX ix_address_undos_account_id ON address_undos USING btree (account_id);
CREATE INDEX ix_api_tokens_account_id ON api_tokens USING btree (account_id);
CREATE INDEX ix_challenges_game_id ON challenges USING btree (game_id);
CREATE INDEX ix_challenges_lobby ON challenges USING btree (created_at) WHERE ((status = 'open'::text) AND (kind = 'open'::text));
CREATE INDEX ix_challenges_maker_id ON challenges USING btree (maker_id);
CREATE INDEX ix_challenges_open ON challenges USING btree (maker_id) WHERE (status = 'open'::text);
CREATE INDEX ix_challenges_opponent_id ON challenges USING btree (opponent_id);
CREATE INDEX ix_challenges_rematch_of ON challenges USING btree (rematch_of);
CREATE INDEX ix_chat_messages_account_id ON chat_messages USING btree (account_id);
CREATE INDEX ix_chat_messages_game_id_room_id ON chat_messages USING btree (game_id, room, id);
CREATE INDEX ix_chat_messages_tournament_id ON chat_messages USING btree (tournament_id, id) WHERE (tournament_id IS NOT NULL);
CREATE INDEX ix_conditional_moves_lines ON conditional_moves USING btree (game_id) WHERE (lines <> '[]'::jsonb);
CREATE INDEX ix_connections_account_id ON connections USING btree (account_id);
CREATE INDEX ix_connections_place ON connections USING btree (place);
CREATE INDEX ix_connections_process_id ON connections USING btree (process_id);
CREATE INDEX ix_deliveries_account_id ON deliveries USING btree (account_id);
CREATE INDEX ix_deliveries_channel_due_at ON deliveries USING btree (channel, due_at);
CREATE INDEX ix_devices_account_id ON devices USING btree (account_id);
CREATE INDEX ix_email_addresses_address_lower ON email_addresses USING btree (lower(address));
CREATE INDEX ix_exports_account_id ON exports USING btree (account_id);
CREATE INDEX ix_games_ended_at ON games USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX ix_games_of_first_player ON games USING btree (first_player, ended_at) INCLUDE (second_player, status, winner_seat);
CREATE INDEX ix_games_of_second_player ON games USING btree (second_player, ended_at) INCLUDE (first_player, status, winner_seat);
CREATE INDEX ix_games_to_watch ON games USING btree (COALESCE((ratings[1] + ratings[2]), (0)::double precision), created_at) WHERE ((status = 'started'::text) AND (second_player IS NOT NULL));
CREATE INDEX ix_games_voided_at ON games USING btree (voided_at) WHERE (voided_at IS NOT NULL);
CREATE INDEX ix_games_watch_at ON games USING btree (watch_at) WHERE (watch_at IS NOT NULL);
CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys USING btree (created_at);
CREATE INDEX ix_ladder_challenges_challenger_id ON ladder_challenges USING btree (challenger_id);
CREATE INDEX ix_ladder_challenges_defender_id ON ladder_challenges USING btree (defender_id);
CREATE INDEX ix_ladder_changes_account_id ON ladder_changes USING btree (account_id);
CREATE INDEX ix_ladder_changes_game_id ON ladder_changes USING btree (game, id);
CREATE INDEX ix_ladder_changes_opponent_id ON ladder_changes USING btree (opponent_id);
CREATE INDEX ix_ladder_players_account_id ON ladder_players USING btree (account_id);
CREATE INDEX ix_ladder_players_inactive_at ON ladder_players USING btree (inactive_at);
CREATE INDEX ix_message_threads_account_id_last_id ON message_threads USING btree (account_id, last_id);
CREATE INDEX ix_message_threads_last_id ON message_threads USING btree (last_id);
CREATE INDEX ix_message_threads_other_id ON message_threads USING btree (other_id);
CREATE INDEX ix_messages_author_id_reader_id_id ON messages USING btree (author_id, reader_id, id);
CREATE INDEX ix_messages_reader_id ON messages USING btree (reader_id);
CREATE INDEX ix_moderation_actions_account_id ON moderation_actions USING btree (account_id);
CREATE INDEX ix_notification_channels_digest_at ON notification_channels USING btree (digest_at) WHERE (digest_at IS NOT NULL);
CREATE INDEX ix_notifications_account_id_id ON notifications USING btree (account_id, id);
CREATE INDEX ix_notifications_actor_id ON notifications USING btree (actor_id);
CREATE INDEX ix_notifications_created_at ON notifications USING btree (created_at);
CREATE INDEX ix_nugget_entries_account_id ON nugget_entries USING btree (account_id);
CREATE INDEX ix_nugget_entries_assisted_at ON nugget_entries USING btree (assisted_at) WHERE (assisted_at IS NOT NULL);
CREATE INDEX ix_nugget_entries_competition_id ON nugget_entries USING btree (competition_id);
CREATE INDEX ix_nugget_entries_positions ON nugget_entries USING gin (positions);
CREATE INDEX ix_nugget_entries_prefixes ON nugget_entries USING gin (prefixes);
CREATE INDEX ix_nugget_entries_submitted_at ON nugget_entries USING btree (submitted_at);
CREATE INDEX ix_nugget_entries_to_trace ON nugget_entries USING btree (submitted_at) WHERE (positions IS NULL);
CREATE INDEX ix_nugget_entries_untraced ON nugget_entries USING btree (submitted_at) WHERE (prefixes IS NULL);
CREATE INDEX ix_nugget_entries_withdrawn_at ON nugget_entries USING btree (withdrawn_at) WHERE (withdrawn_at IS NOT NULL);
CREATE INDEX ix_nugget_ledger_entry_id ON nugget_ledger USING btree (entry_id);
CREATE INDEX ix_nugget_runs_account ON nugget_runs USING btree (account_id, updated_at);
CREATE INDEX ix_nugget_standings_account_id ON nugget_standings USING btree (account_id);
CREATE INDEX ix_nugget_standings_entry_id ON nugget_standings USING btree (entry_id);
CREATE INDEX ix_nugget_standings_mean ON nugget_standings USING btree (ranking, mean_key) INCLUDE (account_id);
CREATE INDEX ix_nugget_standings_rank ON nugget_standings USING btree (ranking, mean_key, fewer_boards, last_boards, submitted_at, account_id);
CREATE INDEX ix_passkey_challenges_account_id ON passkey_challenges USING btree (account_id);
CREATE INDEX ix_passkeys_account_id ON passkeys USING btree (account_id);
CREATE INDEX ix_pending_log_ins_account_id ON pending_log_ins USING btree (account_id);
CREATE INDEX ix_push_devices_account_id ON push_devices USING btree (account_id);
CREATE INDEX ix_puzzle_attempts_history ON puzzle_attempts USING btree (account_id, attempted_at);
CREATE INDEX ix_puzzle_searches_ended_at ON puzzle_searches USING btree (ended_at);
CREATE INDEX ix_puzzles_rating ON puzzles USING btree (game, rating);
CREATE INDEX ix_puzzles_source ON puzzles USING btree (game_id, ply) WHERE (game_id IS NOT NULL);
CREATE INDEX ix_race_games_account ON race_games USING btree (account_id);
CREATE INDEX ix_races_ends_at ON races USING btree (ends_at);
CREATE INDEX ix_races_maker_id ON races USING btree (maker_id);
CREATE INDEX ix_rating_changes_account ON rating_changes USING btree (account_id, game, changed_at);
CREATE INDEX ix_rating_changes_waiting ON rating_changes USING btree (account_id, game, changed_at) WHERE (NOT counted);
CREATE INDEX ix_ratings_places ON ratings USING btree (game, rating DESC, account_id) INCLUDE (deviation, volatility, games, opponents, updated_at);
CREATE INDEX ix_relations_other_id_relation ON relations USING btree (other_id, relation);
CREATE INDEX ix_reports_account_id ON reports USING btree (account_id);
CREATE INDEX ix_reports_open ON reports USING btree (reported_at) WHERE (closed_at IS NULL);
CREATE INDEX ix_reports_reporter_id ON reports USING btree (reporter_id);
CREATE INDEX ix_retired_names_account_id ON retired_names USING btree (account_id);
CREATE UNIQUE INDEX ix_scores_best ON scores USING btree (account_id, game, size) WHERE is_best;
CREATE INDEX ix_scores_ranking ON scores USING btree (game, size, points DESC, tie_break, submitted_at, game_id) INCLUDE (account_id) WHERE is_best;
CREATE INDEX ix_scores_submitted_at ON scores USING btree (submitted_at);
CREATE INDEX ix_season_awards_account_id ON season_awards USING btree (account_id);
CREATE INDEX ix_season_awards_season ON season_awards USING btree (season);
CREATE INDEX ix_season_places_account_id ON season_places USING btree (account_id);
CREATE INDEX ix_season_places_order ON season_places USING btree (season, points DESC, account_id);
CREATE INDEX ix_security_events_account_id_id ON security_events USING btree (account_id, id);
CREATE INDEX ix_security_events_at ON security_events USING btree (at);
CREATE INDEX ix_sendings_account_id ON sendings USING btree (account_id);
CREATE INDEX ix_sendings_actor_id ON sendings USING btree (actor_id);
CREATE INDEX ix_sendings_recipient_kind_sent_at ON sendings USING btree (recipient, kind, sent_at);
CREATE INDEX ix_sendings_sent_at ON sendings USING btree (sent_at);
CREATE INDEX ix_sessions_account_id ON sessions USING btree (account_id);
CREATE INDEX ix_studies_of_account ON studies USING btree (account_id, updated_at);
CREATE INDEX ix_studies_public ON studies USING btree (updated_at) WHERE (visibility = 'public'::text);
CREATE INDEX ix_team_members_account_id ON team_members USING btree (account_id);
CREATE INDEX ix_team_requests_account_id ON team_requests USING btree (account_id);
CREATE INDEX ix_teams_leader_id ON teams USING btree (leader_id);
CREATE INDEX ix_teams_size_id ON teams USING btree (size DESC, id) WHERE (closed_at IS NULL);
CREATE INDEX ix_tournament_pairings_first_id ON tournament_pairings USING btree (first_id);
CREATE INDEX ix_tournament_pairings_open ON tournament_pairings USING btree (tournament_id) WHERE (outcome IS NULL);
CREATE INDEX ix_tournament_pairings_second_id ON tournament_pairings USING btree (second_id);
CREATE INDEX ix_tournament_players_account_id_rank ON tournament_players USING btree (account_id, rank);
CREATE INDEX ix_tournament_players_free ON tournament_players USING btree (tournament_id) WHERE ((status = 'active'::text) AND (game_id IS NULL));
CREATE INDEX ix_tournament_players_order ON tournament_players USING btree (tournament_id, stage DESC, points DESC, tie_breaks DESC, seed, account_id);
CREATE INDEX ix_tournaments_due_at ON tournaments USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ix_tournaments_ended_at ON tournaments USING btree (ended_at, id) WHERE (ended_at IS NOT NULL);
CREATE INDEX ix_tournaments_organiser_id ON tournaments USING btree (organiser_id);
CREATE INDEX ix_tournaments_skeleton ON tournaments USING btree (skeleton) WHERE (status = ANY (ARRAY['created'::text, 'started'::text]));
CREATE INDEX ix_tournaments_status_starts_at ON tournaments USING btree (status, starts_at);
CREATE INDEX ix_tournaments_team_id ON tournaments USING btree (team_id);
CREATE INDEX ix_vacations_not_settled ON vacations USING btree (account_id) WHERE (NOT is_settled);
CREATE INDEX pgqueuer_ep_ea_idx ON pgqueuer USING btree (entrypoint, execute_after) WHERE (status = 'queued'::pgqueuer_status);
CREATE INDEX pgqueuer_ep_prio_id_idx ON pgqueuer USING btree (entrypoint, priority DESC, id) WHERE (status = 'queued'::pgqueuer_status);
CREATE INDEX pgqueuer_log_created ON pgqueuer_log USING btree (created);
CREATE INDEX pgqueuer_log_job_id_status ON pgqueuer_log USING btree (job_id, created DESC);
CREATE INDEX pgqueuer_log_not_aggregated ON pgqueuer_log USING btree ((1)) WHERE (NOT aggregated);
CREATE INDEX pgqueuer_log_status ON pgqueuer_log USING btree (status);
CREATE INDEX pgqueuer_picked_heartbeat_idx ON pgqueuer USING btree (heartbeat) WHERE (status = 'picked'::pgqueuer_status);
CREATE UNIQUE INDEX pgqueuer_picked_slot_idx ON pgqueuer USING btree (entrypoint, slot) WHERE ((status = 'picked'::pgqueuer_status) AND (slot IS NOT NULL));
CREATE INDEX pgqueuer_priority_id_id1_idx ON pgqueuer USING btree (priority, id DESC) INCLUDE (id) WHERE (status = 'queued'::pgqueuer_status);
CREATE INDEX pgqueuer_queue_manager_id_idx ON pgqueuer USING btree (queue_manager_id) WHERE (queue_manager_id IS NOT NULL);
CREATE UNIQUE INDEX pgqueuer_statistics_unique_count ON pgqueuer_statistics USING btree (priority, date_trunc('sec'::text, timezone('UTC'::text, created)), status, entrypoint);
CREATE UNIQUE INDEX pgqueuer_unique_dedupe_key ON pgqueuer USING btree (dedupe_key) WHERE ((status = ANY (ARRAY['queued'::pgqueuer_status, 'picked'::pgqueuer_status])) AND (dedupe_key IS NOT NULL));
CREATE INDEX pgqueuer_updated_id_id1_idx ON pgqueuer USING btree (updated, id DESC) INCLUDE (id) WHERE (status = 'picked'::pgqueuer_status);
CREATE UNIQUE INDEX uq_accounts_computer_level ON accounts USING btree (computer_level);
CREATE UNIQUE INDEX uq_accounts_username_lower ON accounts USING btree (lower(username));
CREATE UNIQUE INDEX uq_ladder_challenges_challenger ON ladder_challenges USING btree (game, challenger_id) WHERE (outcome IS NULL);
CREATE UNIQUE INDEX uq_ladder_challenges_defender ON ladder_challenges USING btree (game, defender_id) WHERE (outcome IS NULL);
CREATE UNIQUE INDEX uq_reports_open ON reports USING btree (account_id, reporter_id, reason, place) NULLS NOT DISTINCT WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX uq_teams_name_lower ON teams USING btree (lower(name)) WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX uq_teams_skeleton ON teams USING btree (skeleton) WHERE (closed_at IS NULL);
CREATE TRIGGER moderation_actions_append_only BEFORE DELETE OR UPDATE ON moderation_actions FOR EACH ROW EXECUTE FUNCTION refuse_change_of_moderation_log();
CREATE TRIGGER moderation_actions_keep BEFORE TRUNCATE ON moderation_actions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_moderation_log();
ALTER TABLE ONLY address_undos ADD CONSTRAINT fk_address_undos_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY api_tokens ADD CONSTRAINT fk_api_tokens_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY awards ADD CONSTRAINT fk_awards_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY challenges ADD CONSTRAINT fk_challenges_game_id_games FOREIGN KEY (game_id) REFERENCES games(id);
ALTER TABLE ONLY challenges ADD CONSTRAINT fk_challenges_maker_id_accounts FOREIGN KEY (maker_id) REFERENCES accounts(id);
ALTER TABLE ONLY challenges ADD CONSTRAINT fk_challenges_opponent_id_accounts FOREIGN KEY (opponent_id) REFERENCES accounts(id);
ALTER TABLE ONLY challenges ADD CONSTRAINT fk_challenges_rematch_of_games FOREIGN KEY (rematch_of) REFERENCES games(id);
ALTER TABLE ONLY chat_messages ADD CONSTRAINT fk_chat_messages_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY chat_messages ADD CONSTRAINT fk_chat_messages_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY chat_messages ADD CONSTRAINT fk_chat_messages_tournament_id_tournaments FOREIGN KEY (tournament_id) REFERENCES tournaments(id) ON DELETE CASCADE;
ALTER TABLE ONLY coached_games ADD CONSTRAINT fk_coached_games_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY conditional_moves ADD CONSTRAINT fk_conditional_moves_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY conditional_moves ADD CONSTRAINT fk_conditional_moves_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY deliveries ADD CONSTRAINT fk_deliveries_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY deliveries ADD CONSTRAINT fk_deliveries_notification_id_notifications FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE;
ALTER TABLE ONLY departures ADD CONSTRAINT fk_departures_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY devices ADD CONSTRAINT fk_devices_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY email_addresses ADD CONSTRAINT fk_email_addresses_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY erasures ADD CONSTRAINT fk_erasures_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY explored_games ADD CONSTRAINT fk_explored_games_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY export_parts ADD CONSTRAINT fk_export_parts_export_id_exports FOREIGN KEY (export_id) REFERENCES exports(id) ON DELETE CASCADE;
ALTER TABLE ONLY exports ADD CONSTRAINT fk_exports_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY game_notes ADD CONSTRAINT fk_game_notes_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY game_notes ADD CONSTRAINT fk_game_notes_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY game_reviews ADD CONSTRAINT fk_game_reviews_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY games ADD CONSTRAINT fk_games_first_player_accounts FOREIGN KEY (first_player) REFERENCES accounts(id);
ALTER TABLE ONLY games ADD CONSTRAINT fk_games_second_player_accounts FOREIGN KEY (second_player) REFERENCES accounts(id);
ALTER TABLE ONLY ladder_challenges ADD CONSTRAINT fk_ladder_challenges_challenger_id_accounts FOREIGN KEY (challenger_id) REFERENCES accounts(id);
ALTER TABLE ONLY ladder_challenges ADD CONSTRAINT fk_ladder_challenges_defender_id_accounts FOREIGN KEY (defender_id) REFERENCES accounts(id);
ALTER TABLE ONLY ladder_changes ADD CONSTRAINT fk_ladder_changes_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY ladder_changes ADD CONSTRAINT fk_ladder_changes_opponent_id_accounts FOREIGN KEY (opponent_id) REFERENCES accounts(id);
ALTER TABLE ONLY ladder_players ADD CONSTRAINT fk_ladder_players_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY lesson_steps ADD CONSTRAINT fk_lesson_steps_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY mail_links ADD CONSTRAINT fk_mail_links_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY message_threads ADD CONSTRAINT fk_message_threads_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY message_threads ADD CONSTRAINT fk_message_threads_last_id_messages FOREIGN KEY (last_id) REFERENCES messages(id);
ALTER TABLE ONLY message_threads ADD CONSTRAINT fk_message_threads_other_id_accounts FOREIGN KEY (other_id) REFERENCES accounts(id);
ALTER TABLE ONLY messages ADD CONSTRAINT fk_messages_author_id_accounts FOREIGN KEY (author_id) REFERENCES accounts(id);
ALTER TABLE ONLY messages ADD CONSTRAINT fk_messages_reader_id_accounts FOREIGN KEY (reader_id) REFERENCES accounts(id);
ALTER TABLE ONLY moderation_actions ADD CONSTRAINT fk_moderation_actions_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY moderation_actions ADD CONSTRAINT fk_moderation_actions_moderator_id_accounts FOREIGN KEY (moderator_id) REFERENCES accounts(id);
ALTER TABLE ONLY moves ADD CONSTRAINT fk_moves_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY notification_channels ADD CONSTRAINT fk_notification_channels_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY notifications ADD CONSTRAINT fk_notifications_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY notifications ADD CONSTRAINT fk_notifications_actor_id_accounts FOREIGN KEY (actor_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY nugget_boards ADD CONSTRAINT fk_nugget_boards_run_id_nugget_runs FOREIGN KEY (run_id) REFERENCES nugget_runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY nugget_competitions ADD CONSTRAINT fk_nugget_competitions_organiser_id_accounts FOREIGN KEY (organiser_id) REFERENCES accounts(id);
ALTER TABLE ONLY nugget_drafts ADD CONSTRAINT fk_nugget_drafts_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY nugget_entries ADD CONSTRAINT fk_nugget_entries_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY nugget_entries ADD CONSTRAINT fk_nugget_entries_competition_id_nugget_competitions FOREIGN KEY (competition_id) REFERENCES nugget_competitions(id);
ALTER TABLE ONLY nugget_ledger ADD CONSTRAINT fk_nugget_ledger_entry_id_nugget_entries FOREIGN KEY (entry_id) REFERENCES nugget_entries(id);
ALTER TABLE ONLY nugget_reviewed_pushes ADD CONSTRAINT fk_nugget_reviewed_pushes_entry_id_nugget_entries FOREIGN KEY (entry_id) REFERENCES nugget_entries(id) ON DELETE CASCADE;
ALTER TABLE ONLY nugget_runs ADD CONSTRAINT fk_nugget_runs_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY nugget_standings ADD CONSTRAINT fk_nugget_standings_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY nugget_standings ADD CONSTRAINT fk_nugget_standings_entry_id_nugget_entries FOREIGN KEY (entry_id) REFERENCES nugget_entries(id);
ALTER TABLE ONLY open_puzzles ADD CONSTRAINT fk_open_puzzles_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY passkey_challenges ADD CONSTRAINT fk_passkey_challenges_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY passkeys ADD CONSTRAINT fk_passkeys_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY pending_log_ins ADD CONSTRAINT fk_pending_log_ins_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY profiles ADD CONSTRAINT fk_profiles_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY push_devices ADD CONSTRAINT fk_push_devices_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY puzzle_attempts ADD CONSTRAINT fk_puzzle_attempts_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY puzzle_attempts ADD CONSTRAINT fk_puzzle_attempts_puzzle_id_puzzles FOREIGN KEY (puzzle_id) REFERENCES puzzles(id);
ALTER TABLE ONLY puzzle_days ADD CONSTRAINT fk_puzzle_days_puzzle_id_puzzles FOREIGN KEY (puzzle_id) REFERENCES puzzles(id);
ALTER TABLE ONLY puzzle_ratings ADD CONSTRAINT fk_puzzle_ratings_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY puzzle_searches ADD CONSTRAINT fk_puzzle_searches_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY puzzles ADD CONSTRAINT fk_puzzles_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE SET NULL;
ALTER TABLE ONLY race_games ADD CONSTRAINT fk_race_games_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY race_games ADD CONSTRAINT fk_race_games_game_id_games FOREIGN KEY (game_id) REFERENCES games(id);
ALTER TABLE ONLY race_games ADD CONSTRAINT fk_race_games_race_id_races FOREIGN KEY (race_id) REFERENCES races(id);
ALTER TABLE ONLY races ADD CONSTRAINT fk_races_maker_id_accounts FOREIGN KEY (maker_id) REFERENCES accounts(id);
ALTER TABLE ONLY rating_changes ADD CONSTRAINT fk_rating_changes_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY rating_changes ADD CONSTRAINT fk_rating_changes_game_id_games FOREIGN KEY (game_id) REFERENCES games(id);
ALTER TABLE ONLY ratings ADD CONSTRAINT fk_ratings_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY recovery_codes ADD CONSTRAINT fk_recovery_codes_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY relations ADD CONSTRAINT fk_relations_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY relations ADD CONSTRAINT fk_relations_other_id_accounts FOREIGN KEY (other_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY reports ADD CONSTRAINT fk_reports_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY reports ADD CONSTRAINT fk_reports_closed_by_accounts FOREIGN KEY (closed_by) REFERENCES accounts(id);
ALTER TABLE ONLY reports ADD CONSTRAINT fk_reports_reporter_id_accounts FOREIGN KEY (reporter_id) REFERENCES accounts(id);
ALTER TABLE ONLY retired_names ADD CONSTRAINT fk_retired_names_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY reviewed_plies ADD CONSTRAINT fk_reviewed_plies_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY sanctions ADD CONSTRAINT fk_sanctions_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY scores ADD CONSTRAINT fk_scores_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY scores ADD CONSTRAINT fk_scores_game_id_games FOREIGN KEY (game_id) REFERENCES games(id);
ALTER TABLE ONLY season_awards ADD CONSTRAINT fk_season_awards_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY season_places ADD CONSTRAINT fk_season_places_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY second_factors ADD CONSTRAINT fk_second_factors_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY security_events ADD CONSTRAINT fk_security_events_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY sendings ADD CONSTRAINT fk_sendings_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY sendings ADD CONSTRAINT fk_sendings_actor_id_accounts FOREIGN KEY (actor_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY sessions ADD CONSTRAINT fk_sessions_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY shown_puzzles ADD CONSTRAINT fk_shown_puzzles_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY studies ADD CONSTRAINT fk_studies_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY studies ADD CONSTRAINT fk_studies_game_id_games FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY team_members ADD CONSTRAINT fk_team_members_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY team_members ADD CONSTRAINT fk_team_members_team_id_teams FOREIGN KEY (team_id) REFERENCES teams(id);
ALTER TABLE ONLY team_requests ADD CONSTRAINT fk_team_requests_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY team_requests ADD CONSTRAINT fk_team_requests_team_id_teams FOREIGN KEY (team_id) REFERENCES teams(id);
ALTER TABLE ONLY teams ADD CONSTRAINT fk_teams_leader_id_accounts FOREIGN KEY (leader_id) REFERENCES accounts(id);
ALTER TABLE ONLY tournament_pairings ADD CONSTRAINT fk_tournament_pairings_first_id_accounts FOREIGN KEY (first_id) REFERENCES accounts(id);
ALTER TABLE ONLY tournament_pairings ADD CONSTRAINT fk_tournament_pairings_second_id_accounts FOREIGN KEY (second_id) REFERENCES accounts(id);
ALTER TABLE ONLY tournament_pairings ADD CONSTRAINT fk_tournament_pairings_tournament_id_tournaments FOREIGN KEY (tournament_id) REFERENCES tournaments(id);
ALTER TABLE ONLY tournament_players ADD CONSTRAINT fk_tournament_players_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY tournament_players ADD CONSTRAINT fk_tournament_players_tournament_id_tournaments FOREIGN KEY (tournament_id) REFERENCES tournaments(id);
ALTER TABLE ONLY tournaments ADD CONSTRAINT fk_tournaments_organiser_id_accounts FOREIGN KEY (organiser_id) REFERENCES accounts(id);
ALTER TABLE ONLY tournaments ADD CONSTRAINT fk_tournaments_team_id_teams FOREIGN KEY (team_id) REFERENCES teams(id);
ALTER TABLE ONLY vacations ADD CONSTRAINT fk_vacations_account_id_accounts FOREIGN KEY (account_id) REFERENCES accounts(id);

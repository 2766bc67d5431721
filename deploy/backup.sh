#!/bin/sh
# Back up the database of PGHOST, PGUSER and PGDATABASE into BACKUP_FOLDER every BACKUP_EVERY seconds, and keep
# the last BACKUPS_KEPT files. Each is noted in the database, where administrators see it. `backup.sh check` fails
# unless the last backup is recent.
set -eu

if [ "${1:-}" = check ]; then
    test -n "$(find "$BACKUP_FOLDER" -name 'gorrion-*.dump' -mmin "-$((BACKUP_EVERY / 60 + 60))")"
    exit
fi

note() {
    psql --no-psqlrc --quiet --command \
        "INSERT INTO backup_notes (kind, file, bytes) VALUES ('backup', '${1##*/}', $(($(wc -c <"$1"))))"
}

trap 'exit 0' INT TERM
umask 077
mkdir -p "$BACKUP_FOLDER"
rm -f "$BACKUP_FOLDER"/gorrion-*.dump.part  # of a service that was killed while it wrote
while true; do
    file="$BACKUP_FOLDER/gorrion-$(date -u +%Y%m%d-%H%M%S).dump"
    if pg_dump --format=custom --file="$file.part"; then
        mv "$file.part" "$file"
        note "$file" || echo "$file could not be noted in the database" >&2
        echo "Wrote $file"
        ls -1 "$BACKUP_FOLDER"/gorrion-*.dump | sort -r | tail -n "+$((BACKUPS_KEPT + 1))" | xargs -r rm -f --
        pause=$BACKUP_EVERY
    else
        rm -f "$file.part"
        pause=60
    fi
    sleep "$pause" &
    wait $!
done
